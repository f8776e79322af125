"""How many random moves a second each game plays on one core: `python -m tests.bench.engine [seconds]`.

A move is: build the prompt, draw a move from it, apply it, dump the new state and load it again.
"""

import sys
import time
from random import Random
from typing import Any

from games.engine import Game, SeededChance
from games.rules import games, get_game
from tests.rules.playing import accepts, random_step

SEED = 20_240_117


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    print(f"seed {SEED}, {seconds:g} s each")
    for slug in games():
        game = get_game(slug)
        for seats in range(game.min_seats, game.max_seats + 1):
            if accepts(game, seats, {}):
                speed = f"{moves_per_second(game, seats, seconds):,.0f}".replace(",", " ")
                print(f"engine {slug} {seats} seats: {speed} moves/s")
        print(f"engine {slug} {game.max_seats} seats: a view in {view_microseconds(game):.0f} µs")


def moves_per_second(game: Game[Any], seats: int, seconds: float) -> float:
    rng = Random(SEED)
    moves = match = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        moves += play(game, seats, SeededChance(f"{SEED} {match}".encode()), rng)
        match += 1
    return moves / (time.process_time() - start)


def play(game: Game[Any], seats: int, chance: SeededChance, rng: Random) -> int:
    """Play one match at random; the number of its moves."""
    state = game.setup(seats=seats, options={}, chance=chance)
    moves = 0
    while waiting := game.to_move(state):
        seat = waiting[0]
        _move, state, _events = random_step(game, state, seat, rng, chance)
        state = game.load(game.dump(state))
        moves += 1
    return moves


def view_microseconds(game: Game[Any]) -> float:
    """The time of one view in the middle of a match with the most seats."""
    chance, rng = SeededChance(b"view"), Random(SEED)
    state = game.setup(seats=game.max_seats, options={}, chance=chance)
    for _ in range(100):
        seat = game.to_move(state)[0]
        _move, state, _events = random_step(game, state, seat, rng, chance)
    start = time.process_time()
    for _ in range(5000):
        game.view(state, 0)
    return (time.process_time() - start) / 5000 * 1e6


if __name__ == "__main__":
    main()
