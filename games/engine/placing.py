"""What a place at a table is worth, whatever the game and the size: of tournaments, and of clubs against each other."""

from collections.abc import Collection, Hashable, Mapping
from fractions import Fraction
from typing import TypeVar

FIRST = 100
"""Points of a first place; the last one gives nothing."""
Who = TypeVar("Who", bound=Hashable)


def places(ranks: Mapping[Who, int], away: Collection[Who] = ()) -> dict[Who, int]:
    """Return everybody's place at the table, 1 is best; equal ones share the better number (1, 2, 2, 4).

    `ranks` are the match’s. Who was away is behind everybody who was not; of several the ranks decide, too.
    """
    keys = {who: (who in away, rank) for who, rank in ranks.items()}
    return {who: 1 + sum(other < key for other in keys.values()) for who, key in keys.items()}


def points(found: Mapping[Who, int]) -> dict[Who, Fraction]:
    """Return the points of these places at a table of two or more, from 0 to FIRST.

    One has a share of FIRST for each opponent that is behind, and half of one for each that is level.
    """
    return {who: _share(place, list(found.values())) for who, place in found.items()}


def _share(place: int, all_places: list[int]) -> Fraction:
    behind, level = sum(other > place for other in all_places), all_places.count(place) - 1
    return Fraction(FIRST * (2 * behind + level), 2 * (len(all_places) - 1))
