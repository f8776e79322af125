"""Draws the picture of a table, as others preview a match: the game, what is going on, the seats and what they have."""

from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageDraw

from games.views.card_drawing import DRAWN, HEIGHT, MARGIN, SEATS, WIDTH, draw_shape, finished, font_of, say

TOP, BOTTOM = 290, 590  # between which the seats stand
MIDDLE = WIDTH // 2
IN_A_COLUMN = 4
GAP = 40
PAPER = "#ffffff"


@dataclass(frozen=True)
class Place:
    """One seat: its number, the name, what it has (may be empty), and whether it is to move."""

    seat: int
    name: str
    tally: str
    to_move: bool


@dataclass(frozen=True)
class Picture:
    """What a picture says, and its colours."""

    club: str
    game: str
    headline: str
    places: tuple[Place, ...]
    ground: str
    ink: str


def rows(picture: Picture) -> list[tuple[Place, int, int, int, int]]:
    """Return each place with its left and right edge, its top and height, in pixels: in two columns if many."""
    columns = 1 if len(picture.places) <= IN_A_COLUMN else 2
    lines = -(-len(picture.places) // columns)
    height = min(74, (BOTTOM - TOP) // lines)
    edges = (
        [(MARGIN, WIDTH - MARGIN)]
        if columns == 1
        else [(MARGIN, MIDDLE - GAP // 2), (MIDDLE + GAP // 2, WIDTH - MARGIN)]
    )
    return [
        (place, *edges[number // lines], TOP + (number % lines) * height, height)
        for number, place in enumerate(picture.places)
    ]


def draw_table(picture: Picture) -> bytes:
    """Return the picture as PNG."""
    image = Image.new("RGB", (WIDTH * DRAWN, HEIGHT * DRAWN), picture.ground)
    pen = ImageDraw.Draw(image)
    say(pen, 52, f"{picture.club} · {picture.game}", 44, picture.ink)
    say(pen, 124, picture.headline, 88, picture.ink)
    for place, left, right, top, height in rows(picture):
        size, radius = min(44, height - 16), (height - 12) // 2
        middle = (left + radius + 6, top + height // 2)
        if place.to_move:
            box = [edge * DRAWN for edge in (left, top + 2, right, top + height - 2)]
            pen.rounded_rectangle(box, (height // 2) * DRAWN, None, picture.ink, 3 * DRAWN)
        disc = (middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius)
        pen.ellipse([edge * DRAWN for edge in disc], PAPER)
        draw_shape(pen, place.seat, (middle[0] * DRAWN, middle[1] * DRAWN), int(radius * 0.55) * DRAWN)
        line, end = int(middle[1] - size * 0.66), right - 20
        width = int(pen.textlength(place.tally, font_of(size))) // DRAWN
        say(pen, line, place.tally, size, picture.ink, left=end - width - 1, right=end)
        say(pen, line, place.name, size, picture.ink, left=middle[0] + radius + 18, right=end - width - 24)
    return finished(image)


def _long(text: str, size: int) -> int:
    """Return about how long a text is in whatever font a reader has."""
    return int(len(text) * size * 0.68)


def _fitting(text: str, size: int, room: int) -> int:
    return max(12, min(size, size * room // max(1, _long(text, size))))


def headline_size(picture: Picture) -> int:
    """Return the size of the headline's letters in the SVG."""
    return _fitting(picture.headline, 72, WIDTH - 2 * MARGIN)


def shapes(picture: Picture) -> list[dict[str, Any]]:
    """Return what the SVG draws of each place: the shape of its seat, and where its words stand."""
    drawn = []
    for place, left, right, top, height in rows(picture):
        colour, corners = SEATS[place.seat % len(SEATS)]
        radius, size = (height - 12) // 2, min(44, height - 16)
        x, y, scale = left + radius + 6, top + height // 2, radius * 0.055
        drawn.append(
            {
                "place": place,
                "colour": colour,
                "corners": " ".join(f"{x + (a - 10) * scale:.1f},{y + (b - 10) * scale:.1f}" for a, b in corners),
                "x": x,
                "y": y,
                "radius": radius,
                "disc": round(radius * 0.55),
                "size": size,
                "name_size": _fitting(place.name, size, right - left - 2 * radius - 60 - _long(place.tally, size)),
                "base": round(y + size * 0.35),
                "name_at": x + radius + 18,
                "end": right - 20,
                "box": {"x": left, "y": top + 2, "width": right - left, "height": height - 4, "round": height // 2},
            }
        )
    return drawn
