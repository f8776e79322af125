"""The state of a match of YAY!, and the effects of its moves."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.engine import Chance, Event
from games.engine.throws import Opening
from games.rules.yay.board import LOCK, SPREAD, Board, Cell, Mark, Point, on_board, touched


class Die(Struct, frozen=True):
    face: int
    x: int
    y: int
    on_board: bool


class Throw(Struct, frozen=True):
    """One throw of the three dice."""

    aim: Point
    dice: tuple[Die, ...]

    @property
    def total(self) -> int:
        """The sum of the dice on the board."""
        return sum(die.face for die in self.dice if die.on_board)

    def shown(self) -> dict[str, Any]:
        dice = [{"face": d.face, "x": d.x, "y": d.y, "on_board": d.on_board} for d in self.dice]
        return {"aim": list(self.aim), "dice": dice, "sum": self.total}


class Turn(Struct, frozen=True):
    """A turn that has ended."""

    thrower: int
    throws: tuple[Throw, ...]
    result: str
    """`write`, `lock`, `fail` or `nothing`."""
    cell: Cell | None = None
    crossed: tuple[Cell, ...] = ()

    def shown(self) -> dict[str, Any]:
        return {
            "thrower": self.thrower,
            "throws": [throw.shown() for throw in self.throws],
            "result": self.result,
            "cell": self.cell and list(self.cell),
            "crossed": [list(cell) for cell in self.crossed],
        }


class State(Struct, frozen=True, omit_defaults=True):
    """A match."""

    board: Board
    opening: tuple[Opening, ...]
    thrower: int
    first_turns: tuple[bool, ...]
    """Per seat, whether its first turn has ended."""
    throws: tuple[Throw, ...] = ()
    """The throws of this turn."""
    crossing: bool = False
    """Whether the thrower's repeated throw has failed, so that it must cross out a number."""
    idle: int = 0
    """How many turns in a row have filled no cell."""
    last_turn: Turn | None = None
    over: bool = False

    @property
    def phase(self) -> str:
        if self.over:
            return "over"
        if self.crossing:
            return "cross"
        return "decide" if self.throws else "throw"

    @property
    def total(self) -> int:
        """The sum of the last throw."""
        return self.throws[-1].total

    def touched(self) -> list[Cell]:
        """The free cells that the last throw touches, in row order, while the thrower decides."""
        return free_touched(self.board, self.throws[-1]) if self.phase == "decide" else []

    def enterable(self) -> dict[Cell, list[Cell]]:
        """The touched cells in which the sum may be written, each with the numbers that this crosses out."""
        touched = self.touched()
        return self.board.enterable(touched, self.thrower, self.total) if touched else {}


def die_at(face: int, x: int, y: int, size: int) -> Die:
    return Die(face, x, y, on_board(x, y, size))


def free_touched(board: Board, throw: Throw) -> list[Cell]:
    """The free cells that a throw touches, in row order."""
    cells = {cell for die in throw.dice for cell in touched(die.x, die.y, board.size)}
    return sorted(cell for cell in cells if board.at(cell) is None)


DICE = 3
IDLE_ROUNDS = 3
"""The number of rounds without a filled cell after which the match is over."""


def throw(state: State, aim: Point, chance: Chance, events: list[Event]) -> State:
    before = state.throws[-1].total if state.throws else None
    thrown = _thrown(aim, state.board.size, chance)
    state = replace(state, throws=(*state.throws, thrown))
    events.append({"type": "throw", "seat": state.thrower, "n": len(state.throws), **thrown.shown()})
    if before is not None and thrown.total <= before:
        return _failed(state, before, events)
    if not free_touched(state.board, thrown):
        events.append({"type": "nothing", "seat": state.thrower})
        return _turn_over(state, Turn(state.thrower, state.throws, "nothing"), events)
    return state


def _thrown(aim: Point, size: int, chance: Chance) -> Throw:
    faces = chance.roll(DICE, 6)
    offsets = [chance.scatter(SPREAD) for _ in faces]
    dice = (die_at(face, aim[0] + dx, aim[1] + dy, size) for face, (dx, dy) in zip(faces, offsets, strict=True))
    return Throw(aim, tuple(dice))


def _failed(state: State, before: int, events: list[Event]) -> State:
    """The throw is void; one own number is crossed out, at once where there is no choice."""
    own = state.board.valid(state.thrower)
    told = {"sum": state.total, "before": before, "owes": bool(own)}
    events.append({"type": "fail", "seat": state.thrower, **told})
    if len(own) > 1:
        return replace(state, crossing=True)
    return cross(state, next(iter(own), None), events)


def cross(state: State, cell: Cell | None, events: list[Event]) -> State:
    """Cross out an own number for a failed throw; None: there is none."""
    crossed = () if cell is None else (cell,)
    events += [{"type": "cross", "seat": state.thrower, **_crossed_out(state.board, own)} for own in crossed]
    state = replace(state, board=state.board.crossed(crossed), crossing=False)
    return _turn_over(state, Turn(state.thrower, state.throws, "fail", None, crossed), events)


def write(state: State, cell: Cell, events: list[Event]) -> State:
    seat, total = state.thrower, state.total
    crossed = tuple(state.board.beaten(cell, seat, total) or ())
    told = [_crossed_out(state.board, number) for number in crossed]
    events.append({"type": "write", "seat": seat, "cell": list(cell), "value": total, "crossed": told})
    board = state.board.crossed(crossed).filled(cell, Mark(seat, total, True))
    return _turn_over(replace(state, board=board), Turn(seat, state.throws, "write", cell, crossed), events)


def lock(state: State, cell: Cell, events: list[Event]) -> State:
    events.append({"type": "lock", "seat": state.thrower, "cell": list(cell), "sum": state.total})
    state = replace(state, board=state.board.filled(cell, LOCK))
    return _turn_over(state, Turn(state.thrower, state.throws, "lock", cell), events)


def _crossed_out(board: Board, cell: Cell) -> Event:
    """The fields of an event for a number that is crossed out."""
    mark = board.at(cell) or LOCK
    return {"cell": list(cell), "owner": mark.owner, "value": mark.value}


def _turn_over(state: State, turn: Turn, events: list[Event]) -> State:
    seats = len(state.first_turns)
    firsts = tuple(done or seat == turn.thrower for seat, done in enumerate(state.first_turns))
    idle = state.idle + 1 if turn.cell is None else 0
    state = replace(state, throws=(), first_turns=firsts, idle=idle, last_turn=turn)
    lines = bool(state.board.full_rows() and state.board.full_cols())
    if lines or idle >= IDLE_ROUNDS * seats:
        events.append({"type": "end", "why": "lines" if lines else "idle"})
        return replace(state, over=True)
    following = (turn.thrower + 1) % seats
    events.append({"type": "turn", "seat": following})
    return replace(state, thrower=following)
