"""Which plans are impossible."""

from dataclasses import replace

import pytest

from games.competitions.pairing import Plan, refuse, rounds_of

FINE = Plan("groups", 4, 2, 6, advance=1)


@pytest.mark.parametrize(
    ("changes", "entrants", "code"),
    [
        ({}, 8, ""),
        ({"format": "ladder"}, 8, "format"),
        ({"seats": 1, "least": 1}, 8, "seats"),
        ({"seats": 7}, 8, "seats"),
        ({"least": 5}, 8, "seats"),
        ({"most": 7}, 8, "game"),
        ({"rounds": -1}, 8, "rounds"),
        ({"advance": 2}, 8, "advance"),
        ({"advance": 2, "least": 3}, 8, ""),
        ({"advance": 0}, 8, ""),
        ({"advance": -1}, 8, "advance"),
        ({"advance": 5, "format": "swiss"}, 8, ""),
        ({"matches": 0}, 8, "matches"),
        ({"matches": 0, "format": "swiss"}, 8, ""),
        ({}, 1, "few"),
        ({"least": 4}, 3, "few"),
        ({"least": 4}, 7, ""),
        ({"format": "arena"}, 0, ""),
        ({"format": "robin"}, 32, ""),
        ({"format": "robin"}, 33, "many"),
        ({"format": "robin", "seats": 2}, 100, ""),
    ],
)
def test_a_plan_is_refused_by_a_code(changes, entrants, code):
    assert refuse(replace(FINE, **changes), entrants, range(2, 7)) == code


def test_what_is_refused_for_its_number_has_no_rounds():
    assert rounds_of(FINE, 1) == 0
    assert rounds_of(replace(FINE, format="robin"), 33) == 0
