"""What the page shows beside the view: from the view alone, and after the end from all turns."""

from collections.abc import Sequence
from typing import Any

from games.engine import Turned, View
from games.rules.yesss.tables import PAIRS


def hints(view: View) -> dict[str, Any]:
    """All pairs there are; the token that the seat may send back; whom a word waits for."""
    you, tokens = view["you"], view.get("tokens", [])
    entries = view["prompt"]["moves"] if view["prompt"] else []
    may_refuse = any(entry["type"] == "refuse" for entry in entries)
    back = (n for n, token in enumerate(tokens) if token["receiver"] == token["announcer"] == you)
    return {
        "pairs": PAIRS,
        "refusable": next(back, None) if may_refuse else None,
        "waiting": [_waiting(view, token) for token in tokens],
    }


def _waiting(view: View, token: View) -> list[int]:
    """The seats for which a pair in play waits: its announcer, or those who have not answered its word."""
    if token["revealed"]:
        return []
    if token["word"] is None:
        return [token["announcer"]]
    known = (token["announcer"], token["keeper"], *token["answered"])
    return [seat for seat in range(view["seats"]) if seat not in known]


def waits(view: View) -> bool:
    """Whether a seat in a race can do no more than wait for an answer to its word."""
    is_open = [clue["seat"] for clue in view["clues"] if clue["open"]]
    return is_open == [view["you"]] and len(view["stopped"]) < view["seats"] - 1


def unveiled(turns: Sequence[Turned]) -> dict[int, Any]:
    """What was sealed while an ended match ran, by the turn in which it was done.

    `given`: a selected pair, a guess, "object", or the seat of a swap (None: it passed). `clue`: the pair
    of a clue. `revealed`: the pair that a turn revealed, with its word and guesses, as told then.
    """
    found: dict[int, Any] = {}
    for number, move, _draws, events in turns:
        facts: dict[str, Any] = {}
        match move["type"]:
            case "select" | "guess":
                facts["given"] = move["pair"]
            case "object":
                facts["given"] = "object"
            case "swap" | "pass":
                facts["given"] = move.get("seat")
            case "clue":
                facts["clue"] = move["pair"]
        for event in events:
            if event["type"] == "revealed":
                facts["revealed"] = event
        if facts:
            found[number] = facts
    return found
