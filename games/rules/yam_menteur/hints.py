"""What the page shows beside the view, computed from nothing but the view."""

from typing import Any

from games.engine import View
from games.rules.yam_menteur.tables import CLAIMS, COMBINATIONS, points


def hints(view: View) -> dict[str, Any]:
    """For whoever may announce: what its dice truly score, and the claims of each open combination."""
    if view["prompt"] is None or view["phase"] != "throw" or not view["tries"]:
        return {"held": {}, "claims": {}, "best": None}
    open_cells = [cell for cell in COMBINATIONS if view["sheets"][view["you"]][cell]["open"]]
    held = points(tuple(view["dice"]))
    best = max(open_cells, key=lambda cell: held[cell])
    return {
        "held": {cell: held[cell] for cell in open_cells},
        "claims": {cell: list(CLAIMS[cell]) for cell in open_cells},
        "best": best if held[best] else None,
    }
