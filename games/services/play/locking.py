"""The only way to lock a match: its row first, then its seats are read in order."""

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Match, Seat
from games.queries import play
from games.services.clocks.outages import give_back
from games.services.refusals import NotYourSeat

Person = User | AnonymousUser


def lock_match(match_id: int, *, wait: bool = True) -> tuple[Match, list[Seat]]:
    """Return the match, locked until the transaction ends, and its seats. Time owed to clocks is given.

    Match.DoesNotExist, without `wait` also when it is locked elsewhere.
    """
    match = play.match_row(match_id, lock=True, wait=wait)
    seats = play.seats_of(match)
    if seats and (seats[0].last_outage or 0) > match.outage:
        give_back(match, seats)
    return match, seats


def seat_of(seats: list[Seat], user: Person) -> Seat:
    """Return the seat in which this person plays; NotYourSeat when there is none or they have left."""
    for seat in seats:
        if seat.is_in and seat.user_id == user.pk:
            return seat
    raise NotYourSeat
