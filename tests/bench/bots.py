"""How well the bots play, and how long they think: `python -m tests.bench.bots [matches [game...]]`."""

import sys
import time
from collections.abc import Iterator
from random import Random
from statistics import fmean, stdev
from typing import Any

from games.engine import Bot, Game, SeededChance
from games.rules import games, get_game
from tests.bench.yay_rivals import RIVALS
from tests.rules.playing import fewest

SEED = 20_240_117
DUELS = {"yam-menteur": (4, 2000), "yesss": (4, 400), "yes": (4, 1000)}
"""Games in which strong meets more than one easy: how many sit down, and the least number of matches."""
MORE_RIVALS: dict[str, dict[str, Bot]] = {"yay": RIVALS}


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"seed {SEED}, {matches} matches each")
    for slug in sys.argv[2:] or games():
        game = get_game(slug)
        for level in game.levels:
            thinking: list[float] = []
            outcomes = play(game, [game.bot(level) for _ in range(fewest(game))], matches, thinking)
            totals = [score for outcome in outcomes for score in outcome["scores"]]
            print(f"bots {slug} {level} alone: mean total {with_interval(totals)}")
            print(f"bots {slug} {level}: {milliseconds(thinking)}")
        seats, least = DUELS.get(slug, (2, matches))
        for name, rival in {"easy": game.bot("easy"), **MORE_RIVALS.get(slug, {})}.items():
            won = wins(game, rival, seats, max(matches, least))
            print(f"bots {slug} strong against {seats - 1} {name}, {len(won)} matches: {share(won)}", flush=True)


def play(game: Game[Any], bots: list[Bot], matches: int, thinking: list[float]) -> Iterator[dict[str, Any]]:
    """The outcomes of matches between those bots; `thinking` gets each move's CPU seconds."""
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
        outcome = game.outcome(state)
        assert outcome is not None
        yield outcome


def wins(game: Game[Any], rival: Bot, seats: int, matches: int) -> list[float]:
    """For each of so many matches of one strong against rivals: what it won (1, 0, or its share)."""
    won = []
    for strong in range(seats):
        bots = [game.bot("strong") if seat == strong else rival for seat in range(seats)]
        for outcome in play(game, bots, matches // seats, []):
            winners = outcome["winners"]
            won.append((strong in winners) / len(winners))
    return won


def with_interval(values: list[int]) -> str:
    """The mean and its 95 % interval."""
    return f"{fmean(values):.1f} ± {1.96 * stdev(values) / len(values) ** 0.5:.1f}"


def share(values: list[float]) -> str:
    return f"{100 * fmean(values):.1f} % ± {196 * stdev(values) / len(values) ** 0.5:.1f} won"


def milliseconds(seconds: list[float]) -> str:
    """Mean, 99th percentile and worst; the first hundred moves warm the tables up."""
    steady = sorted(1000 * each for each in seconds[100:])
    p99 = steady[len(steady) * 99 // 100]
    return f"{fmean(steady):.2f} ms of CPU a move, p99 {p99:.1f}, worst {steady[-1]:.1f}"


if __name__ == "__main__":
    main()
