"""Standing orders of YAM menteur: answers to what others announce (spec: yam-menteur.md, Standing orders)."""

from typing import Any

from games.engine import Move, Orders, View
from games.rules.yam_menteur.moves import BELIEVE, DOUBT
from games.rules.yam_menteur.sheet import BARRED_AT, COMBINATIONS, FIXED, MOST_CLAIMED

MOST_SEATS = 8
ROWS = {"subset_of": list(COMBINATIONS), "min": 0, "max": len(COMBINATIONS)}
PLAYERS = {"subset_of": list(range(MOST_SEATS)), "min": 0, "max": MOST_SEATS}
POINTS = {"min": 1, "max": MOST_CLAIMED}

ORDERS: dict[str, dict[str, Any]] = {
    "spare_second": {"one_of": [True, False]},
    "doubt_free": {"one_of": [True, False]},
    "ask_players": PLAYERS,
    "believe_players": PLAYERS,
    "doubt_players": PLAYERS,
    "doubt": ROWS,
    "doubt_from": {"list_of": {"row": {"one_of": [row for row in COMBINATIONS if row not in FIXED]}, "points": POINTS}},
    "believe": ROWS,
    "believe_up_to": {"min": 0, "max": MOST_CLAIMED, "null": True},
}


def kept(orders: Orders) -> dict[str, Any]:
    """The same orders without those that say nothing: each row and player once, a limit only where one doubts."""
    found = {name: value for name, value in orders.items() if value not in (None, False, [])}
    _once(found, "doubt", "believe")
    _once(found, "ask_players", "believe_players", "doubt_players")
    limits = {limit["row"]: limit["points"] for limit in found.pop("doubt_from", ())}
    if rows := [row for row in found.get("doubt", ()) if row in limits]:
        found["doubt_from"] = [{"row": row, "points": limits[row]} for row in rows]
    return found


def _once(orders: dict[str, Any], *names: str) -> None:
    """Leave each thing in the first of these orders that has it."""
    seen: set[Any] = set()
    for name in names:
        things = [thing for thing in orders.pop(name, ()) if thing not in seen]
        seen.update(things)
        if things:
            orders[name] = things


def answers(view: View, orders: Orders) -> list[Move | None]:
    """The answer of the first order that fits what is announced; None where that is to ask."""
    claim = view["claim"]
    if claim is None:
        return []
    row, thrower = claim["combination"], view["thrower"]
    crosses = view["sheets"][view["you"]][row]["crosses"]
    limits = {limit["row"]: limit["points"] for limit in orders.get("doubt_from", ())}
    answering: list[tuple[Any, Move | None]] = [
        (orders.get("spare_second") and crosses == BARRED_AT - 1, BELIEVE),
        (orders.get("doubt_free") and crosses == BARRED_AT, DOUBT),
        (thrower in orders.get("ask_players", ()), None),
        (thrower in orders.get("believe_players", ()), BELIEVE),
        (thrower in orders.get("doubt_players", ()), DOUBT),
        (row in orders.get("doubt", ()) and claim["points"] >= limits.get(row, 0), DOUBT),
        (row in orders.get("believe", ()) or claim["points"] <= orders.get("believe_up_to", -1), BELIEVE),
    ]
    return next(([answer] for fits, answer in answering if fits), [])
