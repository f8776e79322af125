"""What the page shows beside the view: from it alone, from the log, and after the end from all turns."""

from collections.abc import Sequence
from typing import Any

from games.engine import Entry, Turned, View
from games.rules.yam_menteur.sheet import BARRED_AT, CLAIMS, COMBINATIONS, FIXED, UPPER, points


def hints(view: View) -> dict[str, Any]:
    """The rows, their fixed points, the number of turns, and the options of a viewer who is to throw."""
    is_asked = view["prompt"] is not None and view["phase"] == "throw"
    return {
        "cells": COMBINATIONS,
        "upper": UPPER,
        "fixed": FIXED,
        "announced": sum(tally["announced"] for tally in view["tally"]),
        "others": view["seats"] - 1,
        "sees": bool(view["dice"]) and view["locked"] is not None and view["tries"] > 0,
        "throwing": is_asked,
        "may_roll": is_asked and view["prompt"]["moves"][0]["type"] == "roll",
        "loose": [die for die in range(5) if die not in (view["locked"] or ())],
        "offers": _offers(view) if is_asked and view["tries"] else [],
    }


def _offers(view: View) -> list[dict[str, Any]]:
    """Each open row: what the dice truly score in it, which points may be claimed, whether one more cross bars it."""
    held = points(tuple(view["dice"]))
    rows = view["sheets"][view["you"]]
    return [
        {
            "cell": cell,
            "held": held[cell],
            "claims": list(CLAIMS[cell]),
            "crossed": rows[cell]["crosses"] == BARRED_AT - 1,
        }
        for cell in COMBINATIONS
        if rows[cell]["open"]
    ]


def traces(log: Sequence[Entry]) -> dict[str, Any]:
    """What has happened `just` now, by the types of the events, and the last reveal (`revealed`)."""
    is_fresh = bool(log) and log[-1]["fresh"]
    just = [event["type"] for event in log[-1]["events"]] if is_fresh else []
    return {"just": just, "revealed": _revealed(log)}


def _revealed(log: Sequence[Entry]) -> dict[str, Any] | None:
    """The last turn in the log whose dice were shown, and the seats that have moved by hand since (`past`)."""
    past: list[int] = []
    for entry in reversed(log):
        for event in entry["events"]:
            if event["type"] == "settled" and event["dice"]:
                claim = {"combination": event["combination"], "points": event["points"]}
                shown = {name: event[name] for name in ("doubters", "dice", "true")}
                return {"past": past, "turn": {"thrower": event["seat"], "claim": claim, **shown}}
        if entry["by"] == "person":
            past.append(entry["seat"])
    return None


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
