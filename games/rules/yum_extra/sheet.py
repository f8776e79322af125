"""The printed sheet of Yum EXTRA, rows, points and the eighteen combos, and a seat's own sheet."""

from collections import Counter
from functools import cache
from typing import Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from games.engine import View, put
from games.engine.throws import Dice

Upper: TypeAlias = Literal["ones", "twos", "threes", "fours", "fives", "sixes"]
Kind: TypeAlias = Literal["three_kind", "four_kind", "short_straight", "long_straight", "high_roll", "full_house"]
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
        (privilege, die, face) for privilege in PRIVILEGES for number, die, face in COMBOS[privilege] if number == white
    ]
    for white in range(1, 7)
}


def formed(white: int, dice: Dice) -> tuple[str, ...]:
    """The privileges of the combos that the dice form, in the order of PRIVILEGES."""
    return tuple(privilege for privilege, die, face in BY_WHITE[white] if dice[die] == face)


def points(dice: Dice) -> dict[str, int]:
    """The points of five dice in each row, by the rule of that name. Read only: cached."""
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


INDEX = {cell: index for index, cell in enumerate(CELLS)}


class Row(Struct, frozen=True, omit_defaults=True, gc=False, rename={"into": "as"}):
    """One row. `into` is the rule that it was transformed to; a stolen row is written in Bonus."""

    pts: int | None = None
    bonus: int | None = None
    stolen: bool = False
    into: str | None = None

    @property
    def open(self) -> bool:
        return self.pts is None and self.bonus is None

    @property
    def plain_points(self) -> int | None:
        """The points in PTS while Bonus is empty: what privileges may touch."""
        return self.pts if self.bonus is None else None

    @property
    def worth(self) -> int:
        """What the row adds to the total."""
        return (self.pts or 0) if self.bonus is None else self.bonus


BLANK = Row()
EXTRAS = ("die", "all", "combo")


class Sheet(Struct, frozen=True, omit_defaults=True):
    """A seat's rows, its unused extras, and the points of its lucky roll once rolled."""

    rows: tuple[Row, ...] = (BLANK,) * len(CELLS)
    extras: tuple[str, ...] = EXTRAS
    lucky: int | None = None

    def row(self, cell: str) -> Row:
        return self.rows[INDEX[cell]]

    def with_row(self, cell: str, row: Row) -> "Sheet":
        """The sheet with that row replaced."""
        return replace(self, rows=put(self.rows, INDEX[cell], row))

    def without_extra(self, extra: str) -> "Sheet":
        """The sheet with that extra used."""
        return replace(self, extras=tuple(other for other in self.extras if other != extra))

    @property
    def full(self) -> bool:
        """Whether no row is open."""
        return not any(row.open for row in self.rows)

    @property
    def awaits_lucky(self) -> bool:
        """Whether the upper rows are all written and the lucky roll was not made."""
        return self.lucky is None and not any(row.open for row in self.rows[: len(UPPER)])

    @property
    def sums(self) -> tuple[int, int]:
        """The points of the upper and of the lower rows."""
        worth = [row.worth for row in self.rows]
        return sum(worth[: len(UPPER)]), sum(worth[len(UPPER) :])

    @property
    def total(self) -> int:
        return sum(self.sums) + (self.lucky or 0)

    @classmethod
    def seen(cls, shown: View) -> "Sheet":
        """The sheet that a view shows."""
        rows = (shown[cell] for cell in CELLS)
        return cls(
            tuple(Row(row["pts"], row["bonus"], row["stolen"], row["as"]) for row in rows),
            tuple(extra for extra, is_left in shown["extras"].items() if is_left),
            shown["lucky"],
        )

    def shown(self) -> View:
        """The sheet as a view has it."""
        upper, lower = self.sums
        shown: View = {
            cell: {"pts": row.pts, "bonus": row.bonus, "stolen": row.stolen, "as": row.into, "open": row.open}
            for cell, row in zip(CELLS, self.rows, strict=True)
        }
        shown["extras"] = {extra: extra in self.extras for extra in EXTRAS}
        return shown | {"lucky": self.lucky, "upper": upper, "lower": lower, "total": self.total}
