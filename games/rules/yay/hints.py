"""What the page shows beside the view: from the view alone, and from the turns in its log."""

from collections.abc import Sequence
from typing import Any

from games.engine import Entry, View
from games.rules.yay.board import HALF, Cell, board_seen, cell_at, edge, middle
from games.rules.yay.odds import BELL, beats, chance_at

SIGHT = 166
"""Two thirds of all dice centres land within this distance of the aim."""
FIGURE = (28, 24)
"""Half the width and half the height of a number in its cell."""


def hints(view: View) -> dict[str, Any]:
    """The last throw and turn, touched cells, ties at the end, and the options of a viewer who is to move."""
    turn, throws = view["last_turn"], view["throws"]
    is_asked = view["prompt"] is not None
    may_throw = is_asked and any(move["type"] == "throw" for move in view["prompt"]["moves"])
    shown = {
        "edge": edge(len(view["grid"])),
        "thrower": view["thrower"] if throws or not turn else turn["thrower"],
        "last_throw": (throws or (turn["throws"] if turn else [None]))[-1],
        "new": [turn["cell"], *turn["crossed"]] if turn and not throws else [],
        "crossed": [_number(view, cell) for cell in turn["crossed"]] if turn else [],
        "veiled": _veiled(view, throws[-1]["dice"]) if throws else [],
        "lit": [(row, col, _use(view, [row, col])) for row, col in view["touched"]],
        "tied": _tied(view["cells"]) if view["phase"] == "over" else [],
        "may_throw": may_throw,
        "again": may_throw and view["phase"] == "decide",
    }
    return shown | (_asked(view) if is_asked else {"kind": "", "spots": {}})


def _number(view: View, cell: Sequence[int]) -> dict[str, Any]:
    mark = view["grid"][cell[0]][cell[1]]
    return {"owner": mark["owner"], "value": mark["value"], "cell": list(cell)}


def _veiled(view: View, dice: Sequence[dict[str, Any]]) -> list[Cell]:
    """The cells whose number a die that lies on the board covers, if only in part, in row order."""
    numbers = [(row, col) for row, line in enumerate(view["grid"]) for col, mark in enumerate(line) if mark]
    there = [(die["x"], die["y"]) for die in dice if die["on_board"]]
    width, height = FIGURE

    def is_veiled(cell: Cell) -> bool:
        at_x, at_y = middle(cell)
        return any(abs(x - at_x) < HALF + width and abs(y - at_y) < HALF + height for x, y in there)

    return [cell for cell in numbers if "owner" in view["grid"][cell[0]][cell[1]] and is_veiled(cell)]


def _use(view: View, cell: list[int]) -> str:
    """The use of a touched cell: `write`, `lock` if no cell can be written in, or `no`."""
    if cell in view["enterable"]:
        return "write"
    return "no" if view["enterable"] else "lock"


def _tied(cells: Sequence[int]) -> list[int]:
    """The seats that have as many cells as another."""
    return [seat for seat, own in enumerate(cells) if cells.count(own) > 1]


def _asked(view: View) -> dict[str, Any]:
    """The first place of the sight and its radius; after a throw also the chance that another there beats it.

    `spots`: by row and column the cells to be tapped for the move `kind`, each with its number and with
    what is crossed out beside it. `closed`: the touched cells that cannot be written in, each with the number
    that bars it. `beats`: the chance by the number of dice that stay on the board, and `bell`
    their scatter (odds.py), by which the page works the chance out for another aim.
    """
    grid, throws = view["grid"], view["throws"]
    x, y = throws[-1]["aim"] if throws else middle(board_seen(grid).roomiest())
    shown = _spots(view) | {
        "sight": SIGHT,
        "aim": [x, y],
        "aim_cell": list(cell_at((x, y), len(grid))),
    }
    if throws:
        total = throws[-1]["sum"]
        shown |= {"beats": beats(total), "chance": chance_at((x, y), total, len(grid)), "bell": BELL}
    return shown


def _spots(view: View) -> dict[str, Any]:
    entries = [move for move in view["prompt"]["moves"] if move["type"] != "throw"]
    kind = entries[0]["type"] if entries else ""
    cells = [(move["row"], col) for move in entries for col in move["col"]["one_of"]]
    beaten: dict[Cell, list[Cell]] = {}
    if kind == "write":
        beaten = board_seen(view["grid"]).enterable(cells, view["thrower"], view["throws"][-1]["sum"])
    spots: dict[int, dict[int, Any]] = {}
    for row, col in cells:
        mark = view["grid"][row][col]
        value = view["throws"][-1]["sum"] if mark is None else mark["value"]
        crossed = [_number(view, cell) | {"side": _side((row, col), cell)} for cell in beaten.get((row, col), [])]
        spots.setdefault(row, {})[col] = {"value": value, "crossed": crossed}
    closed = {
        f"{row}/{col}": board_seen(view["grid"]).barring((row, col), view["thrower"])
        for row, col in view["touched"]
        if [row, col] not in view["enterable"]
    }
    return {"kind": kind, "spots": spots, "closed": closed, "tappable": len(cells), "crosses": any(beaten.values())}


def _side(cell: Cell, near: Cell) -> str:
    """The side of a cell on which a neighbour lies."""
    if near[0] != cell[0]:
        return "n" if near[0] < cell[0] else "s"
    return "w" if near[1] < cell[1] else "e"


def traces(log: Sequence[Entry]) -> dict[str, Any]:
    """The turn of the last throw (`thrown_in`) and, while that is fresh, how many more were `made_since`."""
    throws = [entry for entry in log if any(event["type"] == "throw" for event in entry["events"])]
    if not throws:
        return {"thrown_in": None, "made_since": None}
    last = throws[-1]
    return {"thrown_in": last["n"], "made_since": log[-1]["n"] - last["n"] if last["fresh"] else None}
