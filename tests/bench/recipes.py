"""Fixed recipes, against which the sharp bots are measured: none may win more than its fair share."""

from collections.abc import Callable
from random import Random
from typing import Any

from games.engine import PASS, Bot, Move, View
from games.rules import get_game
from games.rules.yam_menteur.moves import BELIEVE, DOUBT, FIRST_TRY
from games.rules.yam_menteur.sheet import CLAIMS, points
from games.rules.yes.data import REACH
from tests.bench.yay_rivals import RIVALS

Rule = Callable[[View], Move | None]


class Recipe:
    """Plays as the sharp bot does, but where the rule says something."""

    def __init__(self, slug: str, rule: Rule) -> None:
        self.rule, self.sharp = rule, get_game(slug).bot("strong")

    def choose(self, view: View, rng: Random) -> Move:
        move = self.rule(view)
        return self.sharp.choose(view, rng) if move is None else move


def first_legal(view: View) -> Move | None:
    """The first entry of the prompt with the first value of each field; None where words are asked."""
    entry = view["prompt"]["moves"][0]
    if any(isinstance(field, dict) and "text" in field for field in entry.values()):
        return None
    return {name: _first(field) for name, field in entry.items() if name != "may_omit"}


def _first(field: Any) -> Any:
    if not isinstance(field, dict):
        return field
    if "one_of" in field:
        return field["one_of"][0]
    if "subset_of" in field:
        return field["subset_of"][: field.get("min", 0)]
    return field["min"]


def always_passes(view: View) -> Move | None:
    return PASS if any(entry == PASS for entry in view["prompt"]["moves"]) else None


def doubts(view: View) -> Move | None:
    return DOUBT if view["phase"] == "answer" else None


def believes(view: View) -> Move | None:
    return BELIEVE if view["phase"] == "answer" else None


def bluffs(view: View) -> Move | None:
    """Three tries are not even needed: the dearest claim that is untrue."""
    return _announces(view, lambda claimed, held: claimed > held)


def claims_the_most(view: View) -> Move | None:
    return _announces(view, lambda claimed, held: True)


def never_bluffs(view: View) -> Move | None:
    """After three tries the dearest true claim, or the lowest there is."""
    if view["phase"] == "throw" and 0 < view["tries"] < 3:
        return None
    return _announces(view, lambda claimed, held: claimed <= held)


def _announces(view: View, suits: Callable[[int, int], bool]) -> Move | None:
    if view["phase"] != "throw":
        return None
    if not view["tries"]:
        return FIRST_TRY
    held, sheet = points(tuple(view["dice"])), view["sheets"][view["you"]]
    legal = [(claimed, cell) for cell in CLAIMS if sheet[cell]["open"] for claimed in CLAIMS[cell]]
    suiting = [each for each in legal if suits(each[0], held[each[1]])]
    claimed, cell = max(suiting) if suiting else min(legal)
    return {"type": "announce", "combination": cell, "points": claimed}


def bids_all(view: View) -> Move | None:
    """All its cash, to move the marker where it is paid most."""
    if view["phase"] != "bid":
        return None
    return {"type": "bid", "amount": view["cash"][view["you"]], "steps": REACH[0]}


def bids_nothing(view: View) -> Move | None:
    return {"type": "bid", "amount": 0} if view["phase"] == "bid" else None


def wants_all(view: View) -> Move | None:
    return {"type": "interest", "yes": True} if view["phase"] == "interest" else None


def wants_nothing(view: View) -> Move | None:
    if view["phase"] == "interest":
        return {"type": "interest", "yes": False}
    return bids_nothing(view) or always_passes(view)


RULES: dict[str, dict[str, Rule]] = {
    "yam-menteur": {
        "always doubts": doubts,
        "never doubts": believes,
        "always bluffs": bluffs,
        "never bluffs": never_bluffs,
        "claims the most": claims_the_most,
    },
    "yes": {
        "bids all its cash": bids_all,
        "bids nothing": bids_nothing,
        "wants every card": wants_all,
        "always passes": wants_nothing,
    },
    "yesss": {"always passes": always_passes},
    "yum-extra": {"always passes": always_passes},
    "yay": {},
}


def recipes(slug: str) -> dict[str, Bot]:
    """The recipes for a game, by what they do."""
    found: dict[str, Bot] = {"first legal": Recipe(slug, first_legal)}
    found |= {name: Recipe(slug, rule) for name, rule in RULES.get(slug, {}).items()}
    return found | (RIVALS if slug == "yay" else {})
