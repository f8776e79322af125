"""How a match that has ended went: what each seat had after each turn, and what decided it."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from django.core.cache import cache

from games.engine import RecordError, replayed
from games.models import Match, Seat
from games.record import record_of
from games.rules import get_game

KEPT = 86_400  # seconds
Point = tuple[int, list[int]]
"""After which move, and what each seat had then."""


class Story(NamedTuple):
    """The course of a match, how often each seat rolled which face of a six-sided die, which moves made each mark."""

    points: list[Point]
    faces: dict[int, list[int]]
    made: dict[str, list[int]]


class Turning(NamedTuple):
    """What decided a match for its winner.

    `since` is the move from which on the winner was alone ahead, None if not at the end; `from_start` whether that is
    since anybody was; `changes` how often another was alone ahead than before; `best` the last move of the turn in
    which the winner gained most on the best of the others, and `gain` how much.
    """

    since: int | None
    from_start: bool
    changes: int
    best: int
    gain: int


def story_of(match: Match, seats: Sequence[Seat]) -> Story:
    """Return the story of an ended match, from its record; without points if the record cannot be replayed."""
    found: Story | None = cache.get(name := f"story:{match.pk}:{match.history}")
    if found is None:
        found = _told(match, seats)
        cache.set(name, tuple(found), KEPT)
    return Story(*found)


def _told(match: Match, seats: Sequence[Seat]) -> Story:
    record, game = record_of(match, seats), match.game
    points: list[Point] = []
    last: Point | None = None
    made: dict[str, list[int]] = {}
    marks: dict[str, Any] = {}
    faces: dict[int, list[int]] = {}
    try:
        for step, seat, state, events, rolls, _kinds in replayed(record, get_game):
            if last and (step == 1 or game.opens_paragraph(events)):
                points.append(last)
            last = (step, game.progress(state))
            before, marks = marks, game.marks(state)
            for name in [name for name, mark in marks.items() if name not in before or before[name] != mark]:
                made.setdefault(name, []).append(step)
            for sides, faced in rolls:
                for face in faced if seat is not None and sides == 6 else ():
                    faces.setdefault(seat or 0, [0] * 6)[face - 1] += 1
    except RecordError:
        return Story([], {}, {})
    return Story(_telling([*points, last] if last else points), faces, made)


def _telling(points: Sequence[Point]) -> list[Point]:
    """Return the points without those at which everybody has what they had before and have after."""
    return [
        point
        for index, point in enumerate(points)
        if index in (0, len(points) - 1) or not points[index - 1][1] == point[1] == points[index + 1][1]
    ]


def links_of(match: Match, seats: Sequence[Seat], state: Any, step: int) -> dict[str, str]:
    """Return for each mark that stands on the board of an ended match after a move the way to the move that made it."""
    made = story_of(match, seats).made
    steps = {name: [one for one in made.get(name, ()) if one <= step] for name in match.game.marks(state)}
    return {name: f"/matches/{match.pk}/replay/{found[-1]}/" for name, found in steps.items() if found}


def turning_of(points: Sequence[Point], winner: int) -> Turning:
    """Return what decided a match that this seat won; there must be two points or more."""
    leads = [(step, _alone_ahead(had)) for step, had in points]
    led = [(step, seat) for step, seat in leads if seat is not None]
    changes = sum(one[1] != other[1] for one, other in pairwise(led))
    since = None
    for step, seat in reversed(leads):
        if seat != winner:
            break
        since = step
    margins = [(step, _margin(had, winner)) for step, had in points]
    gain, best = max((after - before, step) for (_, before), (step, after) in pairwise(margins))
    return Turning(since, bool(led) and since == led[0][0], changes, best, gain)


def _alone_ahead(had: Sequence[int]) -> int | None:
    most = max(had)
    return had.index(most) if had.count(most) == 1 else None


def _margin(had: Sequence[int], seat: int) -> int:
    return had[seat] - max(other for number, other in enumerate(had) if number != seat)
