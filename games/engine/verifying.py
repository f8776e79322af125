"""Whether a record is what the site's seeds dictate, and what they are (spec: chance.md)."""

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise, zip_longest
from typing import Any

import msgspec
from msgspec import Struct

from games.engine.base import Game
from games.engine.chance import Draw, PreparedChance, RecordedChance, SeededChance
from games.engine.errors import brief
from games.engine.record import FORMER, Find, Record, RecordError, Reseed, parse_record, play, set_up
from games.engine.seeds import LINKS, Opening, commit, entry_of, hashed, mix, mix_sealed, opened_until, seal


class Verdict(Struct, frozen=True):
    """Whether a record is sound; if not, `problem` names the first fault.

    `prepared` is how many draws it says were prepared for a lesson: those were not compared with the seed.
    """

    sound: bool
    problem: str = ""
    prepared: int = 0


def verify(record: object, find: Find, *, commitments: Sequence[str] = (), entry: str = "") -> Verdict:
    """Replay a record from its seed alone; the verdict names the first difference. Never raises.

    `commitments` and `entry` are what a player noted during the match: the record must have the same, and in the
    former format no reseed whose commitment is not among them.
    """
    try:
        parsed, game = parse_record(record, find)
        if commitments:
            _compare_noted(parsed, {noted.strip().lower() for noted in commitments})
        if entry and entry.strip().lower() != parsed.entry:
            raise RecordError(f"the fingerprint of the start is not what was noted: recorded {brief(parsed.entry)}")
        _verify(parsed, game)
    except RecordError as error:
        return Verdict(False, str(error))
    return Verdict(True, prepared=len(parsed.prepared))


def _compare_noted(record: Record, noted: set[str]) -> None:
    told = [record.commitment, *(reseed.commitment for reseed in record.reseeds if record.format == FORMER)]
    for commitment in told:
        if commitment not in noted:
            raise RecordError(f"a commitment is not what was noted: recorded {brief(commitment)}")
    if record.format != FORMER and len(noted) > 1:
        raise RecordError("several commitments were noted: a match of this format has one")


def _verify(record: Record, game: Game[Any]) -> None:
    _check_secrets(record)
    prepared = PreparedChance(SeededChance(seed_of(record, None)))
    marked = frozenset(record.prepared)
    prepared.prepare(_prepared(marked, 0, record.setup_draws))
    chance = RecordedChance(prepared)
    state = set_up(game, record, chance)
    _compare(record.setup_draws, record.setup_kinds, chance, "the setup")
    fresh = {one.after for one in record.reseeds} | {one.after for one in record.openings}
    for turn in record.moves:
        if turn.n - 1 in fresh:
            prepared = PreparedChance(SeededChance(seed_of(record, turn.n - 1)))
            chance = RecordedChance(prepared)
        prepared.prepare(_prepared(marked, turn.n, turn.draws))
        state, _events = play(game, state, turn, chance)
        _compare(turn.draws, turn.kinds, chance, f"move {turn.n}")
    outcome = game.outcome(state)
    if outcome != record.outcome:
        raise RecordError(f"the outcome differs: recorded {brief(record.outcome)}, played {outcome}")


def seed_of(record: Record, after: int | None) -> bytes:
    """The seed from which the draws after move `after` follow (None: those of the setup); RecordError."""
    sown: Record | Reseed = record
    for reseed in record.reseeds:
        if after is not None and reseed.after <= after:
            sown = reseed
    if record.format == FORMER:
        return mix(_secret(sown), record.nonces)
    openings = [Opening(one.after, one.seat, one.nonce) for one in record.openings]
    opened = () if after is None else opened_until(openings, after)
    return mix_sealed(_secret(sown), record.nonces, record.seals, tuple(opened))


def _check_secrets(record: Record) -> None:
    """Refuse a record whose commitments, seeds and nonces do not fit each other. RecordError."""
    if commit(_secret(record)) != record.commitment:
        raise RecordError("the commitment does not fit the seed")
    if len(record.nonces) != record.seats:
        raise RecordError(f"{len(record.nonces)} nonces for {brief(record.seats)} seats")
    for before, reseed in pairwise((None, *record.reseeds)):
        assert reseed is not None
        if not (-1 if before is None else before.after) < reseed.after <= len(record.moves):
            raise RecordError(f"a reseed after move {brief(reseed.after)} is out of place")
        if reseed.after == len(record.moves):
            raise RecordError(f"a reseed after move {brief(reseed.after)}, which is the last")
        _check_reseed(record, before or record, reseed)
    if record.format == FORMER:
        if record.seals or record.openings:
            raise RecordError(f"a record of {FORMER} has no seals")
        return
    _check_openings(record)


