"""Club against club: encounters, who plays in them, and their tables (spec: clubs.md, Club against club).

All rows of an encounter are changed under the lock of its own row, with one exception: what a match that ends says of
its table is written under the match's lock. Whoever holds a match waits for no encounter; whoever holds an encounter
waits for no club.
"""

from hashlib import sha256
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models import LONGEST_CLUB_NAME, Club, Match
from games.models.match import Person
from games.models.seeds import new_seed
from games.rules import name_of
from games.time_controls import TimeControl, pace_of

LONGEST_MESSAGE = 500


class Encounter(models.Model):
    """One club's match against another: announced, accepted, played at several tables, and summed up."""

    class State(models.TextChoices):
        OFFERED = "offered", _("to be answered")
        ACCEPTED = "accepted", _("line-ups open")
        RUNNING = "running", _("running")
        OVER = "over", _("over")
        DECLINED = "declined", _("declined")
        LAPSED = "lapsed", _("not answered in time")
        WITHDRAWN = "withdrawn", _("withdrawn")
        CALLED_OFF = "called_off", _("called off")

    challenger = models.ForeignKey(
        Club, models.SET_NULL, null=True, related_name="encounters_asked", db_index=False, verbose_name=_("challenger")
    )
    challenged = models.ForeignKey(
        Club, models.SET_NULL, null=True, related_name="encounters_got", db_index=False, verbose_name=_("challenged")
    )
    challenger_name = models.CharField(max_length=LONGEST_CLUB_NAME)  # as it was: a club may be dissolved
    challenged_name = models.CharField(max_length=LONGEST_CLUB_NAME)
    public = models.BooleanField(_("seen by everybody"))  # both clubs were listed when it was announced
    made_by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+", verbose_name=_("announced by"))
    game_slug = models.CharField(_("game"), max_length=20)
    options = models.JSONField(default=dict)
    seats = models.PositiveSmallIntegerField(_("seats at a table"), default=2)
    most_tables = models.PositiveSmallIntegerField(_("tables at most"))
    pace_slug = models.CharField(_("time to think"), max_length=4)
    rated = models.BooleanField(_("rated"), default=True)
    words = models.TextField(_("message"), max_length=LONGEST_MESSAGE, blank=True)
    begins_at = models.DateTimeField(_("begins"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OFFERED)
    made_at = models.DateTimeField(_("announced at"), default=clock.now)
    answer_by = models.DateTimeField(_("to be answered by"))
    answered_at = models.DateTimeField(_("answered at"), null=True)
    reminded = models.BooleanField(default=False)  # that line-ups close in a day
    began_at = models.DateTimeField(_("began at"), null=True)
    ended_at = models.DateTimeField(_("ended at"), null=True)
    first = models.PositiveSmallIntegerField(null=True)  # which side has the first seat at table 1, by lot
    challenger_parts = models.PositiveIntegerField(null=True)  # of the sum, when it was over last: `queries.points_of`
    challenged_parts = models.PositiveIntegerField(null=True)
    server_seed = models.BinaryField(default=new_seed)
    troubled_at = models.DateTimeField(_("set aside at"), null=True)  # when a sweep failed
    trouble = models.CharField(_("trouble"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("club match")
        verbose_name_plural = _("club matches")
        indexes: ClassVar = [
            models.Index(fields=["challenger", "-id"], name="encounter_asked"),
            models.Index(fields=["challenged", "-id"], name="encounter_got"),
            models.Index(
                fields=["begins_at"],
                name="encounter_to_begin",
                condition=Q(state__in=["offered", "accepted"]),
            ),
            models.Index(fields=["id"], name="encounter_running", condition=Q(state="running")),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(challenger=F("challenged")), name="encounter_two_clubs"),
        ]

    def __str__(self) -> str:
        return f"{self.challenger_name} – {self.challenged_name}"

    @property
    def game_name(self) -> str:
        """The name of the game."""
        return name_of(self.game_slug)

    @property
    def pace(self) -> TimeControl:
        return pace_of(self.pace_slug)

    @property
    def commitment(self) -> str:
        """The fingerprint of the secret of its lot, published when it was announced."""
        return sha256(self.server_seed).hexdigest()

    @property
    def a_side(self) -> int:
        """How many of each club sit at a table."""
        return self.seats // 2

    @property
    def sides(self) -> tuple[int | None, int | None]:
        """The numbers of both clubs: the challenger is side 0; None for one that was dissolved."""
        return self.challenger_id, self.challenged_id

    @property
    def names(self) -> tuple[str, str]:
        return self.challenger_name, self.challenged_name


class Lineup(models.Model):
    """What a member of one of the clubs said: whether they play; and where their club put them."""

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="lineup", db_index=False)
    user = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="encounters")
    side = models.PositiveSmallIntegerField(_("side"))  # 0 for the challenger's, 1 for the other's
    plays = models.BooleanField(_("plays"))
    place = models.PositiveSmallIntegerField(_("place"), null=True)  # by the organisers, from 1; null: by rating
    said_at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("place in a line-up")
        verbose_name_plural = _("places in line-ups")
        constraints: ClassVar = [
            # Who belongs to both plays for one. With a condition: else rows that name this one are waited for.
            models.UniqueConstraint(fields=["encounter", "user"], name="lineup_once", condition=Q(user__isnull=False)),
            models.CheckConstraint(condition=Q(side__range=(0, 1)), name="lineup_side"),
        ]

    def __str__(self) -> str:
        return f"{self.encounter_id}/{self.side}: {self.user_id}"


