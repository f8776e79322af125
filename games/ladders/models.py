"""Ladders: who stands on them, challenges, what changed, and what is to be told (spec: ladders.md).

All rows of a ladder are changed under the lock of its own row, but that the end of a match notes the state of its
challenge, under the match's lock, and closing an account empties `Climber.user` (docs/decisions/0050-ladders.md).
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models import Match
from games.rules import name_of

Person = settings.AUTH_USER_MODEL
MOST_AT_ONCE = 5


class Ladder(models.Model):
    """The ladder of a game; its row is locked for every change of who stands where."""

    game_slug = models.CharField(_("game"), max_length=20)
    outage = models.PositiveBigIntegerField(default=0)  # the last outage whose time was given back
    troubled_at = models.DateTimeField(_("set aside at"), null=True)  # when a sweep failed
    trouble = models.CharField(_("trouble"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("ladder")
        verbose_name_plural = _("ladders")
        constraints: ClassVar = [models.UniqueConstraint(fields=["game_slug"], name="ladder_of_game")]

    def __str__(self) -> str:
        return self.game_slug

    @property
    def game_name(self) -> str:
        """The name of the game."""
        return name_of(self.game_slug)


class Climber(models.Model):
    """Somebody who stands on a ladder, or once did; without a place they are off it."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="climbers", db_index=False)
    user = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="climbers", verbose_name=_("member"))
    place = models.IntegerField(_("place"), null=True)  # from 1; below 0 only while places move
    at_once = models.PositiveSmallIntegerField(_("matches at once"))
    joined_at = models.DateTimeField(_("joined at"), default=clock.now)
    placed_at = models.DateTimeField(_("at this place since"), default=clock.now)
    idle_since = models.DateTimeField(_("last played at"), default=clock.now)  # outages and pauses added
    falls = models.PositiveSmallIntegerField(default=0)  # since then
    falls_at = models.DateTimeField()  # when to look whether they fall; days off may put it off
    paused_at = models.DateTimeField(_("paused at"), null=True)
    paused_until = models.DateTimeField(_("paused until"), null=True)
    pause_ended_at = models.DateTimeField(null=True)
    declined_at = models.DateTimeField(null=True)  # the last time that was free
    left_at = models.DateTimeField(_("left at"), null=True)

    class Meta:
        verbose_name = _("member of a ladder")
        verbose_name_plural = _("members of ladders")
        indexes: ClassVar = [
            models.Index(fields=["falls_at"], name="climber_to_fall", condition=Q(place__isnull=False)),
            models.Index(fields=["paused_until"], name="climber_paused", condition=Q(paused_at__isnull=False)),
            models.Index(fields=["id"], name="climber_gone", condition=Q(place__isnull=False, user__isnull=True)),
        ]
        constraints: ClassVar = [
            # With conditions: what changes in the columns of a whole unique index waits for rows that name this one.
            models.UniqueConstraint(fields=["ladder", "place"], name="climber_place", condition=Q(place__isnull=False)),
            models.UniqueConstraint(fields=["ladder", "user"], name="climber_once", condition=Q(user__isnull=False)),
            models.CheckConstraint(condition=Q(at_once__range=(1, MOST_AT_ONCE)), name="climber_at_once"),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id}/{self.pk}"

    @property
    def is_paused(self) -> bool:
        return self.paused_at is not None


