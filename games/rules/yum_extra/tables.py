"""What is printed on the sheet: rows and their points, colours, and the eighteen combos."""

from collections import Counter
from functools import cache
from typing import Literal, TypeAlias, get_args

Dice: TypeAlias = tuple[int, ...]
Upper: TypeAlias = Literal["ones", "twos", "threes", "fours", "fives", "sixes"]
Kind: TypeAlias = Literal[
    "three_kind", "four_kind", "short_straight", "long_straight", "high_roll", "full_house"
]
"""What an upper row can be transformed into."""

UPPER: tuple[str, ...] = get_args(Upper)
KINDS: tuple[str, ...] = get_args(Kind)
LOWER = (*KINDS, "yum")
CELLS = (*UPPER, *LOWER)
"""The rows in the order of the sheet."""

FIXED = {"short_straight": 15, "long_straight": 20, "full_house": 25, "yum": 30}
"""The rows that are worth the same whatever the dice."""

RED, BLUE, GREEN, YELLOW, PURPLE = range(5)

PRIVILEGES = ("erase", "steal", "triple", "double", "swap", "transform")

COMBOS: dict[str, tuple[tuple[int, int, int], ...]] = {
    "erase": ((1, RED, 1), (3, BLUE, 4), (5, GREEN, 6)),
    "steal": ((2, YELLOW, 5), (4, PURPLE, 2), (6, RED, 3)),
    "triple": ((1, BLUE, 6), (3, GREEN, 3), (5, YELLOW, 1)),
    "double": ((2, GREEN, 2), (4, RED, 5), (6, PURPLE, 4)),
    "swap": ((1, PURPLE, 3), (3, YELLOW, 6), (5, RED, 2)),
    "transform": ((2, BLUE, 1), (4, GREEN, 5), (6, YELLOW, 4)),
}
"""Each privilege's combos: white number, coloured die, its number."""

LUCKY_FROM = 4
LUCKY_POINTS = 25


BY_WHITE = {
    white: [
        (privilege, die, face)
        for privilege in PRIVILEGES
        for number, die, face in COMBOS[privilege]
        if number == white
    ]
    for white in range(1, 7)
}


def formed(white: int, dice: Dice) -> tuple[str, ...]:
    """The privileges of which a combo lies there, in the table's order."""
    return tuple(privilege for privilege, die, face in BY_WHITE[white] if dice[die] == face)


def points(dice: Dice) -> dict[str, int]:
    """What five dice are worth in each row, by the rule of that name. Read only: it is kept."""
    return _points(tuple(sorted(dice)))


@cache
def _points(dice: Dice) -> dict[str, int]:
    counts = Counter(dice)
    most = max(counts.values())
    total = sum(dice)
    straight = _longest_run(counts)
    return {
        **{cell: face * counts[face] for face, cell in enumerate(UPPER, 1)},
        "three_kind": total if most >= 3 else 0,
        "four_kind": total if most >= 4 else 0,
        "short_straight": FIXED["short_straight"] if straight >= 4 else 0,
        "long_straight": FIXED["long_straight"] if straight == 5 else 0,
        "high_roll": total,
        "full_house": FIXED["full_house"] if sorted(counts.values()) == [2, 3] else 0,
        "yum": FIXED["yum"] if most == 5 else 0,
    }


def _longest_run(counts: Counter[int]) -> int:
    longest = run = 0
    for face in range(1, 7):
        run = run + 1 if counts[face] else 0
        longest = max(longest, run)
    return longest
