"""What the sample game hides: states and turns that differ in nothing that a viewer may know."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace


def states(state: Any, viewer: int | None) -> Iterator[Any]:
    """The hidden dice of others."""
    if not state.over:
        others = (die if seat == viewer else 7 - die for seat, die in enumerate(state.hidden))
        yield replace(state, hidden=tuple(others))


def turns(made: list[Any], viewer: int | None) -> Iterator[dict[int, dict[str, Any]]]:
    """What was rolled in place of the hidden die that was played last."""
    last = {turn.seat: turn for turn in made if turn.move["type"] == "play" and turn.seat != viewer}
    yield {turn.number: {"draws": [[7 - turn.draws[0][0]]]} for turn in last.values()}
