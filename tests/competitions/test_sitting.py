"""All in one evening: whom to seat out of those who wait."""

from games.competitions.pairing import Plan, rounds_of, sit
from games.engine import SeededChance
from tests.competitions.rounds import by_number, together

FOUR = Plan("arena", 4, 3, 5)
TWO = Plan("arena", 2, 2, 2)


def seated(plan, waiting, results=(), hurry=False):
    return sit(plan, waiting, results, (), SeededChance(b"evening"), hurry=hurry)


def test_who_waits_longest_sits_down_and_the_rest_wait():
    tables = seated(FOUR, [9, 3, 7, 1, 8, 2, 6, 4, 5, 10])
    assert sorted(number for table in tables for number in table) == [1, 2, 3, 4, 6, 7, 8, 9]


def test_too_few_wait_for_others():
    assert seated(FOUR, [1, 2, 3]) == []
    assert seated(FOUR, []) == []


def test_in_a_hurry_smaller_and_larger_tables_do():
    assert sorted(map(len, seated(FOUR, [1, 2, 3], hurry=True))) == [3]
    assert sorted(map(len, seated(FOUR, list(range(1, 8)), hurry=True))) == [3, 4]
    assert seated(FOUR, [1, 2], hurry=True) == []


def test_in_a_hurry_who_waited_least_is_left():
    assert together(seated(TWO, [3, 2, 1], hurry=True)) == [{2, 3}]


def test_those_who_met_least_meet():
    results = by_number(1, [(1, 2), (3, 4)]) + by_number(2, [(1, 3), (2, 4)])
    assert together(seated(TWO, [1, 2, 3, 4], results)) == [{1, 4}, {2, 3}]


def test_it_has_no_rounds():
    assert rounds_of(FOUR, 10) is None
