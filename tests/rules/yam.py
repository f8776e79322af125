"""What the tests of YAM menteur share: prepared dice, turns played in one call, sheets as wanted."""

from typing import Any

from msgspec.structs import replace

from games.engine import ScriptedChance
from games.rules import get_game
from games.rules.yam_menteur.sheet import CLAIMS, COMBINATIONS, Row, Sheet

game = get_game("yam-menteur")


def begun(seats: int = 3) -> Any:
    """A match in which seat 0 throws first."""
    return game.setup(seats=seats, options={}, chance=ScriptedChance([[6] * 5, *[[1] * 5 for _ in range(seats - 1)]]))


def tried(state, *throws):
    """The state after tries: the first of five dice, then each (indices, what they show)."""
    seat = state.thrower
    for number, dice in enumerate(throws):
        move = {"type": "roll"} | ({"dice": dice[0]} if number else {})
        drawn = dice[1] if number else dice
        state, _ = game.apply(state, seat, move, ScriptedChance([drawn]))
    return state


def announced(state, dice, combination, points=None):
    """The state after one try and a claim."""
    state = tried(state, dice)
    move = {"type": "announce", "combination": combination} | ({} if points is None else {"points": points})
    return apply(state, state.thrower, move)


def apply(state, seat, move):
    return game.apply(state, seat, move, ScriptedChance([]))[0]


def answered(state, doubters=(), order=None):
    """The state after all have answered."""
    for seat in order or list(game.to_move(state)):
        state = apply(state, seat, {"type": "answer", "doubt": seat in doubters})
    return state


def turn(state, dice, combination, points=None, doubters=()):
    """The state after a whole turn of one try."""
    return answered(announced(state, dice, combination, points), doubters)


def sheet(**rows) -> Sheet:
    """A sheet with those rows, (points, crosses) or points; the others open."""
    made = {name: Row(*row) if isinstance(row, tuple) else Row(row) for name, row in rows.items()}
    return Sheet(tuple(made.get(name, Row()) for name in COMBINATIONS))


def closed(*but: str) -> Sheet:
    """A sheet on which all rows but those are written with the least that can be claimed."""
    return sheet(**{name: CLAIMS[name][0] for name in COMBINATIONS if name not in but})


def with_sheets(state, **sheets):
    """The state with those sheets: `s0=...`."""
    changed = {int(name[1:]): each for name, each in sheets.items()}
    return replace(state, sheets=tuple(changed.get(n, old) for n, old in enumerate(state.sheets)))
