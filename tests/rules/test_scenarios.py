"""Every scenario is a test; and what a scenario that is wrong is told."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine import run_file, run_scenario
from games.rules import get_game

FOLDER = Path(__file__).parent.parent / "scenarios"
FILES = sorted(FOLDER.glob("*/*.yaml"))


@pytest.mark.thin(17)
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_scenario(path):
    assert run_file(path, get_game) == []


def opening(*steps, chance=([1],), **fields):
    return {"game": "yum-extra", "seats": 2, "chance": list(chance), "steps": list(steps), **fields}


@pytest.mark.parametrize(
    ("scenario", "differences"),
    [
        (
            opening({"view": None, "expect": {"active": 1}}),
            ["step 1: active is 0, expected 1"],
        ),
        (
            opening({"view": None, "expect": {"active": False}}),
            ["step 1: active is 0, expected False"],
        ),
        (
            opening({"view": None, "expect": {"sheets.7.total": 1}}),
            ["step 1: sheets.7.total is missing, expected 1"],
        ),
        (
            opening({"view": 0, "absent": ["dice", "seed"]}),
            ["step 1: dice is there: None"],
        ),
        (
            opening({"prompt": 1, "expect": {"phase": "roll"}}),
            ["step 1: phase is missing, expected 'roll'"],
        ),
        (
            opening({"seat": 0, "move": {"type": "roll"}, "error": "illegal"}, chance=[[1], [1] * 5]),
            ["step 1: not refused; expected illegal"],
        ),
        (
            opening({"seat": 1, "move": {"type": "roll"}, "error": "illegal"}),
            ["step 1: the refusal is 'not_your_turn', expected 'illegal'"],
        ),
        (
            opening({"seat": 1, "move": {"type": "roll"}}),
            ["step 1: refused as not_your_turn: It is not your turn."],
        ),
        (
            opening({"seat": 0, "move": {"type": "roll"}}),
            ["step 1: draw 2 is missing: a roll of 5 numbers from 1 to 6"],
        ),
        (
            opening({"ordered": 0, "orders": {}, "move": {"type": "roll"}}),
            ["step 1: the ordered move is None, expected {'type': 'roll'}"],
        ),
        (
            opening({"default": 1, "error": "illegal"}),
            ["step 1: the refusal is 'not_your_turn', expected 'illegal'"],
        ),
        (opening({"default": 1, "error": "not_your_turn"}, options=None), []),
        (opening(chance=[[1], [2]]), ["draws not used: [[2]]"]),
        (opening(chance=[[1], [2]], chance_used="some"), []),
        (opening({"setup_error": True}), ["step 1: the setup was not refused"]),
        (opening({"setup_error": True}, options={"x": 1}), []),
        (opening(options={"x": 1}), ["setup: 'x': Yum EXTRA has no such option"]),
        ({}, ["not a scenario: KeyError 'game'"]),
        (None, ["not a scenario: TypeError 'NoneType' object is not subscriptable"]),
    ],
)
def test_what_differs_is_said_in_words(scenario, differences):
    assert run_scenario(scenario, get_game) == differences


def test_the_command_fails_when_one_differs(tmp_path, capsys):
    call_command("scenario", str(FILES[0]))
    assert capsys.readouterr().out == f"{FILES[0]}: ok\n"
    broken = tmp_path / "broken.yaml"
    broken.write_text("[")
    with pytest.raises(CommandError, match="1 of 2 differ"):
        call_command("scenario", str(FILES[0]), str(broken))
