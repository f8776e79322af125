"""Tokens by which programs of members come in, and what each has been told over its stream."""

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
    seal = models.CharField(max_length=16, editable=False)  # of the account's password, which ends it by another
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


class Stream(models.Model):
    """What is kept of a token's stream: how far it has come, and which connection holds it.

    Numbers begin at the time (ms), so that those of a stream that was forgotten are all below those of the next one.
    """

    token = models.OneToOneField(ApiToken, models.CASCADE, primary_key=True, related_name="stream")
    number = models.PositiveBigIntegerField()  # of the last event
    kept_from = models.PositiveBigIntegerField()  # whoever knows events before this alone reads anew
    line = models.PositiveBigIntegerField(default=0)  # lines of chat up to this one have been dealt with
    holder = models.CharField(max_length=16)  # the connection that came last
    seen_at = models.DateTimeField(default=clock.now)  # when there was a connection, to a minute

    class Meta:
        indexes: ClassVar = [models.Index(fields=["seen_at"], name="stream_seen")]

    def __str__(self) -> str:
        return f"#{self.pk}"


class StreamEvent(models.Model):
    """The last event of a stream about one subject; what there was to tell then is not kept."""

    class Kind(models.TextChoices):
        MATCH = "match"
        INVITATION = "invitation"
        LINE = "line"
        # What other apps have told (STREAM_CONCERNS):
        CLUB = "club"
        CLUB_TALK = "club_talk"
        CLUB_MATCH = "club_match"
        CIRCLE = "circle"
        CHALLENGE = "challenge"
        TOURNAMENT = "tournament"
        PLACE = "place"

    stream = models.ForeignKey(Stream, models.CASCADE, related_name="events", db_index=False)
    kind = models.CharField(max_length=10, choices=Kind)
    subject = models.PositiveBigIntegerField()  # the number of the match, line, club …
    number = models.PositiveBigIntegerField()
    mark = models.PositiveBigIntegerField()  # what was told: a match's version, 1 of an invitation; 0: not theirs
    over = models.BooleanField()  # nothing more is to come of it
    at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["stream", "kind", "subject"], name="stream_event_once"),
            models.UniqueConstraint(fields=["stream", "number"], name="stream_event_number"),
        ]
        indexes: ClassVar = [models.Index(fields=["at"], name="stream_event_over", condition=models.Q(over=True))]

    def __str__(self) -> str:
        return f"{self.stream_id}/{self.number}"
