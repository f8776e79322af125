"""The registry of games: each package in this folder, or given to `add`, is loaded at first use.

A game's slug is the name of its package, with hyphens. Its current rules are in the package itself; an older version
that still has matches is beside them, in `v<N>` (CONTRIBUTING.md, "Change the rules of a game").
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from games.engine import Catalogue, Example, Game, Lesson, UnknownRules
from games.engine.replies import Grammar

_packages: dict[str, str] = {}


def add(package: str) -> None:
    """Register the game of a package."""
    _packages[package.rpartition(".")[2].replace("_", "-")] = package
    for found in (games, versions, get_game, catalogue, grammar, lesson, examples, template_of):
        found.cache_clear()


@cache
def games() -> tuple[str, ...]:
    """The slugs of all games, in the order in which the site lists them."""
    return tuple(sorted(_packages, key=lambda slug: (catalogue(slug).order, slug)))


@cache
def versions(slug: str) -> tuple[int, ...]:
    """The versions of a game's rules that can be played, the current one last. UnknownRules."""
    older = (folder.name[1:] for folder in _folder(_package(slug)).glob("v*") if (folder / "rules.py").exists())
    return (*sorted(int(number) for number in older if number.isdecimal()), get_game(slug).rules_version)


@cache
def get_game(slug: str, version: int | None = None) -> Game[Any]:
    """The game of that slug, by that version of its rules; None is the current one. UnknownRules."""
    game: Game[Any] = import_module(f"{_package(slug)}.rules").GAME
    if version is None or version == game.rules_version:
        return game
    if version not in versions(slug):
        raise UnknownRules(slug, version)
    older: Game[Any] = import_module(f"{_package(slug)}.v{version}.rules").GAME
    return older


@cache
def catalogue(slug: str, version: int | None = None) -> Catalogue:
    """The game's catalogue entry; that of an older version is its own where it has one. UnknownRules."""
    package, entry = _package(slug), None
    if get_game(slug, version) is not get_game(slug):
        entry = getattr(import_module(f"{package}.v{version}"), "ENTRY", None)
    found: Catalogue = entry or import_module(package).ENTRY
    return found


@cache
def grammar(slug: str, version: int | None = None) -> Grammar | None:
    """How a game is played in words: `GRAMMAR` of its `replies.py`; None where it has none. UnknownRules.

    That of an older version is its own where it has one.
    """
    package = _package(slug)
    if get_game(slug, version) is not get_game(slug) and (_folder(package) / f"v{version}" / "replies.py").exists():
        package = f"{package}.v{version}"
    elif not (_folder(package) / "replies.py").exists():
        return None
    found: Grammar = import_module(f"{package}.replies").GRAMMAR
    return found


@cache
def lesson(slug: str, version: int | None = None) -> Lesson | None:
    """The first match with a coach: `LESSON` of the game's `lesson.py`; None where it has none. UnknownRules.

    A match goes on by the rules with which it began; by older ones than the lesson's, without a coach.
    """
    package = _package(slug)
    if get_game(slug, version) is not get_game(slug) or not (_folder(package) / "lesson.py").exists():
        return None
    found: Lesson = import_module(f"{package}.lesson").LESSON
    return found


@cache
def examples(slug: str, language: str) -> tuple[Example, ...]:
    """The turns that the page of the present rules shows step by step: `EXAMPLES` of the game's `example.py`.

    Those of a language; () where the game has none. UnknownRules.
    """
    package = _package(slug)
    if not (_folder(package) / "example.py").exists():
        return ()
    found: tuple[Example, ...] = import_module(f"{package}.example").EXAMPLES
    return tuple(example for example in found if not example.languages or language in example.languages)


@cache
def template_of(slug: str, version: int, name: str) -> str:
    """The path of one of a game's templates: that of an older version is its own where it has one. UnknownRules."""
    own = f"games/{slug}/v{version}/{name}"
    return own if (_folder(_package(slug)) / "templates" / own).exists() else f"games/{slug}/{name}"


def name_of(slug: str) -> str:
    """The name of a game; of one that is not here any more its slug."""
    return get_game(slug).name if slug in _packages else slug


def folders() -> dict[str, Path]:
    """The folder of each game by slug, without loading the game."""
    return {slug: _folder(package) for slug, package in sorted(_packages.items())}


def _package(slug: str) -> str:
    if slug not in _packages:
        raise UnknownRules(slug)
    return _packages[slug]


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(package)
    return Path(spec.origin).parent


for _module in iter_modules(__path__, f"{__name__}."):
    if _module.ispkg:
        add(_module.name)
