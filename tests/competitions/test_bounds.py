"""The bounds by which random tournaments are judged: they must find what is wrong."""

from fractions import Fraction

from games.competitions.pairing import Plan
from tests.competitions import bounds
from tests.competitions.rounds import by_number

TABLES = [(1, 2), (3, 4)]


def test_meeting_a_third_time_is_needless_while_somebody_was_never_met():
    before = bounds.met(by_number(1, TABLES) + by_number(2, TABLES))
    assert bounds.needless(TABLES, before, ()) == 2
    assert bounds.needless([(1, 3), (2, 4)], before, ()) <= 1


def test_it_is_not_where_nobody_else_may_be_met():
    before = bounds.met(by_number(1, TABLES) + by_number(2, TABLES))
    assert bounds.needless(TABLES, before, {frozenset((1, 3)), frozenset((2, 3))}) <= 1


def test_pigeonholes_do_not_see_triangles_but_the_search_does():
    # Within 1, 2, 3 and within 4, 5, 6 nobody met; across, all did twice: two tables of two must mix.
    results = [
        result for one in (1, 2, 3) for other in (4, 5, 6) for result in by_number(one * 7 + other, [(one, other)])
    ]
    before = bounds.met(results + by_number(99, [(1, 4), (2, 5), (3, 6)]))
    assert bounds.worst([(1, 2), (4, 5), (3, 6)], before) == 2
    assert bounds.needless([(1, 2), (4, 5), (3, 6)], before, ()) <= 1
    assert not bounds.divisible(range(1, 7), [2, 2, 2], {frozenset(pair) for pair in [(1, 2), (1, 3), (2, 3), (4, 5)]})
    assert bounds.divisible(range(1, 5), [2, 2], {frozenset((1, 4)), frozenset((2, 3))})


def test_the_matches_of_a_group_are_one_meeting():
    assert bounds.met(by_number(1, [(1, 2), (2, 1)]) + by_number(2, [(1, 2)])) == {frozenset((1, 2)): 2}


def test_who_is_first_too_often_is_found():
    assert bounds.first_beyond_share(by_number(1, [(1, 2)]) + by_number(2, [(1, 2, 3)])) == Fraction(7, 6)


def test_byes_that_blocks_ask_for_are_counted():
    plan = Plan("swiss", 2, 2, 2)
    assert bounds.fewest_byes([1, 2, 3, 4], plan, ()) == 0
    assert bounds.fewest_byes([1, 2, 3, 4], plan, {frozenset((1, other)) for other in (2, 3, 4)}) == 2
    assert bounds.fewest_byes([1, 2], plan, {frozenset((1, 2))}) == 2
