"""No game is named outside its own folder: a new one needs an edit nowhere else.

What is searched for is each game's slug, package and display name. A name that is a plain word of English as
well ("yes") counts where it stands as a path, a package or a value of `game`; display names count by case.
"""

import re
from pathlib import Path

import pytest

from games.rules import folders, games, get_game

ROOT = Path(__file__).resolve().parent.parent
WORDS = {"yes"}  # slugs that are words as well, too common to be searched for as such
TEXT = {".py", ".html", ".jinja", ".txt", ".css", ".js", ".toml", ".svg", ".json", ".yaml"}
SHARED = sorted(
    path
    for place in ("config", "accounts", "games", "leaderboards", "templates", "pyproject.toml", "Makefile")
    for path in ([ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*"))
    if path.suffix in {*TEXT, ""}
    and path.is_file()
    and not {"migrations", "locale", "__pycache__"} & set(path.parts)
    and not any(folder in path.parents for folder in folders().values())
)


def pattern_of(slug: str) -> re.Pattern[str]:
    """Return what names the game: slug and package as whole words of code, the display name in its case."""
    package = slug.replace("-", "_")
    code = {re.escape(name) for name in (slug, package) if name not in WORDS}
    paths = rf"(?:rules[./]|games/|data-game=.?.?|game(?:_slug)?\W{{1,6}})(?:{slug}|{package})\b"
    name = re.escape(get_game(slug).name)
    named = rf"(?<!\w){name}(?!\w)"
    return re.compile("|".join([*(rf"(?<![\w-])(?i:{word})(?![\w-])" for word in sorted(code)), paths, named]))


def named_in(text: str) -> list[str]:
    """Return the lines of a text that name a game."""
    patterns = [pattern_of(slug) for slug in games()]
    return [line.strip()[:120] for line in text.splitlines() if any(p.search(line) for p in patterns)]


def test_no_shared_file_names_a_game() -> None:
    assert len(SHARED) > 200
    found = {str(path.relative_to(ROOT)): named_in(path.read_text(errors="replace")) for path in SHARED}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_no_shared_file_is_called_by_a_game() -> None:
    slugs = [slug for slug in games() if slug not in WORDS]
    names = re.compile("|".join(rf"(?<![a-z]){slug.replace('-', '[-_]')}(?![a-z])" for slug in slugs))
    assert [path.name for path in SHARED if names.search(path.name)] == []


@pytest.mark.parametrize(
    "line",
    [
        'if match.game_slug == "yes":',
        'if slug == "yum-extra":',
        "from games.rules.yes.state import Bid",
        "from games.rules.sample_game.rules import GAME",
        '{% include "games/yes/board.jinja" %}',
        '[data-game="yes"] .button { color: red; }',
        "# the coloured dice of Yum EXTRA",
        "/* ¥€$ has a map */",
        "<p>Play YESSS! now</p>",
        ".yam-menteur { color: red; }",
        'modules = ["games.rules.yay"]',
    ],
)
def test_a_planted_name_is_found(line: str) -> None:
    assert named_in(line)


@pytest.mark.parametrize(
    "line",
    ['value="yes"', 'body.dataset.live = on ? "yes" : "no"', "import yaml", "yesterday", "games.rules.*"],
)
def test_a_word_is_no_name(line: str) -> None:
    assert not named_in(line)
