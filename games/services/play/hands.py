"""The sandbox that one person plays alone: they sit in one seat at a time, always where somebody is asked.

So nothing else has to know of people with several seats: what one sees is what the seat sees that one has in hand.
"""

from collections.abc import Sequence
from typing import Any

from config.lib import clock
from games.clocks import ALWAYS
from games.models import Match, Seat

# What goes along, and what an empty seat has instead.
THEIRS: dict[str, Any] = {"user_id": None, "notes": "", "orders": {}, "notices": "none", "seen": 0, "chat_seen": 0}
KNOWN: dict[str, Any] = {"username": None, "badge": "", "times": ALWAYS, "asks_first": False}  # read with the seats


def held(seats: Sequence[Seat]) -> Seat | None:
    """Return the seat that its person has in hand, of those that one person moves for; None in any other match."""
    return next((seat for seat in seats if seat.hand and seat.is_in), None)


def take_up(match: Match, seats: Sequence[Seat]) -> None:
    """Have the person sit where somebody is asked, if nothing is asked where they sit."""
    before = held(seats)
    asked = next((seat for seat in seats if seat.hand and seat.ask is not None), None)
    if before is None or asked is None or before.ask is not None:
        return
    for name, nothing in (THEIRS | KNOWN).items():
        setattr(asked, name, getattr(before, name))
        setattr(before, name, nothing)
    if match.paused_at is None and match.ends_at is None:
        asked.start_clock(match.pace, clock.now())


def save(seats: Sequence[Seat], before: Seat | None) -> None:
    """Write where the person sits now; `before` is the seat in which they sat when the match was read."""
    now = held(seats)
    if before is None or now is None or now is before:
        return
    for seat in (before, now):  # in this order: nobody sits twice
        Seat.objects.filter(pk=seat.pk).update(**{name: getattr(seat, name) for name in THEIRS})
