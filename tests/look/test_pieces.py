"""The pieces are small, spoken, the same for the same name; every drawing that is pointed at exists."""

import re

import pytest
from django.conf import settings
from django.template.loader import render_to_string

from games.templatetags import pieces

PAGES = [path for folder in settings.TEMPLATE_DIRS for kind in ("html", "jinja") for path in folder.rglob(f"*.{kind}")]
DRAWN = set(re.findall(r'<symbol id="([\w-]+)"', render_to_string("parts/symbols.html")))


def test_a_die_says_what_it_shows() -> None:
    die = pieces.die("red", 5, size="small")
    assert 'class="die red small"' in die
    assert "<em>red 5</em>" in die
    assert 'href="#p5"' in die


def test_dice_stay_together() -> None:
    row = pieces.dice("white1 + red6")
    assert re.findall(r'class="die (\w+) tiny"|(\+)', row) == [("white", ""), ("", "+"), ("red", "")]
    assert row.startswith('<span class="pair">')


def test_an_avatar_is_its_names_and_no_others() -> None:
    assert pieces.avatar("Mireille") == pieces.avatar("mireille")
    assert len({pieces.avatar(f"member{n}") for n in range(200)}) == 200
    assert len(pieces.avatar("Mireille")) < 600
    assert "tint-none" in pieces.avatar("")


def test_names_and_labels_are_escaped() -> None:
    assert "<b>" not in pieces.seat_shape(0, "<b>")
    assert "<b>" not in pieces.icon("fair", "<b>")


@pytest.mark.parametrize("seat", range(8))
def test_each_seat_has_a_shape(seat: int) -> None:
    assert f'href="#seat-{seat}"' in pieces.seat_shape(seat)
    assert f"seat-{seat}" in DRAWN


def test_every_icon_that_a_template_names_is_drawn() -> None:
    named = set()
    for path in PAGES:
        named |= set(re.findall(r"""icon[ (]["']([\w-]+)["']""", path.read_text()))
    assert named
    assert {f"i-{name}" for name in named} <= DRAWN


def test_what_every_page_has_is_named_as_nothing_else_is() -> None:
    """An id of the frame, or a class that the site's sheets lift off the page, would seize a game's own piece."""
    frame = ("base.html", "top.html", "foot.html")
    own = [path for path in PAGES if path.name not in frame]
    ids = {name for path in PAGES if path.name in frame for name in re.findall(r'\bid="([\w-]+)"', path.read_text())}
    sheets = [path.read_text() for path in (settings.BASE_DIR / "config/static/site").glob("*.css")]
    fixed = {name for css in sheets for name in re.findall(r"^\.([\w-]+) \{[^}]*position: fixed", css, re.MULTILINE)}
    assert "asked" in ids and "toast" in fixed
    for path in own:
        text = path.read_text()
        assert not ids & set(re.findall(r'\bid="([\w-]+)"', text)), path
        assert not fixed & set(" ".join(re.findall(r'class="([\w -]+)"', text)).split()), path


def test_no_game_restyles_what_stands_beside_its_board() -> None:
    """A game's sheet is on the whole page of a match: a class that the page uses is styled only within the board."""
    shared = settings.BASE_DIR / "templates"
    beside = [
        *shared.glob("games/play/*"),
        *shared.glob("games/chat/*"),
        shared / "base.html",
        shared / "parts/top.html",
    ]
    beside += [shared / f"games/lobby/{name}.html" for name in ("open_match", "here", "answer", "rematch", "news")]
    used = {
        name for path in beside for words in re.findall(r'class="([^"]*)"', path.read_text()) for name in words.split()
    }
    assert {"stack", "saying", "again"} <= used
    for sheet in (settings.BASE_DIR / "games/rules").glob("*/static/games/*/*.css"):
        styled = set(re.findall(r"^\.([\w-]+)(?: > [\w.]+)? \{", sheet.read_text(), re.MULTILINE))
        assert not styled & used, sheet


def test_no_template_carries_its_own_style() -> None:
    for path in PAGES:
        if "mail" not in str(path) and path.name != "check_file.html":  # a file to be saved, with all in it
            assert not re.search(r"\sstyle=|<style|\son\w+=", path.read_text()), path
