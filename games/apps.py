"""The app of games, matches and tables."""

from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        """Register the system check, whose module needs the models; have every process ring the worker alike."""
        import_module("games.checks")
        import_string(settings.TASKS_APP).set_default()  # for all its threads
