"""A locked match in play: moves are applied to it, then everything that changed is saved at once."""

from collections.abc import Sequence

import structlog
from django.conf import settings
from django.db import transaction

from config.lib import clock, metrics, sql
from games import broadcast, coaching
from games.clocks import at_ms
from games.engine import IllegalMove, Move, PreparedChance, RecordedChance, SeededChance
from games.models import Match, PlayedKey, Seat, Turn
from games.queries.turns import BY_PERSON
from games.services import hooks
from games.services.mail.notices import note_end
from games.services.play import hands
from games.services.play.pacing import next_due, set_times, thinking
from games.services.refusals import Illegal
from games.services.webhooks import planning as webhooks

log = structlog.get_logger(__name__)


class MatchTransaction:
    """A running match between locking and saving; lives within one database transaction."""

    def __init__(self, match: Match, seats: list[Seat]) -> None:
        self.match, self.seats, self.game = match, seats, match.game
        self.seed = SeededChance(match.seed_now(seats), match.draws)
        self.prepared = PreparedChance(self.seed)
        self.chance = RecordedChance(self.prepared if match.coached else self.seed)
        self.state = self.game.load(bytes(match.state)) if match.state else None
        self.fresh: list[Turn] = []
        self.keys: list[PlayedKey] = []
        self.at = clock.now()  # when the current move was received: until then its seat's clock ran
        self.held_before = hands.held(seats)
        self.asked_before = {seat.number: seat.ask for seat in seats}
        self.ended_before = match.ends_at
        self.due_before = next_due(match, seats)
        self.said_before = coaching.said(match, self.state)
        self.people_of_lapsed: list[int] = []  # whose pages show a proposal that has lapsed

    def begin(self) -> None:
        lesson = coaching.lesson_of(self.match)
        self.prepared.prepare(lesson.setup if lesson else ())
        self.state = self.game.setup(seats=self.match.size, options=self.match.options, chance=self.chance)
        self.match.setup_draws = self.chance.take()
        self._note_prepared(0)
        self.ask_first()

    def ask_anew(self) -> None:
        """Ask again, of the people themselves, what they owed in a state that is restored."""
        self.ask_first()
        for seat in self.seats:
            seat.own_ask = seat.ask

    def ask_first(self) -> None:
        self._set_end()
        self._ask(mover=None, phases={})

    def make(self, number: int | None, move: object, *, by: str, at: int, key: str | None = None) -> None:
        """Apply a move at `at` ms, then the standing orders it triggers. Raises Illegal."""
        self._apply(number, move, by=by, at=at, key=key)
        self.follow_orders()

    def _apply(self, number: int | None, move: object, *, by: str, at: int, key: str | None = None) -> None:
        phases, before = self._phases(number), self.state
        is_last = self._prepare(number)
        self.at = at_ms(at)
        try:
            self.state, events = self.game.apply(self.state, number, move, self.chance, now=at)
        except IllegalMove as refusal:
            raise Illegal(refusal) from refusal
        self.note_figures(self.game.figures(before), self.game.opens_paragraph(events))
        self.match.turns += 1
        self._note_prepared(self.match.turns)
        self.match.coached = self.match.coached and not is_last
        turn = Turn(match=self.match, number=self.match.turns, seat=number, by=by, move=move, at=at)
        turn.draws, turn.events = self.chance.take(), events
        self.fresh.append(turn)
        if key is not None and number is not None:
            self.keys.append(PlayedKey(match=self.match, seat=number, key=key, number=turn.number))
        self._set_end()
        self._ask(number, phases, turned=self.game.turn(self.state) != self.game.turn(before))
        if by == Turn.By.PERSON and number is not None:
            self._leave_to_person(self.seats[number], before)

    def note_figures(self, before: list[int], is_new_turn: bool) -> None:
        """Keep the seats' figures of before what the page tells that it changed them (`Game.changes_by_move`)."""
        kept = self.match.figures_before
        if self.game.changes_by_move and is_new_turn:
            kept = None
        if self.game.changes_by_move and kept:
            kept = {**kept, "lasts": False}
        if kept and kept["lasts"] and is_new_turn:
            kept = {**kept, "lasts": False}
        if self.game.figures(self.state) != before and not (kept and kept["lasts"]):
            kept = {"figures": before, "lasts": True}
        self.match.figures_before = kept

    def _prepare(self, number: int | None) -> bool:
        """Prepare what a lesson has drawn for the coming move of a seat; return whether it ends with that."""
        is_lesson = self.match.coached and number is not None
        step = coaching.step_at(self.match, self.game.view(self.state, number)) if is_lesson else None
        self.prepared.prepare(step.draws if step else ())
        return step is not None and step.last

    def _note_prepared(self, turn: int) -> None:
        """Note which draws of a lesson's turn (0: the setup) do not follow from the seed."""
        if self.match.prepared is not None:
            self.match.prepared += [[turn, place] for place in self.prepared.used]
            self.prepared.prepare(())

    def _set_end(self) -> None:
        """Set when the game's own clock runs out; while it runs, the match cannot be paused."""
        at = self.game.deadline(self.state)
        self.match.ends_at = None if at is None else at_ms(at)
        if at is not None:
            self.match.paused_at = None

    def _phases(self, mover: int | None) -> dict[int, str | None]:
        asked = [seat.number for seat in self.seats if seat.ask is not None]
        return {number: self._phase(number) for number in asked if number != mover}

    def _phase(self, number: int) -> str | None:
        prompt = self.game.prompt(self.state, number)
        return prompt["phase"] if prompt else None

    def _ask(self, mover: int | None, phases: dict[int, str | None], *, turned: bool = False) -> None:
        """Number the new questions. A seat that still owes an answer in the same phase keeps its own."""
        owing = self.game.to_move(self.state)
        for seat in self.seats:
            was_asked = seat.ask is not None
            if seat.number not in owing:
                seat.ask = seat.asked_at = seat.bot_at = None
            elif seat.number == mover or not was_asked or self._phase(seat.number) != phases.get(seat.number):
                self.match.asks += 1
                seat.ask, seat.asked_at = self.match.asks, clock.now()
            self._keep_time(seat, was_asked, turned)
        hands.take_up(self.match, self.seats)

    def _keep_time(self, seat: Seat, was_asked: bool, turned: bool) -> None:
        """Run a seat's clock from when it is to move until it no longer is, or its turn is over."""
        if was_asked and (seat.ask is None or turned):
            seat.complete_turn(self.match.pace, self.at)
        if seat.ask is not None and (turned or not was_asked) and not clocks_stopped(self.match):
            seat.start_clock(self.match.pace, clock.now())

    def _leave_to_person(self, seat: Seat, before: object) -> None:
        """Keep orders from a decision that was begun by hand (spec: engine.md, Standing orders)."""
        if seat.ask is not None and self.game.carries_on(before, self.state, seat.number):
            seat.own_ask = seat.ask

    def follow_orders(self) -> None:
        """Make the moves that standing orders decide, or that need no decision, until all questions are open."""
        while True:
            if (answer := self._needless()) is not None:
                self._apply(*answer, by=Turn.By.NEEDLESS, at=clock.now_ms())
            elif (answer := self._next_ordered()) is not None:
                self._apply(*answer, by=Turn.By.ORDERS, at=clock.now_ms())
            else:
                return

    def _next_ordered(self) -> tuple[int, Move] | None:
        for seat in self.seats:
            if (move := self.ordered_move(seat)) is not None:
                return seat.number, move
        return None

    def ordered_move(self, seat: Seat) -> Move | None:
        """Return how the seat's orders answer its open question; None if they leave it to the person."""
        if seat.ask in (None, seat.own_ask) or not seat.orders or not seat.is_in:
            return None
        return self.game.ordered_move(self.game.view(self.state, seat.number), seat.orders)

    def save(self) -> None:
        """Write everything that changed, end the match if it is over; tell pages and worker after commit."""
        match = self.match
        match.state = self.game.dump(self.state)
        match.draws = self.seed.drawn
        match.moved_at = clock.now()
        match.version += len(self.fresh) or 1  # one per turn: it must not reveal how they were made
        outcome = self.game.outcome(self.state)
        sql.insert(self.fresh)
        sql.insert(self.keys)
        if outcome is not None:
            match.outcome = outcome
            finish(match, self.seats, Match.Ending.PLAYED)
        sql.update(
            match,
            _PLAYED
            + ([] if match.prepared is None or match.sandbox else _LESSON)
            + (_CLOCKS if outcome is None else _ENDED),
        )
        hands.save(self.seats, self.held_before)
        changed = [seat for seat in self.seats if seat.ask != self.asked_before[seat.number]]
        first = self.fresh[0] if self.fresh else None
        mover = first.seat if first and first.by == Turn.By.PERSON else None
        paced = self._pace_bots(changed, after_person=mover is not None)
        for seat in self.seats if outcome is not None else dict.fromkeys([*changed, *paced]):
            seen = ["seen"] if seat.number == mover else []  # their pages write that of the others
            sql.update(seat, _ASKED + seen + ([] if outcome is None else _RANKED))
        self._forget_wishes()
        transaction.on_commit(self._log, robust=True)
        self._ring(changed)

    def _forget_wishes(self) -> None:
        """Forget wishes of who has moved since, or ran out of time, once that is told; the answers go with them."""
        wishing = [seat for seat in self.seats if (seat.wants_call_off, seat.wants_pause) != (None, None)]
        if not wishing:  # nearly always
            return
        told = self.match.turns - (self.game.unsettled(self.state) if self.game.secret else 0)
        lapsed = [seat for seat in wishing if self._has_lapsed(seat, told)]
        for seat in lapsed:
            seat.wants_call_off = None
            seat.wants_pause = seat.wants_pause if self.match.paused_at and not seat.absent else None
        for name in ("wants_call_off", "wants_pause"):
            if not any(getattr(seat, name) for seat in self.seats):
                for seat in wishing:
                    setattr(seat, name, None)
        self.people_of_lapsed = [seat.user_id for seat in self.seats if lapsed and seat.is_in and seat.user_id]
        for seat in wishing if lapsed else ():
            sql.update(seat, ["wants_call_off", "wants_pause"])

    def _has_lapsed(self, seat: Seat, told: int) -> bool:
        """Return whether a seat's wish lapsed with a turn that everybody may know of."""
        if seat.absent:
            return (seat.left_at or 0) <= told
        since = self.match.turns - len(self.fresh) if seat.wished is None else seat.wished
        own = self.match.log.filter(seat=seat.number, number__gt=since, number__lte=told)
        is_wish = bool(seat.wants_call_off or (seat.wants_pause and not self.match.paused_at))
        return is_wish and own.filter(by__in=BY_PERSON).exists()

    def _needless(self) -> tuple[int, object] | None:
        asked = (seat.number for seat in self.seats if seat.ask is not None and seat.is_in)
        answers = ((number, self.game.needless(self.state, number)) for number in asked)
        return next(((number, move) for number, move in answers if move is not None), None)

    def _log(self) -> None:
        for turn in self.fresh:
            if turn.by == Turn.By.RECORD:  # was made elsewhere
                continue
            log.info("move", match=self.match.pk, turn=turn.number, seat=turn.seat, by=turn.by)
            metrics.count("club_moves", self.match.game_slug, str(turn.by))

    def _ring(self, changed: Sequence[Seat]) -> None:
        people = [s for s in changed if s.is_in and bool(s.ask) != bool(self.asked_before[s.number])]
        user_ids = {*(seat.user_id for seat in people if seat.user_id), *self.people_of_lapsed}
        broadcast.asked(self.match.pk, self.people_of_lapsed)
        broadcast.match_changed(self.match.pk, self.match.version, people=user_ids)
        if self.match.ends_at is not None and self.match.ends_at != self.ended_before:
            broadcast.end_awaited(self.match.pk, after=(self.match.ends_at - clock.now()).total_seconds())
        due = next_due(self.match, self.seats)
        if due is not None and due != self.due_before:
            broadcast.bots_asked(self.match.pk, after=max(0.0, (due - clock.now()).total_seconds()))

    def _pace_bots(self, asked_anew: Sequence[Seat], *, after_person: bool) -> list[Seat]:
        """Set when the bots that are asked move, so that people can follow; return whose time changed.

        A new sentence of a lesson's coach is read before anything else happens.
        """
        is_new_turn = after_person and not self.match.pace.is_live
        said = coaching.said(self.match, self.state)
        reading = len(said) / coaching.READ if said != self.said_before else 0.0
        return set_times(
            self.match,
            self.seats,
            self.state,
            asked_anew=asked_anew,
            after=max(reading, thinking() if is_new_turn else settings.BOT_PAUSE),
            reveal=any(self.game.pauses_after(turn.events) for turn in self.fresh),
        )


