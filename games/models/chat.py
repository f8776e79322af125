"""Lines of chat, and who has muted whom."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models.match import Person

LONGEST_LINE = 1000


class ChatLine(models.Model):
    """A line of the chat at a match, among its players or among its watchers, or of a club."""

    class Channel(models.TextChoices):
        PLAYERS = "players", _("among the players")
        WATCHERS = "watchers", _("among the spectators")
        CLUB = "club", _("in a club")

    match = models.ForeignKey("games.Match", models.CASCADE, null=True, related_name="chat", db_index=False)
    club = models.ForeignKey("games.Club", models.CASCADE, null=True, related_name="chat", db_index=False)
    channel = models.CharField(_("where"), max_length=8, choices=Channel)
    user = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="chat_lines", verbose_name=_("who"))
    text = models.CharField(_("text"), max_length=LONGEST_LINE)
    at = models.DateTimeField(_("when"), default=clock.now)
    hidden = models.BooleanField(_("hidden"), default=False)  # by a moderator

    class Meta:
        verbose_name = _("chat line")
        verbose_name_plural = _("chat lines")
        indexes: ClassVar = [
            models.Index(fields=["match", "channel", "id"], name="chat_of_match"),
            models.Index(fields=["club", "id"], name="chat_of_club", condition=Q(club__isnull=False)),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(channel="club", club__isnull=False, match__isnull=True)
                | Q(channel__in=["players", "watchers"], club__isnull=True, match__isnull=False),
                name="chat_of_match_or_club",
            )
        ]

    def __str__(self) -> str:
        return f"{self.match_id or self.club_id} {self.channel} {self.pk}"


class Muted(models.Model):
    """A person whose lines the user does not want to read."""

    user = models.ForeignKey(Person, models.CASCADE, related_name="muted_people", db_index=False)
    person = models.ForeignKey(Person, models.CASCADE, related_name="muted_by")

    class Meta:
        verbose_name = _("muted person")
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "person"], name="muted_once")]

    def __str__(self) -> str:
        return f"{self.user_id}→{self.person_id}"
