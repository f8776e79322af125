"""Tournaments: what was announced, who takes part, rounds, their tables, and what was corrected (spec: tournaments.md).

Rows of a tournament are changed under the lock of its own row, with one exception: what a match that ends says of its
table is written under the match's lock. Whoever holds a match waits for no tournament.
"""

from datetime import timedelta
from hashlib import sha256
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models import Club, Match
from games.models.match import new_token
from games.models.seeds import new_seed
from games.rules import name_of
from games.time_controls import TIME_CONTROLS, TimeControl, pace_of

Person = settings.AUTH_USER_MODEL
LONGEST_NAME, LONGEST_WORDS, LONGEST_REASON = 60, 2000, 200


class Tournament(models.Model):
    """A tournament as it was announced; its row is locked for every change of it, its rounds and who takes part."""

    class Format(models.TextChoices):
        SWISS = "swiss", _("Swiss system")
        GROUPS = "groups", _("Groups, winners go on")
        ROBIN = "robin", _("Everybody against everybody")
        KNOCKOUT = "knockout", _("Knock-out by tables")
        ARENA = "arena", _("All in one evening")

    class State(models.TextChoices):
        OPEN = "open", _("sign-up open")
        RUNNING = "running", _("running")
        OVER = "over", _("over")
        CANCELLED = "cancelled", _("cancelled")

    class Access(models.TextChoices):
        PUBLIC = "public", _("Open to everyone")
        LINK = "link", _("By invitation, with a link")
        CLUB = "club", _("For members of a club")

    class News(models.TextChoices):
        OVER = "over", _("tournament over")
        CANCELLED = "cancelled", _("tournament cancelled")

    class Judge(models.TextChoices):
        BOTS = "bots", _("Bots finish for whoever is to move")
        STANDING = "standing", _("The points count as they stand")

    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    words = models.TextField(_("description"), max_length=LONGEST_WORDS, blank=True)
    organiser = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="tournaments", db_index=False)
    game_slug = models.CharField(_("game"), max_length=20)
    options = models.JSONField(default=dict)
    format = models.CharField(_("format"), max_length=8, choices=Format)
    seats = models.PositiveSmallIntegerField(_("seats at a table"))
    rounds_wished = models.PositiveSmallIntegerField(_("rounds"), default=0)  # Swiss alone; 0: as many as are needed
    advance = models.PositiveSmallIntegerField(_("who go on from a table"), default=1)  # groups and knock-out alone
    matches = models.PositiveSmallIntegerField(_("matches of a group"), default=1)  # groups alone
    pace_slug = models.CharField(_("time to think"), max_length=4)
    rated = models.BooleanField(_("rated"), default=True)
    access = models.CharField(_("who may take part"), max_length=6, choices=Access, default=Access.PUBLIC)
    token = models.CharField(max_length=32, default=new_token)
    club = models.ForeignKey(Club, models.SET_NULL, null=True, related_name="tournaments", db_index=False)
    least = models.PositiveSmallIntegerField(_("at least"))  # who must have signed up for it to begin
    most = models.PositiveSmallIntegerField(_("at most"))
    lowest_rating = models.PositiveSmallIntegerField(_("from a rating of"), null=True, blank=True)
    highest_rating = models.PositiveSmallIntegerField(_("up to a rating of"), null=True, blank=True)
    least_ended = models.PositiveSmallIntegerField(_("matches ended before"), default=0)
    least_reliability = models.PositiveSmallIntegerField(_("least reliability, per cent"), default=0)
    begins_at = models.DateTimeField(_("begins"))  # sign-up ends then
    round_limit = models.PositiveIntegerField(_("limit of a round"))  # minutes; of an arena: of all
    judge = models.CharField(_("at the limit"), max_length=8, choices=Judge, default=Judge.BOTS)
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.OPEN)
    created_at = models.DateTimeField(default=clock.now)
    began_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    outage = models.PositiveBigIntegerField(default=0)  # the last outage whose time its limits were given
    server_seed = models.BinaryField(default=new_seed)
    to_tell = models.CharField(max_length=9, choices=News, blank=True, db_default="")  # to an organiser, by mail
    troubled_at = models.DateTimeField(null=True)  # when a sweep failed and set it aside
    trouble = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        indexes: ClassVar = [
            models.Index(fields=["begins_at"], name="tournament_to_begin", condition=Q(state="open")),
            models.Index(fields=["id"], name="tournament_running", condition=Q(state="running")),
            models.Index(fields=["-ended_at"], name="tournament_past", condition=Q(state="over")),
            models.Index(fields=["organiser", "state"], name="tournament_organiser"),
            models.Index(fields=["id"], name="tournament_to_tell", condition=~Q(to_tell="")),
            models.Index(fields=["-troubled_at"], name="tournament_aside", condition=Q(troubled_at__isnull=False)),
            models.Index(fields=["club", "-begins_at"], name="tournament_of_club", condition=Q(club__isnull=False)),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["token"], name="tournament_token"),
            models.CheckConstraint(condition=Q(least__lte=models.F("most")), name="tournament_least_most"),
            models.CheckConstraint(
                condition=Q(state__in=["over", "cancelled"], ended_at__isnull=False)
                | Q(state__in=["open", "running"], ended_at__isnull=True),
                name="tournament_ended_when",
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
        """UnknownPace if there is none of that name."""
        return pace_of(self.pace_slug)

    @property
    def commitment(self) -> str:
        """The promise about all draws, made when it was announced: SHA-256 of its seed, in hex."""
        return sha256(self.server_seed).hexdigest()

    @property
    def round_span(self) -> timedelta:
        """How long a round may take; an arena: all of it."""
        return timedelta(minutes=self.round_limit)

    @property
    def is_arena(self) -> bool:
        return self.format == self.Format.ARENA

    @property
    def terms(self) -> str:
        """In a sentence, what it costs to take part: whether it is rated, the time, who is not seated again."""
        pace = TIME_CONTROLS.get(self.pace_slug)
        words = {"pace": (pace.note or pace.label) if pace else self.pace_slug}
        if self.is_arena:
            rated = _("Rated: %(pace)s; whoever runs out of time pauses until they say that they are there.")
            casual = _("Casual: %(pace)s; whoever runs out of time pauses until they say that they are there.")
        else:
            rated = _("Rated: %(pace)s; whoever runs out of time is not seated again.")
            casual = _("Casual: %(pace)s; whoever runs out of time is not seated again.")
        return (rated if self.rated else casual) % words


class Entrant(models.Model):
    """Somebody who takes part; the number is theirs for good, also after they left or closed their account."""

    class Left(models.TextChoices):
        WITHDREW = "withdrew", _("withdrew")
        TIMED_OUT = "timed_out", _("ran out of time")
        REMOVED = "removed", _("was taken out by the organiser")
        BARRED = "barred", _("may not take part any more")
        CLOSED = "closed", _("closed their account")

    class News(models.TextChoices):
        LAST_DAY = "last_day", _("last day of a round")
        OVER = "over", _("tournament over")
        CANCELLED = "cancelled", _("tournament cancelled")
        REMOVED = "removed", _("taken out by the organiser")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entrants", db_index=False)
    user = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="entries")
    number = models.PositiveSmallIntegerField()  # from 1
    strength = models.PositiveSmallIntegerField(default=0)  # rating points when it began, or they came
    lot = models.PositiveSmallIntegerField(default=0)  # drawn when it begins: the last tie-break
    signed_at = models.DateTimeField(default=clock.now)
    left = models.CharField(max_length=9, choices=Left, blank=True)  # empty: takes part
    left_at = models.DateTimeField(null=True)
    ready_at = models.DateTimeField(null=True)  # arena: since when they wait for a table
    to_tell = models.CharField(max_length=9, choices=News, blank=True)  # by mail, in the next run

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        ordering: ClassVar = ["number"]
        indexes: ClassVar = [
            models.Index(fields=["id"], name="entrant_to_tell", condition=~Q(to_tell="")),
            models.Index(fields=["tournament"], name="entrant_ready", condition=Q(ready_at__isnull=False)),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="entrant_number"),
            models.UniqueConstraint(
                fields=["tournament", "user"], name="entrant_once", condition=Q(user__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.number}"

    @property
    def is_in(self) -> bool:
        """Whether they are seated in the coming rounds."""
        return not self.left and self.user_id is not None


class Offer(models.Model):
    """Somebody is asked to take part in an entrant's place: answered once, until the next round is drawn."""

    class State(models.TextChoices):
        OPEN = "open", _("not answered yet")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        LAPSED = "lapsed", _("not answered in time")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="offers")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="+")  # whose place it is
    user = models.ForeignKey(Person, models.CASCADE, related_name="tournament_offers")
    by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.OPEN)
    at = models.DateTimeField(default=clock.now)
    answered_at = models.DateTimeField(null=True)
    to_tell = models.BooleanField(default=True)  # by mail, in the next run

    class Meta:
        verbose_name = _("offer of a place")
        verbose_name_plural = _("offers of places")
        ordering: ClassVar = ["pk"]
        indexes: ClassVar = [models.Index(fields=["id"], name="offer_to_tell", condition=Q(to_tell=True))]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "user"], name="offer_once", condition=Q(state="open")),
            models.UniqueConstraint(fields=["entrant"], name="offer_one_place", condition=Q(state="open")),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.entrant_id}"


