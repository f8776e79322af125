"""From JSON-able data to typed moves and states, and back."""

from types import UnionType
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from games.engine.errors import IllegalMove, gettext_noop

_ = gettext_noop

UNKNOWN_MOVE = _("This game has no such move.")
BAD_FIELD = _("Something in this move is missing, superfluous or has an impossible value.")

S = TypeVar("S", bound=Struct)


class MoveCodec:
    """The moves of a game: structs tagged with their `type`, which forbid unknown fields."""

    def __init__(self, *moves: type[Struct]) -> None:
        self._moves = {str(move.__struct_config__.tag): move for move in moves}

    @property
    def types(self) -> tuple[str, ...]:
        """The types of move, in the order in which they were given."""
        return tuple(self._moves)

    def decode(self, move: object) -> Struct:
        """The move as its struct, whatever was sent. IllegalMove: `unknown_move`, else `bad_field`.

        Strict: neither 400.0 nor True nor "4" is a number, and null is not a field left out.
        """
        kind = move.get("type") if type(move) is dict else None
        if type(kind) is not str or kind not in self._moves:
            raise IllegalMove("unknown_move", UNKNOWN_MOVE)
        try:
            return msgspec.convert(move, self._moves[kind])
        except (msgspec.ValidationError, ValueError):  # ValueError: a lone surrogate in a string
            raise IllegalMove("bad_field", BAD_FIELD) from None


class StateCodec(Generic[S]):
    """The state of a game as JSON text; of a union of structs each has its tag."""

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
    """`value` as JSON would give it back: tuples become lists, structs dicts."""
    return msgspec.to_builtins(value)
