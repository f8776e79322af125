"""Addresses about oneself: sign-up, log-in, settings."""

from django.urls import include, path

urlpatterns = [
    path("accounts/", include("allauth.urls")),
]
