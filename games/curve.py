"""The curve of a match that has ended, in the units of its picture: what each seat had after each turn."""

from collections.abc import Sequence
from typing import Any

from games.story import Point

WIDTH, HEIGHT = 400, 190
LEFT, RIGHT, TOP, BOTTOM = 48, 30, 10, 26  # around the curves: the scale, the seats' shapes, the moves
SHAPE = 15  # a seat's shape at the end of its curve, and the least distance of two
MOST_LINES = 5  # of the scale
THOUSANDS = 10_000  # from which on the scale tells thousands
ROWS = 16  # of the table that says the same, at most


def curve_of(points: Sequence[Point], *, together: bool) -> dict[str, Any]:
    """Return the picture of two points or more: a line for each seat, or one for all who play `together`."""
    seats = range(1 if together else len(points[0][1]))
    values = [had[seat] for _step, had in points for seat in seats]
    step, floor, ceiling = _scale(min(values), max(values))
    first, last = points[0][0], points[-1][0]

    def x(move: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (move - first) / ((last - first) or 1), 1)

    def y(value: int) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (ceiling - value) / (ceiling - floor), 1)

    ends = _apart({seat: y(points[-1][1][seat]) for seat in seats})
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "top": TOP,
        "bottom": HEIGHT - BOTTOM,
        "label_x": LEFT - 6,
        "base": HEIGHT - 6,
        "shape": SHAPE,
        "shape_x": WIDTH - RIGHT + 8,
        "together": together,
        "in_thousands": ceiling >= THOUSANDS,
        "scale": [{"value": value, "y": y(value)} for value in range(floor, ceiling + 1, step)],
        "lines": [
            {
                "seat": seat,
                "path": " ".join(f"{x(move)},{y(had[seat])}" for move, had in points),
                "end": round(ends[seat] - SHAPE / 2, 1),
            }
            for seat in seats
        ],
        "last": last,
        "rows": _rows(points, seats),
    }


def _scale(lowest: int, highest: int) -> tuple[int, int, int]:
    """Return step, floor and ceiling of a scale in round numbers."""
    lowest, highest = min(0, lowest), max(highest, lowest + 1, 1)
    steps = (size * 10**power for power in range(12) for size in (1, 2, 5))
    step = next(step for step in steps if (highest - lowest) / step <= MOST_LINES)
    return step, lowest // step * step, -(-highest // step) * step


def _apart(wished: dict[int, float]) -> dict[int, float]:
    """Return where the shapes stand, so that none covers another: below each other, else where they are wished."""
    order, placed = sorted(wished, key=lambda seat: (wished[seat], seat)), dict[int, float]()
    for seat in order:
        placed[seat] = max(wished[seat], max(placed.values(), default=-SHAPE) + SHAPE)
    floor = HEIGHT - SHAPE / 2
    for seat in reversed(order):
        placed[seat] = floor = min(placed[seat], floor)
        floor -= SHAPE
    return placed


def _rows(points: Sequence[Point], seats: range) -> list[dict[str, Any]]:
    """Return some of the points, evenly spread, the first and the last among them."""
    apart = max(1, -(-(len(points) - 1) // (ROWS - 1)))
    chosen = [*points[:-1:apart], points[-1]]
    return [{"move": move, "had": [had[seat] for seat in seats]} for move, had in chosen]
