"""Who is kept apart never sits together: silently where any arrangement allows it, else somebody has a bye."""

from itertools import combinations

from games.competitions.pairing import Plan, sit
from games.engine import SeededChance
from tests.competitions import bounds
from tests.competitions.rounds import by_number, drawn, people, together

TWO = Plan("swiss", 2, 2, 2, rounds=9)
FOUR = Plan("swiss", 4, 2, 8, rounds=9)


def test_they_sit_at_other_tables_and_nothing_else_changes():
    apart = [{1, 2}, {3, 4}, {5, 6}, {7, 8}]
    for seed in range(30):
        tables = drawn(FOUR, people(8), apart=apart, seed=seed)
        assert sorted(map(len, tables)) == [4, 4]
        assert bounds.kept(tables, {frozenset(pair) for pair in apart})


def test_the_only_arrangement_is_found():
    # 1 may only meet 2, 3 only 4, …: of 10 395 pairings one.
    apart = [{a, b} for a, b in combinations(range(1, 13), 2) if (a, b) not in {(n, n + 1) for n in range(1, 12, 2)}]
    assert together(drawn(TWO, people(12), apart=apart)) == [{n, n + 1} for n in range(1, 12, 2)]


def test_who_met_meets_again_rather():
    apart, results = [{1, 3}, {1, 4}], by_number(1, [(1, 2), (3, 4)])
    assert together(drawn(TWO, people(4), results, apart)) == [{1, 2}, {3, 4}]


def test_other_sizes_come_before_byes():
    assert sorted(map(len, drawn(FOUR, people(4), apart=[{1, 2}]))) == [2, 2]
    # 1 may only meet 2; the others are free: tables of three are not possible, of two and four they are.
    apart = [{1, other} for other in (3, 4, 5, 6)]
    assert together(drawn(Plan("swiss", 3, 2, 4, rounds=2), people(6), apart=apart)) == [{1, 2}, {3, 4, 5, 6}]


def test_if_nothing_else_is_possible_one_of_them_has_a_bye():
    tables = drawn(TWO, people(3), apart=[{1, 2}])
    assert sorted(map(len, tables)) == [1, 2] and 3 in tables[0]
    again = drawn(TWO, people(3), by_number(1, tables), apart=[{1, 2}])
    assert {tables[1], again[1]} == {(1,), (2,)}  # in turn
    assert sorted(map(len, drawn(Plan("swiss", 4, 3, 4, rounds=2), people(4), apart=[{1, 2}]))) == [1, 3]


def test_who_is_kept_apart_from_everybody_has_a_bye_each_round():
    apart = [{1, other} for other in range(2, 6)]
    tables = drawn(TWO, people(5), apart=apart)
    assert tables[-1] == (1,) and len(tables) == 3


def test_two_who_are_left_and_must_not_meet_end_it():
    assert drawn(TWO, people(2), apart=[{1, 2}]) is None
    duel, results = Plan("knockout", 2, 2, 2), by_number(1, [(1, 2), (3, 4)])
    assert drawn(duel, people(4), results) is not None
    assert drawn(duel, people(4), results, apart=[{1, 3}]) is None


def test_a_large_field_almost_all_of_whom_are_kept_apart_still_plays():
    apart = [{a, b} for a, b in combinations(range(1, 25), 2) if (a, b) != (7, 9) and b < 23]
    tables = drawn(TWO, people(24), apart=apart)
    assert bounds.kept(tables, {frozenset(pair) for pair in apart})
    assert sorted(number for table in tables for number in table) == list(range(1, 25))
    assert sum(len(table) == 2 for table in tables) >= 2


def test_of_many_only_the_one_who_is_kept_apart_from_all_has_a_bye():
    for seats in (2, 3, 4):
        tables = drawn(Plan("swiss", seats, 2, 8, rounds=2), people(61), apart=[{1, other} for other in range(2, 62)])
        assert [table for table in tables if len(table) == 1] == [(1,)]
        assert all(seats - 1 <= len(table) <= seats + 1 for table in tables[:-1])


def test_blocks_with_people_who_are_not_there_change_nothing():
    assert drawn(FOUR, people(8), apart=[{1, 99}, {50, 60}]) == drawn(FOUR, people(8))


def test_in_an_arena_somebody_further_back_sits_down_instead():
    plan = Plan("arena", 2, 2, 2)
    assert together(sit(plan, [1, 2, 3], [], {frozenset({1, 2})}, SeededChance(b"x"))) == [{1, 3}]
    assert sit(plan, [1, 2], [], {frozenset({1, 2})}, SeededChance(b"x")) == []
