"""A seat's sheet: thirteen rows of two columns, the extras, the lucky roll."""

from msgspec import Struct
from msgspec.structs import replace

from games.engine import View
from games.rules.yum_extra.tables import CELLS, UPPER

INDEX = {cell: index for index, cell in enumerate(CELLS)}


class Row(Struct, frozen=True, omit_defaults=True, gc=False, rename={"into": "as"}):
    """One row. `into` is the rule it was transformed to; a stolen row will be written in Bonus."""

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
    """All of a seat's rows, the extras that it still has, and its lucky roll's points once rolled."""

    rows: tuple[Row, ...] = (BLANK,) * len(CELLS)
    extras: tuple[str, ...] = EXTRAS
    lucky: int | None = None

    def row(self, cell: str) -> Row:
        return self.rows[INDEX[cell]]

    def with_row(self, cell: str, row: Row) -> "Sheet":
        """The sheet with that row replaced."""
        index = INDEX[cell]
        return Sheet((*self.rows[:index], row, *self.rows[index + 1 :]), self.extras, self.lucky)

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

    def shown(self) -> View:
        """The sheet as a view has it."""
        upper, lower = self.sums
        shown: View = {
            cell: {"pts": row.pts, "bonus": row.bonus, "stolen": row.stolen, "as": row.into, "open": row.open}
            for cell, row in zip(CELLS, self.rows, strict=True)
        }
        shown["extras"] = {extra: extra in self.extras for extra in EXTRAS}
        shown["lucky"] = self.lucky
        shown["upper"] = upper
        shown["lower"] = lower
        shown["total"] = upper + lower + (self.lucky or 0)
        return shown
