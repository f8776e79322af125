"""What the tests of all games share: every way to set up a game, and random play."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from games.engine import Game, RecordedChance, SeededChance, commit, games, get_game, mix, sample_move

SERVER = bytes(range(32))


def setups() -> list[tuple[str, int, dict[str, Any]]]:
    """(slug, seats, options) for every game, seat count and combination of options that it accepts."""
    return [
        (slug, seats, options)
        for slug in games()
        for seats in range(get_game(slug).min_seats, get_game(slug).max_seats + 1)
        for options in option_choices(get_game(slug))
        if accepts(get_game(slug), seats, options)
    ]


def option_choices(game: Game[Any]) -> Iterator[dict[str, Any]]:
    """Every combination of options; of a range its ends, of a long list its first two."""
    names = list(game.option_fields)
    values = [
        field["one_of"][: None if len(field["one_of"]) < 6 else 2]
        if "one_of" in field
        else sorted({field["min"], field["max"]})
        for field in game.option_fields.values()
    ]
    for chosen in product(*values):
        yield dict(zip(names, chosen, strict=True))


def accepts(game: Game[Any], seats: int, options: dict[str, Any]) -> bool:
    try:
        game.setup(seats=seats, options=options, chance=SeededChance(b""))
    except ValueError:
        return False
    return True


def positions(
    game: Game[Any], seats: int, options: dict[str, Any], seed: int, end: bool = True
) -> Iterator[Any]:
    """The states of a match played at random; with `end`, the last one too."""
    rng = Random(seed)
    chance = SeededChance(seed.to_bytes(8, "big"))
    state = game.setup(seats=seats, options=options, chance=chance)
    while waiting := game.to_move(state):
        yield state
        seat = rng.choice(waiting)
        state, _ = game.apply(state, seat, sample_move(game.prompt(state, seat), rng), chance)
    if end:
        yield state


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
        move = sample_move(game.prompt(state, seat), rng)
        at = 1000 * len(record["moves"])
        state, _ = game.apply(state, seat, move, chance, at)
        number = len(record["moves"]) + 1
        record["moves"].append({"n": number, "seat": seat, "move": move, "draws": chance.take(), "at": at})
    record["outcome"] = game.outcome(state)
    return record
