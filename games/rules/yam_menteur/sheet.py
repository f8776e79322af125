"""The sheet of YAM menteur: the thirteen combinations, their points and claims, and a seat's own rows."""

from collections import Counter
from functools import cache
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from games.engine import View, put
from games.engine.throws import Dice

Upper: TypeAlias = Literal["ones", "twos", "threes", "fours", "fives", "sixes"]
Lower: TypeAlias = Literal["three_kind", "four_kind", "full_house", "small_straight", "large_straight", "yam", "chance"]
Combination: TypeAlias = Literal[Upper, Lower]

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
"""The number of crosses in a bluff cell that bars the points cell."""


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
    """The points of five dice in each combination. Read only: cached."""
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


class Row(Struct, frozen=True, omit_defaults=True, gc=False):
    """One combination: the points that are written, and the crosses in the bluff cell."""

    points: int | None = None
    crosses: int = 0

    @property
    def barred(self) -> bool:
        return self.crosses == BARRED_AT

    @property
    def open(self) -> bool:
        """Whether points may still be written here."""
        return self.points is None and not self.barred

    def crossed(self) -> "Row":
        """The row with one more cross: the second bars it and annuls what was written."""
        crosses = min(self.crosses + 1, BARRED_AT)
        return Row(None if crosses == BARRED_AT else self.points, crosses)

    def shown(self) -> View:
        return {"points": self.points, "crosses": self.crosses, "barred": self.barred, "open": self.open}


BLANK = Row()


class Sheet(Struct, frozen=True, omit_defaults=True):
    """All rows of a seat, in the order of the sheet."""

    rows: tuple[Row, ...] = (BLANK,) * len(COMBINATIONS)

    def row(self, combination: str) -> Row:
        return self.rows[INDEX[combination]]

    def written(self, combination: str, points: int) -> "Sheet":
        """The sheet with those points written."""
        return self._with(combination, Row(points, self.row(combination).crosses))

    def crossed(self, combination: str) -> "Sheet":
        """The sheet with one more cross in that bluff cell."""
        return self._with(combination, self.row(combination).crossed())

    def _with(self, combination: str, row: Row) -> "Sheet":
        return Sheet(put(self.rows, INDEX[combination], row))

    @property
    def open(self) -> list[str]:
        """The combinations whose points cell is neither written nor barred."""
        return [combination for combination, row in zip(COMBINATIONS, self.rows, strict=True) if row.open]

    @property
    def closed(self) -> bool:
        """Whether no points cell is open."""
        return not any(row.open for row in self.rows)

    @property
    def upper(self) -> int:
        """The points of the upper six, without the bonus."""
        return sum(row.points or 0 for row in self.rows[: len(UPPER)])

    @property
    def bonus(self) -> int:
        return BONUS if self.upper >= BONUS_FROM else 0

    @property
    def total(self) -> int:
        return sum(row.points or 0 for row in self.rows) + self.bonus

    def shown(self) -> View:
        """The sheet as a view has it."""
        rows = zip(COMBINATIONS, self.rows, strict=True)
        return {
            **{combination: row.shown() for combination, row in rows},
            "upper": self.upper,
            "bonus": self.bonus,
            "total": self.total,
        }
