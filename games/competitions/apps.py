"""The app of tournaments."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CompetitionsConfig(AppConfig):
    name = "games.competitions"
    label = "competitions"
    verbose_name = _("Tournaments")
