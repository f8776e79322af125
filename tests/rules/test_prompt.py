"""Field descriptions are strict: equal as JSON, in subsets too."""

import pytest

from games.engine import fits, permits

SOME = {"subset_of": [0, 1, 2], "min": 1, "max": 3}


@pytest.mark.parametrize("value", [[0], [2, 1], [0, 1, 2]])
def test_a_subset(value):
    assert fits(SOME, value)


@pytest.mark.parametrize(
    "value", [[], [1.0], [True], [False], [0, True], [1, 1], [1, True], [3], ["1"], [[1]], (1,), None, 1]
)
def test_no_subset(value):
    assert not fits(SOME, value)


def test_a_subset_of_words_with_numbers_in_it():
    assert not fits({"subset_of": ["yam"]}, ["YAM"])
    assert not fits({"subset_of": [True]}, [1])


@pytest.mark.parametrize("value", [1.0, True, "1", None])
def test_a_move_with_a_value_that_only_looks_equal(value):
    prompt = {"phase": "p", "moves": [{"type": "roll", "dice": SOME}], "optional": False}
    assert permits(prompt, {"type": "roll", "dice": [1]})
    assert not permits(prompt, {"type": "roll", "dice": [value]})
