"""The order of seats."""

from collections import Counter

from games.competitions.pairing import Plan
from games.competitions.pairing.seats import Seats, rotated
from games.engine import SeededChance
from tests.competitions import bounds
from tests.competitions.rounds import by_number, drawn, in_order, people


def ordered(tables, results, seed=0):
    return Seats(results).ordered(tables, SeededChance(b"%d" % seed))


def test_at_first_it_is_chance():
    first = Counter(ordered([(1, 2, 3)], [], seed)[0][0] for seed in range(300))
    assert all(70 < first[number] < 130 for number in (1, 2, 3))


def test_who_was_first_less_often_is_first():
    results = [in_order(1, (1, 2)), in_order(1, (3, 4))]
    assert ordered([(1, 4), (2, 3)], results) == [(4, 1), (2, 3)]


def test_who_was_at_fewer_tables_owes_nothing():
    # 1 was first at one table of two, which is half more than the share; 2 never sat anywhere.
    assert ordered([(1, 2)], [in_order(1, (1, 3))]) == [(2, 1)]
    # 1 was second twice, 2 first once and second once: 1 has missed more.
    results = [in_order(1, (3, 1)), in_order(2, (4, 1)), in_order(1, (2, 3)), in_order(2, (4, 2))]
    assert ordered([(1, 2)], results) == [(1, 2)]


def test_a_bye_is_no_seat():
    assert ordered([(1, 2)], by_number(1, [(1,)]), seed=1) == ordered([(1, 2)], [], seed=1)


def test_over_a_tournament_nobody_is_first_much_more_often():
    plan, field, results = Plan("swiss", 4, 2, 8, rounds=12), people(30), []
    for round_ in range(1, 13):
        results += by_number(round_, drawn(plan, field, results, seed=round_))
        assert bounds.first_beyond_share(results) <= 1


def test_who_was_first_least_often_is_first_in_one_of_several_matches():
    results = [in_order(1, (1, 5, 6)), in_order(1, (2, 7, 8)), in_order(2, (1, 7, 5)), in_order(2, (3, 6, 8))]
    (order,) = Seats(results).ordered([(1, 2, 3, 8)], SeededChance(b"x"), matches=3)
    assert order[-1] == 1 and order[0] == 8


def test_the_matches_of_a_group_move_the_seats_on():
    assert rotated((1, 2, 3), 4) == [(1, 2, 3), (2, 3, 1), (3, 1, 2), (1, 2, 3)]
