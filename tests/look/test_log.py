"""What happened, in words: each event as a sentence, from the reader's own side, with nothing left out."""

import json
import re
from html import unescape

import pytest
from django.template import engines
from django.utils import translation

NAMES = ("Ana", "Bob", "Cem")
DICE = [3, 4, 4, 6, 6]


def words():
    return engines["jinja"].get_template("games/yum-extra/log.jinja").template.module


def table(you: int | None = None, **more) -> dict:
    seats = [
        {"number": n, "name": name, "you": n == you, "kind": "person", "to_move": False, "left": False}
        | {"wants_call_off": False, "rank": None, "score": None}
        for n, name in enumerate(NAMES)
    ]
    table = {"id": 1, "you": you, "seats": seats, "status": "running", "ending": "", "voided": False, "playing": False}
    return table | more


def entry(n: int, seat: int, *events: dict, by: str = "person", paragraph: int = 1) -> dict:
    return {"n": n, "seat": seat, "by": by, "events": list(events), "iso": "2026-01-01T10:00:00+00:00"} | {
        "when": "10:00",
        "new": False,
        "paragraph": paragraph,
    }


def text(html: str) -> str:
    """The words that one reads: tags away, the names of shapes said, spaces single."""
    html = re.sub(r'<svg[^>]*aria-label="([^"]*)"[^>]*>', r" \1 ", html)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


SENTENCES = [
    ({"type": "roll", "seat": 0, "dice": DICE, "rolled": [0, 1, 2, 3, 4], "n": 1}, "rolled 3 4 4 6 6"),
    ({"type": "roll", "seat": 0, "dice": DICE, "rolled": [3], "n": 2}, "rolled one die again: 3 4 4 6 6"),
    ({"type": "roll", "seat": 0, "dice": DICE, "rolled": [3, 4], "n": 2}, "rolled 2 dice again: 3 4 4 6 6"),
    (
        {"type": "extra", "seat": 0, "extra": "die", "dice": DICE, "rolled": [0]},
        "used an extra for one die: 3 4 4 6 6",
    ),
    (
        {"type": "extra", "seat": 0, "extra": "all", "dice": DICE, "rolled": [0, 1, 2, 3, 4]},
        "used an extra for all five dice: 3 4 4 6 6",
    ),
    (
        {"type": "score", "seat": 0, "cell": "fives", "points": 15, "column": "pts", "as": None},
        "wrote 15 in Fives",
    ),
    (
        {"type": "score", "seat": 0, "cell": "ones", "points": 25, "column": "pts", "as": "full_house"},
        "wrote 25 in Ones (as Full house)",
    ),
    (
        {"type": "score", "seat": 0, "cell": "yum", "points": 0, "column": "bonus", "as": None},
        "wrote 0 in Yum, in the Bonus column",
    ),
    ({"type": "pass", "seat": 0}, "passed"),
    ({"type": "erase", "seat": 0, "cell": "twos", "points": 4}, "erased 4 in Twos"),
    ({"type": "steal", "seat": 0, "cell": "fives", "from": 1, "points": 15}, "stole 15 in Fives from Bob"),
    ({"type": "double", "seat": 0, "cell": "threes", "points": 18}, "doubled Threes to 18"),
    ({"type": "triple", "seat": 0, "cell": "threes", "points": 27}, "tripled Threes to 27"),
    (
        {"type": "swap", "seat": 0, "cell": "fives", "with": 1, "gets": 20, "gives": 5},
        "swapped Fives with Bob: 20 for 5",
    ),
    (
        {"type": "transform", "seat": 0, "cell": "ones", "into": "four_kind"},
        "made Ones a second Four of a kind",
    ),
    (
        {"type": "white", "seat": 0, "die": 4, "combos": ["double"], "again": False, "asked": True},
        "rolled a white 4: Double",
    ),
    (
        {"type": "white", "seat": 0, "die": 4, "combos": ["double"], "again": False, "asked": False},
        "rolled a white 4: Double, with nothing to use it on",
    ),
]


@pytest.mark.parametrize(("event", "said"), SENTENCES)
def test_a_sentence_for_others_and_for_oneself(event: dict, said: str) -> None:
    assert text(words().sentence(table(), event)) == f"Ana {said}"
    assert text(words().sentence(table(you=0), event)) == f"You {said}"


