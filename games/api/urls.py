"""URLs of the API's pages."""

from django.urls import path

from games.api.views import bots

urlpatterns = [
    path("settings/bots/", bots.bots_page, name="bots"),
]
