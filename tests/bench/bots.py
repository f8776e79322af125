"""How well the bots play, and how long they think: `python -m tests.bench.bots [matches [game...]]`.

Each strength plays against the next, then fixed recipes against the sharpest: one seat against the others.
"""

import sys
import time
from collections.abc import Iterator
from random import Random
from statistics import fmean, quantiles, stdev
from typing import Any

from games.engine import Bot, Game, SeededChance
from games.rules import games, get_game
from tests.bench.recipes import recipes
from tests.rules.playing import fewest

SEED = 20_240_117
SEATS = {"yam-menteur": 4, "yesss": 4, "yes": 4}
"""How many sit down; elsewhere two."""


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"seed {SEED}, {matches} matches each")
    for slug in sys.argv[2:] or games():
        game, seats = get_game(slug), SEATS.get(slug, 2)
        for level in game.levels:
            _alone(game, level, matches)
        for rival, level in zip(game.levels, game.levels[1:], strict=False):
            won = wins(game, game.bot(level), game.bot(rival), seats, matches)
            print(
                f"bots {slug} {level} against {seats - 1} {rival}, {len(won)} matches: {told(won, seats)}", flush=True
            )
        for name, recipe in recipes(slug).items():
            won = wins(game, recipe, game.bot("strong"), seats, matches)
            print(f"bots {slug} who {name} against {seats - 1} strong, {len(won)} matches: {share(won)}", flush=True)


def _alone(game: Game[Any], level: str, matches: int) -> None:
    """Print how bots of one level play among themselves."""
    thinking: list[float] = []
    seats = SEATS.get(game.slug, fewest(game))
    ended = list(play(game, [game.bot(level)] * seats, matches, thinking))
    totals = [score for view in ended for score in view["outcome"]["scores"]]
    print(f"bots {game.slug} {level} alone: mean total {with_interval(totals)}; {milliseconds(thinking)}", flush=True)
    if game.slug == "yes":
        print(f"bots yes {level} alone: {lengths([view['turn'] for view in ended])}", flush=True)


def play(game: Game[Any], bots: list[Bot], matches: int, thinking: list[float]) -> Iterator[dict[str, Any]]:
    """What watchers see at the end of matches between those bots; `thinking` gets each move's CPU seconds."""
    for number in range(matches):
        rng = Random(f"{SEED} {number}")
        chance = SeededChance(f"{SEED} {number}".encode())
        state = game.setup(seats=len(bots), options={}, chance=chance)
        while waiting := game.to_move(state):
            view = game.view(state, waiting[0])
            start = time.thread_time()
            move = bots[waiting[0]].choose(view, rng)
            thinking.append(time.thread_time() - start)
            state, _ = game.apply(state, waiting[0], move, chance)
        yield game.view(state, None)


def wins(game: Game[Any], one: Bot, rival: Bot, seats: int, matches: int) -> list[float]:
    """For each of so many matches of one against rivals, in every seat equally often: what it won (1, 0, a share)."""
    won = []
    for place in range(seats):
        bots = [one if seat == place else rival for seat in range(seats)]
        for view in play(game, bots, matches // seats, []):
            winners = view["outcome"]["winners"]
            won.append((place in winners) / len(winners))
    return won


def odds(won: list[float], seats: int) -> float:
    """The share of one bot against one of its rivals: 0.5 where it wins as often as each of them."""
    mine, theirs = fmean(won), (1 - fmean(won)) / (seats - 1)
    return mine / (mine + theirs)


def told(won: list[float], seats: int) -> str:
    weighed = 100 * odds(won, seats)
    return f"{weighed:.1f} : {100 - weighed:.1f} ({share(won)})"


def with_interval(values: list[int]) -> str:
    """The mean and its 95 % interval."""
    return f"{fmean(values):.1f} ± {1.96 * stdev(values) / len(values) ** 0.5:.1f}"


def share(values: list[float]) -> str:
    return f"{100 * fmean(values):.1f} % ± {196 * stdev(values) / len(values) ** 0.5:.1f} won"


def lengths(rolls: list[int]) -> str:
    """The median of the matches' rolls, and how short and long they are."""
    tenths = quantiles(rolls, n=10)
    return f"rolls: median {tenths[4]:.0f}, tenth percentile {tenths[0]:.0f}, ninetieth {tenths[8]:.0f}"


def milliseconds(seconds: list[float]) -> str:
    """Mean, 99th percentile and worst; the first hundred moves warm the tables up."""
    steady = sorted(1000 * each for each in seconds[100:])
    p99 = steady[len(steady) * 99 // 100]
    return f"{fmean(steady):.2f} ms of CPU a move, p99 {p99:.1f}, worst {steady[-1]:.1f}"


if __name__ == "__main__":
    main()
