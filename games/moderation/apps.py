"""The app of reports, sanctions and the audit of what moderators do."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ModerationConfig(AppConfig):
    name = "games.moderation"
    label = "moderation"
    verbose_name = _("Moderation")
