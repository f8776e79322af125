"""What the page shows to whoever is asked, beside the view; computed from nothing but the view."""

from typing import Any

from games.engine import View
from games.rules.yay.board import Board, board_seen
from games.rules.yay.geometry import middle
from games.rules.yay.odds import ways_to_beat

SIGHT = 166
"""Two thirds of all dice centres land within this distance of the aim."""


def hints(view: View) -> dict[str, Any]:
    """Where the sight stands at first, and its radius; after a throw also `ways`, how many of the 216 throws
    beat it, and `crossing`: for each enterable cell the numbers that writing there crosses out.
    """
    if view["prompt"] is None:
        return {}
    board = board_seen(view["grid"])
    if not view["throws"]:
        return {"sight": SIGHT, "aim": list(middle(board.roomiest()))}
    thrown = view["throws"][-1]
    return {
        "sight": SIGHT,
        "aim": thrown["aim"],
        "ways": ways_to_beat(thrown["sum"]),
        "crossing": _crossing(board, view, thrown["sum"]),
    }


def _crossing(board: Board, view: View, total: int) -> list[list[list[int]]]:
    cells = [(row, col) for row, col in view["enterable"]]
    found = board.enterable(cells, view["thrower"], total).values()
    return [[list(number) for number in numbers] for numbers in found]
