"""The registry of games: each package in this folder, or given to `add`, is loaded at first use.

A game's slug is the name of its package, with hyphens.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from games.engine import Catalogue, Game

_packages: dict[str, str] = {}


def add(package: str) -> None:
    """Register the game of a package."""
    _packages[package.rpartition(".")[2].replace("_", "-")] = package
    games.cache_clear()


@cache
def games() -> tuple[str, ...]:
    """The slugs of all games, in the order in which the site lists them."""
    return tuple(sorted(_packages, key=lambda slug: (catalogue(slug).order, slug)))


@cache
def get_game(slug: str) -> Game[Any]:
    """The game of that slug. KeyError for an unknown one."""
    game: Game[Any] = import_module(f"{_packages[slug]}.rules").GAME
    return game


@cache
def catalogue(slug: str) -> Catalogue:
    """The game's catalogue entry. KeyError for an unknown one."""
    entry: Catalogue = import_module(_packages[slug]).ENTRY
    return entry


def folders() -> dict[str, Path]:
    """The folder of each game by slug, without loading the game."""
    return {slug: _folder(package) for slug, package in sorted(_packages.items())}


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(package)
    return Path(spec.origin).parent


for _module in iter_modules(__path__, f"{__name__}."):
    if _module.ispkg:
        add(_module.name)
