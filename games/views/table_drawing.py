"""Draws the picture of a table, by which others preview a match: the game, the seats, and the board as watchers see it.

One SVG, of which the PNG is drawn, too. The board is a template in the game's folder (`preview.jinja`) that is given
nothing but what is told here; a game without one has its seats alone.
"""

import re
from functools import cache, lru_cache
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from django.contrib.staticfiles import finders
from django.template import engines
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from markupsafe import Markup

from games.catalogue import colours_of
from games.models import Match
from games.rules import folders, template_of
from games.table import Table, headline, log_words
from games.views.card_drawing import DRAWN, SEATS, WIDTH, can_say, font_of

LONGEST_TALLY = 24
LEAST = 0.62  # how small letters become that would not fit, before words are cut
SMALLEST = 13
LONGEST = 160  # letters of a line, of which the last ones had no room in any case
USUAL, WIDEST = 1.1, 1.4  # how wide letters are in a usual and in the widest font, in parts of the site's
# By day, as in site/tokens.css.
TINTS = {
    "paper": "#ffffff",
    "ground": "#faf6ef",
    "sunken": "#f1eadd",
    "line": "#e2d9c8",
    "ink": "#221c35",
    "soft": "#5d5672",
    "faint": "#6c6580",
    "good": "#0a7346",
    "bad": "#b3261e",
}
NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
DOTS = "…"
ASIDE = (24, 372, 118, 606)  # left, right, top and bottom of the seats beside a board
ALONE = (84, 1116, 118, 606)  # and where there is none
ASIDE_ROOM = 220  # for a name and its tally there
READABLE = 22  # the size in which a name is to fit there
MOST_STACKED = 7  # seats that have room for two lines each
GAP = 32
IN_A_COLUMN = 4


def said_of(match: Match, table: Table) -> dict[str, Any]:
    """Return all that the picture of a table says, in the active language: of a watcher's table."""
    words = headline(table)
    return {
        "club": "Club Y",
        "slug": match.game_slug,
        "rules": match.rules_version,
        "game": match.game.name,
        "headline": plain(words),
        "status": table["status"],
        "options": table["options"],
        "first": table["first"],
        "view": table["view"],
        "seats": [
            {
                "number": seat["number"],
                "name": _name(seat),
                "tally": _tally(table, seat["number"]),
                "to_move": seat["to_move"] and table["status"] == Match.Status.RUNNING,
                "rank": seat["rank"],
            }
            for seat in table["seats"]
        ],
    }


def _name(seat: dict[str, Any]) -> str:
    """Return the name of a seat; its number where the site's font has not all letters of the name."""
    name = plain(seat["name"])
    return name if name and can_say(name) else _("Seat %(number)d") % {"number": seat["number"] + 1}


def _tally(table: Table, number: int) -> str:
    """Return what stands at a seat, in a few letters; empty if the font has not all of them."""
    told = plain(Markup(log_words(table).tally(table, number)))  # noqa: S704 (what a macro made)
    return told if len(told) <= LONGEST_TALLY and can_say(told) else ""


def plain(text: object) -> str:
    """Return a text, or what a template made, in one line without tags and what XML may not hold."""
    words = Markup(text).striptags() if isinstance(text, Markup) else str(text)  # noqa: S704 (as it was)
    words = unescape(words) if isinstance(text, SafeString) else words
    return " ".join(NOT_XML.sub("", words).split())


def draw_svg(said: dict[str, Any]) -> bytes:
    """Return the picture as SVG."""
    own = preview_of(said["slug"], said["rules"])
    colours: Any = colours_of(said["slug"])
    by_day = {name: shades[0] for name, shades in colours.items()}
    context = {
        "t": said,
        "board": own,
        "stacked": bool(own) and _stacked(said["seats"]),
        "rows": rows(said["seats"], *(ASIDE if own else ALONE), in_columns=not own),
        "c": TINTS | {f"game_{name}": colour for name, colour in by_day.items()},
        "say": say,
        "shape": shape,
        "inline": inline,
        "width_of": width_of,
    }
    made = _jinja("games/embeds/picture.jinja").render(context)
    return " ".join(made.split()).replace("> <", "><").encode()


