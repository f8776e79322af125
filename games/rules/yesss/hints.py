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
    (`refusable`); whom each word waits for (`waiting`); the tokens for which it has a word `to_say`, those it has
    `to_guess`. Of each pair what came to light: those for which the viewer has a word to say (`own`), the others, those
    that it has yet to answer first (`plays`), those of the `last_round`. Before there are any, who is `choosing` which
    token.
    """
    you, tokens, seats = view["you"], view["tokens"], view["table"]
    place = seats.index(you) if you in seats else 0
    step = 1 if view["direction"] == "left" else -1
    waiting = [_waiting(view, token) for token in tokens]
    due = [number for number, seats_due in enumerate(waiting) if may and you in seats_due]
    to_say = [number for number in due if tokens[number]["word"] is None]
    back = (n for n, token in enumerate(tokens) if token["receiver"] == token["announcer"] == you)
    told, last = _told(view, you), _told(view["last_round"], you)
    return {
        "around": seats[place:] + seats[:place],
        "neighbour": seats[(place + step) % len(seats)],
        "refusable": next(back, None) if "refuse" in may else None,
        "waiting": waiting,
        "to_say": to_say,
        "to_guess": [number for number in due if number not in to_say],
        "own": [token for token in told if token["number"] in to_say],
        "plays": [token for token in told or last if token["number"] not in to_say],
        "last_round": last,
        "choosing": [] if told or last else _choosing(seats, step, you),
    }


def _told(shown: View | None, you: int | None) -> list[dict[str, Any]]:
    """Each token of a round with its number and what came to light of it: first those that the viewer has yet to
    answer (for watchers all), last the viewer's own.
    """
    if shown is None:
        return []
    told = [
        {
            "number": number,
            "revealed": False,
            **(revealed(token, shown["pictures"]) if token["revealed"] else {}),
        }
        for number, token in enumerate(shown["tokens"])
    ]
    return sorted(told, key=lambda told: _rank(shown["tokens"][told["number"]], you))


def _rank(token: View, you: int | None) -> int:
    """Where a token stands in the list; it changes by the viewer's own answers, and where a word is void."""
    if you is not None and you in (token["announcer"], token["receiver"]):
        return 2
    return int(you in (token["keeper"], *token["answered"]))


def _choosing(seats: Sequence[int], step: int, you: int | None) -> list[tuple[int, int]]:
    """The number of each token that will not be the viewer's, and the seat that chooses it."""
    return [(number, seat) for number, seat in enumerate(seats) if seats[(number + step) % len(seats)] != you]


def revealed(token: View, circle: Sequence[int] = ()) -> dict[str, Any]:
    """A revealed pair, from a view or an event: its guesses, each right or not (void: all wrong); the brains
    of its announcer (`right`) and keeper (`wrong`); the number of guesses of another pair (`misses`). All pairs
    have their pictures, if those of the round are given.
    """
    void = token["void"] if "void" in token else token["voids"] > 1
    guesses = [
        {
            "seat": seat,
            "guess": guess,
            "pictures": None if guess == "object" else on(guess, circle),
            "is_right": guess == token["pair"] and not void,
        }
        for seat, guess in enumerate(token["guesses"])
        if guess
    ]
    right = sum(guess["is_right"] for guess in guesses)
    return {
        **{name: token[name] for name in ("pair", "word", "announcer", "keeper")},
        "revealed": True,
        "pictures": token.get("pictures") or on(token["pair"], circle),
        "void": void,
        "guesses": guesses,
        "right": right,
        "wrong": len(guesses) - right,
        "misses": sum(guess["guess"] not in ("object", token["pair"]) for guess in guesses),
    }


def on(pair: Sequence[int], circle: Sequence[int]) -> list[int] | None:
    """The two pictures of a pair; None if those of the round are not known (events had none once)."""
    return [circle[place - 1] for place in pair] if circle else None


def _together(view: View) -> dict[str, Any]:
    """All `pairs` with their fate; the numbers of the open clues of others (`open`) and the viewer (`own`); for
    each other seat its open clue or None (`slots`); all clues, wrongly answered ones first (`missed_first`).
    """
    clues = view["clues"]
    is_open = [number for number, clue in enumerate(clues) if clue["open"]]
    said = {clues[number]["seat"]: number for number in is_open}
    return {
        "slots": [(seat, said.get(seat)) for seat in range(view["seats"]) if seat != view["you"]],
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

    `given`: a selected pair, a guess, "object", or the seat of a swap (None: it passed); `pictures` of a given
    pair. `clue`: the pair of a clue. `revealed`: the pair that a turn revealed, with its pictures, word and guesses.
    """
    found: dict[int, Any] = {}
    for (number, move, _draws, events), circle in zip(turns, _circles(turns), strict=True):
        facts = _sealed(move, circle)
        for event in events:
            if event["type"] == "revealed":
                facts["revealed"] = revealed(event, circle)
        if facts:
            found[number] = facts
    return found


def _circles(turns: Sequence[Turned]) -> list[Sequence[int]]:
    """For each turn the seven pictures of its round, as far as events tell them."""
    rounds, circles, at = [], {}, 0
    for _number, _move, _draws, events in turns:
        rounds.append(at)
        for event in events:
            if "circle" in event:
                circles[at] = event["circle"]
            at += event["type"] == "round"
    return [circles.get(number, ()) for number in rounds]


def _sealed(move: Any, circle: Sequence[int]) -> dict[str, Any]:
    """What a move gave under seal, in a round with those pictures."""
    match move["type"]:
        case "select" | "guess":
            return {"given": move["pair"], "pictures": on(move["pair"], circle)}
        case "object":
            return {"given": "object"}
        case "swap" | "pass":
            return {"given": move.get("seat")}
        case "clue":
            return {"clue": move["pair"]}
    return {}
