"""A seat that a bot holds since its person ran out of time: taken back by that person, or over by a substitute."""

from typing import Any

from django.db import transaction

from accounts.models import User
from config.lib import clock, sql
from games import broadcast
from games.clocks import MS, completed, times_of
from games.models import Match, Seat, Wish
from games.queries import substitutes
from games.queries.secrecy import looked_at
from games.services import hooks
from games.services.people import blocks
from games.services.play.locking import Person, lock_match
from games.services.play.match_transaction import clocks_stopped, save_all
from games.services.refusals import BotsCannot, GuestsCannot, NotOffered, NotRunning, NotYourSeat
from games.table import unsettled


def take_back(*, match_id: int, user: User) -> None:
    """Play on in the seat that one lost by running out of time; once a match. Twice is harmless.

    NotYourSeat, NotRunning, NotOffered.
    """
    with transaction.atomic():
        match, seats = lock_match(match_id)
        seat = next((seat for seat in seats if seat.user_id == user.pk), None)
        if seat is None:
            raise NotYourSeat
        if match.status != Match.Status.RUNNING:
            raise NotRunning
        if seat.is_in:
            return
        if not seat.may_return(match):
            raise NotOffered
        seat.returned = True
        seat.bank = max(seat.bank, completed(0, match.pace))
        _sit_in(match, seats, seat)


def take_over(*, match_id: int, user: User) -> None:
    """Play on, as a substitute, in a seat whose person has been gone for long. Twice is harmless.

    GuestsCannot, BotsCannot, NotOffered, BlockedByOther, or what ON_JOINING raises.
    """
    if user.is_guest:
        raise GuestsCannot
    if user.is_bot:
        raise BotsCannot
    with transaction.atomic():
        match, seats = lock_match(match_id)
        own = next((seat for seat in seats if seat.user_id == user.pk), None)
        if own is not None and own.substituted and own.is_in:
            return
        seat = offered(match, seats, user)
        if seat is None:
            raise NotOffered
        blocks.refuse_blocked(user, seats)
        hooks.check_taking_part(user)
        hooks.check_joining(match, user)
        broadcast.seat_lost(match.pk, seat.user_id or 0)
        _hand_over(seat, user)
        seat.bank, seat.run_outs, seat.seen = match.pace.cap // MS, 0, match.turns
        _sit_in(match, seats, seat)


def offered(match: Match, seats: list[Seat], user: Person) -> Seat | None:
    """Return the first seat of a match that this person may take over; None when there is none, or none may be told.

    Not for whoever sits there or has sat there, nor for an admin who has looked: they know what another seat knows.
    """
    if not any(seat.bot and seat.absent for seat in seats):
        return None
    if user.pk is not None and any(user.pk in (seat.user_id, seat.absentee_id) for seat in seats):
        return None
    if looked_at(user.pk).filter(match=match).exists():
        return None
    told = match.turns - unsettled(match)
    numbers = set(substitutes.deserted_seats().filter(match=match).values_list("number", flat=True))
    return next((s for s in seats if s.number in numbers and (s.left_at is None or s.left_at <= told)), None)


def _hand_over(seat: Seat, user: User) -> None:
    """Make the seat another person's, without anything that its person wrote for themselves."""
    seat.absentee_id, seat.user, seat.username = seat.user_id, user, user.username
    seat.substituted, seat.returned, seat.times = True, False, times_of(user)
    seat.notes, seat.orders, seat.chat_seen, seat.notices = "", {}, 0, Wish.ALL


def _sit_in(match: Match, seats: list[Seat], seat: Seat) -> None:
    """Let the seat's person play on instead of the bot, with a clock that starts now if they are asked."""
    is_told = not seat.left_at or seat.left_at <= match.turns
    seat.bot, seat.left, seat.left_at, seat.absent = "", None, None, False
    seat.wants_call_off, seat.wants_pause = None, True if match.paused_at else None  # others may ask them
    seat.bot_at = None
    if seat.ask is not None:
        match.asks += 1  # a move that a bot is choosing answers an old question
        seat.ask, seat.asked_at = match.asks, clock.now()
        if not clocks_stopped(match):
            seat.start_clock(match.pace, clock.now())
    sql.update(match, ["asks"])
    sql.update(seat, _OWN)
    save_all(match, seats, quietly=not is_told)


_OWN: list[Any] = ["user", "substituted", "absentee", "notes", "orders", "seen", "chat_seen", "notices"]
