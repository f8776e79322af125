"""What a person does in a running match: move, give standing orders, resign, pause, call it off."""

from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import User
from config.lib import clock
from games import broadcast, coaching
from games.clocks import to_ms
from games.engine import Move
from games.models import Kind, Match, PlayedKey, Seat, Turn, Wish
from games.services.clocks import outages
from games.services.clocks.time_outs import has_time_left
from games.services.mail.notices import forget_seen, note
from games.services.play.forfeit import BOT_AFTER_RESIGNING, forfeit
from games.services.play.locking import Person, lock_match, seat_of
from games.services.play.match_transaction import (
    MatchTransaction,
    clocks_stopped,
    finish,
    pause_if_agreed,
    save_all,
)
from games.services.refusals import (
    Advised,
    BadOrders,
    ClockOfTheGame,
    NoLongerProposed,
    NotesChanged,
    NotRunning,
    NotSure,
    NotYourSeat,
    OrdersChanged,
    StaleQuestion,
    TooLate,
)
from games.undoable import undoable


def submit_move(
    *,
    match_id: int,
    user: Person,
    ask: int,
    key: str,
    move: Any,
    received: int,
    advised: bool = True,
    confirmed: bool = True,
) -> MatchTransaction:
    """Play `move` as the answer to question `ask`; return the match as it stands then.

    `key` makes a repeated post harmless; `received` is when the request arrived (ms), which decides whether
    it is in time. Unless `advised`, the coach of a lesson is heard first; unless `confirmed`, who wishes to be is asked
    before a final move. NotYourSeat, NotRunning, StaleQuestion, TooLate, Illegal, Advised, NotSure.
    """
    try:
        with transaction.atomic():
            match, seats = lock_match(match_id)
            seat = seat_of(seats, user)
            if seat.ask is None or seat.ask != ask:
                return _played_before(match, seats, seat, key, move)
            if _too_late(match, seat, received):
                raise TooLate
            playing = MatchTransaction(match, seats)
            if match.coached and not advised:
                _ask_coach(playing, seat, move)
            playing.make(seat.number, move, by=Turn.By.PERSON, at=received, key=key)
            if not confirmed and seat.asks_first and _is_final(playing, seat):
                raise NotSure(move)
            seat.seen = match.turns
            playing.save()
    except IntegrityError:
        if PlayedKey.objects.filter(match_id=match_id, key=key).exists():  # the key of another question's answer
            raise StaleQuestion from None
        raise
    return playing


def _is_final(playing: MatchTransaction, seat: Seat) -> bool:
    """Return whether the move that was just made is final: by its type, or by whether it could be taken back.

    By nothing else, as what it brings may be a secret. In live play nobody is asked.
    """
    match, turn = playing.match, playing.fresh[0]
    if turn.move["type"] in match.game.goes_on or match.pace.is_live:
        return False
    return undoable(match, seat, playing.fresh) is None


def _ask_coach(playing: MatchTransaction, seat: Seat, move: Any) -> None:
    """Refuse (Advised) a move to which the coach has something to say first."""
    view = playing.game.view(playing.state, seat.number)
    if says := coaching.objection(playing.match, view, move):
        raise Advised(says, move)


def skip_lesson(*, match_id: int, user: User) -> None:
    """End the lesson of a match, which goes on without a coach; without one, nothing happens. NotYourSeat."""
    with transaction.atomic():
        match, seats = lock_match(match_id)
        seat_of(seats, user)
        if match.coached:
            match.coached = False
            match.save(update_fields=["coached"])
            save_all(match, seats)


def _too_late(match: Match, seat: Seat, received: int) -> bool:
    """Return whether a move came after its seat's time-out, with no outage of the site to excuse it."""
    if seat.deadline is None or received <= to_ms(seat.deadline):
        return False
    return not outages.is_recovering() and not has_time_left(match, seat)


def _played_before(match: Match, seats: list[Seat], seat: Seat, key: str, move: Any) -> MatchTransaction:
    """Return the match as it is if this same post was played already; refuse it otherwise."""
    own = PlayedKey.objects.filter(match=match, seat=seat.number, key=key)
    by_key = Q(number__in=own.values("number")) | Q(key=key)  # the latter of a post that release 0.1 has played
    turn = match.log.filter(by_key, seat=seat.number).first()
    if turn is not None and turn.move == move:
        return MatchTransaction(match, seats)
    if match.status != Match.Status.RUNNING:
        raise NotRunning
    raise StaleQuestion


class Foreseen(NamedTuple):
    """How new orders would answer the open question: its number, and the move."""

    ask: int
    move: Move


def give_orders(
    *, match_id: int, user: Person, orders: Any, answer: int | None = None, leave: int | None = None, before: str = ""
) -> Foreseen | None:
    """Replace the seat's standing orders; return None once they are saved.

    If they would answer the open question, the person says whether they shall: `answer` or `leave` is the
    number of that question. Without either nothing is saved, and what they would answer is returned. `before` is the
    `orders_mark` of those that they have seen. NotYourSeat, NotRunning, BadOrders, OrdersChanged.
    """
    with transaction.atomic():
        match, seats = _lock_running(match_id)
        seat = seat_of(seats, user)
        try:
            match.game.check_orders(orders)
        except ValueError as error:
            raise BadOrders from error
        wanted = match.game.kept_orders(orders)
        if before and seat.orders != wanted and before != seat.orders_mark:
            raise OrdersChanged
        seat.orders = wanted
        playing = MatchTransaction(match, seats)
        is_late = seat.ask is not None and _too_late(match, seat, clock.now_ms())
        move = None if is_late else playing.ordered_move(seat)
        if move is not None and seat.ask is not None and seat.ask not in (answer, leave):
            return Foreseen(seat.ask, move)
        if move is not None and seat.ask == leave:
            seat.own_ask = seat.ask
        seat.save(update_fields=["orders", "own_ask"])
        if move is not None and seat.ask != seat.own_ask:
            playing.follow_orders()
            playing.save()
    return None


