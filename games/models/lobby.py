"""Invitations to tables, and what is remembered of them between two members."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models.match import Match, Person


class Invitation(models.Model):
    """A member's invitation to an open match.

    A declined one is kept to tell those who sit there; all are, as declined, when the table is no longer open, to tell
    those who come late.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="invitations", db_index=False)
    user = models.ForeignKey(Person, models.CASCADE, related_name="invitations")
    declined = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("invitation")
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "user"], name="invited_once")]

    def __str__(self) -> str:
        return f"{self.match_id}→{self.user_id}"


class StandingChallenge(models.Model):
    """A member's offer to play whoever accepts it, at up to `most` matches at once; it stays until withdrawn."""

    member = models.ForeignKey(Person, models.CASCADE, related_name="challenges", db_index=False)
    game_slug = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    size = models.PositiveSmallIntegerField()
    pace_slug = models.CharField(max_length=4)
    rated = models.BooleanField(default=False)
    takes_bots = models.BooleanField(default=False, db_default=False)  # of members
    most = models.PositiveSmallIntegerField()
    paused = models.BooleanField(default=False)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("standing challenge")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["member", "game_slug", "pace_slug"], name="challenge_once")
        ]

    def __str__(self) -> str:
        return f"{self.member_id}: {self.game_slug} {self.pace_slug}"


class LastInvitation(models.Model):
    """The last invitation of a member by another: kept a day, or while its table waits for the answer."""

    host = models.ForeignKey(Person, models.CASCADE, related_name="+", db_index=False)
    guest = models.ForeignKey(Person, models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, models.CASCADE, null=True, related_name="+")
    at = models.DateTimeField(default=clock.now)
    accepted = models.BooleanField(default=True)  # then the next need not wait

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["host", "guest"], name="invitation_last_of_pair")]

    def __str__(self) -> str:
        return f"{self.host_id}→{self.guest_id}"
