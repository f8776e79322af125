"""YAM menteur in words: each turn in one sentence, from the reader's own side."""

import re

import pytest
from django.template import engines
from django.utils import translation

from tests.look.test_log import entry, table, text

FULL = [3, 3, 3, 5, 5]
CLAIM = {"seat": 0, "combination": "full_house", "points": 25, "tries": 2}
SETTLED = CLAIM | {
    "type": "settled",
    "doubters": [],
    "dice": None,
    "true": None,
    "written": [0],
    "barred": [],
}


def words():
    return engines["jinja"].get_template("games/yam-menteur/log.jinja").template.module


def told(**more) -> dict:
    return table(unveiled={}, id=1, turns=9, **more)


SENTENCES = [
    (SETTLED, "announced 25 in Full house after 2 tries: nobody doubted"),
    (
        SETTLED | {"doubters": [1, 2], "dice": FULL, "true": True, "barred": [2]},
        "announced 25 in Full house after 2 tries: "
        "doubted by Bob and Cem, and true: 3 3 3 5 5; the row is barred for Cem",
    ),
    (
        SETTLED | {"doubters": [1, 2], "dice": FULL, "true": False, "written": [1], "tries": 1},
        "announced 25 in Full house after one try: doubted by Bob and Cem, and a bluff: 3 3 3 5 5; 25 written by Bob",
    ),
    (CLAIM | {"type": "claim"}, "announced 25 in Full house after 2 tries"),
    ({"type": "try", "seat": 0, "n": 1}, "rolled the dice once"),
    ({"type": "try", "seat": 0, "n": 2}, "rolled the dice twice"),
    ({"type": "try", "seat": 0, "n": 3}, "rolled the dice three times"),
    ({"type": "answer", "seat": 0}, "answered"),
]


@pytest.mark.parametrize(("event", "said"), SENTENCES)
def test_a_sentence_for_others_and_for_oneself(event, said):
    assert text(words().sentence(told(), event)) == f"Ana {said}"
    assert text(words().sentence(told(you=0), event)) == f"You {said}"


def test_a_doubter_reads_of_oneself():
    event = SETTLED | {"doubters": [1], "dice": FULL, "true": True}
    assert "doubted by you, and true" in text(words().sentence(told(you=1), event))


def test_a_turn_is_told_in_one_sentence_once_it_is_settled():
    entries = [
        entry(1, 0, {"type": "try", "seat": 0, "n": 1}),
        entry(2, 0, {"type": "try", "seat": 0, "n": 2}),
        entry(3, 0, CLAIM | {"type": "claim"}),
        entry(4, 2, {"type": "answer", "seat": 2}, by=""),
    ]
    assert text(words().story(told(), entries)) == ("10:00 Ana announced 25 in Full house after 2 tries Answered: Cem")
    entries[3]["by"] = "orders"
    entries.append(entry(5, 1, {"type": "answer", "seat": 1}, SETTLED))
    assert text(words().story(told(), entries)) == (
        "10:00 Ana announced 25 in Full house after 2 tries: nobody doubted By standing orders: Cem"
    )


def test_after_the_end_the_hidden_dice_are_told():
    unveiled = {5: {"dice": FULL, "true": True}}
    said = text(words().story(told() | {"unveiled": unveiled}, [entry(5, 1, SETTLED)]))
    assert said == ("10:00 Ana announced 25 in Full house after 2 tries: nobody doubted; it was true: 3 3 3 5 5")


def test_the_last_turns():
    final = {"type": "final", "seats": [1, 2]}
    assert text(words().sentence(told(), final)) == "A sheet has no open row left: one last turn each for Bob and Cem"
    assert text(words().sentence(told(), {"type": "end"})) == "That was the last turn: the match is over"


def test_names_are_escaped():
    reader = told()
    reader["seats"][0]["name"] = "<b>Eve"
    assert "&lt;b&gt;Eve" in words().sentence(reader, SETTLED)


def test_every_sentence_in_french():
    with translation.override("fr"):
        for event, said in SENTENCES:
            spoken = text(words().sentence(told(), event))
            assert set(re.findall(r"\d+", said)) <= set(re.findall(r"\d+", spoken)) | {"1"}, spoken
            assert "Ana" in spoken
            assert "announced" not in spoken


HEADLINES = [
    ({"prompt": {}, "phase": "answer", "to_move": [1, 2]}, "Do you believe Ana?"),
    ({"prompt": {"x": 1}, "phase": "throw", "tries": 0, "to_move": [0]}, "Your turn to roll"),
    ({"prompt": {"x": 1}, "phase": "throw", "tries": 2, "to_move": [0]}, "Announce, or roll again?"),
    ({"prompt": {"x": 1}, "phase": "throw", "tries": 3, "to_move": [0]}, "What do you announce?"),
    ({"prompt": None, "phase": "answer", "to_move": [1, 2]}, "Waiting for 2 answers"),
    ({"prompt": None, "phase": "answer", "to_move": [2]}, "Waiting for Cem"),
    ({"prompt": None, "phase": "throw", "tries": 1, "to_move": [0]}, "Waiting for Ana"),
]


@pytest.mark.parametrize(("view", "said"), HEADLINES)
def test_headlines(view, said):
    view = {"thrower": 0, "tries": 1} | view | ({"prompt": {"x": 1}} if view["prompt"] == {} else {})
    assert text(words().headline(told(view=view, playing=True))) == said


def test_whose_time_ran_out_is_a_sentence_below_what_another_did():
    late = entry(3, 1, {"type": "answer", "seat": 1}, by="clock")
    left = entry(4, 2, {"type": "answer", "seat": 2}, SETTLED, by="bot")
    said = text(words().story(told(you=1), [late, left]))
    assert said.endswith("nobody doubted Time ran out for you A bot moved for Cem")