class Challenge(models.Model):
    """A member of a ladder asks one further up to play; the states after `RUNNING` are final, but for a reopened match.

    `settled_at` is when the ladder was told of the end of its match, `moved` whether that moved places.
    """

    class State(models.TextChoices):
        OPEN = "open", _("to be answered")
        RUNNING = "running", _("running")
        WON = "won", _("won by the challenger")
        HELD = "held", _("not won by the challenger")
        DECLINED = "declined", _("declined")
        YIELDED = "yielded", _("declined, the place given")
        LAPSED = "lapsed", _("not answered in time")
        WITHDRAWN = "withdrawn", _("withdrawn")
        ENDED = "ended", _("ended, as one of the two is away")
        VOID = "void", _("without a result")

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="challenges", db_index=False)
    challenger = models.ForeignKey(Climber, models.CASCADE, related_name="challenges_made", db_index=False)
    challenged = models.ForeignKey(Climber, models.CASCADE, related_name="challenges_got", db_index=False)
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.OPEN)
    made_at = models.DateTimeField(_("made at"), default=clock.now)
    answer_by = models.DateTimeField(_("to be answered by"))  # outages added; days off come on top
    reminded = models.BooleanField(default=False)  # of the last day
    answered_at = models.DateTimeField(_("answered at"), null=True)
    match = models.OneToOneField(Match, models.PROTECT, null=True, related_name="ladder_challenge")
    seat = models.PositiveSmallIntegerField(null=True)  # of the challenger, as the match numbers them, from 0
    counts = models.BooleanField(_("counts"), default=True)  # until one of the two leaves the ladder
    settled_at = models.DateTimeField(null=True)
    moved = models.BooleanField(_("moved places"), default=False)

    class Meta:
        verbose_name = _("challenge on a ladder")
        verbose_name_plural = _("challenges on ladders")
        indexes: ClassVar = [
            models.Index(fields=["challenger", "challenged", "-made_at"], name="ladder_challenge_pair"),
            models.Index(fields=["challenged", "state"], name="ladder_challenge_got"),
            models.Index(fields=["answer_by"], name="ladder_challenge_open", condition=Q(state="open")),
            models.Index(
                fields=["ladder"],
                name="ladder_challenge_over",
                condition=Q(state__in=["won", "held", "void"], settled_at__isnull=True),
            ),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(challenger=F("challenged")), name="ladder_challenge_two"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class Change(models.Model):
    """A line of a ladder's history: who came, went, rose or fell. Appended, never changed."""

    class Kind(models.TextChoices):
        JOINED = "joined", _("joined")
        LEFT = "left", _("is no longer on the ladder")
        WON = "won", _("won a challenge")
        YIELDED = "yielded", _("took the place, as the challenge was declined")
        LAPSED = "lapsed", _("took the place, as the challenge was not answered")
        FELL = "fell", _("fell, without a match for long")
        ABSENT = "absent", _("was taken off, after 90 days without a match")

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="changes", db_index=False)
    at = models.DateTimeField(_("when"), default=clock.now)
    kind = models.CharField(_("what"), max_length=8, choices=Kind)
    climber = models.ForeignKey(Climber, models.CASCADE, related_name="changes")
    other = models.ForeignKey(Climber, models.CASCADE, null=True, related_name="+", db_index=False)
    challenge = models.ForeignKey(Challenge, models.CASCADE, null=True, related_name="changes", db_index=False)
    before = models.PositiveIntegerField(_("from place"), null=True)
    after = models.PositiveIntegerField(_("to place"), null=True)

    class Meta:
        verbose_name = _("change of a ladder")
        verbose_name_plural = _("changes of ladders")
        indexes: ClassVar = [models.Index(fields=["ladder", "-id"], name="ladder_change_last")]

    def __str__(self) -> str:
        return f"#{self.pk} {self.kind}"


class News(models.Model):
    """What a member is to be told by mail; deleted when the mail is written."""

    class Kind(models.TextChoices):
        CHALLENGED = "challenged", _("was challenged")
        LAST_DAY = "last_day", _("last day to answer")
        DECLINED = "declined", _("the challenge was declined")
        RISEN = "risen", _("has taken a place")
        LAPSED = "lapsed", _("has lost the place")
        ENDED = "ended", _("the challenge has ended")
        ABSENT = "absent", _("was taken off")

    climber = models.ForeignKey(Climber, models.CASCADE, related_name="news", db_index=False)
    kind = models.CharField(max_length=10, choices=Kind)
    challenge = models.ForeignKey(Challenge, models.CASCADE, null=True, related_name="news", db_index=False)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("news of a ladder")
        verbose_name_plural = _("news of ladders")

    def __str__(self) -> str:
        return f"#{self.pk} {self.kind}"
