"""Where dice lie and which cells they touch (spec: yay.md, Board and dice).

Lengths are in hundredths of a cell; x goes to the right, y down; a cell is (row, column), row 0 at the top.
"""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from msgspec import Struct

from games.engine import put

Point: TypeAlias = tuple[int, int]
Cell: TypeAlias = tuple[int, int]

CELL = 100
HALF = 60
"""Half the width of a die."""
SPREAD = 110
"""The standard deviation of a die's distance from the aim, across and down."""


def edge(size: int) -> int:
    """How long the board is, across and down."""
    return CELL * size


def middle(cell: Cell) -> Point:
    """The middle of a cell."""
    row, col = cell
    return CELL * col + CELL // 2, CELL * row + CELL // 2


def cell_at(aim: Point, size: int) -> Cell:
    """The cell in which a point that can be aimed at lies; the far rim is that of the last cell."""
    x, y = aim
    return min(y // CELL, size - 1), min(x // CELL, size - 1)


def on_board(x: int, y: int, size: int) -> bool:
    """Whether a die with its centre there lies on the board; its rim counts at the left and the top only."""
    return 0 <= x < edge(size) and 0 <= y < edge(size)


def covered(at: int, size: int) -> range:
    """The columns (or rows) that a die overlaps, given its x (or y); an edge alone does not count."""
    first, after_last = (at - HALF) // CELL, -((-at - HALF) // CELL)
    return range(max(0, first), min(size, after_last))


def touched(x: int, y: int, size: int) -> list[Cell]:
    """The cells that a die with its centre there touches, in row order; none when it is off the board."""
    if not on_board(x, y, size):
        return []
    return [(row, col) for row in covered(y, size) for col in covered(x, size)]


def beside(cell: Cell, size: int) -> list[Cell]:
    """The up to four cells that share an edge with a cell, in row order."""
    row, col = cell
    around = ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col))
    return [(r, c) for r, c in around if 0 <= r < size and 0 <= c < size]


def block(cell: Cell, size: int) -> list[Cell]:
    """The cells of the 3 by 3 block around a cell that are on the board, in row order."""
    row, col = cell
    rows = range(max(0, row - 1), min(size, row + 2))
    cols = range(max(0, col - 1), min(size, col + 2))
    return [(r, c) for r in rows for c in cols]


class Mark(Struct, frozen=True, omit_defaults=True):
    """A filled cell: a number with its owner, or without an owner a lock."""

    owner: int | None = None
    value: int = 0
    valid: bool = False

    def shown(self) -> dict[str, Any]:
        if self.owner is None:
            return {"locked": True}
        return {"owner": self.owner, "value": self.value, "valid": self.valid}


LOCK = Mark()


class Board(Struct, frozen=True):
    """The cells, row by row: None where one is free."""

    size: int
    marks: tuple[Mark | None, ...]

    def at(self, cell: Cell) -> Mark | None:
        return self.marks[cell[0] * self.size + cell[1]]

    def cells(self) -> Iterator[tuple[Cell, Mark | None]]:
        """Every cell with its mark, in row order."""
        return ((divmod(index, self.size), mark) for index, mark in enumerate(self.marks))

    def free(self) -> list[Cell]:
        return [cell for cell, mark in self.cells() if mark is None]

    def valid(self, seat: int) -> dict[Cell, int]:
        """The valid numbers of a seat by their cells, in row order."""
        return {cell: mark.value for cell, mark in self.cells() if mark and mark.valid and mark.owner == seat}

    def beaten(self, cell: Cell, seat: int, total: int) -> list[Cell] | None:
        """The numbers that `total` of that seat would cross out around a cell; None if they keep it out."""
        lower = []
        for neighbour in beside(cell, self.size):
            mark = self.at(neighbour)
            if mark and mark.valid and mark.owner != seat:
                if mark.value >= total:
                    return None
                lower.append(neighbour)
        return lower

    def enterable(self, cells: Iterable[Cell], seat: int, total: int) -> dict[Cell, list[Cell]]:
        """Those of the free cells in which the seat may write `total`, each with the numbers crossed out."""
        beaten = ((cell, self.beaten(cell, seat, total)) for cell in cells)
        return {cell: lower for cell, lower in beaten if lower is not None}

    def barring(self, cell: Cell, seat: int) -> int:
        """The highest valid number of others beside a cell, which keeps that seat out with as much; 0 if none."""
        marks = (self.at(near) for near in beside(cell, self.size))
        return max((mark.value for mark in marks if mark and mark.valid and mark.owner != seat), default=0)

    def filled(self, cell: Cell, mark: Mark) -> "Board":
        return Board(self.size, put(self.marks, cell[0] * self.size + cell[1], mark))

    def crossed(self, cells: Iterable[Cell]) -> "Board":
        """The board with the numbers in these cells crossed out."""
        marks = list(self.marks)
        for row, col in cells:
            mark = marks[row * self.size + col]
            if mark:
                marks[row * self.size + col] = Mark(mark.owner, mark.value)
        return Board(self.size, tuple(marks))

    def full_rows(self) -> list[int]:
        size = self.size
        return [row for row in range(size) if None not in self.marks[row * size : (row + 1) * size]]

    def full_cols(self) -> list[int]:
        return [col for col in range(self.size) if None not in self.marks[col :: self.size]]

    def roomiest(self) -> Cell:
        """The free cell with the most free cells in its block; of equals the most central, then the first."""

        def order(cell: Cell) -> tuple[int, int]:
            x, y = middle(cell)
            off_x, off_y = 2 * x - edge(self.size), 2 * y - edge(self.size)
            room = sum(self.at(near) is None for near in block(cell, self.size))
            return -room, off_x * off_x + off_y * off_y

        return min(self.free(), key=order)

    def shown(self) -> list[list[dict[str, Any] | None]]:
        marks = [mark.shown() if mark else None for mark in self.marks]
        return [marks[start : start + self.size] for start in range(0, len(marks), self.size)]


def empty(size: int) -> Board:
    return Board(size, (None,) * (size * size))


def board_seen(grid: list[list[dict[str, Any] | None]]) -> Board:
    """The board of a view's `grid`."""
    return Board(len(grid), tuple(_seen(cell) for row in grid for cell in row))


def _seen(cell: dict[str, Any] | None) -> Mark | None:
    if cell is None:
        return None
    return LOCK if "locked" in cell else Mark(**cell)
