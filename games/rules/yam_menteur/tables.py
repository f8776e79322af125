"""What is printed on the sheet: the thirteen combinations, what dice score in them, what may be claimed."""

from collections import Counter
from functools import cache
from typing import Literal, TypeAlias, get_args

from games.engine.throws import Dice

Combination: TypeAlias = Literal[
    "ones",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "three_kind",
    "four_kind",
    "full_house",
    "small_straight",
    "large_straight",
    "yam",
    "chance",
]

COMBINATIONS: tuple[str, ...] = get_args(Combination)
"""The combinations in the order of the sheet."""

UPPER = COMBINATIONS[:6]
INDEX = {combination: index for index, combination in enumerate(COMBINATIONS)}
FIXED = {"full_house": 25, "small_straight": 30, "large_straight": 40, "yam": 50}
"""The combinations that are worth the same whatever the dice."""

BONUS_FROM = 63
BONUS = 35
TRIES = 3
BARRED_AT = 2
"""So many crosses in a bluff cell bar the points cell."""


def _claims(combination: str) -> range:
    if combination in FIXED:
        return range(FIXED[combination], FIXED[combination] + 1)
    if combination in UPPER:
        face = INDEX[combination] + 1
        return range(face, 5 * face + 1, face)
    return range(5, 31)


CLAIMS = {combination: _claims(combination) for combination in COMBINATIONS}
"""The points that may be claimed for each combination."""

EVER_CLAIMED = frozenset(points for claims in CLAIMS.values() for points in claims)
MOST_CLAIMED = max(EVER_CLAIMED)


def points(dice: Dice) -> dict[str, int]:
    """What five dice score in each combination, 0 where they are none. Read only: it is kept."""
    return _points(tuple(sorted(dice)))


@cache
def _points(dice: Dice) -> dict[str, int]:
    counts = Counter(dice)
    most = max(counts.values())
    total = sum(dice)
    there = {
        "full_house": sorted(counts.values()) == [2, 3],
        "small_straight": dice == (1, 2, 3, 4, 5),
        "large_straight": dice == (2, 3, 4, 5, 6),
        "yam": most == 5,
    }
    return {
        **{combination: face * counts[face] for face, combination in enumerate(UPPER, 1)},
        "three_kind": total if most >= 3 else 0,
        "four_kind": total if most >= 4 else 0,
        **{combination: FIXED[combination] if there[combination] else 0 for combination in FIXED},
        "chance": total,
    }