def _check_reseed(record: Record, before: Record | Reseed, reseed: Reseed) -> None:
    seed = _secret(reseed)
    if record.format == FORMER:
        if reseed.commitment != commit(seed):
            raise RecordError("the commitment does not fit the seed of a reseed")
        if seed == _secret(before):
            raise RecordError(f"the reseed after move {reseed.after} is the seed of before")
    elif not 1 <= reseed.times < LINKS or hashed(seed, reseed.times) != _secret(before):
        raise RecordError(f"the reseed after move {reseed.after} is not the next of the chain")


def _check_openings(record: Record) -> None:
    if len(record.seals) != record.seats:
        raise RecordError(f"{len(record.seals)} seals for {brief(record.seats)} seats")
    if record.entry != entry_of(record.commitment or "", record.nonces, record.seals):
        raise RecordError("the fingerprint of the start does not fit commitment, nonces and seals")
    last, done, is_sealed = 0, set(), any(record.seals)
    for one in record.openings:
        if one.seat in done or not 0 <= one.seat < record.seats or not last <= one.after <= len(record.moves):
            raise RecordError(f"the nonce that was opened after move {brief(one.after)} is out of place")
        if any(turn.seat == one.seat for turn in record.moves[: one.after]):
            raise RecordError(f"seat {one.seat} opened its nonce after its first move")
        if is_sealed and seal(one.nonce) != record.seals[one.seat]:
            raise RecordError(f"the nonce that seat {one.seat} opened is not the one that it had sealed")
        last = one.after
        done.add(one.seat)


def secrets_told(record: object) -> Iterator[str]:
    """What a record says of commitments, seeds and nonces, a line each; nothing where it is not to be read."""
    try:
        parsed = msgspec.convert(record, Record)
    except (msgspec.ValidationError, ValueError, RecursionError):
        return
    yield f"format {brief(parsed.format)}"
    yield f"commitment {brief(parsed.commitment)}"
    yield f"fingerprint of the start {brief(parsed.entry)}"
    for seat, nonce in enumerate(parsed.nonces):
        sealed = parsed.seals[seat] if seat < len(parsed.seals) else ""
        yield f"seat {seat}: nonce {brief(nonce)}, seal {brief(sealed)}"
    for opened in parsed.openings:
        yield f"after move {opened.after} seat {opened.seat} opened {brief(opened.nonce)}"
    for reseed in parsed.reseeds:
        which = (
            f"commitment {brief(reseed.commitment)}" if parsed.format == FORMER else f"{reseed.times} on in the chain"
        )
        yield f"restored after move {reseed.after}: seed {brief(reseed.seed)}, {which}"


def _prepared(marked: Set[tuple[int, int]], move: int, draws: list[Draw]) -> list[Draw | None]:
    """The draws of a move (0: the setup) that were prepared, and None for each that was not."""
    return [draw if (move, number) in marked else None for number, draw in enumerate(draws)]


def _secret(sown: Record | Reseed) -> bytes:
    if sown.seed is None:
        raise RecordError("the record has no seed: it is published when the match has ended")
    try:
        return bytes.fromhex(sown.seed)
    except ValueError:
        raise RecordError("the seed is not hexadecimal") from None


def _compare(recorded: list[Draw], kinds: list[str] | None, chance: RecordedChance, where: str) -> None:
    dictated, true_kinds = chance.take_told()
    if recorded != dictated:
        if sorted(recorded) == sorted(dictated):
            raise RecordError(f"the draws of {where} are in another order than the seed dictates: {brief(recorded)}")
        for number, (told, true) in enumerate(zip_longest(recorded, dictated), 1):
            if told != true:
                raise RecordError(f"draw {number} of {where} differs: recorded {brief(told)}, the seed dictates {true}")
    if kinds is not None and kinds != true_kinds:
        raise RecordError(f"the kinds of draws of {where} differ: recorded {brief(kinds)}, asked for {true_kinds}")
