"""Draws the picture of a result to be shared: the game, who won, everybody's place, the curve of the match."""

from dataclasses import dataclass

from PIL import Image, ImageDraw

from games.views.card_drawing import DRAWN, HEIGHT, MARGIN, SEATS, WIDTH, draw_shape, finished, font_of, say

TOP, BOTTOM = 280, 576  # between which the places and the curve stand
MIDDLE = 610  # left of it the places, if there is a curve
PAPER = "#ffffff"


@dataclass(frozen=True)
class Place:
    """One seat: what stands before its shape, its name (empty if the font has none of its letters), its score."""

    rank: str
    seat: int
    name: str
    score: str


@dataclass(frozen=True)
class ResultCard:
    """What a card says, and the curves in parts of the height and width of their panel."""

    club: str
    game: str
    headline: str
    places: tuple[Place, ...]
    curves: tuple[tuple[tuple[float, float], ...], ...]
    ground: str  # colours
    ink: str


def draw_result(card: ResultCard) -> bytes:
    """Return the picture as PNG."""
    picture = Image.new("RGB", (WIDTH * DRAWN, HEIGHT * DRAWN), card.ground)
    pen = ImageDraw.Draw(picture)
    say(pen, 52, f"{card.club} · {card.game}", 44, card.ink)
    say(pen, 124, card.headline, 104, card.ink)
    end = MIDDLE - 40 if card.curves else WIDTH - MARGIN
    height = min(74, (BOTTOM - TOP) // len(card.places))
    for number, place in enumerate(card.places):
        _place(pen, card.ink, place, (TOP + number * height, height), end)
    if card.curves:
        _curves(pen, card)
    return finished(picture)


def _place(pen: ImageDraw.ImageDraw, ink: str, place: Place, row: tuple[int, int], end: int) -> None:
    """Write a place into its row, which begins and is as high as `row` says."""
    top, height = row
    size, radius = min(44, height - 8), (height - 8) // 2
    middle = (MARGIN + 40 + radius, top + height // 2 - 4)
    disc = [(middle[0] - radius), middle[1] - radius, middle[0] + radius, middle[1] + radius]
    line = middle[1] - size * 0.66
    say(pen, int(line), place.rank, size, ink)
    pen.ellipse([edge * DRAWN for edge in disc], PAPER)
    draw_shape(pen, place.seat, (middle[0] * DRAWN, middle[1] * DRAWN), int(radius * 0.55) * DRAWN)
    width = int(pen.textlength(place.score, font_of(size))) // DRAWN
    say(pen, int(line), place.score, size, ink, left=end - width - 1, right=end)
    say(pen, int(line), place.name, size, ink, left=middle[0] + radius + 18, right=end - width - 24)


def _curves(pen: ImageDraw.ImageDraw, card: ResultCard) -> None:
    left, right = MIDDLE, WIDTH - MARGIN
    pen.rounded_rectangle([edge * DRAWN for edge in (left, TOP, right, BOTTOM)], 18 * DRAWN, PAPER)
    inner = (left + 22, TOP + 22, right - 44, BOTTOM - 22)
    for seat, curve in enumerate(card.curves):
        spots = [
            ((inner[0] + across * (inner[2] - inner[0])) * DRAWN, (inner[1] + down * (inner[3] - inner[1])) * DRAWN)
            for across, down in curve
        ]
        pen.line(spots, SEATS[seat % len(SEATS)][0], 5 * DRAWN, joint="curve")
        draw_shape(pen, seat, (int(spots[-1][0]) + 14 * DRAWN, int(spots[-1][1])), 11 * DRAWN)
