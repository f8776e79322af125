"""What each game hides: for a state and a viewer, states that differ in nothing the viewer may know.

And for the turns of a running match, the same: by their numbers, what is different in them, any of `move`,
`draws`, `by`. Both stand in the game's folder, in `secrecy.py`; a game without one hides nothing.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from games.rules import folders, games, get_game

HIDING = {slug for slug, folder in folders().items() if (folder / "secrecy.py").exists()}


def _variants(name: str) -> dict[str, Callable[[Any, int | None], Iterator[Any]]]:
    packages = {slug: get_game(slug).__module__.rpartition(".")[0] for slug in games()}
    return {
        slug: getattr(import_module(f"{package}.secrecy"), name) if slug in HIDING else _nothing
        for slug, package in packages.items()
    }


def _nothing(of: Any, viewer: int | None) -> Iterator[Any]:
    yield from ()


VARIANTS = _variants("states")
TURN_VARIANTS = _variants("turns")
