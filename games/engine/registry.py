"""The games by their slugs. A game's package is loaded when it is first asked for."""

from functools import cache
from importlib import import_module
from typing import Any

from games.engine.base import Game

GAMES = ("yum-extra", "yam-menteur", "yay", "yesss", "yes")


def games() -> list[str]:
    """The slugs of all games, in the order in which the site lists them."""
    return list(GAMES)


@cache
def get_game(slug: str) -> Game[Any]:
    """The game of that slug. KeyError for an unknown one."""
    if slug not in GAMES:
        raise KeyError(slug)
    game: Game[Any] = import_module(f"games.rules.{slug.replace('-', '_')}").GAME
    return game