def _stacked(seats: list[dict[str, Any]]) -> bool:
    """Return whether tallies stand below the names, as beside them some name would be cut."""
    room = [ASIDE_ROOM - width_of(seat["tally"], 30) for seat in seats]
    cut = (width_of(seat["name"], READABLE) > free for seat, free in zip(seats, room, strict=True))
    return len(seats) <= MOST_STACKED and any(cut) and any(seat["tally"] for seat in seats)


def _jinja(name: str) -> Any:
    return engines["jinja"].get_template(name)


@cache
def preview_of(slug: str, version: int) -> str:
    """Return the template by which a game's board is drawn; empty for a game without one."""
    name = template_of(slug, version, "preview.jinja")
    return name if (folders()[slug] / "templates" / name).exists() else ""


def rows(
    seats: list[dict[str, Any]], left: int, right: int, top: int, bottom: int, *, in_columns: bool
) -> list[dict[str, Any]]:
    """Return the seats with the left and right edge of each, its top and height: in two columns if many and allowed."""
    columns = 2 if in_columns and len(seats) > IN_A_COLUMN else 1
    lines = -(-len(seats) // columns)
    height = min(92, (bottom - top) // lines)
    width = (right - left - GAP * (columns - 1)) // columns
    return [
        {
            **seat,
            "left": left + (number // lines) * (width + GAP),
            "top": top + (number % lines) * height,
            "width": width,
            "height": height,
        }
        for number, seat in enumerate(seats)
    ]


@lru_cache(4000)
def width_of(text: str, size: float) -> float:
    """Return how wide a text is in the site's font."""
    return font_of(round(size)).getlength(text) / DRAWN


@lru_cache(2000)
def _has(letter: str) -> bool:
    return can_say(letter)


def say(
    x: float,
    y: float,
    text: object,
    size: int,
    fill: str,
    *,
    room: float = WIDTH,
    anchor: str = "start",
) -> SafeString:
    """Return a text element on the line `y`, smaller or cut where there is less room than it needs.

    What might not fit in a wider font has its width told, so that it fits in whatever font a reader has.
    """
    words = "".join(letter if _has(letter) else "·" for letter in plain(text)[:LONGEST])
    least = max(SMALLEST, round(size * LEAST))
    while size > least and width_of(words, size) > room:
        size -= 1
    if width_of(words, size) > room:
        while words and width_of(words + DOTS, size) > room:
            words = words[:-1].rstrip()
        words += DOTS
    if not words:
        return SafeString()
    width = width_of(words, size)
    told = (
        f'textLength="{min(room, width * USUAL):.4g}" lengthAdjust="spacingAndGlyphs"' if width * WIDEST > room else ""
    )
    return format_html(
        '<text x="{}" y="{}" font-size="{}" fill="{}" text-anchor="{}" {}>{}</text>',
        *(f"{x:.5g}", f"{y:.5g}", size, fill, anchor, SafeString(told), words),
    )


def shape(number: int, x: float, y: float, radius: float, fill: str = "") -> SafeString:
    """Return the shape of a seat around a point, in its colour unless another is named."""
    colour, corners = SEATS[number % len(SEATS)]
    spots = " ".join(f"{x + (a - 10) * radius / 10:.1f},{y + (b - 10) * radius / 10:.1f}" for a, b in corners)
    if corners:
        return format_html('<polygon points="{}" fill="{}"/>', spots, fill or colour)
    spots = f'cx="{x:.5g}" cy="{y:.5g}" r="{radius:.5g}"'
    return format_html('<circle {} fill="{}"/>', SafeString(spots), fill or colour)


@cache
def inline(path: str, part: str = "") -> Markup:
    """Return what is in a static SVG, or in that part of it, to be drawn within another. StopIteration without it."""
    root = ElementTree.fromstring(Path(str(finders.find(path))).read_bytes())  # noqa: S314 (a file of ours)
    found = [each for each in root.iter() if each.get("id") == part] if part else list(root)
    for each in found:
        if part:
            del each.attrib["id"]
    made = "".join(ElementTree.tostring(each, encoding="unicode") for each in found)
    return Markup(made.replace(' xmlns:ns0="http://www.w3.org/2000/svg"', "").replace("ns0:", ""))  # noqa: S704
