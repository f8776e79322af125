"""Addresses of games, matches and tables."""

from django.urls import path
from django.views.generic import TemplateView

urlpatterns = [
    path("", TemplateView.as_view(template_name="games/home.html"), name="home"),
]
