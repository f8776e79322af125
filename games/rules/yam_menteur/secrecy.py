"""What YAM menteur hides, for the tests: states and turns that must look the same to a viewer."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from msgspec.structs import replace


def states(state: Any, viewer: int | None) -> Iterator[Any]:
    """The thrower's dice, which of them were rolled again, and the answers of others."""
    if state.over:
        return
    if state.tries and viewer != state.thrower:
        for dice in ((1, 1, 1, 1, 1), (6, 5, 4, 3, 2), (2, 2, 6, 6, 6)):
            yield replace(state, dice=dice)
        if state.tries > 1:
            for loose in ((0,), (1, 3), (0, 1, 2, 3, 4)):
                yield replace(state, loose=loose)
    given = [seat for seat in state.answered if seat != viewer]
    for doubts in product((True, False), repeat=min(len(given), 3)):
        answers = list(state.answers)
        for seat, doubt in zip(given, doubts, strict=False):
            answers[seat] = doubt
        yield replace(state, answers=tuple(answers))


def turns(made: list[Any], viewer: int | None) -> Iterator[dict[int, dict[str, Any]]]:
    """All dice that were never shown, how many were rolled again, sealed answers, by whom others moved."""
    yield {turn.number: _other_throw(turn) for turn in _unseen_throws(made, viewer)}
    yield {turn.number: {"by": "clock"} for turn in _since_settled(made) if turn.seat != viewer}
    sealed = [t for t in _since_settled(made) if t.move["type"] == "answer" and t.seat != viewer]
    yield {turn.number: {"move": turn.move | {"doubt": not turn.move["doubt"]}} for turn in sealed}


def _other_throw(turn: Any) -> dict[str, Any]:
    """All five dice rolled again instead of some, with other numbers."""
    if "dice" not in turn.move:
        return {"draws": [[7 - face for face in turn.draws[0]]]}
    return {"move": turn.move | {"dice": [0, 1, 2, 3, 4]}, "draws": [[6, 1, 6, 1, 6]]}


def _unseen_throws(turns: list[Any], viewer: int | None) -> list[Any]:
    """The tries of others whose dice nobody was shown."""
    unseen, throw = [], []
    for turn in turns:
        if turn.move["type"] == "roll":
            throw.append(turn)
        settled = [event for event in turn.events if event["type"] == "settled"]
        if settled:
            unseen += throw if settled[0]["dice"] is None else []
            throw = []
    return [turn for turn in unseen + throw if turn.seat != viewer]


def _since_settled(turns: list[Any]) -> list[Any]:
    last = max((turn.number for turn in turns for event in turn.events if event["type"] == "settled"), default=0)
    return [turn for turn in turns if turn.number > last]
