"""Ratings: settlements of matches, the rating change of each seat, standings, and scores of teams."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.competitions.models import Tournament
from games.models import Match
from leaderboards import rating, seasons


class Settlement(models.Model):
    """A match that was counted, or taken back again; never changed. Ids are the order of application.

    An id is assigned while the standings of all players are locked: of two settlements with a common member,
    the one with the smaller id came first.
    """

    class Kind(models.TextChoices):
        MATCH = "match", _("match counted")
        VOID = "void", _("match voided")

    match = models.ForeignKey(Match, models.PROTECT, related_name="settlements", db_index=False)
    round = models.PositiveSmallIntegerField(_("round"), default=1)  # above 1 when counted again
    kind = models.CharField(_("kind"), max_length=5, choices=Kind, default=Kind.MATCH)
    game_slug = models.CharField(_("game"), max_length=20)
    season = models.CharField(_("season"), max_length=7)  # in which the match ended
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("settlement")
        verbose_name_plural = _("settlements")
        ordering: ClassVar = ["pk"]
        indexes: ClassVar = [models.Index(fields=["game_slug", "id"], name="settlement_game")]
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "round", "kind"], name="settled_once")]

    def __str__(self) -> str:
        return f"#{self.pk}: {self.match_id}.{self.round} {self.kind}"


class RatingChange(models.Model):
    """What a settlement did to one member's rating, in hundredths; appended, never changed."""

    settlement = models.ForeignKey(Settlement, models.PROTECT, related_name="changes", db_index=False)
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="rating_changes", db_index=False
    )
    player = models.PositiveBigIntegerField()  # the member's id, kept when the account is closed
    rank = models.PositiveSmallIntegerField(_("rank"))
    matches = models.PositiveIntegerField(_("matches before"))  # that counted: K depends on them
    before = models.IntegerField(_("before"))
    delta = models.IntegerField(_("change"))
    after = models.IntegerField(_("after"))

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        ordering: ClassVar = ["settlement", "seat"]
        indexes: ClassVar = [models.Index(fields=["user", "settlement"], name="change_history")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["settlement", "seat"], name="changed_once"),
            models.CheckConstraint(condition=Q(after=F("before") + F("delta")), name="change_adds_up"),
        ]

    def __str__(self) -> str:
        return f"{self.settlement_id}/{self.seat}: {self.before} → {self.after}"


class Standing(models.Model):
    """A member's rating in a game, of all time (season "") or in one season.

    A season's rating is the one after the member's last match in it; matches and wins are the season's.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="standings", db_index=False)
    game_slug = models.CharField(_("game"), max_length=20)
    season = models.CharField(_("season"), max_length=7, blank=True, default=seasons.ALL_TIME)
    rating = models.IntegerField(_("rating"), default=rating.START)  # hundredths
    matches = models.PositiveIntegerField(_("matches"), default=0)
    wins = models.PositiveIntegerField(_("wins"), default=0)
    last_active = models.DateTimeField(_("last active"))  # when their last rated match ended

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        indexes: ClassVar = [  # covering: ranks are counted without reading rows
            models.Index(
                fields=["game_slug", "season", "-rating", "user", "last_active", "matches"],
                name="standing_board",
            )
        ]
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "game_slug", "season"], name="standing_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game_slug} {self.season}: {self.shown}"

    @property
    def shown(self) -> int:
        """The rating in whole points."""
        return rating.whole(self.rating)

    @property
    def is_provisional(self) -> bool:
        """Whether the rating is provisional (shown with "?")."""
        return rating.is_provisional(self.matches)


class Departed(models.Model):
    """The rating with which somebody who closed their account in a rated match counts for the others at its end."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="departed", db_index=False)
    seat = models.PositiveSmallIntegerField()
    rating = models.IntegerField()  # hundredths

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "seat"], name="departed_once")]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat}: {self.rating}"


class Championship(models.Model):
    """The tournament in which the best of a season play on: one for each game and season (spec: site.md)."""

    game_slug = models.CharField(_("game"), max_length=20)
    season = models.CharField(_("season"), max_length=7)
    tournament = models.OneToOneField(Tournament, models.PROTECT, related_name="championship")
    qualified_at = models.DateTimeField(null=True)  # when the season was over, and its best were told
    awarded_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("championship")
        verbose_name_plural = _("championships")
        ordering: ClassVar = ["-season", "game_slug"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game_slug", "season"], name="championship_once")]

    def __str__(self) -> str:
        return f"{self.game_slug} {self.season}"


class Qualified(models.Model):
    """Somebody who may play in a championship, and their seed: 1 is the first."""

    championship = models.ForeignKey(Championship, models.CASCADE, related_name="qualified", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="qualified_for")
    seed = models.PositiveSmallIntegerField(_("seed"))
    is_former_winner = models.BooleanField(default=False)  # of one of the last four: they need no place on the board
    to_tell = models.BooleanField(default=True)  # by mail

    class Meta:
        verbose_name = _("qualified member")
        verbose_name_plural = _("qualified members")
        ordering: ClassVar = ["seed"]
        indexes: ClassVar = [models.Index(fields=["id"], name="qualified_to_tell", condition=Q(to_tell=True))]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["championship", "user"], name="qualified_once"),
            models.UniqueConstraint(fields=["championship", "seed"], name="qualified_seed"),
        ]

    def __str__(self) -> str:
        return f"{self.championship_id}: {self.seed}"


class Medal(models.Model):
    """One of the first three places of a championship."""

    championship = models.ForeignKey(Championship, models.CASCADE, related_name="medals", db_index=False)
    place = models.PositiveSmallIntegerField(_("place"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="medals")

    class Meta:
        verbose_name = _("medal")
        verbose_name_plural = _("medals")
        ordering: ClassVar = ["championship", "place"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["championship", "place"], name="medal_once")]

    def __str__(self) -> str:
        return f"{self.championship_id}: {self.place}"


class TeamResult(models.Model):
    """The score of a team of members in a cooperative match."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="team_result")
    game_slug = models.CharField(_("game"), max_length=20)
    score = models.IntegerField(_("score"))
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("team result")
        verbose_name_plural = _("team results")
        indexes: ClassVar = [models.Index(fields=["game_slug", "-score", "match"], name="team_board")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.score}"
