"""Circles of friends: who plays together again and again, and their weekly table (spec: clubs.md, Circles of friends).

All rows of a circle are changed under the lock of its own row; its matches are locked after it.
"""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from config.lib import clock, time_zones
from games.models import Match
from games.models.match import Person
from games.rules import name_of
from games.time_controls import TimeControl, pace_of

LONGEST_CIRCLE_NAME = 40


class Circle(models.Model):
    """People who stay together after a match, with what they play."""

    name = models.CharField(_("name"), max_length=LONGEST_CIRCLE_NAME)
    maker = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+", verbose_name=_("made by"))
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="+", db_index=False)  # of which it came
    game_slug = models.CharField(_("game"), max_length=20)
    options = models.JSONField(default=dict)
    size = models.PositiveSmallIntegerField(_("seats"))
    pace_slug = models.CharField(_("time to think"), max_length=4)
    rated = models.BooleanField(_("rated"), default=False)
    weekday = models.PositiveSmallIntegerField(
        _("weekday"), null=True, choices=list(WEEKDAYS.items())
    )  # null: no weekly table
    hour = models.PositiveSmallIntegerField(_("hour"), null=True)
    zone = models.CharField(_("time zone"), max_length=64, blank=True)  # of who chose the hour
    next_at = models.DateTimeField(_("next weekly table"), null=True)  # null: none, or paused
    missed = models.PositiveSmallIntegerField(_("weeks without anybody"), default=0)
    paused = models.BooleanField(_("paused"), default=False)
    made_at = models.DateTimeField(_("made at"), default=clock.now)
    troubled_at = models.DateTimeField(_("set aside at"), null=True)  # when a sweep failed
    trouble = models.CharField(_("trouble"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("circle of friends")
        verbose_name_plural = _("circles of friends")
        indexes: ClassVar = [
            models.Index(fields=["next_at"], name="circle_weekly", condition=Q(next_at__isnull=False)),
            models.Index(fields=["match"], name="circle_of_match", condition=Q(match__isnull=False)),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(weekday=None, hour=None) | Q(weekday__range=(0, 6), hour__range=(0, 23)),
                name="circle_week",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def game_name(self) -> str:
        """The name of the game."""
        return name_of(self.game_slug)

    @property
    def pace(self) -> TimeControl:
        return pace_of(self.pace_slug)

    @property
    def tz(self) -> tzinfo:
        """The time zone in which the weekly hour was chosen."""
        return time_zones.zone(self.zone) or UTC

    def next_after(self, at: datetime) -> datetime | None:
        """Return the first weekly hour after this moment; None without one.

        Where the clocks go forward over that hour, the hour after; where they go back, the first of the two.
        """
        if self.weekday is None or self.hour is None:
            return None
        zone = self.tz
        day = at.astimezone(zone).date() - timedelta(days=1)
        while True:
            day += timedelta(days=1)
            wished = datetime(day.year, day.month, day.day, self.hour, tzinfo=zone)
            found = datetime.fromtimestamp(wished.timestamp(), tz=at.tzinfo)
            if day.weekday() == self.weekday and found > at:
                return found

    def day_of(self, at: datetime) -> int:
        """Return the day of a weekly hour where it was chosen, as an ordinal."""
        return at.astimezone(self.tz).date().toordinal()


class CircleMember(models.Model):
    """Somebody of a circle, or who is asked to be; whoever declines or leaves has no row."""

    circle = models.ForeignKey(Circle, models.CASCADE, related_name="members", db_index=False)
    user = models.ForeignKey(Person, models.CASCADE, related_name="circles_of_friends")
    accepted = models.BooleanField(_("accepted"), default=False)
    since = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("member of a circle")
        verbose_name_plural = _("members of circles")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["circle", "user"], name="circle_member_once"),
        ]

    def __str__(self) -> str:
        return f"{self.circle_id}: {self.user_id}"


class CircleTable(models.Model):
    """A table that a circle opened; of a week at most one: `day` is that of its weekly hour, an ordinal."""

    circle = models.ForeignKey(Circle, models.CASCADE, related_name="tables", db_index=False)
    match = models.OneToOneField(Match, models.CASCADE, related_name="circle_table")
    day = models.PositiveIntegerField(null=True)  # null: opened by a button
    at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("table of a circle")
        verbose_name_plural = _("tables of circles")
        indexes: ClassVar = [models.Index(fields=["circle", "-id"], name="circle_table_last")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["circle", "day"], name="circle_table_of_week", condition=Q(day__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.circle_id}: {self.match_id}"


class CircleNews(models.Model):
    """That somebody is asked into a circle, or that its weekly table pauses; deleted when the mail is written."""

    class Kind(models.TextChoices):
        ASKED = "asked", _("asked to join")
        PAUSED = "paused", _("paused")

    circle = models.ForeignKey(Circle, models.CASCADE, related_name="news", db_index=False)
    user = models.ForeignKey(Person, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=6, choices=Kind)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("news of a circle")
        verbose_name_plural = _("news of circles")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["circle", "user", "kind"], name="circle_news_once"),
        ]

    def __str__(self) -> str:
        return f"{self.circle_id} {self.kind}"
