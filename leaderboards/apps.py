"""The app of ratings and leaderboards."""

from django.apps import AppConfig


class LeaderboardsConfig(AppConfig):
    name = "leaderboards"
