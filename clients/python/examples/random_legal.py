"""A bot that plays any game by chance: `python -m club_y_client play random_legal:choose --site …`."""

from random import Random
from typing import Any

from club_y_client import random_move

RNG = Random()


def choose(table: dict[str, Any]) -> dict[str, Any]:
    """Return a move that the prompt allows: this is all that a bot needs to know of a game."""
    return random_move(table["view"]["prompt"], RNG)


def choose_in_arena(view: dict[str, Any]) -> dict[str, Any]:
    """Return the same for the arena, which shows a view: `manage.py arena yay easy random_legal:choose_in_arena`."""
    return random_move(view["prompt"], RNG)
