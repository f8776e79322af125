"""The bots: they see views only, think fast, and strong is the stronger."""

import time
from random import Random
from statistics import fmean

import pytest

from games.engine import SeededChance, games, get_game, permits
from tests.bench.yay_rivals import RIVALS
from tests.rules.playing import positions

every_game = pytest.mark.parametrize("slug", games())


def play(game, bots, seed):
    chance = SeededChance(seed.to_bytes(4, "big"))
    rng = Random(seed)
    state = game.setup(seats=len(bots), options={}, chance=chance)
    while waiting := game.to_move(state):
        move = bots[waiting[0]].choose(game.view(state, waiting[0]), rng)
        state, _ = game.apply(state, waiting[0], move, chance)
    return game.outcome(state)


@every_game
@pytest.mark.parametrize("level", ["easy", "strong"])
def test_a_bot_chooses_from_the_prompt_wherever_it_is_put(slug, level):
    game = get_game(slug)
    bot = game.bot(level)
    for state in positions(game, game.max_seats, {}, seed=11, end=False):
        seat = game.to_move(state)[0]
        view = game.view(state, seat)
        assert permits(view["prompt"], bot.choose(view, Random(1)))


@every_game
def test_a_bot_plays_the_same_with_the_same_dice(slug):
    game = get_game(slug)
    for level in game.levels:
        bots = [game.bot(level) for _ in range(game.min_seats)]
        assert play(game, bots, 5) == play(game, bots, 5)


def test_strong_is_25_points_better_alone_and_wins():
    game = get_game("yum-extra")
    totals = {}
    for level in game.levels:
        bots = [game.bot(level), game.bot(level)]
        totals[level] = fmean(score for seed in range(60) for score in play(game, bots, seed)["scores"])
    assert totals["strong"] > totals["easy"] + 25
    won = [1 in play(game, [game.bot("easy"), game.bot("strong")], seed)["winners"] for seed in range(60)]
    assert fmean(won) > 0.7


def test_strong_of_yay_wins_by_aiming_and_by_deciding():
    game = get_game("yay")
    for rival in (game.bot("easy"), *RIVALS.values()):
        won = []
        for seed in range(16):
            strong = seed % 2
            bots = [game.bot("strong") if seat == strong else rival for seat in range(2)]
            won.append(strong in play(game, bots, seed)["winners"])
        assert fmean(won) > 0.8


def test_strong_of_yay_moves_in_under_100_ms():
    game = get_game("yay")
    bot = game.bot("strong")
    for state in positions(game, 4, {}, seed=12, end=False):
        view = game.view(state, game.to_move(state)[0])
        start = time.process_time()
        bot.choose(view, Random(1))
        assert time.process_time() - start < 0.1


def test_strong_moves_in_under_50_ms():
    game = get_game("yum-extra")
    bot = game.bot("strong")
    for state in positions(game, 4, {}, seed=12, end=False):
        view = game.view(state, game.to_move(state)[0])
        start = time.process_time()
        bot.choose(view, Random(1))
        assert time.process_time() - start < 0.05
