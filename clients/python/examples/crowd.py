"""A bot for YAY! with one idea: throw where most free cells are near, and write beside one's own numbers.

`python -m club_y_client play crowd:choose --site …`; offline, `manage.py arena yay easy crowd:choose_view`.
Other games it plays by chance.
"""

from random import Random
from typing import Any

from club_y_client import random_move

CELL = 100  # a cell's width, in the units in which one aims
NEAR = 1  # cells around the one aimed at
RNG = Random()

Cell = tuple[int, int]


def choose(table: dict[str, Any]) -> dict[str, Any]:
    """Return the move for a table of the site."""
    return choose_view(table["view"])


def choose_view(view: dict[str, Any]) -> dict[str, Any]:
    """Return the move for a view."""
    if view["game"] != "yay":
        return random_move(view["prompt"], RNG)
    if view["phase"] == "throw" and {"x", "y"} <= view["prompt"]["moves"][0].keys():
        return throw(view)
    return write(view) or random_move(view["prompt"], RNG)


def throw(view: dict[str, Any]) -> dict[str, Any]:
    """Aim at the middle of the cell around which most is free."""
    size = len(view["grid"])
    inner = range(NEAR, size - NEAR)
    row, col = max(((r, c) for r in inner for c in inner), key=lambda cell: (free_around(view, cell), RNG.random()))
    return {"type": "throw", "x": col * CELL + CELL // 2, "y": row * CELL + CELL // 2}


def free_around(view: dict[str, Any], cell: Cell) -> int:
    """Return how many cells are free at a cell and beside it."""
    return sum(view["grid"][row][col] is None for row, col in around(cell, len(view["grid"])))


def around(cell: Cell, size: int) -> list[Cell]:
    """Return a cell and those beside it that are on the board."""
    rows = range(max(0, cell[0] - NEAR), min(size, cell[0] + NEAR + 1))
    cols = range(max(0, cell[1] - NEAR), min(size, cell[1] + NEAR + 1))
    return [(row, col) for row in rows for col in cols]


def write(view: dict[str, Any]) -> dict[str, Any] | None:
    """Return where to write: where most of one's own numbers are near; None if nothing can be written."""
    cells = [
        (entry["row"], col)
        for entry in view["prompt"]["moves"]
        if entry["type"] == "write"
        for col in (entry["col"]["one_of"] if isinstance(entry["col"], dict) else [entry["col"]])
    ]
    if not cells:
        return None
    row, col = max(cells, key=lambda cell: (own_around(view, cell), RNG.random()))
    return {"type": "write", "row": row, "col": col}


def own_around(view: dict[str, Any], cell: Cell) -> int:
    """Return how many of one's own numbers are beside a cell."""
    near = [view["grid"][row][col] for row, col in around(cell, len(view["grid"]))]
    return sum(there is not None and there.get("owner") == view["you"] for there in near)
