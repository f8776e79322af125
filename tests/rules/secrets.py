"""What each game hides: for a state and a viewer, states that differ in nothing the viewer may know."""

from collections.abc import Callable, Iterator
from typing import Any


def nothing_is_hidden(state: Any, viewer: int | None) -> Iterator[Any]:
    """Yum EXTRA and YAY!: every fact of a match lies open, and the state holds no chance still to come."""
    yield from ()


VARIANTS: dict[str, Callable[[Any, int | None], Iterator[Any]]] = {
    "yum-extra": nothing_is_hidden,
    "yay": nothing_is_hidden,
}
