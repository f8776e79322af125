"""What the site shows of each game before it is played: tagline, seats, length, makers, colours."""

import hashlib
import json
from functools import cache
from typing import Any, TypeAlias

from django.utils.translation import gettext

from games.engine import Game
from games.rules import catalogue, folders, games, get_game, lesson


def games_shown() -> list[dict[str, Any]]:
    """Return all games as pages show them, in their order."""
    return [_shown(slug) for slug in games()]


def _shown(slug: str) -> dict[str, Any]:
    game, entry = get_game(slug), catalogue(slug)
    return {
        "slug": slug,
        "name": game.name,
        "tagline": gettext(entry.tagline),
        "seats": f"{game.min_seats}–{game.max_seats}",
        "minutes": entry.minutes,
        "publisher": entry.publisher,
        "has_dice": game.has_dice,
        "lesson": found.minutes if (found := lesson(slug)) is not None else None,
    }


Colours: TypeAlias = dict[str, list[str]]

VARIABLES = {"game": "text", "game-fill": "fill", "on-game": "on"}


@cache
def colours_of(slug: str) -> Colours:
    found: Colours = json.loads((folders()[slug] / "colours.json").read_text())
    return found


@cache
def style_sheet() -> str:
    """Return the style sheet that gives elements with a game's slug as `data-game` its colours."""
    return "".join(_rule(slug, colours_of(slug)) for slug in folders())


def _rule(slug: str, colours: Colours) -> str:
    pairs = ((variable, *colours[name]) for variable, name in VARIABLES.items())
    declared = " ".join(f"--{variable}: light-dark({day}, {night});" for variable, day, night in pairs)
    return f'[data-game="{slug}"] {{ {declared} }}\n'


@cache
def digest() -> str:
    """Return the digest in the style sheet's address: new content has a new address."""
    return hashlib.sha256(style_sheet().encode()).hexdigest()[:12]


def option_words(game: Game[Any], options: dict[str, Any]) -> list[str]:
    """Return the notable options of a match, each in a few words."""
    words = catalogue(game.slug, game.rules_version).brief
    names = dict.fromkeys(name for name, _value in words if name in options)
    told = [(words.get((name, options[name]), words.get((name, ...), "")), name) for name in names]
    return [gettext(text) % {name: options[name]} for text, name in told if text]


def lobby_words(game: Game[Any], options: dict[str, Any]) -> list[str]:
    """Return the options that the list of open tables shows."""
    told = catalogue(game.slug, game.rules_version).lobby
    return option_words(game, {name: value for name, value in options.items() if name in told})
