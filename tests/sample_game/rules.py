"""The rules of the sample game: roll an open die, or play the hidden one; the first at the goal wins.

Version 2: a hidden die goes one step more than it says. Version 1 is kept in `v1` for the matches that have it.
"""

from random import Random
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from games.engine import (
    Bot,
    Chance,
    Event,
    Game,
    IllegalMove,
    Move,
    MoveCodec,
    Options,
    Outcome,
    Prompt,
    StateCodec,
    View,
    ranked,
)
from games.engine import gettext_noop as _

BONUS = 1  # of a hidden die that is played


class Roll(Struct, frozen=True, forbid_unknown_fields=True, tag="roll"):
    """Roll an open die, and go so far."""


class Play(Struct, frozen=True, forbid_unknown_fields=True, tag="play"):
    """Go one step more than the hidden die says; another is rolled in its place."""


class State(Struct, frozen=True):
    goal: int
    hidden: tuple[int, ...]
    played: tuple[int, ...]
    steps: tuple[int, ...] = (0, 0)
    mover: int = 0

    @property
    def over(self) -> bool:
        return max(self.steps) >= self.goal


class Player(Bot):
    """A bot that plays its hidden die from so many pips on."""

    def __init__(self, pips: int) -> None:
        self.pips = pips

    def choose(self, view: View, rng: Random) -> Move:
        return {"type": "play" if view["hidden"][view["you"]] >= self.pips else "roll"}


class SampleGame(Game[State]):
    """A race of two, in which each has a die that only they see."""

    slug = "sample-game"
    name = "Sample Race"
    rules_version = 2
    min_seats = max_seats = 2
    secret = True
    option_fields: ClassVar = {"goal": {"one_of": [40, 20], "default": 40}}
    moves = MoveCodec(Roll, Play)
    states = StateCodec(State)

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        return State(options["goal"], tuple(chance.roll(seats)), (0,) * seats)

    def seat_count(self, state: State) -> int:
        return len(state.steps)

    def phase(self, state: State) -> str:
        return "over" if state.over else "race"

    def to_move(self, state: State) -> list[int]:
        return [] if state.over else [state.mover]

    def prompt(self, state: State, seat: int) -> Prompt | None:
        if seat not in self.to_move(state):
            return None
        return {"phase": "race", "moves": [{"type": "roll"}, {"type": "play"}], "optional": False}

    def play(self, state: State, seat: int | None, move: Any, chance: Chance, now: int) -> tuple[State, list[Event]]:
        mover, hidden, steps, played = state.mover, list(state.hidden), list(state.steps), list(state.played)
        [rolled] = chance.roll(1)
        by = rolled
        if isinstance(move, Play):
            by, hidden[mover] = hidden[mover] + BONUS, rolled
            played[mover] += 1
        steps[mover] += by
        fields = {"hidden": tuple(hidden), "steps": tuple(steps), "played": tuple(played)}
        after = replace(state, **fields, mover=1 - mover)
        return after, [{"type": move.__struct_config__.tag, "seat": mover, "by": by, "to": steps[mover]}]

    def refusal(self, state: State, seat: int, move: Any) -> IllegalMove:
        return IllegalMove("illegal", _("That cannot be played now."))

    def shown(self, state: State, seat: int | None) -> View:
        hidden = [die if state.over or number == seat else None for number, die in enumerate(state.hidden)]
        return {"goal": state.goal, "steps": list(state.steps), "hidden": hidden, "played": list(state.played)}

    def opened(self, state: State, seat: int | None) -> View:
        return {**self.view(state, seat), "hidden": list(state.hidden)}

    def outcome(self, state: State) -> Outcome | None:
        return ranked(state.steps) if state.over else None

    def progress(self, state: State) -> list[int]:
        return list(state.steps)

    def default_move(self, state: State, seat: int) -> Move | None:
        return {"type": "roll"} if seat in self.to_move(state) else None

    def bot(self, level: str) -> Bot:
        return Player({"easy": 1, "regular": 2, "strong": 4}[level])


GAME = SampleGame()
