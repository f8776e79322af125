"""What happens in YAY!, in words, from the reader's own side; and what its page can be read by."""

import re
from pathlib import Path

import pytest
from django.template import engines
from django.utils import translation

from games.rules import get_game
from tests.look.test_contrast import THEMES, colour, contrast, linear, mixed
from tests.look.test_log import entry, table, text

game = get_game("yay")


def words():
    return engines["jinja"].get_template("games/yay/log.jinja").template.module


def die(face: int, on_board: bool = True) -> dict:
    return {"face": face, "x": 1, "y": 1, "on_board": on_board}


ALL_ON = [die(4), die(5), die(2)]
ONE_OFF = [die(4), die(5), die(2, False)]
NONE_ON = [die(1, False)] * 3
OWN = {"cell": [2, 2], "owner": 1, "value": 9}
OTHER = {"cell": [3, 3], "owner": 2, "value": 8}
SENTENCES = [
    ({"type": "throw", "seat": 0, "n": 1, "dice": ALL_ON, "sum": 11}, "threw 4 5 2: 11"),
    (
        {"type": "throw", "seat": 0, "n": 1, "dice": ONE_OFF, "sum": 9},
        "threw 4 5 2: 9, one die off the board",
    ),
    (
        {"type": "throw", "seat": 0, "n": 1, "dice": [die(4), *NONE_ON[:2]], "sum": 4},
        "threw 4 1 1: 4, 2 dice off the board",
    ),
    ({"type": "throw", "seat": 0, "n": 1, "dice": NONE_ON, "sum": 0}, "threw 1 1 1: all off the board"),
    ({"type": "write", "seat": 0, "cell": [3, 2], "value": 12, "crossed": []}, "wrote 12 in C4"),
    (
        {"type": "write", "seat": 0, "cell": [7, 7], "value": 12, "crossed": [OWN, OTHER]},
        "wrote 12 in H8 and crossed out Bob’s 9 and Cem’s 8",
    ),
    ({"type": "lock", "seat": 0, "cell": [0, 0], "sum": 10}, "could not write 10 anywhere and locked A1"),
    ({"type": "nothing", "seat": 0}, "touched no free cell"),
]


@pytest.mark.parametrize(("event", "said"), SENTENCES)
def test_a_sentence_for_others_and_for_oneself(event: dict, said: str) -> None:
    assert text(words().sentence(table(), event)) == f"Ana {said}"
    assert text(words().sentence(table(you=0), event)) == f"You {said}"


def test_what_is_done_to_oneself_and_by_oneself() -> None:
    event = {"type": "write", "seat": 0, "cell": [3, 2], "value": 12, "crossed": [OWN]}
    assert text(words().sentence(table(you=1), event)) == "Ana wrote 12 in C4 and crossed out your 9"
    cross = {"type": "cross", "seat": 0, "cell": [1, 1], "owner": 0, "value": 4}
    assert text(words().sentence(table(), cross)) == "Ana had to cross out 4 in B2"
    assert text(words().sentence(table(you=0), cross)) == "You crossed out your own 4 in B2"


def test_a_failed_throw_and_the_end() -> None:
    fail = {"type": "fail", "seat": 0, "sum": 9, "before": 9, "owes": True}
    assert text(words().sentence(table(), fail)) == "9 does not beat 9: the throw is void"
    free = text(words().sentence(table(), fail | {"owes": False}))
    assert free.endswith("; there was no number to cross out")
    lines = {"type": "end", "why": "lines"}
    assert text(words().sentence(table(), lines)) == "A row and a column are full: the match is over"
    idle = text(words().sentence(table(), {"type": "end", "why": "idle"}))
    assert idle == "Nobody filled a cell for three rounds: the match is over"


def test_throws_of_a_turn_follow_each_other_and_turns_stand_apart() -> None:
    first = {"type": "throw", "seat": 0, "n": 1, "dice": ALL_ON, "sum": 11}
    second = first | {"n": 2, "dice": [die(6)] * 3, "sum": 18}
    write = {"type": "write", "seat": 0, "cell": [3, 2], "value": 18, "crossed": []}
    entries = [entry(1, 0, first), entry(2, 0, second), entry(3, 0, write, {"type": "turn", "seat": 1})]
    entries.append(entry(4, 1, first | {"seat": 1}, {"type": "nothing", "seat": 1}, paragraph=2))
    opening = [get_game("yay").opens_paragraph(told["events"]) for told in entries]
    assert opening == [True, False, False, True]
    html = words().story(table(), entries)
    assert html.count("<li") == 2
    assert text(html) == (
        "10:00 Ana threw 4 5 2: 11 then 6 6 6: 18 Ana wrote 18 in C4 10:00 Bob threw 4 5 2: 11 Bob touched no free cell"
    )


def test_every_sentence_in_french() -> None:
    with translation.override("fr"):
        for event, said in SENTENCES:
            told = text(words().sentence(table(), event))
            assert set(re.findall(r"\d+", said)) <= set(re.findall(r"\d+", told)) | {"2"}, said
            assert told.startswith("Ana ")
            assert said not in told


def asked(**view) -> dict:
    shown = {
        "prompt": {"moves": []},
        "phase": "decide",
        "enterable": [[0, 0]],
        "first_turns": [True],
        "to_move": [0],
    }
    return table(you=0, playing=True, view=shown | {"throws": [{"sum": 12}]} | view)


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ({"phase": "throw"}, "Your throw: take aim"),
        ({"phase": "throw", "first_turns": [False]}, "Your first throw: take aim"),
        ({}, "Write 12, or throw again?"),
        ({"first_turns": [False]}, "Where do you write 12?"),
        ({"enterable": []}, "12 fits nowhere: lock a cell, or throw again?"),
        ({"enterable": [], "first_turns": [False]}, "12 fits nowhere: lock a cell"),
        ({"phase": "cross"}, "Too low: cross out one of your numbers"),
        ({"prompt": None}, "A bot is to move in your seat"),
        ({"prompt": None, "to_move": [1]}, "Waiting for Bob"),
    ],
)
def test_the_headline_asks_in_words(view: dict, said: str) -> None:
    assert text(words().headline(asked(**view))) == said


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("seat", range(game.max_seats))
def test_a_number_on_its_shape_can_be_read(seat: int, theme: str) -> None:
    assert contrast(linear(colour(f"seat-{seat}", theme)), linear(colour("surface", theme))) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_the_sum_in_the_corner_of_a_lit_cell_can_be_read(theme: str) -> None:
    css = (Path(__file__).parents[2] / "games/rules/yay/static/games/yay/game.css").read_text()
    share = int(re.search(r"\.lc rect .*?--game-fill\) (\d+)%", css).group(1)) / 100
    for cell in re.findall(r"\.c[12] \{ fill: light-dark\((#\w{6}), (#\w{6})\)", css):
        ground = mixed(colour("yay-fill", theme), cell[THEMES.index(theme)], share)
        assert contrast(ground, linear(colour("ink", theme))) >= 4.5
