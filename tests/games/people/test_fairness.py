"""The arithmetic of fairness, against printed tables and against dice that are known to be fair."""

from random import Random

import pytest

from games.queries.dice import Fairness, Luck, chi_square_tail

SEED = 20261128


@pytest.mark.parametrize(  # the printed tables of the chi-square distribution
    ("freedom", "value", "tail"),
    [
        (1, 3.841, 0.05),
        (2, 5.991, 0.05),
        (3, 7.815, 0.05),
        (5, 11.070, 0.05),
        (5, 15.086, 0.01),
        (5, 20.515, 0.001),
        (7, 14.067, 0.05),
        (10, 18.307, 0.05),
    ],
)
def test_tails_of_chi_square(freedom, value, tail):
    assert chi_square_tail(value, freedom) == pytest.approx(tail, rel=0.01)


def test_the_ends_of_chi_square():
    assert chi_square_tail(0, 5) == 1
    assert chi_square_tail(5000, 5) < 1e-300 or chi_square_tail(5000, 5) == 0


def rolled(rng: Random, number: int, faces=range(1, 7)) -> Fairness:
    thrown = rng.choices(list(faces), k=number)
    return Fairness(tuple(thrown.count(face) for face in range(1, 7)))


def test_fair_dice_stay_in_the_band_as_often_as_said():
    print("seed", SEED)
    rng = Random(SEED)
    kept = rejected = 0
    for _count in range(1000):
        fair = rolled(rng, 600)
        kept += all(abs(fair.share(face) - 1 / 6) <= fair.band for face in range(1, 7))
        rejected += fair.p_value < 0.05
    assert 930 <= kept <= 975
    assert 30 <= rejected <= 70


def test_loaded_dice_are_found():
    loaded = rolled(Random(SEED), 6000, (1, 2, 3, 4, 5, 6, 6))
    assert loaded.p_value < 1e-6
    assert abs(loaded.share(6) - 1 / 6) > loaded.band


def test_counts_by_hand():
    fair = Fairness((10, 20, 30, 40, 50, 30))
    assert (fair.total, fair.sides, fair.chi_square) == (180, 6, pytest.approx(33.333, abs=0.001))
    assert fair.share(5) == pytest.approx(50 / 180)


def test_luck():
    luck = Luck.of([0, 0, 0, 0, 0, 4])
    assert (luck.dice, luck.pips, luck.average, luck.usual) == (4, 24, 6.0, 3.5)
    assert luck.above > 0.99
    assert Luck.of([1, 1, 1, 1, 1, 1]).above == pytest.approx(0.5)
    assert Luck.of([4, 0, 0, 0, 0, 0]).above < 0.01