class Round(models.Model):
    """A round that was drawn, once; of an arena: tables that began together."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds", db_index=False)
    number = models.PositiveSmallIntegerField()  # from 1
    drawn_at = models.DateTimeField(default=clock.now)
    ends_at = models.DateTimeField()  # its limit, outages added
    last_day_told = models.BooleanField(default=False)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering: ClassVar = ["tournament", "number"]
        indexes: ClassVar = [models.Index(fields=["ends_at"], name="round_running", condition=Q(ended_at__isnull=True))]
        constraints: ClassVar = [models.UniqueConstraint(fields=["tournament", "number"], name="round_once")]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.number}"


class Table(models.Model):
    """A table of a round: planned when it is drawn, its match opened right afterwards."""

    class State(models.TextChoices):
        PLANNED = "planned", _("about to begin")
        RUNNING = "running", _("running")
        OVER = "over", _("over")
        JUDGED = "judged", _("decided at the limit")
        VOID = "void", _("voided")

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables", db_index=False)
    number = models.PositiveSmallIntegerField()  # from 1
    leg = models.PositiveSmallIntegerField(default=1)  # which match of its group
    match = models.OneToOneField(Match, models.PROTECT, null=True, related_name="tournament_table")
    state = models.CharField(max_length=7, choices=State, default=State.PLANNED)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering: ClassVar = ["round", "number"]
        indexes: ClassVar = [
            models.Index(fields=["round"], name="table_unsettled", condition=Q(state__in=["planned", "running"])),
            models.Index(fields=["id"], name="table_planned", condition=Q(state="planned")),
        ]
        constraints: ClassVar = [models.UniqueConstraint(fields=["round", "number"], name="table_once")]

    def __str__(self) -> str:
        return f"{self.round_id}/{self.number}"


class Place(models.Model):
    """An entrant's seat at a table, and how they came out; nobody sits twice in a round."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="places", db_index=False)
    round = models.ForeignKey(Round, models.CASCADE, related_name="places", db_index=False)
    leg = models.PositiveSmallIntegerField(default=1)
    seat = models.PositiveSmallIntegerField()  # as the match numbers them, from 0
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="places")
    rank = models.PositiveSmallIntegerField(null=True)
    score = models.IntegerField(null=True)  # the game's points, if it has any
    away = models.BooleanField(default=False)  # left the match: last, whatever a bot made of it

    class Meta:
        verbose_name = _("place")
        verbose_name_plural = _("places")
        ordering: ClassVar = ["table", "seat"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seat"], name="place_once"),
            models.UniqueConstraint(fields=["round", "leg", "entrant"], name="place_one_each"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.seat}"


class Correction(models.Model):
    """What the organiser, a moderator or the site did to a running tournament; all who take part read it."""

    class Kind(models.TextChoices):
        LEFT = "left", _("somebody left")
        REPLACED = "replaced", _("somebody was replaced")
        VOIDED = "voided", _("a table was voided")
        EXTENDED = "extended", _("a round was extended")
        JUDGED = "judged", _("a table was decided at the limit")
        CANCELLED = "cancelled", _("the tournament was cancelled")
        AMENDED = "amended", _("the name or description was changed")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="corrections", db_index=False)
    kind = models.CharField(max_length=9, choices=Kind)
    at = models.DateTimeField(default=clock.now)
    by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+", db_index=False)  # null: the site
    entrant = models.ForeignKey(Entrant, models.CASCADE, null=True, related_name="+", db_index=False)
    instead = models.ForeignKey(Entrant, models.CASCADE, null=True, related_name="+", db_index=False)  # who came
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="corrections", db_index=False)
    until = models.DateTimeField(null=True)  # the new limit
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON, blank=True)

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        ordering: ClassVar = ["pk"]
        indexes: ClassVar = [
            models.Index(fields=["tournament"], name="correction_tournament"),
            models.Index(fields=["by"], name="correction_by", condition=Q(by__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.kind}"
