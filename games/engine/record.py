"""A match as data, and replaying it from its draws; verifying.py checks the draws against the seeds."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from games.engine.base import Event, Game
from games.engine.chance import Chance, ChanceMismatch, Draw, RolledChance, ScriptedChance
from games.engine.errors import IllegalMove, UnknownRules, brief

FORMAT = "club-y/2"
FORMER = "club-y/1"
"""Of matches that began before: a fresh seed at each restore, no seals (spec: chance.md, The former format)."""

Find: TypeAlias = Callable[[str, int | None], Game[Any]]
"""Returns the game of a slug by that version of its rules (None: the current); UnknownRules."""


class RecordError(ValueError):
    """A record that cannot be replayed; the text names the first failure."""


class Turn(Struct, frozen=True):
    """One move of a record. `at` is the time in ms, `draws` are those of the move, `kinds` what each is."""

    n: int
    seat: int | None
    move: Any
    draws: list[Draw]
    at: int = 0
    kinds: list[str] | None = None


class Reseed(Struct, frozen=True):
    """After move `after` draws come from another seed, as the match was restored there, so many `times`.

    `commitment` is of `club-y/1`: there the seed is a fresh one. In `club-y/2` it is that of the chain so many on.
    """

    after: int
    commitment: str | None = None
    seed: str | None = None
    times: int = 1


class Opened(Struct, frozen=True):
    """After move `after` this seat opened the nonce that it had sealed."""

    after: int
    seat: int
    nonce: str


class Record(Struct, frozen=True):
    """A record (spec: engine.md, The record). While the match runs, seed and outcome are missing or null.

    `seed` is the server's part in hexadecimal, `commitment` the SHA-256 of those bytes, `nonces` one
    string per seat ("" for a bot), as are `seals`. `prepared` are the draws of a lesson that were prepared, and do not
    follow from the seed: each as the move (0: the setup) and the number of the draw in it, from 0.
    """

    game: str
    seats: int
    setup_draws: list[Draw]
    moves: list[Turn]
    format: str = FORMAT
    rules_version: int = 1
    options: dict[str, Any] = {}
    commitment: str | None = None
    seed: str | None = None
    nonces: list[str] = []
    seals: list[str] = []
    entry: str | None = None
    openings: list[Opened] = []
    outcome: Any = None
    reseeds: list[Reseed] = []
    prepared: list[tuple[int, int]] = []
    setup_kinds: list[str] | None = None


class Step(NamedTuple):
    """A state of a replayed match: after which move (0: the setup), who made it, what happened, what was rolled.

    `kinds` says of each draw what it is.
    """

    n: int
    seat: int | None
    state: Any
    events: list[Event]
    rolls: list[tuple[int, Draw]]
    kinds: list[str]


def replay(record: object, find: Find) -> Any:
    """The state after the last move. RecordError if the record cannot be replayed."""
    state = None
    for step in replay_steps(record, find):
        state = step[1]
    return state


def replay_steps(record: object, find: Find) -> Iterator[tuple[int, Any, list[Event]]]:
    """(n, state, events) after the setup (n = 0, no events) and after each move, from the recorded draws.

    Works for a running match too. RecordError if the record cannot be replayed.
    """
    for step in replayed(record, find):
        yield step.n, step.state, step.events


def replayed(record: object, find: Find) -> Iterator[Step]:
    """What `replay_steps` gives, with who moved and what was rolled; RecordError as there."""
    parsed, game = parse_record(record, find)
    scripted = ScriptedChance(parsed.setup_draws)
    chance = RolledChance(scripted)
    state = set_up(game, parsed, chance)
    _all_used(scripted, "the setup")
    yield Step(0, None, state, [], chance.rolls, chance.kinds)
    for turn in parsed.moves:
        scripted = ScriptedChance(turn.draws)
        chance = RolledChance(scripted)
        state, events = play(game, state, turn, chance)
        _all_used(scripted, f"move {turn.n}")
        yield Step(turn.n, turn.seat, state, events, chance.rolls, chance.kinds)


def rolls(record: object, find: Find) -> Iterator[tuple[int | None, int, Draw]]:
    """(seat, sides, faces) of every roll of dice, from the recorded draws; seat None for the setup's.

    RecordError if the record cannot be replayed.
    """
    for step in replayed(record, find):
        for sides, faces in step.rolls:
            yield step.seat, sides, faces


def parse_record(record: object, find: Find) -> tuple[Record, Game[Any]]:
    """The record and the rules by which it was played. RecordError if it is malformed."""
    try:
        parsed = msgspec.convert(record, Record)
        game = find(parsed.game, parsed.rules_version)
    except UnknownRules as error:
        raise RecordError(str(error)) from None
    except (msgspec.ValidationError, ValueError, RecursionError) as error:
        raise RecordError(f"malformed record: {error}") from None
    if parsed.format not in (FORMAT, FORMER):
        raise RecordError(f"unknown format {brief(parsed.format)}")
    for number, turn in enumerate(parsed.moves, 1):
        if turn.n != number:
            raise RecordError(f"move {number} is numbered {brief(turn.n)}")
    return parsed, game


def set_up(game: Game[Any], record: Record, chance: Chance) -> Any:
    """The state after the setup. RecordError."""
    try:
        return game.setup(seats=record.seats, options=record.options, chance=chance)
    except ValueError as error:
        raise RecordError(f"the setup fails: {error}") from None
    except ChanceMismatch as error:
        raise RecordError(f"the setup: {error}") from None


def play(game: Game[Any], state: Any, turn: Turn, chance: Chance) -> tuple[Any, list[Event]]:
    """The state after a move, and what happened. RecordError."""
    try:
        return game.apply(state, turn.seat, turn.move, chance, turn.at)
    except IllegalMove as error:
        raise RecordError(f"move {turn.n} is not legal ({error.code}): {error}") from None
    except ChanceMismatch as error:
        raise RecordError(f"move {turn.n}: {error}") from None


def _all_used(chance: ScriptedChance, where: str) -> None:
    if chance.left:
        raise RecordError(f"{where}: {len(chance.left)} draws too many")
