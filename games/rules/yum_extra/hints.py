"""What the page shows beside the view, computed from nothing but the view."""

from typing import Any

from games.engine import View
from games.rules.yum_extra.tables import CELLS, COMBOS, points

COLOURS = ("red", "blue", "green", "yellow", "purple")


def hints(view: View) -> dict[str, Any]:
    """The points that the dice would give in each open row of the active seat, the most, and the combos."""
    rows = view["sheets"][view["active"]]
    would = {}
    if view["phase"] == "roll" and view["dice"]:
        worth = points(tuple(view["dice"]))
        would = {cell: worth[rows[cell]["as"] or cell] for cell in CELLS if rows[cell]["open"]}
    return {"points": would, "most": max(would.values(), default=0), "combos": COMBOS_SHOWN}


COMBOS_SHOWN = {
    privilege: [(white, COLOURS[die], face) for white, die, face in combos]
    for privilege, combos in COMBOS.items()
}
