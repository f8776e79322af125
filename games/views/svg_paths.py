"""What the outlines of an SVG are as polygons: paths and ellipses, and how transforms move points."""

import re
from collections.abc import Iterator
from functools import lru_cache
from math import acos, ceil, cos, hypot, pi, radians, sin, sqrt, tan
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = tuple[Point, ...]
Matrix: TypeAlias = tuple[float, float, float, float, float, float]

SAME: Matrix = (1, 0, 0, 1, 0, 0)
STEPS = 6  # straight pieces of a curve
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
FLAG = re.compile("[01]")
TOKEN = re.compile(f"([A-Za-z])|({NUMBER.pattern})")
TRANSFORM = re.compile(r"(\w+)\(([^)]*)\)")
NEEDED = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}


def times(one: Matrix, other: Matrix) -> Matrix:
    """Return the matrix that does `other` first, then `one`."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f


def moved(matrix: Matrix, points: Outline) -> list[Point]:
    """Return the points where the matrix takes them."""
    a, b, c, d, e, f = matrix
    return [(a * x + c * y + e, b * x + d * y + f) for x, y in points]


@lru_cache(500)
def matrix_of(transform: str) -> Matrix:
    """Return the matrix of a `transform`: translations, scales, rotations, skews and matrices."""
    matrix = SAME
    for kind, inner in TRANSFORM.findall(transform):
        given = [float(number) for _letter, number in TOKEN.findall(inner)]
        matrix = times(matrix, _step(kind, given))
    return matrix


def _step(kind: str, given: list[float]) -> Matrix:
    if kind == "translate":
        return 1, 0, 0, 1, given[0], given[1] if len(given) > 1 else 0
    if kind == "scale":
        return given[0], 0, 0, given[-1], 0, 0
    if kind == "rotate":
        turn, (x, y) = radians(given[0]), given[1:3] or (0, 0)
        about = times((1, 0, 0, 1, x, y), (cos(turn), sin(turn), -sin(turn), cos(turn), 0, 0))
        return times(about, (1, 0, 0, 1, -x, -y))
    if kind == "skewX":
        return 1, 0, tan(radians(given[0])), 1, 0, 0
    return given[0], given[1], given[2], given[3], given[4], given[5]


@lru_cache(200)
def ellipse(x: float, y: float, across: float, down: float) -> Outline:
    """Return an ellipse as a polygon."""
    return tuple((x + across * cos(pi * step / 24), y + down * sin(pi * step / 24)) for step in range(48))


def outlines(path: str) -> tuple[Outline, ...]:
    """Return the outlines of a path's `d`, curves in straight pieces; ValueError for what is no path."""
    found: list[list[Point]] = []
    at = start = (0.0, 0.0)
    held, last = at, ""
    for letter, numbers in _commands(path):
        kind, (x, y) = letter.upper(), at
        given = numbers if letter == kind else _absolute(kind, numbers, at)
        if kind == "M":
            at = start = (given[0], given[1])
            found.append([at])
        elif kind == "Z":
            found[-1].append(start)
            found.append([start])
            at = start
        else:
            if kind in "HV":
                given = [given[0], y] if kind == "H" else [x, given[0]]
            mirrored = (2 * x - held[0], 2 * y - held[1])
            if kind == "S":
                kind, given = "C", [*(mirrored if last in ("C", "S") else at), *given]
            elif kind == "T":
                kind, given = "Q", [*(mirrored if last in ("Q", "T") else at), *given]
            found[-1].extend(_curve(kind, at, given))
            held = (given[-4], given[-3]) if kind in "CQ" else at
            at = (given[-2], given[-1])
        last = letter.upper()
    return tuple(tuple(each) for each in found if len(each) > 1)


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    letter = ""
    numbers: list[float] = []
    for found, number in TOKEN.findall(_with_flags(path)):
        if found:
            letter, numbers = found, []
        else:
            numbers.append(float(number))
        if len(numbers) == NEEDED[letter.upper()]:
            yield letter, numbers
            letter, numbers = {"M": "L", "m": "l"}.get(letter, letter), []


def _with_flags(path: str) -> str:
    """Return the path with spaces around the flags of its arcs, which may stand without any."""

    def spaced(arc: re.Match[str]) -> str:
        numbers: list[str] = []
        text = arc[0][1:].strip(" ,\n\t")
        while text:
            piece = (FLAG if len(numbers) % 7 in (3, 4) else NUMBER).match(text)
            if piece is None:
                raise ValueError(path)
            numbers.append(piece[0])
            text = text[piece.end() :].lstrip(" ,\n\t")
        return f"{arc[0][0]}{' '.join(numbers)} "

    return re.sub(r"[Aa][^A-DF-Za-df-z]*", spaced, path)


