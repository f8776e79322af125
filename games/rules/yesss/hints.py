"""What the page shows beside the view: from the view alone, and after the end from all turns."""

from collections.abc import Sequence
from typing import Any

from games.engine import Turned, View
from games.rules.yesss.data import PAIRS


def hints(view: View) -> dict[str, Any]:
    """What the page of the match's mode shows beside the view."""
    may = [entry["type"] for entry in view["prompt"]["moves"]] if view["prompt"] else []
    mode = _together(view) if view["mode"] == "cooperative" else _contest(view, may)
    return {"may": may, **mode}


def _contest(view: View, may: list[str]) -> dict[str, Any]:
    """The seats `around` the table from the viewer on, its `neighbour`; the token it may send back
    (`refusable`); whom each word waits for (`waiting`); the tokens, by what they are to the viewer: `to_say`,
    `to_guess`, `others`; the pairs revealed in this round (`reveals`) and in the `last_round`.
    """
    you, tokens, seats = view["you"], view["tokens"], view["table"]
    place = seats.index(you) if you in seats else 0
    waiting = [_waiting(view, token) for token in tokens]
    groups: dict[str, list[int]] = {"to_say": [], "to_guess": [], "others": [], "revealed": []}
    for number, token in enumerate(tokens):
        groups[_group(token, you if may else None, waiting[number])].append(number)
    back = (n for n, token in enumerate(tokens) if token["receiver"] == token["announcer"] == you)
    last = view["last_round"]
    return {
        "around": seats[place:] + seats[:place],
        "neighbour": seats[(place + (1 if view["direction"] == "left" else -1)) % len(seats)],
        "refusable": next(back, None) if "refuse" in may else None,
        "waiting": waiting,
        "reveals": [_reveal(number, tokens[number], view["pictures"]) for number in groups.pop("revealed")],
        **groups,
        "last_round": [_reveal(number, token) for number, token in enumerate(last["tokens"])] if last else [],
    }


def _reveal(number: int, token: View, pictures: Sequence[int] = ()) -> dict[str, Any]:
    """A revealed token with its number and, if the pictures are given, its two pictures."""
    shown = [pictures[place - 1] for place in token["pair"]] if pictures else None
    return {"number": number, "pictures": shown, **revealed(token)}


def _group(token: View, you: int | None, waiting: list[int]) -> str:
    """The group of a token for a viewer who is to move; None for any other."""
    if token["revealed"]:
        return "revealed"
    if you is None or you not in waiting:
        return "others"
    return "to_say" if token["word"] is None else "to_guess"


def revealed(token: View) -> dict[str, Any]:
    """A revealed pair, from a view or an event: its guesses, each right or not (void: all wrong); the brains
    of its announcer (`right`) and keeper (`wrong`); the number of guesses of another pair (`misses`).
    """
    void = token["void"] if "void" in token else token["voids"] > 1
    guesses = [
        {"seat": seat, "guess": guess, "is_right": guess == token["pair"] and not void}
        for seat, guess in enumerate(token["guesses"])
        if guess
    ]
    right = sum(guess["is_right"] for guess in guesses)
    return {
        **{name: token[name] for name in ("pair", "word", "announcer", "keeper")},
        "void": void,
        "guesses": guesses,
        "right": right,
        "wrong": len(guesses) - right,
        "misses": sum(guess["guess"] not in ("object", token["pair"]) for guess in guesses),
    }


def _together(view: View) -> dict[str, Any]:
    """All `pairs` with their fate; the numbers of the open clues of others (`open`) and the viewer (`own`);
    all clues, wrongly answered ones first (`missed_first`).
    """
    clues = view["clues"]
    is_open = [number for number, clue in enumerate(clues) if clue["open"]]
    return {
        "pairs": [{"pair": pair, "fate": _fate(view, pair)} for pair in PAIRS],
        "open": [number for number in is_open if clues[number]["seat"] != view["you"]],
        "own": [number for number in is_open if clues[number]["seat"] == view["you"]],
        "missed_first": sorted(clues, key=lambda clue: clue["right"] is not False),
    }


def _fate(view: View, pair: list[int]) -> str:
    return "found" if pair in view["good"] else "lost" if pair in view["bad"] else ""


def _waiting(view: View, token: View) -> list[int]:
    """The seats that owe a pair a move: its announcer a word, or the others an answer."""
    if token["revealed"]:
        return []
    if token["word"] is None:
        return [token["announcer"]]
    known = (token["announcer"], token["keeper"], *token["answered"])
    return [seat for seat in range(view["seats"]) if seat not in known]


def waits(view: View) -> bool:
    """Whether a seat in a race can only wait for an answer to its word."""
    is_open = [clue["seat"] for clue in view["clues"] if clue["open"]]
    return is_open == [view["you"]] and len(view["stopped"]) < view["seats"] - 1


def unveiled(turns: Sequence[Turned]) -> dict[int, Any]:
    """What was sealed while an ended match ran, by the number of the turn.

    `given`: a selected pair, a guess, "object", or the seat of a swap (None: it passed). `clue`: the pair
    of a clue. `revealed`: the pair that a turn revealed, with its pictures, word and guesses.
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
                facts["revealed"] = {"pictures": event["pictures"], **revealed(event)}
        if facts:
            found[number] = facts
    return found
