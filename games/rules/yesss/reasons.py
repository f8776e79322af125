"""Why one is asked to choose a pair, to say or guess a word, and whom that brings points: from the view alone."""

from games.engine import Reason, View
from games.rules.yesss.data import PAIRS, TOKENS
from games.rules.yesss.hints import hints

MOST = 5
"""How many lines there are at most."""


def reasons(view: View) -> list[Reason]:
    """What is to be said of the question of the seat `view["you"]`, the most useful first, in two to five lines."""
    shown = hints(view)
    phases = {"select": _select, "propose": _propose, "swap": _swap, "ready": _ready, "race": _race}
    return [reason for reason in phases[view["phase"]](view, shown) if reason][:MOST]


def guessers(view: View) -> int:
    """How many guess each word: all but the two who know its pair."""
    return int(view["seats"]) - 2


def to_void(view: View) -> int:
    """How many objections void a word: more than half of those who guess."""
    return guessers(view) // 2 + 1


def _select(view: View, shown: View) -> list[Reason]:
    return [
        {"say": "select", "seat": shown["neighbour"], "guessers": guessers(view)},
        {"say": "keep"},
        {"say": "back"},
        _standing(view),
    ]


def _propose(view: View, shown: View) -> list[Reason]:
    tokens = view["tokens"]
    found: list[Reason] = []
    if shown["to_say"]:
        keepers = [tokens[number]["keeper"] for number in shown["to_say"]]
        found.append({"say": "word", "guessers": guessers(view), "keepers": keepers})
    if shown["refusable"] is not None:
        selector = tokens[shown["refusable"]]["selector"]
        found.append({"say": "refuse", "seat": selector, "guessers": guessers(view)})
    if shown["to_guess"] and not shown["to_say"]:  # one's own words come first, as in the headline
        found.append({"say": "guess", "words": len(shown["to_guess"])})
        found.append({"say": "blind", "pairs": possible(view)})
        found.append({"say": "object", "needed": to_void(view), "of": guessers(view)})
    return [*found, _standing(view)]


def possible(view: View) -> int:
    """How many pairs a word of others may be for: all but those that one knows to be another's."""
    known = {tuple(token["pair"]) for token in view["tokens"] if "pair" in token}
    return TOKENS - len(known)


def _swap(view: View, shown: View) -> list[Reason]:
    brains = view["brains"][view["you"]]
    seats = view["table"]
    place = seats.index(view["you"])
    step = -1 if view["direction"] == "left" else 1  # the next round goes the other way
    return [
        {"say": "swap", "left": brains - 1},
        {"say": "places", "to": seats[(place + step) % len(seats)], "from": seats[(place - step) % len(seats)]},
        {"say": "rounds", "left": view["rounds"] - view["round"]},
        _standing(view),
    ]


def _standing(view: View) -> Reason:
    """Who of the others has most brains."""
    brains, you = view["brains"], view["you"]
    best = max((seat for seat in range(view["seats"]) if seat != you), key=brains.__getitem__)
    return {"say": "standing", "own": brains[you], "seat": best, "best": brains[best]}


def _ready(view: View, shown: View) -> list[Reason]:
    waiting = view["seats"] - len(view["ready"]) - 1
    return [{"say": "ready", "waiting": waiting}, {"say": "scoring", "pairs": len(PAIRS)}]


def _race(view: View, shown: View) -> list[Reason]:
    left, said = len(view["middle"]), len(shown["open"])
    own = len(shown["own"])
    return [
        {"say": "answer", "words": said, "pairs": left} if said else {},
        {"say": "own"} if own else {"say": "clue", "pairs": left},
        {"say": "risk"},
        {"say": "score", "score": view["score"], "good": len(view["good"]), "bad": len(view["bad"]), "pairs": left},
        {"say": "stop"} if "stop" in shown["may"] else {},
    ]
