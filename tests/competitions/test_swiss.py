"""Swiss: strength is spread at first, then neighbours meet who met least."""

import time
from itertools import combinations

import pytest

from games.competitions.pairing import Plan, rounds_of
from tests.competitions import bounds
from tests.competitions.rounds import by_number, drawn, people, together

FOUR = Plan("swiss", 4, 2, 8, rounds=4)
TWO = Plan("swiss", 2, 2, 2, rounds=7)


def test_the_first_round_spreads_strength_over_the_tables():
    tables = drawn(FOUR, people(16, strengths=range(2000, 400, -100)))
    assert all([sum(number in pot for number in table) for pot in pots()] == [1, 1, 1, 1] for table in tables)


def pots():
    return [range(1, 5), range(5, 9), range(9, 13), range(13, 17)]


def test_who_of_a_pot_comes_to_which_table_is_chance():
    field = people(16, strengths=range(2000, 400, -100))
    assert len({str(together(drawn(FOUR, field, seed=seed))) for seed in range(20)}) > 15


def test_the_same_chance_gives_the_same_draw_whatever_the_order_of_what_is_known():
    field = people(13)
    results = by_number(1, drawn(FOUR, field))
    assert drawn(FOUR, field, results) == drawn(FOUR, field[::-1], results[::-1])


def test_neighbours_in_points_meet():
    field = people(8)
    results = by_number(1, [(1, 2), (3, 4), (5, 6), (7, 8)])
    tables = drawn(TWO, field, results)
    assert all({number % 2 for number in table} in ({0}, {1}) for table in tables)  # winners are odd


def test_neighbours_who_met_do_not_meet_again_if_others_are_there():
    field = people(8)
    results = by_number(1, [(1, 2), (3, 4), (5, 6), (7, 8)])
    results += by_number(2, [(1, 3), (5, 7), (2, 4), (6, 8)])
    # 1 and 5 have 200, 8 and 4 nothing, the others 100: they did not meet, but 3 and 7 met 1, 5, 4, 8.
    tables = together(drawn(TWO, field, results))
    assert {1, 5} in tables and {4, 8} in tables
    assert bounds.worst([tuple(table) for table in tables], bounds.met(results)) == 0


def test_nobody_meets_twice_while_a_round_without_it_is_left():
    field, results = people(8), []
    for round_ in range(1, 6):
        results += by_number(round_, drawn(TWO, field, results))
    assert set(bounds.met(results).values()) == {1} and len(bounds.met(results)) == 20


def test_if_people_must_meet_again_those_who_met_least_do():
    field, results = people(4), by_number(1, [(1, 2), (3, 4)]) + by_number(2, [(1, 3), (2, 4)])
    results += by_number(3, [(1, 2), (3, 4)]) + by_number(4, [(1, 3), (2, 4)])
    assert together(drawn(TWO, field, results)) == [{1, 4}, {2, 3}]


def test_the_bye_goes_to_the_last_who_had_none():
    field = people(5, strengths=[1900, 1800, 1700, 1600, 1500])
    first = drawn(TWO, field)
    assert first[-1] == (5,)
    results = by_number(1, first)
    had = [5]
    for round_ in range(2, 6):
        tables = drawn(TWO, field, results, seed=round_)
        had.append(tables[-1][0])
        results += by_number(round_, tables)
    assert sorted(had) == [1, 2, 3, 4, 5]
    assert had[1] in [max(table) for table in first[:2]]  # who lost in the first round


def test_no_bye_where_another_size_does():
    assert sorted(map(len, drawn(Plan("swiss", 2, 2, 3, rounds=3), people(5)))) == [2, 3]


def test_it_is_over_after_the_announced_rounds():
    field, results = people(8), []
    for round_ in range(1, 5):
        results += by_number(round_, drawn(FOUR, field, results))
    assert drawn(FOUR, field, results) is None


def test_who_is_left_plays_on_and_one_alone_ends_it():
    field = people(8)
    results = by_number(1, drawn(FOUR, field))
    assert together(drawn(FOUR, field[:3], results)) == [{1, 2, 3}]
    assert drawn(FOUR, field[:1], results) is None
    assert drawn(FOUR, [], results) is None


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"), [(2, 2, 1), (8, 2, 4), (32, 2, 6), (32, 4, 4), (5, 4, 2), (4, 4, 1)]
)
def test_as_many_rounds_as_are_needed(entrants, seats, rounds):
    assert rounds_of(Plan("swiss", seats, 2, 8), entrants) == rounds


def test_announced_rounds_stand():
    assert rounds_of(FOUR, 100) == 4


def test_a_thousand_are_paired_in_less_than_two_seconds():
    field, results, plan = (
        people(1000, [1000 + number * 7 % 900 for number in range(1000)]),
        [],
        Plan("swiss", 4, 3, 5, 5),
    )
    for round_ in range(1, 6):
        begun = time.process_time()
        tables = drawn(plan, field, results)
        taken = time.process_time() - begun
        assert taken < 2
        before = bounds.met(results)
        assert not any(before[frozenset(pair)] for table in tables for pair in combinations(table, 2))
        results += by_number(round_, tables)
