"""Where dice lie and which cells they touch (spec: yay.md, Board and dice).

Lengths are in hundredths of a cell; x goes to the right, y down; a cell is (row, column), row 0 at the top.
"""

from typing import TypeAlias

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
