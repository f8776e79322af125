"""The moves that were made in matches."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class Turn(models.Model):
    """One move that was made, with its draws and events; never changed, archived a day after the match ended."""

    class By(models.TextChoices):
        PERSON = "person", _("person")
        BOT = "bot", _("bot")
        ORDERS = "orders", _("standing orders")
        NEEDLESS = "none", _("nobody: there was nothing to decide")  # `Game.needless`
        RECORD = "record", _("the record")  # of a sandbox: with what it began
        CLOCK = "clock", _("the clock")  # the default move of a seat that ran out of time

    match = models.ForeignKey(Match, models.CASCADE, related_name="log", db_index=False)
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(null=True)  # null: the game's own clock
    by = models.CharField(max_length=6, choices=By)
    key = models.CharField(max_length=40, null=True)  # written by release 0.1 alone, goes with the next: `PlayedKey`
    move = models.JSONField()
    draws = models.JSONField()
    events = models.JSONField()
    at = models.BigIntegerField()  # milliseconds since the epoch

    class Meta:
        verbose_name = _("turn")
        ordering: ClassVar = ["match", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "number"], name="turn_once"),
            models.UniqueConstraint(
                fields=["match", "seat", "key"], name="turn_key_once", condition=Q(key__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}#{self.number}"
