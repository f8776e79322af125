"""Round robin: everybody meets everybody."""

import pytest

from games.competitions.pairing import Plan, rounds_of
from games.competitions.pairing.robin import circle
from tests.competitions import bounds
from tests.competitions.rounds import by_number, drawn, people, together

TWO = Plan("robin", 2, 2, 2)


def played(plan, field, leaving=(), apart=()):
    """All results; `leaving` are gone after the first round."""
    results, round_ = [], 0
    while (tables := drawn(plan, field, results, apart, seed=round_)) is not None:
        round_ += 1
        results += by_number(round_, tables)
        field = [entrant for entrant in field if entrant.number not in leaving]
    return results, round_


@pytest.mark.parametrize(("count", "rounds"), [(2, 1), (3, 3), (6, 5), (7, 7), (20, 19)])
def test_two_at_a_table_meet_exactly_once(count, rounds):
    results, taken = played(TWO, people(count))
    met = bounds.met(results)
    assert taken == rounds == rounds_of(TWO, count)
    assert len(met) == count * (count - 1) // 2 and set(met.values()) == {1}


def test_of_an_odd_number_each_has_one_bye():
    results, _ = played(TWO, people(7))
    assert sorted(result.table[0] for result in results if len(result.table) == 1) == list(range(1, 8))


def test_a_round_of_the_circle_seats_each_once():
    for count in range(2, 12):
        for tables in circle(range(count)):
            assert sorted(number for table in tables for number in table) == list(range(count))


def test_whose_opponent_withdrew_has_a_bye_and_the_others_meet_all_the_same():
    results, rounds = played(TWO, people(6), leaving=[6])
    met = bounds.met(results)
    assert rounds == 5
    assert all(met[frozenset((one, other))] == 1 for one in range(1, 6) for other in range(1, one))


def test_who_must_not_meet_does_not():
    results, _ = played(TWO, people(6), apart=[{1, 2}])
    met = bounds.met(results)
    assert met[frozenset((1, 2))] == 0 and len(met) == 14


def test_larger_tables_meet_as_evenly_as_can_be():
    plan = Plan("robin", 3, 3, 3)
    results, rounds = played(plan, people(9))
    assert rounds == rounds_of(plan, 9) == 4
    assert set(bounds.met(results).values()) == {1} and len(bounds.met(results)) == 36


@pytest.mark.parametrize(("count", "seats"), [(5, 4), (8, 4), (13, 4), (16, 5), (11, 3)])
def test_at_larger_tables_all_meet_and_nobody_much_more_often(count, seats):
    plan = Plan("robin", seats, 2, 8)
    results, rounds = played(plan, people(count))
    met = bounds.met(results)
    assert rounds == rounds_of(plan, count) and len(met) == count * (count - 1) // 2
    assert max(met.values()) <= 1 - (-sum(met.values()) // len(met))


def test_one_table_is_one_round():
    assert rounds_of(Plan("robin", 4, 2, 8), 5) == 1
    assert together(drawn(Plan("robin", 4, 2, 8), people(5))) == [{1, 2, 3, 4, 5}]


def test_it_is_over_sooner_when_all_who_are_left_have_met():
    plan = Plan("robin", 3, 3, 3)
    results = by_number(1, [(1, 2, 3), (4, 5, 6), (7, 8, 9)])
    assert drawn(plan, people(9)[:3], results) is None
    assert together(drawn(plan, [e for e in people(9) if e.number in (1, 2, 4)], results)) == [{1, 2, 4}]
