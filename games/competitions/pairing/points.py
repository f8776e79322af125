"""What a table gives to those who sat there (spec: tournaments.md, Points)."""

from fractions import Fraction

from games.competitions.pairing.plan import Result

FIRST = 100
"""Points of a first place; the last one gives nothing."""
BYE = Fraction(FIRST, 2)
"""Points of a bye: what any table gives on average."""


def places(result: Result) -> dict[int, int]:
    """Return each entrant's place at the table, 1 is best; equal ones share the better number (1, 2, 2, 4).

    Who was away is behind everybody who was not; of several, the first to leave is last, as their ranks say.
    """
    keys = {number: (number in result.away, rank) for number, rank, _ in result.places}
    return {number: 1 + sum(other < key for other in keys.values()) for number, key in keys.items()}


def points(result: Result) -> dict[int, Fraction]:
    """Return each entrant's points, from 0 to FIRST, whatever the size of the table; empty when it is void.

    One has a share of FIRST for each opponent that is behind, and half of one for each that is level.
    """
    if result.void:
        return {}
    found = places(result)
    if len(found) == 1:
        return dict.fromkeys(found, BYE)
    return {number: _share(place, list(found.values())) for number, place in found.items()}


def _share(place: int, all_places: list[int]) -> Fraction:
    behind, level = sum(other > place for other in all_places), all_places.count(place) - 1
    return Fraction(FIRST * (2 * behind + level), 2 * (len(all_places) - 1))
