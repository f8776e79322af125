"""The rules of YAY! (spec: yay.md)."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, ClassVar

from msgspec import Struct

from games.engine import (
    Chance,
    Entry,
    Event,
    Game,
    IllegalMove,
    Move,
    MoveCodec,
    Options,
    Outcome,
    Prompt,
    Reason,
    StateCodec,
    View,
    ranked,
)
from games.engine import gettext_noop as _
from games.engine.throws import opening
from games.rules.yay.board import Cell, edge, empty, middle
from games.rules.yay.bot import BOTS, worth
from games.rules.yay.hints import hints, traces
from games.rules.yay.moves import MOVES, Cross, Lock, Throw, Write, in_cell, throw_at
from games.rules.yay.reasons import reasons
from games.rules.yay.turns import DICE, State, cross, lock, throw, write

THROW_FIRST = _("Throw the dice first.")
FIRST_THROW_STANDS = _("In your first turn you throw only once.")
CROSS_FIRST = _("Your throw failed: cross out one of your numbers.")
NOTHING_TO_CROSS = _("You have nothing to cross out now.")
NOT_YOURS = _("That is not a valid number of yours.")
NOT_TOUCHED = _("None of your dice touches that cell, or it is not free.")
KEPT_OUT = _("An equal or higher number beside that cell keeps you out.")
CAN_WRITE = _("Lock a cell only when there is none to write in.")


class Yay(Game[State]):
    """YAY! for 2 to 4 seats. Nothing is hidden."""

    slug = "yay"
    name = "YAY!"
    min_seats = 2
    explains = True
    goes_on = frozenset({"throw"})
    max_seats = 4
    option_fields: ClassVar = {"size": {"one_of": [8, 6], "default": 8}}
    bots: ClassVar = BOTS
    moves = MoveCodec(*MOVES)
    states = StateCodec(State)

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        rolls, starter = opening(seats, DICE, chance)
        return State(empty(options["size"]), rolls, starter, (False,) * seats)

    def seat_count(self, state: State) -> int:
        return len(state.first_turns)

    def phase(self, state: State) -> str:
        return state.phase

    def to_move(self, state: State) -> list[int]:
        return [] if state.over else [state.thrower]

    def prompt(self, state: State, seat: int) -> Prompt | None:
        if seat not in self.to_move(state):
            return None
        return {"phase": state.phase, "moves": _entries(state), "optional": False}

    def possible(self, state: State, move: Struct) -> bool:
        size = state.board.size
        if isinstance(move, Throw):
            return move.x <= edge(size) and move.y <= edge(size)
        return isinstance(move, Write | Lock | Cross) and move.row < size and move.col < size

    def play(self, state: State, seat: int | None, move: Struct, chance: Chance, now: int) -> tuple[State, list[Event]]:
        events: list[Event] = []
        match move:
            case Throw(x=x, y=y):
                state = throw(state, (x, y), chance, events)
            case Write(row=row, col=col):
                state = write(state, (row, col), events)
            case Lock(row=row, col=col):
                state = lock(state, (row, col), events)
            case Cross(row=row, col=col):
                state = cross(state, (row, col), events)
        return state, events

    def refusal(self, state: State, seat: int, move: Struct) -> IllegalMove:
        return IllegalMove("illegal", _why_not(state, move))

    def shown(self, state: State, seat: int | None) -> View:
        board = state.board
        numbers = [board.valid(number).values() for number in range(len(state.first_turns))]
        return {
            "grid": board.shown(),
            "thrower": state.thrower,
            "first_turns": list(state.first_turns),
            "throws": [thrown.shown() for thrown in state.throws],
            "last_turn": state.last_turn and state.last_turn.shown(),
            "touched": [list(cell) for cell in state.touched()],
            "enterable": [list(cell) for cell in state.enterable()],
            "cells": [len(own) for own in numbers],
            "sums": [sum(own) for own in numbers],
            "full_rows": board.full_rows(),
            "full_cols": board.full_cols(),
            "opening": [roll.shown() for roll in state.opening],
        }

    def figures(self, state: State) -> list[int]:
        return [len(state.board.valid(seat)) for seat in range(len(state.first_turns))]

    def outcome(self, state: State) -> Outcome | None:
        """The most valid cells win; the sum of their numbers breaks ties."""
        if not state.over:
            return None
        numbers = [state.board.valid(seat).values() for seat in range(len(state.first_turns))]
        order = ranked([(len(own), sum(own)) for own in numbers])
        return {**order, "scores": self.progress(state)}

    def progress(self, state: State) -> list[int]:
        return [len(state.board.valid(seat)) for seat in range(len(state.first_turns))]

    def marks(self, state: State) -> dict[str, Any]:
        """By row and column."""
        return {f"{row}/{col}": mark for (row, col), mark in state.board.cells() if mark is not None}

    def default_move(self, state: State, seat: int) -> Move | None:
        """Aim at the roomiest cell; write where that crosses out most, or lock; cross out the lowest."""
        if seat not in self.to_move(state):
            return None
        if state.phase == "throw":
            return throw_at(*middle(state.board.roomiest()))
        if state.phase == "cross":
            own = state.board.valid(seat)
            return in_cell("cross", min(own, key=lambda cell: own[cell]))
        crossing = state.enterable()
        if not crossing:
            return in_cell("lock", state.touched()[0])
        return in_cell("write", max(crossing, key=lambda cell: len(crossing[cell])))

    def pauses_after(self, events: Sequence[Event]) -> bool:
        """A throw that ends the turn at once, or numbers that are crossed out."""
        ends = any(event["type"] in ("fail", "nothing") for event in events)
        return ends or any(event["type"] == "write" and event["crossed"] for event in events)

    def worth(self, view: View, move: Move) -> float | None:
        return worth(view, move)

    def hints(self, view: View) -> dict[str, Any]:
        return hints(view)

    def reasons(self, view: View) -> list[Reason]:
        return reasons(view)

    def opens_paragraph(self, events: Sequence[Event]) -> bool:
        return bool(events[0]["type"] == "throw" and events[0]["n"] == 1)

    def traces(self, log: Sequence[Entry]) -> dict[str, Any]:
        return traces(log)


def _entries(state: State) -> list[Move]:
    """The entries of the thrower's prompt, cells grouped by row."""
    if state.phase == "cross":
        return _by_row("cross", state.board.valid(state.thrower))
    if state.phase == "throw":
        return [_any_throw(state)]
    enterable = state.enterable()
    moves = _by_row("write", enterable) if enterable else _by_row("lock", state.touched())
    return [*moves, _any_throw(state)] if state.first_turns[state.thrower] else moves


def _any_throw(state: State) -> Move:
    across = {"min": 0, "max": edge(state.board.size)}
    return {"type": "throw", "x": across, "y": across}


def _by_row(kind: str, cells: Iterable[Cell]) -> list[Move]:
    rows = groupby(cells, key=lambda cell: cell[0])
    return [{"type": kind, "row": row, "col": {"one_of": [cell[1] for cell in group]}} for row, group in rows]


def _why_not(state: State, move: Struct) -> str:
    match move:
        case Throw():
            return CROSS_FIRST if state.phase == "cross" else FIRST_THROW_STANDS
        case Cross():
            return NOT_YOURS if state.phase == "cross" else NOTHING_TO_CROSS
    if state.phase != "decide":
        return CROSS_FIRST if state.phase == "cross" else THROW_FIRST
    if isinstance(move, Write | Lock) and (move.row, move.col) not in state.touched():
        return NOT_TOUCHED
    return CAN_WRITE if isinstance(move, Lock) else KEPT_OUT


GAME = Yay()
