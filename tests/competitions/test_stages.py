"""Groups and knock-out: the best of each table go on until one table is left."""

import pytest

from games.competitions.pairing import Plan, rounds_of
from tests.competitions.rounds import by_number, drawn, in_order, over, people, together

GROUPS = Plan("groups", 4, 2, 8)
DUEL = Plan("knockout", 2, 2, 2)


def strong(count):
    return people(count, strengths=range(3000, 3000 - count, -1))


def test_strength_is_spread_over_groups():
    tables = drawn(GROUPS, strong(12))
    pots = [range(1, 4), range(4, 7), range(7, 10), range(10, 13)]
    assert all(sum(number in pot for number in table) == 1 for table in tables for pot in pots)


def test_the_first_of_each_group_goes_on_and_the_last_table_is_the_end():
    tables = drawn(GROUPS, people(16))
    results = by_number(1, tables)
    final = drawn(GROUPS, people(16), results)
    assert together(final) == [{min(table) for table in tables}]
    assert drawn(GROUPS, people(16), results + by_number(2, final)) is None


def test_as_many_go_on_as_announced():
    plan = Plan("groups", 4, 2, 8, advance=2)
    tables = drawn(plan, people(8))
    final = drawn(plan, people(8), by_number(1, tables))
    assert together(final) == [set().union(*(sorted(table)[:2] for table in tables))]


def test_half_of_each_table_goes_on():
    plan = Plan("knockout", 4, 2, 8, advance=0)
    tables = drawn(plan, people(8))
    assert len(drawn(plan, people(8), by_number(1, tables))[0]) == 4


def test_a_group_plays_several_matches_with_other_seats():
    tables = drawn(Plan("groups", 4, 2, 8, matches=3), people(8))
    assert len(tables) == 6
    for group in together(tables)[::3]:
        assert len({table[0] for table in tables if set(table) == group}) == 3


def test_the_matches_of_a_group_are_added_up():
    plan = Plan("groups", 3, 3, 3, matches=2)
    results = [in_order(1, (1, 2, 3)), in_order(1, (3, 2, 1)), in_order(1, (2, 1, 3))]  # 2: 50 + 50 + 100
    results += [in_order(1, table) for table in [(4, 5, 6), (7, 8, 9)]]
    assert together(drawn(plan, people(9), results))[0] == {2, 4, 7}


def test_who_meets_again_does_so_only_if_needed():
    plan = Plan("groups", 2, 2, 2, advance=1)
    results = by_number(1, [(1, 2), (3, 4), (5, 6), (7, 8)])
    assert together(drawn(plan, people(8), results))[0] <= {1, 3, 5, 7}


def test_the_strong_meet_late():
    tables = drawn(DUEL, strong(8))
    assert together(tables) == [{1, 8}, {2, 7}, {3, 6}, {4, 5}]
    again = drawn(DUEL, strong(8), by_number(1, tables))
    assert together(again) == [{1, 4}, {2, 3}]


def test_strong_ones_are_spread_over_the_tables_of_a_knock_out():
    tables = drawn(Plan("knockout", 4, 2, 8, advance=2), strong(16))
    assert together(tables) == [{1, 8, 9, 16}, {2, 7, 10, 15}, {3, 6, 11, 14}, {4, 5, 12, 13}]


def test_of_an_odd_number_the_strongest_has_the_bye_and_nobody_twice():
    first = drawn(DUEL, strong(7))
    assert first[-1] == (1,) and len(first) == 4
    results = by_number(1, drawn(DUEL, strong(5)))
    second = drawn(DUEL, strong(5), results)
    assert results[-1].table == (1,) and len(second[-1]) == 1 and second[-1] != (1,)


def test_who_withdrew_is_replaced_by_the_next_best_where_sizes_ask_for_it():
    results = [
        over(1, (1, 1, 9), (2, 2, 1)),
        over(1, (3, 1, 9), (4, 2, 8)),
        over(1, (5, 1), (6, 2)),
        over(1, (7, 1), (8, 2)),
    ]
    field = [entrant for entrant in people(8) if entrant.number != 1]
    tables = drawn(DUEL, field, results)
    assert {3, 5, 7, 4} == set().union(*tables)  # 4 made the largest share of points of those who lost


def test_who_withdrew_is_not_replaced_where_sizes_do_without():
    results = by_number(1, [(1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16)])
    field = [entrant for entrant in people(16) if entrant.number != 1]
    assert together(drawn(GROUPS, field, results)) == [{5, 9, 13}]


def test_a_final_takes_place_even_if_a_finalist_withdrew():
    results = by_number(1, [(1, 2), (3, 4)])
    assert together(drawn(DUEL, people(4)[1:], results)) in ([{2, 3}], [{3, 4}])


def test_a_table_that_is_too_small_is_filled_with_the_next_best():
    plan = Plan("groups", 3, 3, 3)
    results = by_number(1, [(1, 2, 3), (4, 5, 6)])
    final = drawn(plan, people(6), results)
    assert len(final) == 1 and len(final[0]) == 3 and {1, 4} <= set(final[0])
    assert set(final[0]) & {2, 5}


def test_of_a_voided_table_somebody_goes_on_all_the_same():
    results = [over(1, (1, 1), (2, 2), void=True), in_order(1, (3, 4))]
    final = drawn(DUEL, people(4), results)
    assert len(final) == 1 and 3 in final[0]


def test_who_was_away_does_not_go_on():
    results = [over(1, (1, 1), (2, 2), away=[1]), in_order(1, (3, 4))]
    assert together(drawn(DUEL, people(4), results)) == [{2, 3}]


@pytest.mark.parametrize(
    ("plan", "entrants", "rounds"),
    [
        (DUEL, 2, 1),
        (DUEL, 8, 3),
        (DUEL, 9, 4),
        (GROUPS, 4, 1),
        (GROUPS, 16, 2),
        (GROUPS, 64, 3),
        (Plan("groups", 4, 2, 8, advance=2), 16, 3),
        (Plan("knockout", 4, 4, 4, advance=3), 6, 3),
    ],
)
def test_the_rounds_are_known_beforehand(plan, entrants, rounds):
    assert rounds_of(plan, entrants) == rounds
