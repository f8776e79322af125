"""What dice games share: the move Roll, opening rolls, rerolls, and the 252 unordered throws of five dice."""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from games.engine.chance import Chance

Dice: TypeAlias = tuple[int, ...]

ALL_DICE = (0, 1, 2, 3, 4)
"""The indices of five dice."""


Die: TypeAlias = Annotated[int, Meta(ge=0, le=4)]


class Roll(Struct, frozen=True, forbid_unknown_fields=True, tag="roll"):
    """The move that rolls the dice with those indices; without `dice`, all five."""

    dice: Annotated[list[Die], Meta(min_length=1, max_length=5)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.dice is not UNSET and len(set(self.dice)) < len(self.dice):
            raise ValueError("a die is named twice")


class Opening(Struct, frozen=True):
    """A public roll for the start."""

    seat: int
    dice: Dice

    def shown(self) -> dict[str, Any]:
        return {"seat": self.seat, "dice": list(self.dice)}


def opening(seats: int, dice: int, chance: Chance) -> tuple[tuple[Opening, ...], int]:
    """The rolls of all seats, then of those tied for the highest sum; and the seat that starts."""
    rolls: list[Opening] = []
    tied = list(range(seats))
    while len(tied) > 1:
        drawn = [Opening(seat, tuple(chance.roll(dice))) for seat in tied]
        most = max(sum(roll.dice) for roll in drawn)
        tied = [roll.seat for roll in drawn if sum(roll.dice) == most]
        rolls += drawn
    return tuple(rolls), tied[0]


def rerolled(dice: Dice | None, which: Sequence[int], chance: Chance) -> Dice:
    """The five dice after those with the indices `which`, ascending, were rolled."""
    faces = list(dice or ALL_DICE)
    for index, face in zip(which, chance.roll(len(which)), strict=True):
        faces[index] = face
    return tuple(faces)


FACES = range(1, 7)

KEEPS: tuple[Dice, ...] = tuple(
    keep for size in range(5, -1, -1) for keep in combinations_with_replacement(FACES, size)
)
"""All 462 sorted sets of up to five dice, full throws first, the empty set last."""

INDEX = {keep: index for index, keep in enumerate(KEEPS)}
THROWS = tuple(keep for keep in KEEPS if len(keep) == 5)
NOTHING = INDEX[()]


def parts_of(throw: Dice, sizes: Sequence[int]) -> tuple[int, ...]:
    """The indices of all sets of those sizes that can be kept of a throw."""
    return tuple({INDEX[part] for size in sizes for part in combinations(throw, size)})


NEXT = tuple(tuple(INDEX[tuple(sorted((*keep, face)))] for face in FACES) for keep in KEEPS[len(THROWS) :])
"""For each set of fewer than five dice: the six sets with one die more."""

PARTS = tuple(parts_of(throw, range(5)) for throw in THROWS)
"""For each throw: the sets that can be kept when at least one die is rolled."""


def expectations(worth: Sequence[float]) -> list[float]:
    """The worth of each kept set before the other dice are rolled, given the worth of each throw."""
    expected = list(worth)
    for a, b, c, d, e, f in NEXT:
        total = expected[a] + expected[b] + expected[c] + expected[d] + expected[e] + expected[f]
        expected.append(total / 6)
    return expected


def spread(mass: Sequence[float]) -> list[float]:
    """The probability of each throw after the other dice are rolled, given that of each kept set."""
    likely = list(mass)
    for index in range(NOTHING, len(THROWS) - 1, -1):
        share = likely[index] / 6
        if share:
            for more in NEXT[index - len(THROWS)]:
                likely[more] += share
    return likely[: len(THROWS)]
