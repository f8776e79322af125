"""Counts of dice: per match that has ended, and over all matches of a game."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Tally(models.Model):
    """The dice of a match that has ended, counted or waiting for it.

    `faces` holds counts by sides, {"6": [n1, … n6]}; `seats` those of six-sided dice by seat.
    """

    match = models.OneToOneField("games.Match", models.CASCADE, related_name="tally")
    counted_at = models.DateTimeField(null=True)
    faces = models.JSONField(default=dict)
    seats = models.JSONField(default=dict)
    problem = models.CharField(max_length=200, blank=True)  # why its record could not be replayed

    class Meta:
        verbose_name = _("tally")
        verbose_name_plural = _("tallies")
        indexes: ClassVar = [models.Index(fields=["id"], name="tally_to_do", condition=Q(counted_at__isnull=True))]

    def __str__(self) -> str:
        return f"{self.match_id}"


class FaceCount(models.Model):
    """How often a face came up in all counted matches of a game; with `MATCHES` sides, how many matches those are."""

    MATCHES = 0
    game_slug = models.CharField(_("game"), max_length=20)
    sides = models.PositiveSmallIntegerField()
    face = models.PositiveSmallIntegerField()
    count = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = _("count of a face")
        constraints: ClassVar = [models.UniqueConstraint(fields=["game_slug", "sides", "face"], name="face_once")]

    def __str__(self) -> str:
        return f"{self.game_slug} {self.face}/{self.sides}: {self.count}"
