"""The turns of matches that ended, compressed."""

from django.db import models

from games.models.match import Match


class Archive(models.Model):
    """All turns of a match that ended a day ago and more, whose rows are gone; brought back when it is reopened.

    `body` is read and written by `queries.turns` alone.
    """

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="archive")
    turns = models.PositiveIntegerField()  # how many
    made = models.JSONField()  # by seat, how many of them its person made or left to orders
    body = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.match_id}"
