"""The puzzle of each day, a decision from a real match, and what people answered."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models.match import Match, Person
from games.rules import name_of


class Puzzle(models.Model):
    """A decision of a seat of a match that ended, as that seat saw it then; one for each day, in UTC.

    `answers` are the moves among which one chooses; `bots` and `played` say by place which the sharp bot would have
    chosen, and which was played. `worths` are their expected points, null where the game does not tell.
    """

    day = models.DateField(_("day"))
    game_slug = models.CharField(_("game"), max_length=20)
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    view = models.JSONField()
    answers = models.JSONField()
    bots = models.PositiveSmallIntegerField()
    played = models.PositiveSmallIntegerField()
    worths = models.JSONField(null=True)
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="+", db_index=False)
    step = models.PositiveIntegerField()  # after how many moves
    by_bots = models.BooleanField(default=False)  # played by the site itself, as no member's match was there
    made_at = models.DateTimeField(default=clock.now)
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True)  # by an admin: another took its day
    counts = models.JSONField(null=True)  # of a closed one: how many chose each answer; their rows are gone

    class Meta:
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day"], name="puzzle_of_day", condition=Q(withdrawn_at__isnull=True)),
            models.UniqueConstraint(fields=["match", "step"], name="puzzle_once"),
        ]

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}"

    @property
    def game_name(self) -> str:
        """The name of the game, also of one that is not here any more."""
        return name_of(self.game_slug)


class PuzzleAnswer(models.Model):
    """Which of the answers somebody chose, once and for all; nobody's, once their account is closed."""

    puzzle = models.ForeignKey(Puzzle, models.CASCADE, related_name="given", db_index=False)
    user = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="puzzle_answers")
    choice = models.PositiveSmallIntegerField()
    late = models.BooleanField()  # after its day: not counted with the others
    at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("answer to a puzzle")
        constraints: ClassVar = [models.UniqueConstraint(fields=["puzzle", "user"], name="puzzle_answered_once")]

    def __str__(self) -> str:
        return f"{self.puzzle_id}: {self.choice}"
