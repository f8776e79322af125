"""A bot that plays as the site's own do, worked out on your computer; it needs a checkout of the site beside it.

`CLUB_Y_CHECKOUT=/path/to/club-y python -m club_y_client play house:choose --site …`. Begin here to improve a bot of the
site: change a copy of `games/rules/<game>/bot.py`, and compare it in the arena.
"""

import importlib
import os
import sys
from random import Random
from typing import Any

LEVEL = os.environ.get("CLUB_Y_LEVEL", "strong")
RNG = Random()


def engine() -> Any:
    """Return the module of the rules. SystemExit, in words, when there is no checkout."""
    if checkout := os.environ.get("CLUB_Y_CHECKOUT"):
        sys.path.insert(0, checkout)
    try:
        return importlib.import_module("games.rules")
    except ImportError as error:
        raise SystemExit("Name a checkout of the site by CLUB_Y_CHECKOUT: its engine is needed here.") from error


RULES = engine()


def choose(table: dict[str, Any]) -> dict[str, Any]:
    """Return what the site's bot of this level would play, by the rules with which the match began."""
    game = RULES.get_game(table["game"], table["rules"])
    move: dict[str, Any] = game.bot(LEVEL).choose(table["view"], RNG)
    return move