_PLAYED = ["state", "draws", "turns", "asks", "moved_at", "version", "figures_before"]
_LESSON = ["coached", "prepared"]
_CLOCKS = ["paused_at", "ends_at"]
_ENDED = ["status", "ending", "ended_at", "outcome", *_CLOCKS]
_ASKED = ["ask", "own_ask", "asked_at", "bot_at", "bank", "gained", "runs_from", "deadline"]
_RANKED = ["rank", "score"]
_LEFT = ["bot", "left", "absent", "left_at", "run_outs", "returned"]


def save_all(match: Match, seats: list[Seat], *, quietly: bool = False) -> None:
    """Write a match changed otherwise than by a move; tell its pages and players unless `quietly`."""
    match.version += not quietly
    sql.update(match, ["version", *_ENDED])
    for seat in seats:
        sql.update(seat, [*_ASKED, *_RANKED, *_LEFT, "wants_call_off", "wants_pause", "wished"])
    if not quietly:
        broadcast.match_changed(match.pk, match.version, people=[s.user_id for s in seats if s.user_id])


def save_clocks(match: Match, seats: list[Seat]) -> None:
    """Write clocks changed otherwise than by a move, and tell the pages."""
    match.version += 1
    sql.update(match, ["version"])
    for seat in seats:
        sql.update(seat, ["bank", "runs_from", "deadline"])
    broadcast.match_changed(match.pk, match.version)


