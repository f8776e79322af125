"""How much less YAM menteur waits when people leave orders: `python -m tests.bench.orders [matches]`.

Bots of one level play all four seats, as people would, with "believe up to 15, doubt yam" or without.
A wait is a question that a person has to answer: an announcement, or the whole throw of a turn.
"""

import sys
from collections import Counter
from random import Random
from typing import Any

from games.engine import SeededChance
from games.rules import get_game

SEED = 20_240_117
ORDERS = {"believe_up_to": 15, "doubt": ["yam"]}
SEATS = 4


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"seed {SEED}, {matches} matches of {SEATS}, orders {ORDERS}")
    for level in get_game("yam-menteur").levels:
        without, ordered = waits(level, {}, matches), waits(level, ORDERS, matches)
        share = {what: ordered[what] / without[what] for what in without}
        print(
            f"orders yam-menteur {level}: asked to answer {ordered['answer'] / matches:.1f} times a match,"
            f" {without['answer'] / matches:.1f} without: {share['answer']:.0%};"
            f" with the throws, {sum(ordered.values()) / sum(without.values()):.0%}"
        )


def waits(level: str, orders: dict[str, Any], matches: int) -> Counter[str]:
    """How often people were waited for, in all matches: for an `answer`, and for a `throw`."""
    game = get_game("yam-menteur")
    game.check_orders(orders)
    bot = game.bot(level)
    waited: Counter[str] = Counter()
    for number in range(matches):
        rng = Random(f"{SEED} {number}")
        chance = SeededChance(f"{SEED} {number}".encode())
        state = game.setup(seats=SEATS, options={}, chance=chance)
        while waiting := game.to_move(state):
            seat = waiting[0]
            view = game.view(state, seat)
            move = game.ordered_move(view, orders)
            if move is None:
                move = bot.choose(view, rng)
                waited[view["phase"]] += view["phase"] == "answer" or view["tries"] == 0
            state, _ = game.apply(state, seat, move, chance)
    return waited


if __name__ == "__main__":
    main()
