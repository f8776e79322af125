"""What the page shows beside the view, computed from nothing but the view."""

from typing import Any

from games.engine import View
from games.rules.yay.board import board_seen
from games.rules.yay.geometry import edge
from games.rules.yay.odds import ways_to_beat

SIGHT = 166
"""Two thirds of all dice centres land within this distance of the aim."""


def hints(view: View) -> dict[str, Any]:
    """Where the sight stands and its size, what each enterable cell would cross out, the chance to beat."""
    board = board_seen(view["grid"])
    aim = view["throws"][-1]["aim"] if view["throws"] else [edge(board.size) // 2] * 2
    crossing = []
    if view["enterable"]:
        total = view["throws"][-1]["sum"]
        cells = [(row, col) for row, col in view["enterable"]]
        crossing = [
            [list(number) for number in lower]
            for lower in board.enterable(cells, view["thrower"], total).values()
        ]
    return {
        "sight": SIGHT,
        "aim": aim,
        "crossing": crossing,
        "ways": ways_to_beat(view["throws"][-1]["sum"]) if view["throws"] else None,
    }
