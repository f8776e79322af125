"""What the bots of YESSS! do in a race, and how long they take for it."""

from random import Random
from typing import TypeAlias

from games.engine import View

Seconds: TypeAlias = tuple[float, float]

TO_SAY: dict[str, Seconds] = {"easy": (6, 9), "regular": (5, 8), "strong": (4.5, 7.5)}
"""The seconds that a bot of each level takes in a race to find and type a word."""
TO_ANSWER: dict[str, Seconds] = {"easy": (7, 11), "regular": (6.5, 10.5), "strong": (6, 10)}
"""The same to read a word and answer it: longer, as people are to come first."""
TWO = 2
"""So many bots share a race's pairs with a person well; more of them are no faster together."""


def race_delay(view: View, level: str, rng: Random) -> float | None:
    """How long a bot takes to act in a race against the clock; None where no clock of the game runs.

    A bot that can only wait is due at once, so that it is given a time when there is something to do.
    """
    if view["phase"] != "race" or view["ends_at"] is None:
        return None
    if clue_to_answer(view) is not None:
        span = TO_ANSWER[level]
    elif may_say(view):
        span = TO_SAY[level]
    else:
        return 0.0
    seats: int = view["seats"]
    return rng.uniform(*span) * max(1.0, (seats - 1) / TWO)


def may_say(view: View) -> bool:
    """Whether a word of this seat could find an answer."""
    said = [entry["type"] for entry in view["prompt"]["moves"]]
    return "clue" in said and len(view["stopped"]) < view["seats"] - 1


def clue_to_answer(view: View) -> int | None:
    """The first open clue of others; with a word to say, only one from before the own last word."""
    clues = view["clues"]
    since = max((number for number, clue in enumerate(clues) if clue["seat"] == view["you"]), default=-1)
    before = since if may_say(view) else len(clues)
    found = (n for n, clue in enumerate(clues[: max(before, 0)]) if clue["open"] and clue["seat"] != view["you"])
    return next(found, None)