def _absolute(kind: str, given: list[float], at: Point) -> list[float]:
    if kind == "V":
        return [given[0] + at[1]]
    if kind == "A":
        return [*given[:5], given[5] + at[0], given[6] + at[1]]
    return [number + at[index % 2] for index, number in enumerate(given)]


def _curve(kind: str, at: Point, given: list[float]) -> list[Point]:
    """Return the points of a piece of a path after `at`."""
    if kind == "A":
        return _arc(at, given)
    if kind not in "CQ":
        return [(given[0], given[1])]
    points = [at, *zip(given[::2], given[1::2], strict=True)]
    weights = _weights(len(points))
    return [
        (
            sum(w * p[0] for w, p in zip(row, points, strict=True)),
            sum(w * p[1] for w, p in zip(row, points, strict=True)),
        )
        for row in weights
    ]


@lru_cache(2)
def _weights(count: int) -> list[tuple[float, ...]]:
    """Return for each step of a curve of so many points what each of them weighs."""
    shares = [(step + 1) / STEPS for step in range(STEPS)]
    if count == 3:
        return [((1 - s) ** 2, 2 * s * (1 - s), s * s) for s in shares]
    return [((1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s * s * (1 - s), s**3) for s in shares]


def _arc(at: Point, given: list[float]) -> list[Point]:
    """Return the points of an elliptical arc (SVG 1.1, F.6.5)."""
    across, down, tilt, large, sweep, x, y = given
    across, down, turn = abs(across), abs(down), radians(tilt)
    if not across or not down or (x, y) == at:
        return [(x, y)]
    half = ((at[0] - x) / 2, (at[1] - y) / 2)
    p = cos(turn) * half[0] + sin(turn) * half[1]
    q = -sin(turn) * half[0] + cos(turn) * half[1]
    widened = (p / across) ** 2 + (q / down) ** 2
    if widened > 1:
        across, down = across * sqrt(widened), down * sqrt(widened)
    below = (across * q) ** 2 + (down * p) ** 2
    share = sqrt(max(0.0, (across * down) ** 2 / below - 1)) * (-1 if large == sweep else 1)
    u, v = share * across * q / down, -share * down * p / across
    middle = (cos(turn) * u - sin(turn) * v + (at[0] + x) / 2, sin(turn) * u + cos(turn) * v + (at[1] + y) / 2)
    first = _angle((p - u) / across, (q - v) / down)
    span = (_angle((-p - u) / across, (-q - v) / down) - first) % (2 * pi)
    span = span - 2 * pi if not sweep else span
    count = max(2, ceil(abs(span) / (pi / 12)))
    angles = [first + span * (step + 1) / count for step in range(count)]
    return [
        (
            middle[0] + across * cos(angle) * cos(turn) - down * sin(angle) * sin(turn),
            middle[1] + across * cos(angle) * sin(turn) + down * sin(angle) * cos(turn),
        )
        for angle in angles
    ]


def _angle(x: float, y: float) -> float:
    found = acos(max(-1.0, min(1.0, x / (hypot(x, y) or 1))))
    return -found if y < 0 else found


@lru_cache(200)  # of the game's own drawings; each takes some 20 kB
def filled(path: str) -> tuple[tuple[Outline, bool], ...]:
    """Return the outlines of a path, the largest first, with whether it is filled inside, by the rule of non-zero."""
    found = sorted(outlines(path), key=lambda outline: -abs(_area(outline)))
    return tuple((outline, _winding(outline, found) != 0) for outline in found)


def _winding(outline: Outline, others: list[Outline]) -> int:
    """Return how often the outlines go around just inside one of them."""
    around = (_sign(other) for other in others if other is not outline and _within(outline[0], other))
    return _sign(outline) + sum(around)


def _area(outline: Outline) -> float:
    """Return twice the area of an outline, negative for one that turns left."""
    following = [*outline[1:], outline[0]]
    return sum(x * b - a * y for (x, y), (a, b) in zip(outline, following, strict=True))


def _sign(outline: Outline) -> int:
    return 1 if _area(outline) > 0 else -1


def _within(point: Point, outline: Outline) -> bool:
    (x, y), inside = point, False
    for (a, b), (c, d) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (b > y) != (d > y) and x < (c - a) * (y - b) / (d - b) + a:
            inside = not inside
    return inside
