"""The seating that is found is the best there is, where exchanges of two people come to a dead end."""

import time
from itertools import combinations
from random import Random

import pytest

from games.competitions.pairing import Plan
from games.competitions.pairing.search import Apart, Budget
from tests.competitions import bounds
from tests.competitions.rounds import by_number, drawn, people


def history(count, seats, rounds, seed):
    """Rounds whose tables are pure chance."""
    random, results = Random(seed), []
    for round_ in range(1, rounds + 1):
        numbers = random.sample(range(1, count + 1), count)
        results += by_number(round_, [tuple(numbers[at : at + seats]) for at in range(0, count, seats)])
    return results


def best(count, seats, rounds, seed):
    """Whether no division has a smaller largest number of former meetings than the draw."""
    results = history(count, seats, rounds, seed)
    tables = drawn(Plan("swiss", seats, seats, seats, rounds=20), people(count), results, seed=seed)
    before = bounds.met(results)
    found = bounds.worst(tables, before)
    allowed = {pair for pair in map(frozenset, combinations(range(1, count + 1), 2)) if before[pair] < found}
    return not bounds.divisible(range(1, count + 1), [len(table) for table in tables], allowed)


@pytest.mark.parametrize(("count", "seats", "rounds"), [(9, 3, 6), (10, 5, 6), (12, 4, 4), (12, 3, 3)])
def test_of_few_people_the_best_seating_is_found(count, seats, rounds):
    assert all(best(count, seats, rounds, seed) for seed in range(12))


@pytest.mark.parametrize(("count", "seats", "rounds"), [(16, 4, 2), (16, 4, 6), (16, 8, 5)])
def test_of_more_people_further_tries_find_it(count, seats, rounds):
    assert all(best(count, seats, rounds, seed) for seed in range(12))


def test_a_seating_that_keeps_all_blocks_is_found_or_there_is_none():
    apart = [{1, 2}, {0, 2}, {0, 1}, set(), set(), set()]
    found = Apart([3, 3], -1, apart, Budget()).found()
    assert found is None  # three of whom no two may meet, at two tables
    found = Apart([2, 2, 2], -1, apart, Budget()).found()
    assert sorted(map(len, found)) == [2, 2, 2] and all(len({0, 1, 2} & set(table)) == 1 for table in found)
    assert {0, 1, 2} & set(Apart([3, 2, 1], 2, apart, Budget()).found()[2])  # a bench parts nobody


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("count", "sizes", "blocking", "share"),
    [
        (16, (3, 2, 6), 16, 0.9),
        (40, (3, 2, 6), 26, 1.0),
        (48, (3, 2, 6), 32, 1.0),
        (48, (2, 2, 2), 46, 1.0),
        (64, (4, 2, 8), 60, 0.9),
        (64, (4, 2, 8), 60, 0.6),
        (200, (4, 2, 8), 100, 0.97),
        (1000, (4, 2, 8), 100, 0.97),
    ],
)
def test_however_many_block_one_another_a_draw_takes_no_second(count, sizes, blocking, share):
    random = Random(count)
    pairs = map(frozenset, combinations(range(1, blocking + 1), 2))
    apart = {pair for pair in pairs if random.random() < share}
    start = time.process_time()
    tables = drawn(Plan("swiss", *sizes, rounds=3), people(count), [], apart, seed=1)
    spent = time.process_time() - start
    print(f"{spent:.2f} s")
    assert spent < 1
    assert sorted(number for table in tables for number in table) == list(range(1, count + 1))
    assert bounds.kept(tables, apart)
