"""Matches of YAY! set up by hand, and moves with prepared throws."""

import pytest

from games.engine import IllegalMove, ScriptedChance
from games.rules import get_game
from games.rules.yay.board import Board, Mark
from games.rules.yay.turns import Opening, State, die_at
from games.rules.yay.turns import Throw as Thrown

game = get_game("yay")
NEVER = ScriptedChance([])


def num(owner, value):
    return Mark(owner, value, True)


def out(owner, value):
    return Mark(owner, value)


def board(marks, size=8):
    cells = [(row, col) for row in range(size) for col in range(size)]
    return Board(size, tuple(marks.get(cell) for cell in cells))


def match(marks=None, *, size=8, seats=2, firsts=True, thrower=0, **more):
    """A match in the middle, by default after everybody's first turn."""
    opening = tuple(Opening(seat, (seat + 1, 1, 1)) for seat in range(seats))
    return State(board(marks or {}, size), opening, thrower, (firsts,) * seats, **more)


def thrown(faces, *places, aim=(400, 400), size=8):
    return Thrown(aim, tuple(die_at(f, x, y, size) for f, (x, y) in zip(faces, places, strict=True)))


def draws(faces, *offsets):
    """A throw: the faces, and where each die lands beside the aim; all at the aim if nothing is said."""
    return [list(faces), *(list(offset) for offset in offsets or [(0, 0)] * 3)]


def play(state, *moves, chance=()):
    """Play moves of the thrower; the state, and the events of all moves."""
    chance, told = ScriptedChance(list(chance)), []
    for move in moves:
        state, events = game.apply(state, state.thrower, move, chance)
        told += events
    assert chance.left == []
    return state, told


def throw(x=400, y=400):
    return {"type": "throw", "x": x, "y": y}


def at(kind, row, col):
    return {"type": kind, "row": row, "col": col}


def refused(state, move, seat=None):
    with pytest.raises(IllegalMove) as caught:
        game.apply(state, state.thrower if seat is None else seat, move, NEVER)
    return caught.value


def grid(state, row, col):
    return game.view(state, None)["grid"][row][col]
