"""A match as data: replaying it from its draws, and verifying the draws against the seed."""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from games.engine.base import Event, Game
from games.engine.chance import (
    Chance,
    ChanceMismatch,
    Draw,
    PreparedChance,
    RecordedChance,
    RolledChance,
    ScriptedChance,
    SeededChance,
)
from games.engine.errors import IllegalMove, UnknownRules, brief

FORMAT = "club-y/1"

Find: TypeAlias = Callable[[str, int | None], Game[Any]]
"""Returns the game of a slug by that version of its rules (None: the current); UnknownRules."""


class RecordError(ValueError):
    """A record that cannot be replayed; the text names the first failure."""


class Turn(Struct, frozen=True):
    """One move of a record. `at` is the time in ms, `draws` are those of the move."""

    n: int
    seat: int | None
    move: Any
    draws: list[Draw]
    at: int = 0


class Reseed(Struct, frozen=True):
    """After move `after` draws come from another seed, as the match had ended and was restored."""

    after: int
    commitment: str | None = None
    seed: str | None = None


class Record(Struct, frozen=True):
    """A record (spec: engine.md, The record). While the match runs, seed and outcome are missing or null.

    `seed` is the server's part in hexadecimal, `commitment` the SHA-256 of those bytes, `nonces` one
    string per seat ("" for a bot). `prepared` are the draws of a lesson that were prepared, and do not follow from
    the seed: each as the move (0: the setup) and the number of the draw in it, from 0.
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
    outcome: Any = None
    reseeds: list[Reseed] = []
    prepared: list[tuple[int, int]] = []


class Verdict(Struct, frozen=True):
    """Whether a record is sound; if not, `problem` names the first fault.

    `prepared` is how many draws it says were prepared for a lesson: those were not compared with the seed.
    """

    sound: bool
    problem: str = ""
    prepared: int = 0


class Step(NamedTuple):
    """A state of a replayed match: after which move (0: the setup), who made it, what happened, what was rolled."""

    n: int
    seat: int | None
    state: Any
    events: list[Event]
    rolls: list[tuple[int, Draw]]


def mix(server: bytes, nonces: list[str]) -> bytes:
    """The seed of a match: the server's part, mixed with what each seat contributed.

    HMAC-SHA-256, its key the server's part, its message the list as compact ASCII JSON.
    """
    return hmac.digest(server, json.dumps(nonces, separators=(",", ":")).encode(), "sha256")


def commit(server: bytes) -> str:
    """The commitment, public from the start: the SHA-256 of the server's part in hexadecimal."""
    return hashlib.sha256(server).hexdigest()


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
    parsed, game = _parse(record, find)
    scripted = ScriptedChance(parsed.setup_draws)
    chance = RolledChance(scripted)
    state = _setup(game, parsed, chance)
    _all_used(scripted, "the setup")
    yield Step(0, None, state, [], chance.rolls)
    for turn in parsed.moves:
        scripted = ScriptedChance(turn.draws)
        chance = RolledChance(scripted)
        state, events = _play(game, state, turn, chance)
        _all_used(scripted, f"move {turn.n}")
        yield Step(turn.n, turn.seat, state, events, chance.rolls)


def rolls(record: object, find: Find) -> Iterator[tuple[int | None, int, Draw]]:
    """(seat, sides, faces) of every roll of dice, from the recorded draws; seat None for the setup's.

    RecordError if the record cannot be replayed.
    """
    for step in replayed(record, find):
        for sides, faces in step.rolls:
            yield step.seat, sides, faces


def verify(record: object, find: Find) -> Verdict:
    """Replay a record from its seed alone; the verdict names the first difference. Never raises."""
    try:
        parsed, game = _parse(record, find)
        _verify(parsed, game)
    except RecordError as error:
        return Verdict(False, str(error))
    return Verdict(True, prepared=len(parsed.prepared))


def _verify(record: Record, game: Game[Any]) -> None:
    prepared = PreparedChance(SeededChance(_seed(record, record)))
    prepared.prepare(_prepared(record, 0, record.setup_draws))
    chance = RecordedChance(prepared)
    state = _setup(game, record, chance)
    _compare(record.setup_draws, chance.take(), "the setup")
    fresh = {reseed.after + 1: reseed for reseed in record.reseeds}
    for turn in record.moves:
        if turn.n in fresh:
            prepared = PreparedChance(SeededChance(_seed(record, fresh[turn.n])))
            chance = RecordedChance(prepared)
        prepared.prepare(_prepared(record, turn.n, turn.draws))
        state, _events = _play(game, state, turn, chance)
        _compare(turn.draws, chance.take(), f"move {turn.n}")
    outcome = game.outcome(state)
    if outcome != record.outcome:
        raise RecordError(f"the outcome differs: recorded {brief(record.outcome)}, played {outcome}")


def _prepared(record: Record, move: int, draws: list[Draw]) -> list[Draw | None]:
    """The draws of a move (0: the setup) that were prepared, and None for each that was not."""
    return [draw if (move, number) in record.prepared else None for number, draw in enumerate(draws)]


def _parse(record: object, find: Find) -> tuple[Record, Game[Any]]:
    try:
        parsed = msgspec.convert(record, Record)
        game = find(parsed.game, parsed.rules_version)
    except UnknownRules as error:
        raise RecordError(str(error)) from None
    except (msgspec.ValidationError, ValueError, RecursionError) as error:
        raise RecordError(f"malformed record: {error}") from None
    if parsed.format != FORMAT:
        raise RecordError(f"unknown format {brief(parsed.format)}")
    for number, turn in enumerate(parsed.moves, 1):
        if turn.n != number:
            raise RecordError(f"move {number} is numbered {brief(turn.n)}")
    return parsed, game


def _seed(record: Record, sown: Record | Reseed) -> bytes:
    if sown.seed is None:
        raise RecordError("the record has no seed: it is published when the match has ended")
    try:
        server = bytes.fromhex(sown.seed)
    except ValueError:
        raise RecordError("the seed is not hexadecimal") from None
    if sown.commitment != commit(server):
        raise RecordError("the commitment does not fit the seed")
    if len(record.nonces) != record.seats:
        raise RecordError(f"{len(record.nonces)} nonces for {brief(record.seats)} seats")
    return mix(server, record.nonces)


def _setup(game: Game[Any], record: Record, chance: Chance) -> Any:
    try:
        return game.setup(seats=record.seats, options=record.options, chance=chance)
    except ValueError as error:
        raise RecordError(f"the setup fails: {error}") from None
    except ChanceMismatch as error:
        raise RecordError(f"the setup: {error}") from None


def _play(game: Game[Any], state: Any, turn: Turn, chance: Chance) -> tuple[Any, list[Event]]:
    try:
        return game.apply(state, turn.seat, turn.move, chance, turn.at)
    except IllegalMove as error:
        raise RecordError(f"move {turn.n} is not legal ({error.code}): {error}") from None
    except ChanceMismatch as error:
        raise RecordError(f"move {turn.n}: {error}") from None


def _all_used(chance: ScriptedChance, where: str) -> None:
    if chance.left:
        raise RecordError(f"{where}: {len(chance.left)} draws too many")


def _compare(recorded: list[Draw], dictated: list[Draw], where: str) -> None:
    if recorded == dictated:
        return
    if sorted(recorded) == sorted(dictated):
        raise RecordError(f"the draws of {where} are in another order than the seed dictates: {brief(recorded)}")
    for number, (told, true) in enumerate(zip_longest(recorded, dictated), 1):
        if told != true:
            raise RecordError(f"draw {number} of {where} differs: recorded {brief(told)}, the seed dictates {true}")