def resign(*, match_id: int, user: User) -> None:
    """Resign from a running match: a bot plays on in the seat. NotYourSeat, NotRunning."""
    with transaction.atomic():
        match, seats = _lock_running(match_id)
        seat = seat_of(seats, user)
        forfeit(match, seats, seat, bot=BOT_AFTER_RESIGNING, ending=Match.Ending.RESIGNED)


def wish_call_off(*, match_id: int, user: Person, wish: bool, answers: bool = False) -> None:
    """Set whether the player agrees to call the match off; it ends once all who are in agree.

    `answers` says that somebody proposes it. NoLongerProposed.
    """
    with transaction.atomic():
        match, seats = _lock_running(match_id)
        seat = seat_of(seats, user)
        if not wish and _says_no(seats, seat, "wants_call_off"):
            return
        told = _answer(match, seats, seat, "wants_call_off", wish, answers=answers)
        if all(seat.wants_call_off for seat in seats if seat.is_in):
            finish(match, seats, Match.Ending.CALLED_OFF)
        save_all(match, seats)
        broadcast.asked(match.pk, told)


def wish_pause(*, match_id: int, user: Person, wish: bool, answers: bool = False) -> None:
    """Set whether the player agrees to a pause: clocks stop while all agree. ClockOfTheGame, NoLongerProposed."""
    with transaction.atomic():
        match, seats = _lock_running(match_id)
        if match.ends_at is not None and wish:
            raise ClockOfTheGame
        seat = seat_of(seats, user)
        if not wish and _says_no(seats, seat, "wants_pause") and match.paused_at is None:
            return
        told = _answer(match, seats, seat, "wants_pause", wish, answers=answers)
        if match.paused_at is not None and not wish:
            resume(match, [seat for seat in seats if seat.is_in])
        pause_if_agreed(match, seats)
        save_all(match, seats)
        broadcast.asked(match.pk, told)


def _says_no(seats: list[Seat], seat: Seat, name: str) -> bool:
    """Return whether a "no" of this seat would change nothing: pages would be told of it, as often as it is posted."""
    is_asked = any(other.may_propose and getattr(other, name) for other in seats if other is not seat)
    said = getattr(seat, name)
    return said is False if is_asked else not said


def _answer(match: Match, seats: list[Seat], seat: Seat, name: str, wish: bool, *, answers: bool) -> list[int]:
    """Propose, accept, decline or take back a wish of this name; return whom to tell on their pages.

    A "no" stands as long as somebody else proposes it; the first who proposes asks all others anew. A wish lapses
    with one's next move (`MatchTransaction`).
    """
    seat.wished = match.turns
    if wish and getattr(seat, name):
        return []
    others = [other for other in seats if other.is_in and other is not seat]
    proposing = [other for other in seats if other.may_propose and other is not seat and getattr(other, name)]
    if wish and answers and not proposing:
        raise NoLongerProposed
    asked = [other.user_id for other in others if other.user_id]
    if not proposing:
        for other in seats:
            setattr(other, name, None)
    setattr(seat, name, wish if wish or proposing else None)
    if wish and not proposing:
        again = 2 * match.turns + (name == "wants_pause")  # who proposes the same before anybody moves is not mailed
        note(match, Kind.PROPOSED, asked, ask=again)
    if not wish and proposing:
        people = [other.user_id for other in proposing if other.user_id]
        note(match, Kind.REFUSED, people, ask=2 * match.turns + (name == "wants_pause"))
    return asked if wish and not proposing else [other.user_id for other in proposing if other.user_id]


def resume(match: Match, people_in: list[Seat]) -> None:
    """Restart the clocks of a paused match; the caller saves."""
    match.paused_at = None
    for seat in people_in:
        seat.wants_pause = None
        if seat.ask is not None and not clocks_stopped(match):
            seat.start_clock(match.pace, clock.now())


def wish_notices(*, match_id: int, user: User, wish: Wish) -> None:
    """Set what the person is told of this match while they are not here. NotYourSeat."""
    if not Seat.objects.filter(match_id=match_id, user_id=user.pk).update(notices=wish):
        raise NotYourSeat


def write_notes(*, match_id: int, user: User, notes: str, before: str = "") -> None:
    """Save the person's private notes on this match, also after its end or leaving it.

    `before` is the `notes_mark` of those that they have seen. NotYourSeat, NotesChanged.
    """
    with transaction.atomic():
        seat = Seat.objects.select_for_update().filter(match_id=match_id, user_id=user.pk).only("notes").first()
        if seat is None:
            raise NotYourSeat
        if before and seat.notes != notes and before != seat.notes_mark:
            raise NotesChanged
        seat.notes = notes
        seat.save(update_fields=["notes"])


def mark_seen(*, match_id: int, user_id: int) -> None:
    """Record that the person has seen all turns up to the last, and that the match has begun, or ended."""
    turns = Match.objects.filter(pk=match_id).values("turns")[:1]
    Seat.objects.filter(match_id=match_id, user_id=user_id).update(seen=turns)
    forget_seen(match_id, user_id)


def _lock_running(match_id: int) -> tuple[Match, list[Seat]]:
    match, seats = lock_match(match_id)
    if match.status != Match.Status.RUNNING:
        raise NotRunning
    return match, seats
