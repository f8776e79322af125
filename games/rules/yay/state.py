"""A match of YAY!, and what can be asked of it."""

from typing import Any

from msgspec import Struct

from games.rules.yay.board import Board
from games.rules.yay.geometry import Cell, Point, on_board, touched


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


class Opening(Struct, frozen=True):
    """What a seat rolled for the start."""

    seat: int
    dice: tuple[int, ...]

    def shown(self) -> dict[str, Any]:
        return {"seat": self.seat, "dice": list(self.dice)}


class State(Struct, frozen=True, omit_defaults=True):
    """A match."""

    board: Board
    opening: tuple[Opening, ...]
    thrower: int
    first_turns: tuple[bool, ...]
    """Per seat, whether its first turn has ended."""
    throws: tuple[Throw, ...] = ()
    """Those of this turn."""
    crossing: bool = False
    """The thrower's repeated throw has failed, and it must cross out a number."""
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
        """The free cells that the last throw touches, in row order; none but while the thrower decides."""
        return free_touched(self.board, self.throws[-1]) if self.phase == "decide" else []

    def enterable(self) -> dict[Cell, list[Cell]]:
        """Those of them in which the sum may be written, each with what that would cross out."""
        touched = self.touched()
        return self.board.enterable(touched, self.thrower, self.total) if touched else {}


def die_at(face: int, x: int, y: int, size: int) -> Die:
    return Die(face, x, y, on_board(x, y, size))


def free_touched(board: Board, throw: Throw) -> list[Cell]:
    """The free cells that a throw touches, in row order."""
    cells = {cell for die in throw.dice for cell in touched(die.x, die.y, board.size)}
    return sorted(cell for cell in cells if board.at(cell) is None)
