"""Addresses of the API's pages; what is under api/v1/ the door answers before addresses are looked at."""

from django.urls import path

from games.api.views import manual, settings

urlpatterns = [
    path("api/", manual.page, name="api"),
    path("settings/api/", settings.page, name="api-tokens"),
]
