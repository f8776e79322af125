"""¥€$ played at random, with the books kept a second time, from what the events say."""

from random import Random

import pytest

from games.engine import SeededChance, sample_move
from games.rules import get_game
from tests import FULL
from tests.rules.yes_match import books_agree, check

SEEDS = range(12 if FULL else 4)


@pytest.mark.thin(4)
@pytest.mark.parametrize("rounds", [0, 5, 12])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_cards_and_money_are_where_the_events_say(seats, rounds):
    game = get_game("yes")
    for seed in SEEDS:
        rng, chance = Random(seed), SeededChance(f"{seats} {rounds} {seed}".encode())
        state = game.setup(seats=seats, options={"rounds": rounds}, chance=chance)
        check(state)
        while waiting := game.to_move(state):
            seat = rng.choice(waiting)
            assert seat not in state.out
            before = state
            state, events = game.apply(state, seat, sample_move(game.prompt(state, seat), rng), chance)
            check(state)
            books_agree(before, state, events)
            assert state.over or max(state.cash) < 2_000_000
        outcome = game.outcome(state)
        assert not rounds or state.turn <= rounds * seats
        assert state.turn == rounds * seats or len(outcome["winners"]) == 1
        assert [score > 0 for score in outcome["scores"]] == [
            seat not in state.out and state.wealth(seat) > 0 for seat in range(seats)
        ]


def test_a_long_match_is_as_small_as_a_short_one():
    game = get_game("yes")
    sizes = []
    for seed in range(30 if FULL else 10):
        rng, chance = Random(seed), SeededChance(f"size {seed}".encode())
        state = game.setup(seats=6, options={}, chance=chance)
        while waiting := game.to_move(state):
            state, _ = game.apply(state, waiting[0], sample_move(game.prompt(state, waiting[0]), rng), chance)
            sizes.append(len(game.dump(state)))
    assert max(sizes) < 3_000


def test_one_possibility_is_carried_out_unasked():
    """No prompt of `give_up` or `liquidate` has a single card; all others may have a single possibility."""
    game = get_game("yes")
    for seed in range(40 if FULL else 15):
        rng, chance = Random(seed), SeededChance(f"single {seed}".encode())
        state = game.setup(seats=5, options={}, chance=chance)
        while waiting := game.to_move(state):
            prompt = game.prompt(state, waiting[0])
            if prompt["phase"] in ("give_up", "debt"):
                assert len(prompt["moves"][0]["country"]["one_of"]) > 1
            state, _ = game.apply(state, waiting[0], sample_move(prompt, rng), chance)
