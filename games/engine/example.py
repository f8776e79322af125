"""An example of a turn: moments of a real match with prepared chance, as data (spec: engine.md, Examples)."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from games.engine.base import Game, Options, Turned
from games.engine.chance import ChanceMismatch, Draw, ScriptedChance
from games.engine.prompt import Move


class Play(Struct, frozen=True, kw_only=True):
    """A move of the example."""

    seat: int
    move: Move
    draws: tuple[Draw, ...] = ()
    """All that is drawn with it."""


class Scene(Struct, frozen=True, kw_only=True):
    """One step of an example: what has been played since the step before, and a sentence about it."""

    says: str
    """The sentence, English, translated where it is shown."""
    plays: tuple[Play, ...] = ()
    intends: Move | None = None
    """A move of which the sentence says that it comes next, where the board can show it before it is made."""


class Example(Struct, frozen=True, kw_only=True):
    """A typical turn, as the seat `LEARNER` sees it."""

    scenes: tuple[Scene, ...]
    title: str
    """What it is an example of, English."""
    name: str = "step"
    """What asks for one of its steps in the page's address."""
    before: tuple[Play, ...] = ()
    """What was played before the first step."""
    setup: tuple[Draw, ...] = ()
    """The draws of the setup."""
    seats: int = 2
    options: Options = {}
    languages: tuple[str, ...] = ()
    """Those in which it is shown, where it has words of its own; empty for all."""


class Moment(NamedTuple):
    """Where a match stands at a step of an example."""

    state: Any
    turns: list[tuple[int, Turned]]
    """Seat and turn of all moves so far."""
    fresh: int
    """How many of them belong to this step."""
    intends: Move | None
    """What the step says that is played next."""


def moments(example: Example, game: Game[Any]) -> Iterator[Moment]:
    """The match at each step, played by the rules. IllegalMove, or ChanceMismatch if draws are missing or left over."""
    chance = ScriptedChance(example.setup)
    state = game.setup(seats=example.seats, options=example.options, chance=chance)
    _used_up(chance)
    turns: list[tuple[int, Turned]] = []
    for number, scene in enumerate(example.scenes):
        plays = scene.plays if number else (*example.before, *scene.plays)
        for play in plays:
            chance = ScriptedChance(play.draws)
            state, events = game.apply(state, play.seat, play.move, chance)
            _used_up(chance)
            turns.append((play.seat, (len(turns) + 1, play.move, play.draws, events)))
        yield Moment(state, list(turns), len(scene.plays), scene.intends)


def _used_up(chance: ScriptedChance) -> None:
    if chance.left:
        raise ChanceMismatch(f"draws left over: {chance.left}")
