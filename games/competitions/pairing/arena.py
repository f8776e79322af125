"""All in one evening: whom to seat out of those who wait (spec: tournaments.md, All in one evening)."""

from collections.abc import Iterable, Sequence

from games.competitions.pairing.plan import Plan, Result, Table
from games.competitions.pairing.seating import Party, kept_apart, meetings, seat
from games.competitions.pairing.seats import Seats
from games.engine import Chance


def sit(
    plan: Plan,
    waiting: Sequence[int],
    results: Iterable[Result],
    apart: Iterable[frozenset[int]],
    chance: Chance,
    *,
    hurry: bool = False,
) -> list[Table]:
    """Return the tables to begin now, in the order of seats; who is at none waits on.

    `waiting` has who waits longest first: they are seated first. Tables are full (`plan.seats`); with
    `hurry`, for when the next would come too late, also of fewer or more, so that as many as possible sit.
    `results` are those of all tables of the arena so far, those still played too if whom one plays now
    counts as met.
    """
    known = list(results)
    met, kept = meetings(known), kept_apart(apart)
    least, most = (plan.least, plan.most) if hurry else (plan.seats, plan.seats)
    full = len(waiting) // plan.seats * plan.seats
    tables: list[Table] = []
    for people in [len(waiting)] if hurry else [full, len(waiting)]:  # all, where blocks part those in front
        rest = range(people - 1, -1, -1)
        party = Party(waiting[:people], [0] * people, False, rest, met, {}, kept)
        found = seat(party, plan.seats, least, most, chance) if people else []
        tables = [table for table in found if len(table) > 1]
        if tables and len(tables) == len(found):
            break
    return Seats(known).ordered(tables, chance)
