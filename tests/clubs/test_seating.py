"""Who sits at which table: in the order of the line-ups, alternating, and apart wherever any order allows it."""

from itertools import permutations
from random import Random
from time import process_time

import pytest

from games.clubs.seating import tables
from tests import FULL

SEED = 20261130
TRIES = 2_000 if FULL else 300


def clashes(found, apart) -> int:
    return sum(pair <= set(table) for table in found for pair in apart)


def possible(sides, apart) -> bool:
    """Return whether two at a table can all be kept apart, by trying every order of the other side."""
    few, many = sorted(sides, key=len)
    return any(
        all(frozenset(pair) not in apart for pair in zip(few, order, strict=True))
        for order in permutations(many, len(few))
    )


@pytest.mark.parametrize("each", [1, 2, 3, 4])
def test_the_kth_of_both_sit_at_table_k_and_the_first_seat_alternates(each):
    ours, theirs = list(range(100, 100 + 3 * each + 1)), list(range(200, 200 + 3 * each))
    found = tables((ours, theirs), each, 10, 1, ())
    assert len(found) == 3
    for number, table in enumerate(found):
        own, other = (ours, theirs) if number % 2 else (theirs, ours)
        assert table[::2] == own[number * each : (number + 1) * each]
        assert table[1::2] == other[number * each : (number + 1) * each]


def test_no_more_tables_than_were_wished_and_none_of_too_few():
    assert len(tables((range(10), range(10, 20)), 1, 4, 0, ())) == 4
    assert tables((range(10), ()), 1, 4, 0, ()) == []
    assert tables(((1,), (2, 3)), 2, 4, 0, ()) == []


def test_two_at_a_table_sit_apart_whenever_any_order_allows_it():
    rng = Random(SEED)
    avoidable = 0
    for _try in range(TRIES):
        ours = list(range(rng.randint(1, 6)))
        theirs = list(range(10, 10 + rng.randint(1, 6)))
        pairs = [frozenset((one, other)) for one in ours for other in theirs]
        apart = set(rng.sample(pairs, rng.randint(0, len(pairs))))
        found = tables((ours, theirs), 1, 50, rng.randint(0, 1), apart)
        assert len(found) == min(len(ours), len(theirs))
        seated = [one for table in found for one in table]
        assert len(set(seated)) == len(seated)
        if possible((ours, theirs), apart):
            avoidable += 1
            assert clashes(found, apart) == 0, (ours, theirs, apart)
    assert avoidable > TRIES / 4


@pytest.mark.parametrize("each", [2, 3])
def test_a_few_blocks_at_larger_tables_are_avoided_by_little(each):
    rng = Random(SEED)
    for _try in range(TRIES // 5):
        ours, theirs = list(range(4 * each)), list(range(50, 50 + 4 * each))
        everybody = [*ours, *theirs]
        apart = {frozenset(rng.sample(everybody, 2)) for _pair in range(3)}
        found = tables((ours, theirs), each, 50, 0, apart)
        assert clashes(found, apart) == 0
        assert sorted(one for table in found for one in table) == everybody
        for number, table in enumerate(found):
            first = ours if number % 2 == 0 else theirs
            assert set(table[::2]) <= set(first)


def test_who_cannot_sit_apart_sits_there_all_the_same():
    assert tables(((1,), (2,)), 1, 5, 0, {frozenset((1, 2))}) == [[1, 2]]


@pytest.mark.thin(1)
@pytest.mark.parametrize("each", [1, 2, 4])
def test_large_clubs_with_many_blocks_are_seated_within_a_second(each):
    ours, theirs = list(range(500)), list(range(1000, 1500))
    apart = {frozenset((one, 1000 + one)) for one in range(50 * each)}
    begun = process_time()
    found = tables((ours, theirs), each, 50, 0, apart)
    assert clashes(found, apart) == 0
    everybody = {frozenset((one, other)) for one in ours[:100] for other in theirs}
    found = tables((ours[:100], theirs), each, 50, 0, everybody)  # of whom nobody can sit apart
    assert len({one for table in found for one in table}) == 2 * each * len(found)
    assert process_time() - begun < 2
