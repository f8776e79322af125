"""A lesson: a first match of a game with a coach, as data (spec: engine.md, Lessons).

A step is chosen by the situation that is really there, never by how many moves were made: whoever leaves the path
comes back to it at the next step that fits.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from games.engine.base import Options, View
from games.engine.chance import Draw
from games.engine.prompt import Move

Pattern: TypeAlias = Mapping[str, Any]
"""Wanted values by name, or by path as "sheets.0.yum.pts"; a tuple or a range stands for any of its values."""

LEARNER = 0
"""The seat of whoever learns."""


class Step(Struct, frozen=True, kw_only=True):
    """One situation of a lesson: what the coach says in it, and what happens there."""

    when: Pattern
    """The situation, as the seat's own view and the lesson's facts have it."""
    says: str = ""
    """The coach's sentence, English, translated where it is shown; empty for a bot's step."""
    points: tuple[str, ...] = ()
    """The ids of what it points at on the page."""
    move: Pattern | None = None
    """The answer that the coach would like; None if any will do. A bot makes it: then it is a whole move."""
    or_move: Pattern | None = None
    """Another that is as good."""
    others: tuple[tuple[Pattern, str], ...] = ()
    """What the coach says to other answers, before they are played; the first pattern that fits."""
    draws: tuple[Draw, ...] = ()
    """What is drawn when a move is made here, as far as it has the shape that the rules ask for."""
    seat: int = LEARNER
    last: bool = False
    """With the answer to this step the lesson ends, and the match goes on without a coach."""

    def reply(self, move: Move) -> str:
        """What the coach says to another answer than the one it would like; empty if there is nothing to say."""
        liked = [pattern for pattern in (self.move, self.or_move) if pattern is not None]
        if not liked or any(fits_pattern(pattern, move) for pattern in liked):
            return ""
        return next((says for pattern, says in self.others if fits_pattern(pattern, move)), "")


def _no_facts(view: View) -> dict[str, Any]:
    return {}


class Lesson(Struct, frozen=True, kw_only=True):
    """The lesson of a game: a real match against friendly bots, whose first draws and bots' moves are prepared."""

    steps: tuple[Step, ...]
    """In the order in which the path meets them; of several that fit, the first counts."""
    setup: tuple[Draw, ...] = ()
    """The draws of the setup."""
    seats: int = 2
    options: Options = {}
    bot: str = "easy"
    minutes: int = 4
    facts: Callable[[View], dict[str, Any]] = _no_facts
    """What steps may ask of a situation beside the view, worked out from the view alone."""

    def step(self, view: View) -> Step | None:
        """The step for the seat of a view; None where the match has left the path."""
        return next((step for step in self.steps_of(view["you"]) if self._is_here(step, view)), None)

    def steps_of(self, seat: int) -> list[Step]:
        """The steps of a seat, in their order."""
        return [step for step in self.steps if step.seat == seat]

    def _is_here(self, step: Step, view: View) -> bool:
        return fits_pattern(step.when, {**view, **self.facts(view)})


def fits_pattern(pattern: Pattern, values: Any) -> bool:
    """Whether the values are those of a pattern."""
    return all(_fits(wanted, _at(values, path)) for path, wanted in pattern.items())


def _fits(wanted: Any, value: Any) -> bool:
    if isinstance(wanted, tuple | range):
        return any(_fits(one, value) for one in wanted)
    return bool(wanted == value and type(wanted) is type(value))


def _at(values: Any, path: str) -> Any:
    """The value at a path; None where there is none."""
    for name in path.split("."):
        if isinstance(values, dict):
            values = values.get(name, values.get(int(name)) if name.isdecimal() else None)
        elif isinstance(values, list | tuple) and name.isdecimal() and int(name) < len(values):
            values = values[int(name)]
        else:
            return None
    return values
