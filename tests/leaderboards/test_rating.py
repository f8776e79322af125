"""The arithmetic of ratings against a reckoning of its own, and what must hold of any match."""

import math
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboards import rating
from leaderboards.rating import Player, changes, duels, forecast, moved
from tests import FULL

SEED = 20261128
MATCHES = 5_000 if FULL else 1_500

players = st.lists(
    st.builds(Player, st.integers(100_00, 3200_00), st.integers(0, 60), st.integers(1, 8)),
    min_size=2,
    max_size=8,
)


def reckoned(points: list[float], matches: list[int], scores: list[int]) -> list[Fraction]:
    """New ratings, unrounded, by the formula (spec: site.md, Ratings), by floats and fractions."""
    found = []
    for i, own in enumerate(points):
        total = Fraction(0)
        for j, other in enumerate(points):
            if i != j:
                real = (1 + (scores[i] > scores[j]) - (scores[i] < scores[j])) / 2
                total += Fraction(real) - Fraction(1 / (1 + math.pow(10, (other - own) / 400)))
        k = 40 if matches[i] < 20 else 20
        found.append(max(Fraction(100), Fraction(own) + k * total / (len(points) - 1)))
    return found


@pytest.mark.thin(0)
def test_five_thousand_matches_against_an_independent_reckoning():
    """A world of 40 members plays 5 000 matches (in short 1 500) of 2 to 8 seats, with ties, one after another."""
    print(f"seed {SEED}")
    rng = Random(SEED)
    world = [Player(rating.START, 0, 1)] * 40
    sizes, ties, floors = set(), 0, 0
    for _ in range(MATCHES):
        table = rng.sample(range(40), rng.randint(2, 8))
        scores = [rng.randint(0, 6) + member // 4 for member in table]  # some are better players: they spread
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        seated = [world[member]._replace(rank=rank) for member, rank in zip(table, ranks, strict=True)]
        deltas = changes(seated)
        expected = reckoned([p.rating / 100 for p in seated], [p.matches for p in seated], scores)
        for member, player, delta, wanted in zip(table, seated, deltas, expected, strict=True):
            assert abs(Fraction(player.rating + delta, 100) - wanted) <= Fraction(5, 1000) + Fraction(1, 10**9)
            world[member] = Player(player.rating + delta, player.matches + 1, 1)
            floors += player.rating + delta == rating.FLOOR
        sizes.add(len(table))
        ties += len(set(ranks)) < len(ranks)
    assert sizes == set(range(2, 9))
    assert ties > MATCHES / 5
    assert max(p.rating for p in world) - min(p.rating for p in world) > 500_00
    assert min(p.matches for p in world) > rating.QUICK_MATCHES


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ([(1500_00, 0, 1), (1500_00, 0, 2)], [20_00, -20_00]),
        ([(1500_00, 0, 1), (1500_00, 0, 1)], [0, 0]),
        ([(1500_00, 20, 1), (1500_00, 19, 2)], [10_00, -20_00]),
        ([(1600_00, 50, 1), (1400_00, 50, 2)], [4_81, -4_81]),
        ([(1400_00, 50, 1), (1600_00, 50, 2)], [15_19, -15_19]),
        ([(1500_00, 0, 1), (1500_00, 0, 2), (1500_00, 0, 2)], [20_00, -10_00, -10_00]),
        ([(1500_00, 0, 1), (1500_00, 0, 1), (1500_00, 0, 3), (1500_00, 0, 4)], [13_33, 13_33, -6_67, -20_00]),
        ([(110_00, 0, 2), (110_00, 0, 1)], [-10_00, 20_00]),
        ([(100_00, 0, 2), (3000_00, 0, 1)], [0, 0]),
    ],
)
def test_matches_worked_out_by_hand(table, wanted):
    assert changes([Player(*player) for player in table]) == wanted


@given(players)
def test_a_rating_never_falls_below_the_floor_and_moves_no_more_than_k(table):
    for player, delta in zip(table, changes(table), strict=True):
        assert player.rating + delta >= rating.FLOOR
        assert abs(delta) <= 100 * rating.k_factor(player.matches)


@given(players)
def test_the_order_of_the_seats_changes_nothing(table):
    assert changes(table[::-1]) == changes(table)[::-1]


@given(players)
def test_what_the_duels_brought_adds_up_to_the_change(table):
    for who, delta in enumerate(changes(table)):
        total = sum((duel.points for duel in duels(table, who)), Decimal(0))
        assert moved(table[who].rating, round(total)) == delta
        assert len(duels(table, who)) == len(table) - 1


@given(st.integers(100_00, 3200_00), st.integers(100_00, 3200_00))
def test_two_expectations_make_one(own, other):
    total = rating.expected(own, other) + rating.expected(other, own)
    assert abs(total - 1) < Decimal("1e-20")


@given(players)
def test_nobody_gains_more_than_the_forecast_or_less(table):
    ranked = [player._replace(rank=number + 1) for number, player in enumerate(table)]
    first, last = forecast(table, 0)
    assert changes(ranked)[0] == first
    assert changes(ranked[::-1])[-1] == changes(ranked)[0]
    assert last <= 0 <= first
    assert last <= changes(table)[0] <= first


@pytest.mark.parametrize(("hundredths", "points"), [(1500_49, 1500), (1500_50, 1500), (1501_50, 1502), (100_00, 100)])
def test_shown_whole(hundredths, points):
    assert rating.whole(hundredths) == points


def test_the_first_matches():
    assert [rating.k_factor(n) for n in (0, 19, 20, 500)] == [40, 40, 20, 20]
    assert [rating.is_provisional(n) for n in (0, 9, 10)] == [True, True, False]