def test_what_is_done_to_oneself() -> None:
    steal = {"type": "steal", "seat": 0, "cell": "fives", "from": 1, "points": 15}
    swap = {"type": "swap", "seat": 0, "cell": "fives", "with": 1, "gets": 20, "gives": 5}
    assert text(words().sentence(table(you=1), steal)) == "Ana stole your 15 in Fives"
    assert text(words().sentence(table(you=1), swap)) == "Ana swapped Fives with you: you got 5 for 20"


@pytest.mark.parametrize(("points", "yours", "anas"), [(25, "25 points", "25 points"), (0, "nothing", "nothing")])
def test_lucky_roll(points: int, yours: str, anas: str) -> None:
    event = {"type": "lucky", "seat": 0, "die": 6, "points": points}
    assert text(words().sentence(table(you=0), event)) == f"Your lucky roll, 6, brought {yours}"
    assert text(words().sentence(table(), event)) == f"A lucky roll, 6, brought Ana {anas}"


def dull(seat: int, die: int) -> dict:
    return {"type": "white", "seat": seat, "die": die, "combos": [], "again": False, "asked": True}


def test_white_dice_that_formed_nothing_are_told_together() -> None:
    score = {"type": "score", "seat": 0, "cell": "fives", "points": 15, "column": "pts", "as": None}
    entries = [
        entry(1, 0, score | {"dice": DICE}, dull(1, 2)),
        entry(2, 1, {"type": "pass", "seat": 1}, dull(2, 5), by="orders"),
        entry(3, 2, {"type": "pass", "seat": 2}, {"type": "turn", "seat": 1}),
    ]
    said = text(words().story(table(), entries))
    assert said == ("10:00 Ana wrote 15 in Fives White dice without a combo: Bob 2, Cem 5")


def test_rolls_of_a_turn_follow_each_other() -> None:
    first = {"type": "roll", "seat": 0, "dice": DICE, "rolled": [0, 1, 2, 3, 4], "n": 1}
    second = {"type": "roll", "seat": 0, "dice": DICE, "rolled": [0, 1], "n": 2}
    said = text(words().story(table(), [entry(1, 0, first), entry(2, 0, second)]))
    assert said == "10:00 Ana rolled 3 4 4 6 6 then 2 dice: 3 4 4 6 6"


def test_names_are_escaped_and_a_changed_name_is_told_anew() -> None:
    reader = table()
    event = {"type": "pass", "seat": 0}
    assert "Ana" in words().story(reader, [entry(1, 0, event)])
    reader["seats"][0]["name"] = "<b>Eve"
    assert "&lt;b&gt;Eve" in words().story(reader, [entry(1, 0, event)])


def test_every_sentence_in_french() -> None:
    """Each event is told in French, once the catalogue has it, with the same names and numbers."""
    with translation.override("fr"):
        for event, said in SENTENCES:
            told = text(words().sentence(table(), event))
            assert set(re.findall(r"\d+", said)) <= set(re.findall(r"\d+", told)), json.dumps(event)
            assert "Ana" in told


HEADLINES = [
    ({"status": "ended", "ending": "called_off"}, [None, None, None], None, "Called off by agreement"),
    (
        {"status": "ended", "ending": "called_off", "voided": True},
        [None, None, None],
        0,
        "Ended by a moderator",
    ),
    ({"status": "ended", "ending": "played"}, [1, 2, 3], 0, "You won"),
    ({"status": "ended", "ending": "played"}, [1, 2, 3], 2, "You came third"),
    ({"status": "ended", "ending": "played"}, [1, 2, 3], None, "Ana won"),
    ({"status": "ended", "ending": "played"}, [1, 1, 3], 1, "You share the first place"),
    ({"status": "ended", "ending": "played"}, [1, 1, 3], 2, "A shared first place"),
]


@pytest.mark.parametrize(("how", "ranks", "you", "said"), HEADLINES)
def test_headline_at_the_end(how: dict, ranks: list, you: int | None, said: str) -> None:
    shown = table(you=you, **how)
    for seat, rank in zip(shown["seats"], ranks, strict=True):
        seat["rank"] = rank
    shown["first"] = [number for number, rank in enumerate(ranks) if rank == 1]
    assert text(words().headline(shown)) == said
