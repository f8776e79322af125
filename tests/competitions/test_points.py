"""What a table is worth."""

from fractions import Fraction

from games.competitions.pairing import places, points
from tests.competitions.rounds import in_order, over


def test_the_first_makes_a_hundred_and_the_last_nothing_whatever_the_size():
    assert points(in_order(1, (1, 2))) == {1: 100, 2: 0}
    assert points(in_order(1, (3, 1, 2))) == {3: 100, 1: 50, 2: 0}
    assert points(in_order(1, (1, 2, 3, 4))) == {1: 100, 2: Fraction(200, 3), 3: Fraction(100, 3), 4: 0}


def test_who_is_level_shares_the_mean():
    assert points(over(1, (1, 1), (2, 1), (3, 3))) == {1: 75, 2: 75, 3: 0}
    assert points(over(1, (1, 1), (2, 2), (3, 2), (4, 2), (5, 5))) == {1: 100, 2: 50, 3: 50, 4: 50, 5: 0}
    assert points(over(1, (1, 1), (2, 1))) == {1: 50, 2: 50}


def test_every_table_gives_fifty_on_average():
    for size in range(2, 9):
        for tied in range(1, size + 1):
            made = points(over(1, *((number, max(1, number - tied)) for number in range(1, size + 1))))
            assert sum(made.values()) == 50 * size


def test_a_voided_table_gives_nothing_and_a_bye_half():
    assert points(over(1, (1, 1), (2, 2), void=True)) == {}
    assert points(over(1, (7, 1))) == {7: 50}


def test_who_was_away_is_last_even_if_the_bot_won():
    result = over(1, (1, 1), (2, 3), (3, 2), (4, 4), away=[1])
    assert places(result) == {3: 1, 2: 2, 4: 3, 1: 4}
    assert points(result)[1] == 0


def test_of_those_who_were_away_the_ranks_decide_as_in_the_match():
    result = over(1, (1, 1), (2, 2), (3, 3), away=[1, 3])
    assert places(result) == {2: 1, 1: 2, 3: 3}
    assert points(result) == {2: 100, 1: 50, 3: 0}


def test_who_was_away_and_has_the_same_rank_is_level():
    result = over(1, (1, 1), (2, 2), (3, 2), away=[2, 3])
    assert places(result) == {1: 1, 2: 2, 3: 2}
    assert points(result) == {1: 100, 2: 25, 3: 25}
