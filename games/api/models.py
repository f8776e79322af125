"""Tokens by which programs of members come in."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from config.lib import clock

LONGEST_NAME = 40


class Scope(models.TextChoices):
    """What a token is for; `bot` is for accounts of bots alone."""

    READ = "read", pgettext_lazy("API", "read")
    PLAY = "play", pgettext_lazy("API", "play")
    MESSAGE = "message", pgettext_lazy("API", "write messages")
    BOT = "bot", pgettext_lazy("API", "play as a bot")


class ApiToken(models.Model):
    """A token of a member; the site keeps its SHA-256 alone."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens", db_index=False)
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(default=list)  # of Scope
    created_at = models.DateTimeField(_("made"), default=clock.now)
    used_at = models.DateTimeField(_("last used"), null=True)  # written once a minute at most
    ends_at = models.DateTimeField(_("ends"), null=True)

    class Meta:
        verbose_name = _("token of the API")
        verbose_name_plural = _("tokens of the API")
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "name"], name="api_token_name_once")]

    def __str__(self) -> str:
        return f"#{self.pk}"  # shown in the admin's log, where the name may be personal

    def is_over(self, now: datetime) -> bool:
        """Return whether the token has ended."""
        return self.ends_at is not None and self.ends_at <= now