def clocks_stopped(match: Match) -> bool:
    """Return whether no seat's clock runs: the match is paused, or the game's own clock runs."""
    return match.paused_at is not None or match.ends_at is not None


def pause_if_agreed(match: Match, seats: list[Seat]) -> None:
    """Stop the clocks once all who are in want a pause; the caller saves."""
    people_in = [seat for seat in seats if seat.is_in]
    if not clocks_stopped(match) and all(seat.wants_pause for seat in people_in):
        match.paused_at = clock.now()
        for seat in people_in:
            seat.stop_clock(match.pace, match.paused_at)


def finish(match: Match, seats: list[Seat], ending: Match.Ending) -> None:
    """End a match: the only way to end a running one. The caller saves; hooks run before.

    Players still in are ranked by the outcome (equal without one), below them those who left, the first to
    leave last; none are ranked in a match called off (spec: site.md, Matches).
    """
    match.status, match.ending, match.ended_at = Match.Status.ENDED, ending, clock.now()
    match.paused_at = match.ends_at = None
    for seat in seats:
        seat.ask = seat.asked_at = seat.bot_at = None
        seat.stop_clock(match.pace, match.ended_at)
        if match.outcome:
            seat.score = match.outcome["scores"][seat.number]
    if ending != Match.Ending.CALLED_OFF:
        places = {seat.number: _place(match, seat) for seat in seats}
        for seat in seats:
            seat.rank = 1 + sum(place < places[seat.number] for place in places.values())
    last = max((seat.left or 0 for seat in seats), default=0) if ending == Match.Ending.RESIGNED else 0
    told = [seat for seat in seats if not last or seat.left != last]  # the last to resign knows it
    note_end(match, told)
    webhooks.note_end(match, told)
    hooks.match_ended(match, seats)
    if match.challenge_id:
        broadcast.lobby_changed()  # it may take a further match


def _place(match: Match, seat: Seat) -> tuple[int, int]:
    if seat.left is not None:
        return 1, -seat.left
    return 0, match.outcome["ranks"][seat.number] if match.outcome else 1
