"""Text stands out at least 4.5 : 1 and parts 3 : 1, on every ground they are used on, by day and by night."""

import re
from pathlib import Path

import pytest

from games.catalogue import colours_of
from games.rules import folders

SITE = Path(__file__).parents[2] / "config" / "static" / "site"
THEMES = ("light", "dark")
GAMES = tuple(folders())
PARTS = {"{}": "text", "{}-fill": "fill", "on-{}": "on"}
PAIR = re.compile(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)")
TOKENS = {name: (day, night) for name, day, night in PAIR.findall((SITE / "tokens.css").read_text())}
TOKENS |= {name.format(game): tuple(colours_of(game)[part]) for game in GAMES for name, part in PARTS.items()}


def colour(name: str, theme: str) -> str:
    return TOKENS[name][THEMES.index(theme)]


def linear(colour: str) -> list[float]:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def luminance(rgb: list[float]) -> float:
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def contrast(one: list[float], two: list[float]) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


TO_LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_RGB = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)


def mixed(over: str, under: str, share: float) -> list[float]:
    """Mix as `color-mix(in oklab, over share, under)`; cube-rooted LMS is linear in oklab."""
    roots = [
        [sum(k * c for k, c in zip(row, linear(one), strict=True)) ** (1 / 3) for row in TO_LMS]
        for one in (over, under)
    ]
    lms = [(share * a + (1 - share) * b) ** 3 for a, b in zip(*roots, strict=True)]
    return [min(1.0, max(0.0, sum(k * c for k, c in zip(row, lms, strict=True)))) for row in TO_RGB]


def soft(game: str, theme: str) -> list[float]:
    share = {"light": 0.10, "dark": 0.17}[theme]
    return mixed(colour(f"{game}-fill", theme), colour("surface", theme), share)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("text", ["ink", "ink-2", "ink-3", "link", "good", "bad", "warn"])
@pytest.mark.parametrize("ground", ["bg", "surface", "sunken"])
def test_words_on_paper(text: str, ground: str, theme: str) -> None:
    assert contrast(linear(colour(text, theme)), linear(colour(ground, theme))) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_words_in_a_games_colour(game: str, theme: str) -> None:
    text = linear(colour(game, theme))
    for ground in ("bg", "surface", "sunken"):
        assert contrast(text, linear(colour(ground, theme))) >= 4.5, ground
    for word in (game, "ink", "ink-2", "ink-3", "link", "bad"):
        assert contrast(linear(colour(word, theme)), soft(game, theme)) >= 4.5, word
    assert contrast(linear(colour(f"on-{game}", theme)), linear(colour(f"{game}-fill", theme))) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("part", ["edge", "focus", *(f"seat-{n}" for n in range(8))])
def test_parts(part: str, theme: str) -> None:
    shape = linear(colour(part, theme))
    for ground in ("bg", "surface", "sunken"):
        assert contrast(shape, linear(colour(ground, theme))) >= 3, ground
    for game in GAMES:
        assert contrast(shape, soft(game, theme)) >= 3, game


def test_pips_on_their_dice() -> None:
    rule = re.compile(r"\.die\.(\w+) \{ --face: (#\w{6});(?: fill: (#\w{6});)?")
    dice = rule.findall((SITE / "pieces.css").read_text())
    assert len(dice) == 6
    for name, face, pips in dice:
        assert contrast(linear(face), linear(pips or "#ffffff")) >= 4.5, name
