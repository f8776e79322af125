"""Draws the picture by which a link to an open table shows elsewhere: the game, who opened it, the seats."""

from dataclasses import dataclass
from functools import cache
from io import BytesIO

from django.contrib.staticfiles import finders
from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630  # pixels, as sites that show cards want them
FONT = "site/fonts/bricolage-grotesque-latin-700-5.3.0.woff2"
MARGIN = 84
DRAWN = 2  # times as large, and then made smaller: edges are smooth
# Of the seats, by day as in site/tokens.css: colour, and corners as in parts/symbols.html, in a square of 20.
SEATS: tuple[tuple[str, tuple[tuple[float, float], ...]], ...] = (
    ("#c7321c", ()),
    ("#1d5fb4", ((10, 1.6), (19, 17.4), (18.4, 18.5), (1.6, 18.5), (1, 17.4))),
    ("#23803a", ((2, 2), (18, 2), (18, 18), (2, 18))),
    ("#94620a", ((10, 0.8), (18.4, 10), (10, 19.2), (1.6, 10))),
    (
        "#7a2bb8",
        (
            (10, 0.9),
            (12.7, 6.9),
            (19.2, 7.6),
            (14.3, 12),
            (15.7, 18.4),
            (10, 15.1),
            (4.3, 18.4),
            (5.7, 12),
            (0.8, 7.6),
            (7.3, 6.9),
        ),
    ),
    ("#0a7680", ((5.4, 2), (14.6, 2), (19.2, 10), (14.6, 18), (5.4, 18), (0.8, 10))),
    (
        "#a81f67",
        (
            (7, 1.5),
            (13, 1.5),
            (13, 7),
            (18.5, 7),
            (18.5, 13),
            (13, 13),
            (13, 18.5),
            (7, 18.5),
            (7, 13),
            (1.5, 13),
            (1.5, 7),
            (7, 7),
        ),
    ),
    ("#4d5560", ((10, 0.8), (14.8, 7), (16.3, 11.8), (14.4, 16.6), (10, 18.7), (5.6, 16.6), (3.7, 11.8), (5.2, 7))),
)
NOT_THERE = "\uffff"


@dataclass(frozen=True)
class Card:
    """What a card says: four lines, and which seats are taken."""

    club: str
    game: str
    host: str
    facts: str
    free: str
    taken: tuple[bool, ...]
    ground: str  # colours
    ink: str


@cache
def font_of(size: int) -> ImageFont.FreeTypeFont:
    path = finders.find(FONT)
    return ImageFont.truetype(str(path), size * DRAWN)


def can_say(text: str) -> bool:
    """Return whether the site's font has every letter of the text; it has no Greek or Cyrillic ones."""
    font = font_of(20)
    missing = bytes(font.getmask(NOT_THERE))
    return all(letter.isspace() or bytes(font.getmask(letter)) != missing for letter in text)


def draw(card: Card) -> bytes:
    """Return the picture as PNG."""
    picture = Image.new("RGB", (WIDTH * DRAWN, HEIGHT * DRAWN), card.ground)
    pen = ImageDraw.Draw(picture)
    say(pen, 64, card.club, 40, card.ink)
    say(pen, 130, card.game, 128, card.ink)
    say(pen, 300, card.host, 56, card.ink)
    say(pen, 378, card.facts, 44, card.ink)
    end = _seats(pen, card, 486)
    say(pen, 498, card.free, 44, card.ink, left=end + 24)
    return finished(picture)


def finished(picture: Image.Image) -> bytes:
    """Return a picture of a card, drawn `DRAWN` times as large, as PNG in its size."""
    said = BytesIO()
    picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(said, "PNG")
    return said.getvalue()


def say(
    pen: ImageDraw.ImageDraw,
    top: int,
    text: str,
    size: int,
    ink: str,
    *,
    left: int = MARGIN,
    right: int = WIDTH - MARGIN,
) -> None:
    """Write a line, smaller if it would be too long."""
    room = (right - left) * DRAWN
    while size > 18 and pen.textlength(text, font_of(size)) > room:
        size -= 2
    pen.text((left * DRAWN, top * DRAWN), text, ink, font_of(size))


def _seats(pen: ImageDraw.ImageDraw, card: Card, top: int) -> int:
    """Draw the seats, those taken with their shape, and return where they end."""
    for number, taken in enumerate(card.taken):
        left = MARGIN + number * 88
        box = [edge * DRAWN for edge in (left, top, left + 72, top + 72)]
        pen.ellipse(box, "#ffffff" if taken else None, card.ink, 4 * DRAWN)
        if taken:
            middle = ((left + 36) * DRAWN, (top + 36) * DRAWN)
            draw_shape(pen, number, middle, 19 * DRAWN)
    return MARGIN + len(card.taken) * 88


def draw_shape(pen: ImageDraw.ImageDraw, number: int, middle: tuple[int, int], radius: int) -> None:
    """Draw the shape of a seat as the site's pages do; without corners it is a disc."""
    (colour, corners), (x, y) = SEATS[number % len(SEATS)], middle
    if corners:
        pen.polygon(
            [(x + (right - 10) * radius / 10, y + (down - 10) * radius / 10) for right, down in corners], colour
        )
    else:
        pen.ellipse([x - radius, y - radius, x + radius, y + radius], colour)
