"""What a table gives to those who sat there (spec: tournaments.md, Points)."""

from fractions import Fraction

from games.competitions.pairing.plan import Result
from games.engine import placing

FIRST = placing.FIRST
"""Points of a first place; the last one gives nothing."""
BYE = Fraction(FIRST, 2)
"""Points of a bye: what any table gives on average."""


def places(result: Result) -> dict[int, int]:
    """Return each entrant's place at the table, 1 is best; equal ones share the better number (1, 2, 2, 4).

    Who was away is behind everybody who was not; of several, the first to leave is last, as their ranks say.
    """
    return placing.places({number: rank for number, rank, _ in result.places}, result.away)


def points(result: Result) -> dict[int, Fraction]:
    """Return each entrant's points, from 0 to FIRST, whatever the size of the table; empty when it is void."""
    if result.void:
        return {}
    found = places(result)
    if len(found) == 1:
        return dict.fromkeys(found, BYE)
    return placing.points(found)
