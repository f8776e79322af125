"""What the tests of all games share: every way to set up a game, and random play."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from games.engine import (
    Chance,
    Event,
    Game,
    IllegalMove,
    Move,
    Opening,
    RecordedChance,
    SeededChance,
    commit,
    entry_of,
    link,
    mix,
    mix_sealed,
    sample_move,
    seal,
)
from games.rules import games, get_game
from tests import FULL

SERVER = bytes(range(32))


MANY = 6  # values of an option, of which the first two are tried


def setups() -> list[tuple[str, int, dict[str, Any]]]:
    """(slug, seats, options) for every game: without options at every table, with each at its smallest and
    its largest; with PROOF=full at every table that accepts it.
    """
    found = []
    for slug in games():
        game = get_game(slug)
        for number, options in enumerate(option_choices(game)):
            tables = [n for n in range(game.min_seats, game.max_seats + 1) if accepts(game, n, options)]
            thinned = number and not FULL
            found += [(slug, n, options) for n in (sorted({tables[0], tables[-1]}) if thinned else tables)]
    return found


def option_choices(game: Game[Any]) -> Iterator[dict[str, Any]]:
    """The defaults, and each other value of every option, of a range its ends; and so in every mode.

    A mode is each combination of those options on which it depends what others there are.
    """
    fields = game.option_fields
    modes = sorted({other for field in fields.values() for other in field.get("only", {})})
    for chosen in product(*(values_of(fields[name]) for name in modes)):
        mode = dict(zip(modes, chosen, strict=True))
        yield mode
        for name, field in fields.items():
            belongs = all(mode[other] == value for other, value in field.get("only", {}).items())
            if name not in modes and belongs:
                others = (value for value in values_of(field) if value != field.get("default"))
                yield from (mode | {name: value} for value in others)


def values_of(field: dict[str, Any]) -> list[Any]:
    """The values of an option that are tried: all, of a range its ends, of a long list its first two."""
    if "min" in field:
        return sorted({field["min"], field["max"]})
    return list(field["one_of"][: None if len(field["one_of"]) < MANY else 2])


def fewest(game: Game[Any]) -> int:
    """With how many seats it can be played without any options."""
    return next(seats for seats in range(game.min_seats, game.max_seats + 1) if accepts(game, seats, {}))


def accepts(game: Game[Any], seats: int, options: dict[str, Any]) -> bool:
    try:
        game.setup(seats=seats, options=options, chance=SeededChance(b""))
    except ValueError:
        return False
    return True


def random_step(
    game: Game[Any], state: Any, seat: int, rng: Random, chance: Chance, now: int = 0
) -> tuple[Move, Any, list[Event]]:
    """A random move of the seat's prompt, and what it leads to; words that may not be said are drawn anew."""
    while True:
        move = sample_move(game.prompt(state, seat), rng)
        try:
            after, events = game.apply(state, seat, move, chance, now)
        except IllegalMove as refusal:
            assert refusal.code == "bad_word"
        else:
            return move, after, events


def positions(game: Game[Any], seats: int, options: dict[str, Any], seed: int, end: bool = True) -> Iterator[Any]:
    """The states of a match played at random; with `end`, the last one too."""
    rng = Random(seed)
    chance = SeededChance(seed.to_bytes(8, "big"))
    state = game.setup(seats=seats, options=options, chance=chance)
    while waiting := game.to_move(state):
        yield state
        _move, state, _events = random_step(game, state, rng.choice(waiting), rng, chance)
    if end:
        yield state


def sealed_match(
    slug: str, seats: int, options: dict[str, Any], seed: int = 0, *, restored: bool = True
) -> dict[str, Any]:
    """The record of `club-y/2` of a match played at random, in which two seats open what they had sealed.

    The last seat sealed nothing, as a bot.

    It is restored after its sixth and twelfth moves, the second time twice, if it is so long.
    """
    game, rng = get_game(slug), Random(seed)
    root = rng.randbytes(32)
    nonces = [f"nonce-{seat}-{seed}" for seat in range(seats - 1)] + [""]
    further = [f"further-{seat}-{seed}" for seat in range(min(2, seats - 1))]
    seals = [seal(nonce) for nonce in further] + [""] * (seats - len(further))
    numbers, openings, reseeds = {6: 1, 12: 3} if restored else {}, [], []
    present = 0
    chance = RecordedChance(SeededChance(mix_sealed(link(root, 0), nonces, seals)))
    state = game.setup(seats=seats, options=options, chance=chance)
    setup_draws, setup_kinds = chance.take_told()
    moves: list[dict[str, Any]] = []
    moved: set[int] = set()
    while waiting := game.to_move(state):
        after, is_fresh = len(moves), False
        for seat, nonce in enumerate(further):
            if (
                seat not in moved
                and all(one.seat != seat for one in openings)
                and (after >= 2 * seat or seat in waiting)
            ):
                openings.append(Opening(after, seat, nonce))
                is_fresh = True
        if after in numbers:
            times, present = numbers[after] - present, numbers[after]
            reseeds.append({"after": after, "times": times, "seed": link(root, present).hex()})
            is_fresh = True
        if is_fresh:
            chance = RecordedChance(SeededChance(mix_sealed(link(root, present), nonces, seals, openings)))
        seat = rng.choice(waiting)
        at = 1_700_000_000_000 + 1000 * after
        move, state, _events = random_step(game, state, seat, rng, chance, at)
        moved.add(seat)
        draws, kinds = chance.take_told()
        moves.append({"n": after + 1, "seat": seat, "move": move, "draws": draws, "at": at, "kinds": kinds})
    commitment = commit(link(root, 0))
    return {
        "format": "club-y/2",
        "game": slug,
        "rules_version": game.rules_version,
        "seats": seats,
        "options": options,
        "commitment": commitment,
        "seed": link(root, 0).hex(),
        "nonces": nonces,
        "seals": seals,
        "entry": entry_of(commitment, nonces, seals),
        "openings": [one._asdict() for one in openings],
        "setup_draws": setup_draws,
        "setup_kinds": setup_kinds,
        "moves": moves,
        "outcome": game.outcome(state),
        "voided": False,
        "match": "https://club.example/matches/1/",
        "reseeds": [one for one in reseeds if one["after"] < len(moves)],
    }


def recorded_match(slug: str, seats: int, options: dict[str, Any], seed: int = 0) -> dict[str, Any]:
    """The record of a match played at random to its end."""
    game = get_game(slug)
    rng = Random(seed)
    nonces = [f"nonce {seat}" for seat in range(seats - 1)] + [""]
    chance = RecordedChance(SeededChance(mix(SERVER, nonces)))
    state = game.setup(seats=seats, options=options, chance=chance)
    record: dict[str, Any] = {
        "format": "club-y/1",
        "game": slug,
        "rules_version": game.rules_version,
        "seats": seats,
        "options": options,
        "commitment": commit(SERVER),
        "seed": SERVER.hex(),
        "nonces": nonces,
        "setup_draws": chance.take(),
        "moves": [],
    }
    while waiting := game.to_move(state):
        seat = rng.choice(waiting)
        at = 100 * len(record["moves"])
        move, state, _events = random_step(game, state, seat, rng, chance, at)
        number = len(record["moves"]) + 1
        record["moves"].append({"n": number, "seat": seat, "move": move, "draws": chance.take(), "at": at})
    record["outcome"] = game.outcome(state)
    return record
