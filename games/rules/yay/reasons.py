"""Why one is asked to throw, to write or to cross out, and what that would bring: from the view alone."""

from games.engine import Reason, View
from games.rules.yay.board import Board, Cell, board_seen, cell_at, middle
from games.rules.yay.bot import cells_to_end, ways_to_beat
from games.rules.yay.odds import chance_at, free_beside, stays, threat
from games.rules.yay.turns import DICE

MOST_TOLD = 3
"""How many cells are told of at most."""
FLEETING = 0.9
"""Where a throw beats a sum with this chance, it is not said to last."""


def reasons(view: View) -> list[Reason]:
    """What is to be said of the question of the seat `view["you"]`, the most useful first, in two to five lines."""
    board = board_seen(view["grid"])
    found = {"throw": _of_an_aim, "decide": _of_a_throw, "cross": _of_a_failure}[view["phase"]](view, board)
    return [reason for reason in found if reason]


def _of_an_aim(view: View, board: Board) -> list[Reason]:
    cell = board.roomiest()
    own = len(board.valid(view["you"]))
    return [
        {"say": "aim", "again": view["first_turns"][view["you"]]},
        {"say": "roomy", "cell": cell, "chance": all_on_board(cell, board.size)},
        _strongest(view, board),
        {"say": "penalty", "own": own} if view["first_turns"][view["you"]] and own else {},
        _end(view, board),
    ]


def all_on_board(cell: Cell, size: int) -> float:
    """About the chance that all three dice stay on the board when they are thrown at the middle of a cell."""
    return stays(middle(cell), size) ** DICE


def _strongest(view: View, board: Board) -> Reason:
    """The highest number of others beside a free cell, and how likely a throw there beats it."""
    beaten = {
        cell: mark.value
        for cell, mark in board.cells()
        if mark and mark.valid and mark.owner != view["you"] and _open(board, cell)
    }
    if not beaten:
        return {}
    cell = max(beaten, key=beaten.__getitem__)
    return {"say": "strongest", "value": beaten[cell], "cell": cell, "chance": threat(board, cell, beaten[cell])}


def _open(board: Board, cell: Cell) -> int:
    """How many free cells lie beside a cell."""
    return len(list(free_beside(board, cell)))


def _end(view: View, board: Board) -> Reason:
    """How many cells at least are to be filled before the match ends, and who then leads."""
    cells, you = view["cells"], view["you"]
    best = max((seat for seat in range(view["seats"]) if seat != you), key=cells.__getitem__)
    left = cells_to_end(board)[0]
    return {"say": "end", "left": left, "own": cells[you], "seat": best, "best": cells[best]}


def _of_a_throw(view: View, board: Board) -> list[Reason]:
    total, you = view["throws"][-1]["sum"], view["you"]
    may_throw = any(move["type"] == "throw" for move in view["prompt"]["moves"])
    return [
        _places(view, board, total),
        _lasting(view, board, total),
        _again(view, board, total) if may_throw else {"say": "first_turn"},
        {"say": "lost", "values": sorted(board.valid(you).values())[:1], "own": len(board.valid(you))}
        if may_throw and ways_to_beat(total)
        else {},
        _end(view, board),
    ]


def _places(view: View, board: Board, total: int) -> Reason:
    """In how many touched cells the sum may be written, and where that crosses out most."""
    touched, enterable = view["touched"], [tuple(cell) for cell in view["enterable"]]
    if not enterable:
        return {"say": "locked_out", "sum": total, "touched": len(touched)}
    beaten = board.enterable(enterable, view["you"], total)
    crossing = sorted((cell for cell in beaten if beaten[cell]), key=lambda cell: -len(beaten[cell]))[:MOST_TOLD]
    told = [(cell, len(beaten[cell])) for cell in crossing]
    return {"say": "places", "sum": total, "touched": len(touched), "enterable": len(enterable), "crossing": told}


def _lasting(view: View, board: Board, total: int) -> Reason:
    """The cell in which the sum is least exposed: how many free cells are beside it, and what beats it there."""
    if not view["enterable"]:
        return {}
    cells = [(row, col) for row, col in view["enterable"]]
    cell = min(cells, key=lambda cell: (_open(board, cell), cell))
    chance = threat(board, cell, total)
    if chance > FLEETING:
        return {}
    return {"say": "lasting", "cell": cell, "sum": total, "open": _open(board, cell), "chance": chance}


def _again(view: View, board: Board, total: int) -> Reason:
    """How likely another throw at the same place beats the sum."""
    x, y = view["throws"][-1]["aim"]
    return {
        "say": "again",
        "sum": total,
        "cell": cell_at((x, y), board.size),
        "chance": chance_at((x, y), total, board.size),
    }


def _of_a_failure(view: View, board: Board) -> list[Reason]:
    *_, before, last = (thrown["sum"] for thrown in view["throws"])
    own = board.valid(view["you"])
    safe = [cell for cell in own if not _open(board, cell)]
    lowest = min(own, key=lambda cell: own[cell])
    weak = max(own, key=lambda cell: _open(board, cell) * threat(board, cell, own[cell]))
    return [
        {"say": "failed", "sum": last, "before": before},
        {"say": "cost", "own": len(own), "lowest": own[lowest], "cell": lowest},
        {"say": "weak", "cell": weak, "value": own[weak], "open": _open(board, weak)}
        | {"chance": threat(board, weak, own[weak])}
        if _open(board, weak)
        else {},
        {"say": "safe", "cells": safe[:MOST_TOLD], "count": len(safe)} if safe and len(safe) < len(own) else {},
        _end(view, board),
    ]
