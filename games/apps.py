"""The app of games, matches and tables."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
