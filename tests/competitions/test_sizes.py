"""How many sit at each table."""

import pytest

from games.competitions.pairing import sizes
from games.competitions.pairing.sizes import divisions
from tests.competitions import naive


@pytest.mark.parametrize(
    ("people", "seats", "least", "most", "wanted"),
    [
        (8, 4, 2, 8, [4, 4]),
        (9, 4, 2, 8, [5, 4]),  # one table off, not three
        (10, 4, 2, 8, [4, 3, 3]),  # two are off in any case: smaller tables are over sooner
        (11, 4, 2, 8, [4, 4, 3]),
        (10, 4, 4, 8, [5, 5]),
        (7, 5, 2, 5, [4, 3]),  # two off: nothing else is possible
        (6, 5, 2, 5, [3, 3]),
        (6, 5, 2, 8, [6]),
        (2, 8, 2, 8, [2]),
        (5, 2, 2, 3, [3, 2]),
        (5, 2, 2, 2, None),
        (1, 2, 2, 8, None),
        (0, 2, 2, 8, None),
        (7, 4, 4, 6, None),
    ],
)
def test_tables_have_the_wished_size_or_one_more_or_less(people, seats, least, most, wanted):
    assert sizes(people, seats, least, most) == wanted


def test_no_other_division_is_closer_to_what_was_wished():
    for least in range(2, 5):
        for most in range(least, 9):
            for seats in range(least, most + 1):
                for people in range(1, 61):
                    found = sizes(people, seats, least, most)
                    off = found and (max(abs(s - seats) for s in found), sum(abs(s - seats) for s in found))
                    assert (off or None) == naive.least_off(people, seats, least, most), (people, seats, least, most)


def test_the_first_of_all_divisions_is_the_usual_one():
    for least in range(2, 5):
        for most in range(least, 9):
            for seats in range(least, most + 1):
                for people in range(least, 31):
                    byes, division = next(divisions(people, seats, least, most))
                    assert division == sizes(people - byes, seats, least, most)
                    assert byes == 0 or sizes(people, seats, least, most) is None


def test_where_blocks_ask_for_it_other_sizes_come_before_byes():
    found = list(divisions(6, 3, 2, 6))
    assert found[0] == (0, [3, 3])
    assert found.index((0, [4, 2])) < found.index((0, [6])) < found.index((1, [3, 2]))


def test_of_many_the_even_divisions_and_their_neighbours_are_tried():
    first = [division for byes, division in divisions(40, 4, 2, 8) if byes == 0]
    assert first[0] == [4] * 10
    assert [5, *[4] * 8, 3] in first
    assert all(sum(division) == 40 for division in first)
