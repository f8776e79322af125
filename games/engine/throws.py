"""Throws of five dice whose order does not matter: 252 of them, and 462 sets of dice to keep."""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import TypeAlias

Dice: TypeAlias = tuple[int, ...]

FACES = range(1, 7)

KEEPS: tuple[Dice, ...] = tuple(
    keep for size in range(5, -1, -1) for keep in combinations_with_replacement(FACES, size)
)
"""Every sorted set of dice, the full throws first, nothing kept last."""

INDEX = {keep: index for index, keep in enumerate(KEEPS)}
THROWS = tuple(keep for keep in KEEPS if len(keep) == 5)
NOTHING = INDEX[()]


def parts_of(throw: Dice, sizes: Sequence[int]) -> tuple[int, ...]:
    """The indices of all sets of those sizes that can be kept of a throw."""
    return tuple({INDEX[part] for size in sizes for part in combinations(throw, size)})


NEXT = tuple(tuple(INDEX[tuple(sorted((*keep, face)))] for face in FACES) for keep in KEEPS[len(THROWS) :])
"""For each set of less than five dice: the six sets that it becomes with one die more."""

PARTS = tuple(parts_of(throw, range(5)) for throw in THROWS)
"""For each throw: what can be kept of it when at least one die is rolled."""


def expectations(worth: Sequence[float]) -> list[float]:
    """From what each throw is worth: what each kept set is worth before the other dice are rolled."""
    expected = list(worth)
    for a, b, c, d, e, f in NEXT:
        total = expected[a] + expected[b] + expected[c] + expected[d] + expected[e] + expected[f]
        expected.append(total / 6)
    return expected


def spread(mass: Sequence[float]) -> list[float]:
    """From how likely each set is kept: how likely each throw is once the other dice are rolled."""
    likely = list(mass)
    for index in range(NOTHING, len(THROWS) - 1, -1):
        share = likely[index] / 6
        if share:
            for more in NEXT[index - len(THROWS)]:
                likely[more] += share
    return likely[: len(THROWS)]
