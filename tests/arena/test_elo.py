"""Elo by maximum likelihood, against values that are known."""

import math
from random import Random

import pytest

from games.arena.elo import SCALE, expected, ratings


def games_of(first: int, second: int, won: int, drawn: int, lost: int):
    results = [1.0] * won + [0.5] * drawn + [0.0] * lost
    return [[(first, second, one)] for one in results]


@pytest.mark.parametrize(
    ("won", "lost", "apart"), [(75, 25, 190.8485), (64, 36, 99.9506), (50, 50, 0.0), (10, 90, -381.6970)]
)
def test_two_players_are_apart_as_the_formula_says(won, lost, apart):
    one, other = ratings(2, games_of(0, 1, won, 0, lost))
    assert one.elo - other.elo == pytest.approx(apart, abs=1e-3)
    assert one.elo + other.elo == pytest.approx(0, abs=1e-6)


def test_a_drawn_game_is_half_a_won_one():
    drawn = ratings(2, games_of(0, 1, 50, 50, 0))
    assert drawn[0].elo - drawn[1].elo == pytest.approx(190.8485, abs=1e-3)


def test_the_interval_of_two_is_that_of_a_share():
    """The difference has the error of log odds, 1/sqrt(n p q); each of the two, half of it."""
    one, _other = ratings(2, games_of(0, 1, 75, 0, 25))
    assert one.plus_minus == pytest.approx(1.959964 * SCALE / math.sqrt(100 * 0.75 * 0.25) / 2, rel=1e-6)


def test_results_that_hang_together_tell_less():
    alone = ratings(2, games_of(0, 1, 60, 0, 40))
    tied = ratings(2, [[(0, 1, won)] * 2 for won in [1.0] * 30 + [0.0] * 20])
    assert tied[0].elo == pytest.approx(alone[0].elo)
    assert tied[0].plus_minus == pytest.approx(alone[0].plus_minus * math.sqrt(2), rel=1e-6)


def test_a_third_is_placed_by_whom_it_met():
    """Bradley and Terry's chain: two steps of 3 : 1 are one of 9 : 1."""
    found = ratings(3, [*games_of(0, 1, 75, 0, 25), *games_of(1, 2, 75, 0, 25)])
    assert found[0].elo - found[2].elo == pytest.approx(2 * 190.8485, abs=1e-3)
    assert found[0].plus_minus > found[1].plus_minus


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_who_never_lost_is_not_bounded_and_the_rest_is_told(order):
    best, middle, worst = order
    found = ratings(3, [*games_of(best, middle, 10, 0, 0), *games_of(middle, worst, 6, 0, 4)])
    assert not found[best].is_bounded
    assert found[best].elo > found[middle].elo > found[worst].elo
    assert all(math.isfinite(one.elo) and math.isfinite(one.plus_minus) for one in found)


def test_who_met_nobody_is_no_trouble():
    found = ratings(3, games_of(0, 1, 6, 0, 4))
    assert not found[2].is_bounded and found[2].elo == pytest.approx(0, abs=1e-6)
    assert ratings(2, []) == [(0.0, 0.0, False)] * 2


def test_the_interval_holds_what_it_promises():
    """Of 400 tournaments between players of known strength, about 95 % have the truth in their interval."""
    rng, truth, inside = Random(22), [0.6, 0.0, -0.6], 0
    for _ in range(400):
        groups = []
        for first, second in ((0, 1), (1, 2), (0, 2)) * 40:
            won = float(rng.random() < expected(truth[first], truth[second]))
            groups.append([(first, second, won)])
        one = ratings(3, groups)[0]
        inside += abs(one.elo - SCALE * truth[0]) <= one.plus_minus
    assert 0.92 <= inside / 400 <= 0.98
