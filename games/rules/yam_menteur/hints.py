"""What the page shows beside the view: from the view alone, and after the end from all turns."""

from collections.abc import Sequence
from typing import Any

from games.engine import Turned, View
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


def unveiled(turns: Sequence[Turned]) -> dict[int, Any]:
    """For each settled turn of an ended match: the throws of its tries, its last dice, whether it was true.

    By the number of the turn that settled it. The dice follow from the moves and the draws alone.
    """
    found = {}
    dice: list[int] = []
    throws: list[list[int]] = []
    for number, move, draws, events in turns:
        if move["type"] == "roll":
            again = sorted(move["dice"]) if "dice" in move else range(5)
            dice, throws = (list(dice), throws) if "dice" in move else ([0] * 5, [])
            for index, face in zip(again, draws[0], strict=True):
                dice[index] = face
            throws.append(dice)
        for event in events:
            if event["type"] == "settled":
                true = points(tuple(dice))[event["combination"]] >= event["points"]
                found[number] = {"dice": dice, "throws": throws, "true": true, **_claimed(event)}
    return found


def _claimed(event: dict[str, Any]) -> dict[str, Any]:
    return {name: event[name] for name in ("seat", "combination", "points", "doubters")}
