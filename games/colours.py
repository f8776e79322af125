"""The colours of the games, from each one's `colours.json`; for pages they are one style sheet.

Each is a pair, by day and by night: `text` for words and edges, `fill` for what is filled in, `on` for the
words on that, `edge` for the rim below a mail's button.
"""

import hashlib
import json
from functools import cache
from typing import TypeAlias

from games.rules import folders

Colours: TypeAlias = dict[str, list[str]]

VARIABLES = {"game": "text", "game-fill": "fill", "on-game": "on"}


@cache
def colours_of(slug: str) -> Colours:
    """Return the colours of a game."""
    found: Colours = json.loads((folders()[slug] / "colours.json").read_text())
    return found


@cache
def style_sheet() -> str:
    """Return the rules that give whatever bears a game's slug as `data-game` the game's colours."""
    return "".join(_rule(slug, colours_of(slug)) for slug in folders())


def _rule(slug: str, colours: Colours) -> str:
    pairs = ((variable, *colours[name]) for variable, name in VARIABLES.items())
    declared = " ".join(f"--{variable}: light-dark({day}, {night});" for variable, day, night in pairs)
    return f'[data-game="{slug}"] {{ {declared} }}\n'


@cache
def digest() -> str:
    """Return what the style sheet's address bears: another content has another address."""
    return hashlib.sha256(style_sheet().encode()).hexdigest()[:12]
