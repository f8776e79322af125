"""Matches, their seats and turns."""

import json
import secrets
from datetime import datetime
from hashlib import sha256
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.clocks import ALWAYS, Times, at_ms, completed, times_of, to_ms
from games.engine import Game
from games.models.seeds import Seeded
from games.rules import get_game, name_of
from games.time_controls import TimeControl, pace_of

Person = settings.AUTH_USER_MODEL
RETURNS_WITHIN = 10  # moves a seat, to a rated match


def new_token() -> str:
    return secrets.token_urlsafe(16)


class Match(Seeded):
    """One play of a game by 2 to 8 seats; its row is locked for every change of it or its seats."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        RUNNING = "running", _("running")
        ENDED = "ended", _("ended")

    class Access(models.TextChoices):
        OPEN = "open", _("Open to everyone")
        INVITATION = "invitation", _("By invitation")
        LINK = "link", _("By link")
        CLUB = "club", _("For members of a club")

    class Sandbox(models.TextChoices):
        BOTS = "bots", _("against bots")
        ALONE = "alone", _("alone, all seats")
        FRIENDS = "friends", _("with friends")

    class Ending(models.TextChoices):
        PLAYED = "played", _("played to the end")
        RESIGNED = "resigned", _("ended by resignation")
        TIMED_OUT = "timed_out", _("ended as time ran out")
        CALLED_OFF = "called_off", _("called off by agreement")
        CLOSED = "closed", _("closed before it started")
        LAPSED = "lapsed", _("closed, as nobody joined")

    game_slug = models.CharField(_("game"), max_length=20)
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    size = models.PositiveSmallIntegerField(_("seats"))
    access = models.CharField(_("who may join"), max_length=10, choices=Access, default=Access.OPEN)
    rated = models.BooleanField(_("rated"), default=False)  # final when it starts
    limited = models.BooleanField(default=False, db_default=False)  # casual, as two had begun too many rated ones
    lowest_rating = models.PositiveSmallIntegerField(null=True)  # points needed to join
    highest_rating = models.PositiveSmallIntegerField(null=True)
    token = models.CharField(max_length=32, default=new_token)
    takes_guests = models.BooleanField(_("guests may sit down"), default=False, db_default=False)  # by the link alone
    takes_bots = models.BooleanField(_("bots of members may sit down"), default=False, db_default=False)
    pace_slug = models.CharField(_("time to think"), max_length=4, default="3d")
    automatic_days_off = models.BooleanField(_("automatic days off"), default=True)  # may hold a clock
    creator = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="created_matches")
    challenge = models.ForeignKey(
        "StandingChallenge", models.SET_NULL, null=True, related_name="matches", db_index=False
    )
    club = models.ForeignKey("Club", models.SET_NULL, null=True, related_name="matches", db_index=False)
    rematch_of = models.OneToOneField("self", models.SET_NULL, null=True, related_name="rematch")
    status = models.CharField(_("state"), max_length=7, choices=Status, default=Status.OPEN)
    ending = models.CharField(_("ending"), max_length=10, choices=Ending, blank=True)
    version = models.PositiveIntegerField(default=1)  # raised by every visible change
    turns = models.PositiveIntegerField(default=0)
    asks = models.PositiveIntegerField(default=0)  # the last question number given out
    state = models.BinaryField(null=True)
    setup_draws = models.JSONField(default=list)
    outcome = models.JSONField(null=True)
    figures_before = models.JSONField(null=True)  # the last change of any seat's figure: {"figures", "lasts"}
    created_at = models.DateTimeField(default=clock.now)
    joined_at = models.DateTimeField(default=clock.now)  # when somebody last joined
    moved_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)  # by agreement: no clock runs
    ends_at = models.DateTimeField(null=True)  # when the game's own clock runs out; seats' clocks are stopped
    voided_at = models.DateTimeField(_("voided at"), null=True)  # by a moderator
    outage = models.PositiveBigIntegerField(default=0)  # the last outage whose time was given back
    troubled_at = models.DateTimeField(null=True)  # when a sweep failed and set the match aside
    trouble = models.CharField(max_length=200, blank=True)
    coached = models.BooleanField(default=False, db_default=False)  # a lesson, until its end or until it is skipped
    # Of a lesson or sandbox: the draws that do not follow from the seed, as [turn (0: the setup), draw]; else null.
    prepared = models.JSONField(null=True)
    sandbox = models.CharField(_("sandbox"), max_length=7, choices=Sandbox, blank=True, default="", db_default="")
    archived = models.BooleanField(default=False, db_default=False)  # its turns, if any, are in its archive

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        indexes: ClassVar = [
            models.Index(fields=["status", "-joined_at"], name="match_lobby"),
            models.Index(fields=["-moved_at"], name="match_watchable", condition=Q(status="running", access="open")),
            models.Index(fields=["outage", "id"], name="match_owed", condition=Q(status="running")),
            models.Index(fields=["ends_at"], name="match_ending", condition=Q(ends_at__isnull=False)),
            models.Index(fields=["ended_at"], name="match_to_archive", condition=Q(status="ended", archived=False)),
            models.Index(
                fields=["ended_at", "id"], name="match_published", condition=Q(status="ended", access="open")
            ),  # as months of records ask for them
            models.Index(fields=["paused_at"], name="match_paused", condition=Q(paused_at__isnull=False)),
            models.Index(fields=["challenge"], name="match_challenge", condition=Q(challenge__isnull=False)),
            models.Index(fields=["troubled_at"], name="match_troubled", condition=Q(troubled_at__isnull=False)),
            models.Index(fields=["club", "status", "-id"], name="match_of_club", condition=Q(club__isnull=False)),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["token"], name="match_token"),  # `unique` would make a second index
            models.UniqueConstraint(fields=["promise"], name="match_promise", condition=Q(promise__isnull=False)),
            models.CheckConstraint(
                name="match_running_has_state", condition=~Q(status="running") | Q(state__isnull=False)
            ),
            models.CheckConstraint(
                condition=Q(status="ended", ended_at__isnull=False) | ~Q(status="ended") & Q(ending=""),
                name="match_ending_when_ended",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_slug} {self.pk}"

    @cached_property
    def game(self) -> Game:
        """The rules by which this match is played: those with which it began. UnknownRules."""
        return get_game(self.game_slug, self.rules_version)

    @property
    def game_name(self) -> str:
        """The name of the game, also of one that is not here any more."""
        return name_of(self.game_slug)

    @property
    def title(self) -> str:
        """The name of the game, as lists show it: with what tells a sandbox from other matches."""
        return f"{self.game.name} · {_('sandbox')}" if self.sandbox else self.game.name

    @property
    def older_rules(self) -> int | None:
        """The version of the rules by which this match is played, if it is not the current one."""
        return self.rules_version if self.rules_version != get_game(self.game_slug).rules_version else None

    @property
    def pace(self) -> TimeControl:
        """UnknownPace if there is none of that name."""
        return pace_of(self.pace_slug)

    @property
    def history(self) -> str:
        """The version, and a mark of what happened until then, by which a page knows a history that was lost."""
        told = f"{self.pk}:{self.version}:{self.turns}:{self.moved_at}"
        return f"{self.version}:{salted_hmac('history of a match', told).hexdigest()[:12]}"

    @property
    def is_public(self) -> bool:
        return self.access == self.Access.OPEN

    @property
    def is_of_club(self) -> bool:
        """Whether it is for members of a club alone; of none, once that was dissolved."""
        return self.access == self.Access.CLUB

    @property
    def has_watchers(self) -> bool:
        """Whether people who do not play in it may look at it."""
        return self.is_public or self.is_of_club


class Seat(models.Model):
    """A place in a match; free while neither a person nor a bot has it."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="seats")
    bot = models.CharField(max_length=10, blank=True)  # the level of the bot that plays here
    left = models.PositiveSmallIntegerField(null=True)  # 1 for the first person who left, 2 for the next
    former = models.BooleanField(default=False)  # this person's account is closed
    absent = models.BooleanField(default=False)  # left by running out of time
    left_at = models.PositiveIntegerField(null=True)  # after how many turns that may be shown
    returned = models.BooleanField(default=False)  # was absent, and took the seat back; once a match
    hand = models.BooleanField(default=False, db_default=False)  # of a sandbox whose one person moves for all seats
    substituted = models.BooleanField(default=False)  # a substitute took it over, of `absentee`: it counts for nobody
    absentee = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+", db_index=False)
    nonce = models.CharField(max_length=64, blank=True)  # this player's part of the seed
    seal = models.CharField(max_length=64, blank=True, db_default="")  # SHA-256 of a further one, opened once it runs
    ready_by = models.DateTimeField(null=True)  # until when this person is to say that they are here
    ask = models.PositiveIntegerField(null=True)  # the open question; null when there is none
    asked_at = models.DateTimeField(null=True)
    reached_at = models.DateTimeField(null=True)  # by a call; since `asked_at`: by one about the open question
    bot_at = models.DateTimeField(null=True)  # before which a bot that is asked does not move
    bank = models.BigIntegerField(default=0)  # ms left at `runs_from`, or while the clock is stopped
    gained = models.BigIntegerField(default=0, db_default=0)  # ms that the last completed turn added to it
    runs_from = models.DateTimeField(null=True)  # null while the clock is stopped
    deadline = models.DateTimeField(null=True)  # days off and quiet hours included
    waited_ask = models.PositiveIntegerField(null=True)  # at which the clock waited, once, for who was not reached
    waited_at = models.DateTimeField(null=True)  # and when it began to
    run_outs = models.PositiveSmallIntegerField(default=0)  # time-outs in this match
    orders = models.JSONField(default=dict)
    own_ask = models.PositiveIntegerField(null=True)  # the question that orders leave to the person
    seen = models.PositiveIntegerField(default=0)  # the last turn at the person's last visit
    chat_seen = models.PositiveBigIntegerField(default=0)  # the last line of the chat that was before their eyes
    notes = models.TextField(blank=True)
    notices = models.CharField(max_length=9, default="all", db_default="all")  # `games.models.mail.Wish`
    wants_call_off = models.BooleanField(null=True)  # null: no answer yet to those who propose it
    wants_pause = models.BooleanField(null=True)
    wished = models.PositiveIntegerField(null=True)  # after which turn: a wish lapses with one's next move
    undid = models.PositiveIntegerField(null=True)  # the last turn that the person took back, each once
    rank = models.PositiveSmallIntegerField(null=True)
    score = models.IntegerField(null=True)
    last_outage: int | None = None  # set by `queries.play.seats_of`, as the next
    asks_first: bool | None = False  # whether the person wishes to be asked before final moves

    class Meta:
        verbose_name = _("seat")
        ordering: ClassVar = ["match", "number"]
        indexes: ClassVar = [
            models.Index(fields=["user", "asked_at"], name="seat_my_turn", condition=Q(ask__isnull=False)),
            models.Index(fields=["asked_at"], name="seat_asked", condition=Q(ask__isnull=False)),
            models.Index(fields=["bot_at"], name="seat_bots_turn", condition=Q(ask__isnull=False) & ~Q(bot="")),
            models.Index(fields=["deadline"], name="seat_due", condition=Q(deadline__isnull=False)),
            models.Index(fields=["ready_by"], name="seat_asked_here", condition=Q(ready_by__isnull=False)),
            models.Index(fields=["match"], name="seat_waited", condition=Q(waited_ask__isnull=False)),
            models.Index(fields=["match"], name="seat_absent", condition=Q(absent=True)),
            models.Index(fields=["user"], name="seat_unranked", condition=Q(rank__isnull=True)),  # what runs, at once
            models.Index(fields=["absentee"], name="seat_absentee", condition=Q(absentee__isnull=False)),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "number"], name="seat_once"),
            models.UniqueConstraint(fields=["match", "user"], name="seat_one_each", condition=Q(user__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number}"

    @cached_property
    def username(self) -> str | None:
        """The person's name; set already when read by `queries.play.seats_of`."""
        return self.user.username if self.user else None

    @property
    def notes_mark(self) -> str:
        """What a page says of the notes that it shows, so that later ones are not overwritten."""
        return sha256(self.notes.encode()).hexdigest()[:16]

    @property
    def orders_mark(self) -> str:
        """What a page says of the standing orders that it shows, likewise."""
        return sha256(json.dumps(self.orders, sort_keys=True).encode()).hexdigest()[:16]

    @cached_property
    def badge(self) -> Any:
        """The badge of staff, or of a member's bot; set already when read by `queries.play.seats_of`."""
        return self.user.badge if self.user else ""

    @cached_property
    def times(self) -> Times:
        """The person's days off and quiet hours; set already when read by `queries.play.seats_of`."""
        return times_of(self.user, automatic=self.match.automatic_days_off) if self.user else ALWAYS

    def start_clock(self, pace: TimeControl, now: datetime) -> None:
        """Start the clock, if a person plays here."""
        if self.is_in:
            self.runs_from = at_ms(to_ms(now))
            self.set_deadline(pace)

    def set_deadline(self, pace: TimeControl) -> None:
        held, start = self._held(pace), self.runs_from
        self.deadline = at_ms(held.judged(held.runs_out(to_ms(start), self.bank))) if start else None

    def _held(self, pace: TimeControl) -> Times:
        """Return the times that hold the clock; none do in live play."""
        return ALWAYS if pace.is_live else self.times

    def stop_clock(self, pace: TimeControl, at: datetime) -> None:
        if self.runs_from is not None:
            self.bank -= min(max(self.bank, 0), self._held(pace).used(to_ms(self.runs_from), to_ms(at)))
        self.runs_from = self.deadline = None

    def overrun(self, pace: TimeControl, at: datetime) -> int:
        """Return for how many ms the clock has been running beyond its bank."""
        used = self._held(pace).used(to_ms(self.runs_from), to_ms(at)) if self.runs_from else 0
        return max(0, used - max(0, self.bank))

    def complete_turn(self, pace: TimeControl, at: datetime) -> None:
        """Stop the clock, and add the increment."""
        self.stop_clock(pace, at)
        if self.is_in:
            self.gained = completed(self.bank, pace) - self.bank
            self.bank += self.gained

    @property
    def is_free(self) -> bool:
        return self.user_id is None and not (self.bot or self.former or self.hand)

    @property
    def is_in(self) -> bool:
        """Whether a person plays here who has not left."""
        return self.user_id is not None and not self.bot

    @property
    def may_propose(self) -> bool:
        """Whether what the person proposed stands: of who ran out of time, until that is told."""
        return self.is_in or (self.user_id is not None and self.absent)

    @property
    def counts(self) -> bool:
        """Whether the result counts for the person in the seat."""
        return self.user_id is not None and not self.substituted

    def may_return(self, match: Match) -> bool:
        """Return whether the person may take the seat back from its bot; if rated, soon: a bot is to win no points."""
        is_held = self.user_id is not None and bool(self.bot) and self.absent and not self.returned
        return is_held and not (match.rated and match.turns - (self.left_at or 0) > RETURNS_WITHIN * match.size)
