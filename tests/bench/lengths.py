"""How long a match of ¥€$ between bots is, by seat count: `python -m tests.bench.lengths [matches]`.

Counted in rolls of the white dice, without a limit of rounds.
"""

import sys
from collections import Counter
from random import Random
from statistics import fmean

from games.engine import Event, SeededChance
from games.rules import get_game

SEED = 20_240_117
LONG = 400
"""So many rolls are enough for a match, nearly always (spec: yes.md)."""


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"seed {SEED}, {matches} matches each")
    game = get_game("yes")
    for level in game.levels:
        for seats in range(game.min_seats, game.max_seats + 1):
            played = [length(level, seats, number) for number in range(matches)]
            rolls = sorted(each for each, _why in played)
            ends = Counter(why for _rolls, why in played)
            told = ", ".join(f"{why} {count / matches:.0%}" for why, count in ends.most_common())
            print(
                f"lengths yes {level} {seats} seats: mean {fmean(rolls):.1f} rolls, p99"
                f" {rolls[matches * 99 // 100]}, longest {rolls[-1]},"
                f" within {LONG}: {sum(each <= LONG for each in rolls) / matches:.1%}; {told}",
                flush=True,
            )


def length(level: str, seats: int, number: int) -> tuple[int, str]:
    """The rolls of a match of bots of one level, and why it ended."""
    game = get_game("yes")
    bot = game.bot(level)
    rng = Random(f"{SEED} {number}")
    chance = SeededChance(f"{SEED} {number}".encode())
    state = game.setup(seats=seats, options={}, chance=chance)
    events: list[Event] = []
    while waiting := game.to_move(state):
        move = bot.choose(game.view(state, waiting[0]), rng)
        state, events = game.apply(state, waiting[0], move, chance)
    return state.turn, events[-1]["why"]


if __name__ == "__main__":
    main()