class Board(models.Model):
    """A table of an encounter; planned with the others when it begins, its match is opened once."""

    class State(models.TextChoices):
        PLANNED = "planned", _("about to begin")
        RUNNING = "running", _("running")
        OVER = "over", _("over")
        VOID = "void", _("counts for nothing")

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="boards", db_index=False)
    number = models.PositiveSmallIntegerField()
    match = models.OneToOneField(Match, models.PROTECT, null=True, related_name="club_board")
    state = models.CharField(_("state"), max_length=7, choices=State, default=State.PLANNED)
    changed = models.BooleanField(default=False)  # since the encounter was summed up last

    class Meta:
        verbose_name = _("table of a club match")
        verbose_name_plural = _("tables of club matches")
        indexes: ClassVar = [
            models.Index(fields=["id"], name="club_board_planned", condition=Q(state="planned")),
            models.Index(fields=["encounter"], name="club_board_changed", condition=Q(changed=True)),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["encounter", "number"], name="club_board_once"),
        ]

    def __str__(self) -> str:
        return f"{self.encounter_id}/{self.number}"


class BoardSeat(models.Model):
    """Who sits at a table of an encounter, for which club, and how they came out."""

    board = models.ForeignKey(Board, models.CASCADE, related_name="places", db_index=False)
    player = models.ForeignKey(Lineup, models.CASCADE, related_name="places")
    seat = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField(null=True)  # by the game
    score = models.IntegerField(null=True)
    away = models.BooleanField(default=False)  # left, ran out of time: behind all others

    class Meta:
        verbose_name = _("seat of a club match")
        verbose_name_plural = _("seats of club matches")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["board", "seat"], name="club_board_seat_once"),
            models.UniqueConstraint(fields=["board", "player"], name="club_board_player_once"),
        ]

    def __str__(self) -> str:
        return f"{self.board_id}/{self.seat}"


class EncounterNews(models.Model):
    """What a member is to be told of an encounter by mail, once; deleted when the mail is written."""

    class Kind(models.TextChoices):
        CHALLENGED = "challenged", _("challenged")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        LAPSED = "lapsed", _("not answered in time")
        LAST_DAY = "last_day", _("line-ups close in a day")
        CALLED_OFF = "called_off", _("called off")
        OVER = "over", _("over")

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="news", db_index=False)
    user = models.ForeignKey(Person, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("news of a club match")
        verbose_name_plural = _("news of club matches")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["encounter", "user", "kind"], name="encounter_news_once"),
        ]

    def __str__(self) -> str:
        return f"{self.encounter_id} {self.kind}"
