"""A seat's sheet: for each of the thirteen combinations a points cell and a bluff cell."""

from msgspec import Struct

from games.engine import View
from games.rules.yam_menteur.tables import BARRED_AT, BONUS, BONUS_FROM, COMBINATIONS, INDEX, UPPER


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
        index = INDEX[combination]
        return Sheet((*self.rows[:index], row, *self.rows[index + 1 :]))

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
