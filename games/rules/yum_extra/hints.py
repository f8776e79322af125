"""What the page shows beside the view: from the view alone, and from the turns in its log."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from games.engine import Entry, Event, Move, View
from games.engine.throws import Dice
from games.rules.yum_extra.moves import could_bring
from games.rules.yum_extra.sheet import CELLS, COMBOS, FIXED, KINDS, LOWER, PRIVILEGES, UPPER, Sheet, points

COLOURS = ("red", "blue", "green", "yellow", "purple")
TIMES = {"double": 2, "triple": 3}
Combo: TypeAlias = tuple[int, str, int]
"""A white number, and a coloured die with its number."""

HALVES = {"upper": UPPER, "lower": LOWER}
NOBODY_ASKED: dict[str, Any] = {"may": [], "usable": [], "risky": False, "own": {}, "best": [], "others": {}}


def hints(view: View) -> dict[str, Any]:
    """The rows of the sheet, its print, and the moves of a viewer who is to move (see `_offers`)."""
    combos = _combos(tuple(view["dice"] or ()), view["white"], view["phase"] == "combo")
    printed = {"halves": HALVES, "kinds": KINDS, "fixed": FIXED, "combos": combos}
    return printed | (NOBODY_ASKED if view["prompt"] is None else _offers(view))


def _offers(view: View) -> dict[str, Any]:
    """The prompt, sorted by the place of its buttons.

    `may`: the moves, extras by their names; `usable`: the privileges among them. `own`: by row, the moves
    that are possible there, each with the points that it gives, takes or makes; `others`: the same by seat.
    `best`: the rows to write in that give most; `risky`: whether a zero could be written in place of points.
    `again`: what each number of the white die, rolled again, would let one use. `blank`: whether the viewer
    has written nothing yet.
    """
    moves = view["prompt"]["moves"]
    may = [move.get("extra", move["type"]) for move in moves]
    own: dict[str, dict[str, int]] = {}
    others: dict[int, dict[str, dict[str, int]]] = {}
    for move in moves:
        if "cell" in move:
            rows = others.setdefault(move["seat"], {}) if "seat" in move else own
            for cell in move["cell"]["one_of"]:
                rows.setdefault(cell, {})[move["type"]] = _points(view, move, cell)
    scores = [offers["score"] for offers in own.values() if "score" in offers]
    return {
        "may": may,
        "usable": [privilege for privilege in PRIVILEGES if privilege in may],
        "risky": any(scores) and not all(scores),
        "own": own,
        "best": _best(own),
        "others": others,
        "again": _again(view) if "combo" in may else [],
        "blank": all(view["sheets"][view["you"]][cell]["open"] for cell in CELLS),
    }


def _again(view: View) -> list[tuple[int, list[str]]]:
    sheets = tuple(map(Sheet.seen, view["sheets"]))
    return list(could_bring(sheets, tuple(view["dice"]), view["you"]).items())


def _points(view: View, move: Move, cell: str) -> int:
    row = view["sheets"][move.get("seat", view["you"])][cell]
    if move["type"] == "score":
        return points(tuple(view["dice"]))[row["as"] or cell]
    return TIMES.get(move["type"], 1) * (row["pts"] or 0)


def _best(own: dict[str, dict[str, int]]) -> list[str]:
    """The rows that give most. A high roll always gives points, so it counts only as the last row."""
    would = {cell: offers["score"] for cell, offers in own.items() if "score" in offers}
    most = max((would[cell] for cell in would if cell != "high_roll" or len(would) == 1), default=0)
    return [cell for cell in would if would[cell] == most > 0]


@lru_cache(maxsize=1024)
def _combos(dice: Dice, white: int | None, is_rolled: bool) -> list[tuple[str, list[Combo], tuple[str, ...]]]:
    """Each privilege with its combos, and for each of these whether it is `on` the table, `near`, or neither.

    Near is what a white die could form; once it `is_rolled`, nothing is.
    """
    shown = []
    for privilege, combos in COMBOS.items():
        there = [bool(dice) and dice[die] == face for _white, die, face in combos]
        formed = ["near" if not is_rolled else "on" if number == white else "" for number, _die, _face in combos]
        states = tuple(state if is_there else "" for is_there, state in zip(there, formed, strict=True))
        shown.append((privilege, [(number, COLOURS[die], face) for number, die, face in combos], states))
    return shown


def traces(log: Sequence[Entry]) -> dict[str, Any]:
    """What was rolled and written last.

    `rolled`: the turn in which each die last was, `thrown` the last of these; `loose`: how many dice
    were rolled then, `just`: which, while that is fresh. `written`: the last points. `changed`: by row, in
    which seats' sheets it changed just now or while the viewer was away.
    """
    rolled, thrown, written = [0] * 5, -1, None
    changed: dict[str, list[int]] = {}
    for entry in log:
        for event in entry["events"]:
            if "rolled" in event:
                thrown = entry["n"]
                rolled = [thrown if die in event["rolled"] else before for die, before in enumerate(rolled)]
            elif "cell" in event:
                written = event if event["type"] == "score" else written
                if entry["new"] or entry["latest"]:
                    changed.setdefault(event["cell"], []).extend(_seats_of(event))
    is_tumbling = bool(log) and log[-1]["fresh"] and log[-1]["n"] == thrown
    return {
        "rolled": rolled,
        "thrown": thrown,
        "loose": rolled.count(thrown),
        "just": [die for die, at in enumerate(rolled) if is_tumbling and at == thrown],
        "written": written,
        "changed": changed,
    }


def _seats_of(event: Event) -> list[int]:
    """The seats whose sheets the event changed."""
    return [event[role] for role in ("seat", "from", "with") if role in event]
