"""From JSON-able data to typed moves and states, and back."""

from types import UnionType
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from games.engine.errors import IllegalMove
from games.engine.errors import gettext_noop as _

UNKNOWN_MOVE = _("This game has no such move.")
BAD_FIELD = _("A part of this move is missing, unknown or impossible.")

S = TypeVar("S", bound=Struct)


class MoveCodec:
    """The moves of a game: structs tagged with their `type`, which forbid unknown fields."""

    def __init__(self, *moves: type[Struct]) -> None:
        self._moves = {str(move.__struct_config__.tag): move for move in moves}

    @property
    def types(self) -> tuple[str, ...]:
        """The types of move, in the order in which they were given."""
        return tuple(self._moves)

    @property
    def kinds(self) -> tuple[type[Struct], ...]:
        """The types of move as structs, in the same order."""
        return tuple(self._moves.values())

    def decode(self, move: object) -> Struct:
        """The move as its struct, for any input. IllegalMove: `unknown_move` or `bad_field`.

        Strict: 400.0, True and "4" are no integers, and null is not an omitted field.
        """
        kind = move.get("type") if type(move) is dict else None
        if type(kind) is not str or kind not in self._moves:
            raise IllegalMove("unknown_move", UNKNOWN_MOVE)
        try:
            return msgspec.convert(move, self._moves[kind])
        except (msgspec.ValidationError, ValueError):  # ValueError: a lone surrogate in a string
            raise IllegalMove("bad_field", BAD_FIELD) from None


class StateCodec(Generic[S]):
    """The state of a game as JSON text; structs of a union are tagged."""

    def __init__(self, state: type[S] | UnionType) -> None:
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(state)

    def dump(self, state: S) -> bytes:
        """JSON text in UTF-8."""
        return self._encoder.encode(state)

    def load(self, data: bytes) -> S:
        """The state that was dumped; msgspec.DecodeError if it is none."""
        state: S = self._decoder.decode(data)
        return state


def plain(value: Any) -> Any:
    """`value` as plain JSON data: tuples become lists, structs dicts."""
    return msgspec.to_builtins(value)
