"""What forms that make something have made, and which posts of moves were played."""

from datetime import timedelta
from typing import ClassVar

from django.db import models

from config.lib import clock
from games.models.match import Match

POSTS_KEPT = timedelta(days=1)


class Posted(models.Model):
    """The post of a form that made something: the same post again gets the same answer."""

    mark = models.CharField(primary_key=True, max_length=64)  # a hash of who, where and what, the form's key included
    answer = models.CharField(max_length=300)  # an address
    guest = models.BigIntegerField(null=True)  # who a visitor became by it
    at = models.DateTimeField(default=clock.now, db_index=True)

    def __str__(self) -> str:
        return self.answer


class PlayedKey(models.Model):
    """The idempotency key of a move that was posted: the same post again, within a day, is not refused."""

    pk = models.CompositePrimaryKey("match_id", "seat", "key")
    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=40)
    number = models.PositiveIntegerField()  # of the turn
    at = models.DateTimeField(default=clock.now)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["at"], name="played_key_old")]

    def __str__(self) -> str:
        return f"{self.match_id}#{self.number}"
