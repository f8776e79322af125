"""The moves of YAY! as they are sent."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from games.engine import Move
from games.rules.yay.board import Cell

Length: TypeAlias = Annotated[int, Meta(ge=0, le=800)]
Index: TypeAlias = Annotated[int, Meta(ge=0, le=7)]


class Throw(Struct, frozen=True, forbid_unknown_fields=True, tag="throw"):
    """Throw all three dice at that point."""

    x: Length
    y: Length


class Write(Struct, frozen=True, forbid_unknown_fields=True, tag="write"):
    """Write the sum in that cell."""

    row: Index
    col: Index


class Lock(Struct, frozen=True, forbid_unknown_fields=True, tag="lock"):
    """Lock that cell."""

    row: Index
    col: Index


class Cross(Struct, frozen=True, forbid_unknown_fields=True, tag="cross"):
    """Cross out the own number in that cell."""

    row: Index
    col: Index


MOVES = (Throw, Write, Lock, Cross)


def throw_at(x: int, y: int) -> Move:
    return {"type": "throw", "x": x, "y": y}


def in_cell(kind: str, cell: Cell | list[int]) -> Move:
    return {"type": kind, "row": cell[0], "col": cell[1]}
