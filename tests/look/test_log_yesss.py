"""What happens in YESSS!, in words, from the reader's own side."""

import pytest
from django.template import engines
from django.utils import translation

from tests.look.test_log import entry, table, text


def words():
    return engines["jinja"].get_template("games/yesss/log.jinja").template.module


def told(**more) -> dict:
    return table(unveiled={}, **more)


PAIR = {"pair": [2, 5], "pictures": [36, 42]}  # moon and wave
REVEALED = {
    "type": "revealed",
    "token": 1,
    "word": "tide",
    **PAIR,
    "guesses": [None, None, [2, 5]],
    "announcer": 0,
    "keeper": 1,
    "void": False,
    "brains": [1, 0, 1],
}
SENTENCES = [
    ({"type": "word", "seat": 0, "token": 1, "word": "tide"}, "Ana said “tide”", "You said “tide”"),
    ({"type": "clue", "seat": 0, "clue": 3, "word": "tide"}, "Ana said “tide”", "You said “tide”"),
    (
        {"type": "refused", "seat": 0, "token": 1, "to": 2},
        "Ana sent a pair back to Cem, who must find the word now",
        "You sent a pair back to Cem, who must find the word now",
    ),
    (
        {"type": "void", "token": 1, "word": "duo", "seat": 0},
        "More than half objected to “duo”: Ana must say another word",
        "More than half objected to your word “duo”: say another one",
    ),
    (
        {"type": "swapped", "seat": 0, "with": 2},
        "Ana changed places with Cem for a brain",
        "You changed places with Cem for a brain",
    ),
    (
        {"type": "withdrawn", "seat": 0, "clue": 1, "word": "tide"},
        "Ana took “tide” back",
        "You took “tide” back",
    ),
    (
        {"type": "closed", "seat": 0, "clue": 1, "by": 1, "word": "tide", **PAIR, "right": False},
        "Ana took “tide” for moon + wave (2–5): wrong",
        "You took “tide” for moon + wave (2–5): wrong",
    ),
    (
        {"type": "closed", "seat": 0, "clue": 1, "by": 1, "word": "tide", **PAIR, "right": True},
        "“tide” was moon + wave (2–5): right, Ana!",
        "“tide” was moon + wave (2–5): right, you!",
    ),
    (
        REVEALED,
        "“tide”, said by Ana, was moon + wave (2–5); right: Cem; brains: Ana +1, Cem +1",
        "“tide”, said by you, was moon + wave (2–5); right: Cem; brains: you +1, Cem +1",
    ),
]
OF_ALL = [
    ({"type": "handed", "tokens": []}, "All have chosen: every pair has gone to a neighbour"),
    ({"type": "void", "seat": 1, "clue": 1, "word": "tide"}, "“tide” is void: its pair has gone"),
    (
        {"type": "round", "round": 2, "direction": "left", "table": [0, 1, 2]},
        "Round 2: new pictures, and pairs go to the left",
    ),
    (
        {"type": "round", "round": 3, "direction": "right", "table": [0, 1, 2]},
        "Round 3: new pictures, and pairs go to the right",
    ),
    ({"type": "started", "ends_at": 1}, "All are ready: the pictures are turned over"),
    ({"type": "end", "brains": [1, 2, 3]}, "That was the last pair: the match is over"),
    ({"type": "end", "score": 1}, "The race is over: 1 point together"),
    ({"type": "end", "score": -3}, "The race is over: −3 points together"),
]


@pytest.mark.parametrize(("event", "others", "own"), SENTENCES)
def test_a_sentence_for_others_and_for_oneself(event, others, own):
    assert text(words().sentence(told(), event)) == others
    assert text(words().sentence(told(you=0), event)) == own


@pytest.mark.parametrize(("event", "said"), OF_ALL)
def test_what_happens_to_all(event, said):
    assert text(words().sentence(told(you=1), event)) == said


def test_what_is_done_to_oneself():
    refused = {"type": "refused", "seat": 0, "token": 1, "to": 2}
    said = text(words().sentence(told(you=2), refused))
    assert said == "Ana sent your pair back: you must find the word now"
    swapped = {"type": "swapped", "seat": 0, "with": 2}
    assert text(words().sentence(told(you=2), swapped)) == "Ana changed places with you for a brain"


def test_who_was_wrong_and_how():
    wrong = REVEALED | {"guesses": [None, [1, 2], "object"], "keeper": 3, "brains": [0, 0, 0]}
    said = text(words().sentence(told(), wrong))
    assert said == "“tide”, said by Ana, was moon + wave (2–5); wrong: Bob (1–2), Cem (objected)"
    seen = text(words().sentence(told(), wrong | {"circle": [0, 36, 1, 2, 42, 3, 4]}))
    assert seen.endswith("wrong: Bob (bee + moon), Cem (objected)")
    void = text(words().sentence(told(), wrong | {"void": True, "brains": [0, 2, 0]}))
    assert void.endswith("void for the second time: only its keeper scores; brains: Bob +2")


def test_answers_stand_in_one_line_until_a_pair_comes_to_light():
    answers = [entry(n, seat, {"type": "answered", "seat": seat, "token": 1}) for n, seat in ((4, 0), (5, 2))]
    reveal = entry(6, 1, {"type": "answered", "seat": 1, "token": 1}, REVEALED)
    html = words().story(told(), [*answers, reveal])
    assert html.count("<li") == 2
    assert text(html).startswith("10:00 Answered: Ana and Cem 10:00 “tide”, said by Ana")
    chosen = entry(1, 0, {"type": "selected", "seat": 0})
    assert text(words().story(told(), [chosen])) == "10:00 Chose: Ana"


def test_how_a_move_came_about_is_told():
    late = entry(1, 0, {"type": "word", "seat": 0, "token": 0, "word": "lune"}, by="clock")
    assert text(words().story(told(), [late])) == "10:00 Ana said “lune” Time ran out for Ana"
    ordered = entry(2, 1, {"type": "swap_answered", "seat": 1}, by="orders")
    assert text(words().story(told(), [ordered])).endswith("Answered the swap: Bob By standing orders: Bob")


def test_after_the_end_what_was_sealed_is_told():
    entries = [entry(n, n - 1, {"type": "answered", "seat": n - 1, "token": 0}) for n in (1, 2, 3)]
    unveiled = {1: {"given": [1, 4]}, 2: {"given": "object"}, 3: {"given": [2, 3]}}
    html = words().story(table(unveiled=unveiled), entries)
    assert text(html) == "10:00 Ana (1–4), Bob (objected), Cem (2–3)"
    seen = {1: {"given": [1, 4], "pictures": [36, 42]}}
    assert text(words().story(table(unveiled=seen), entries[:1])) == "10:00 Ana (moon + wave)"
    swaps = [entry(n, n - 1, {"type": "swap_answered", "seat": n - 1}) for n in (1, 2)]
    html = words().story(table(unveiled={1: {"given": None}, 2: {"given": 0}}), swaps)
    assert text(html) == "10:00 Ana (stayed), Bob (with Ana)"


def test_after_the_end_a_race_tells_what_each_word_was_for():
    said = entry(1, 0, {"type": "clue", "seat": 0, "clue": 0, "word": "tide"})
    view = {"pictures": [0, 36, 1, 2, 42, 3, 4]}
    html = words().story(table(unveiled={1: {"clue": [2, 5]}}, view=view), [said])
    assert text(html) == "10:00 Ana said “tide” for moon + wave (2–5)"


def test_a_word_is_escaped():
    event = {"type": "word", "seat": 0, "token": 1, "word": "<b>tide"}
    assert "<b>tide" not in words().sentence(told(), event)


def test_every_sentence_in_french():
    with translation.override("fr"):
        for event, others, own in SENTENCES:
            assert text(words().sentence(told(), event)) not in (others, own)
            assert "tide" not in others or "« tide »" in text(words().sentence(told(), event))
        assert "lune + vague" in text(words().sentence(told(), REVEALED))
        for event, said in OF_ALL:
            assert text(words().sentence(told(), event)) != said


def test_points_below_zero_have_their_plural_and_minus_in_both_languages():
    said = {"en": ("−3 points together", "−1 point together"), "fr": ("−3 points ensemble", "−1 point ensemble")}
    for language, (three, one) in said.items():
        with translation.override(language):
            assert text(words().sentence(told(), {"type": "end", "score": -3})).endswith(three)
            assert text(words().sentence(told(), {"type": "end", "score": -1})).endswith(one)


def asked(*kinds: str, phase: str = "propose", **view) -> dict:
    moves = [{"type": kind} for kind in kinds]
    shown = {"mode": "competitive", "phase": phase, "to_move": [0], "table": [2, 0, 1], "direction": "left"}
    return told(you=0, playing=bool(moves), view=shown | {"prompt": {"moves": moves} if moves else None} | view)


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (asked("select", phase="select") | {"hints": {"neighbour": 1}}, "Choose a pair for Bob"),
        (asked("select", phase="select") | {"hints": {"neighbour": 2}}, "Choose a pair for Cem"),
        (asked("word"), "One word for two pictures"),
        (asked("refuse", "word", "word", "guess", "object"), "A word for each of two pairs"),
        (asked("guess", "object"), "Which two pictures?"),
        (asked("guess", "object", "guess", "object"), "2 words to guess"),
        (asked("swap", "pass", phase="swap"), "Change places?"),
        (asked(), "A bot is to move in your seat"),
        (asked(to_move=[1]), "Waiting for Bob"),
        (asked(to_move=[1, 2]), "Waiting for 2 players"),
        (asked("ready", phase="ready", mode="cooperative"), "Ready?"),
        (asked(phase="ready", mode="cooperative"), "Waiting until one more is ready"),
        (asked("clue", phase="race", mode="cooperative"), "One word for two pictures"),
        (asked(phase="race", mode="cooperative", ends_at=1), "The race is on"),
    ],
)
def test_the_headline_asks_in_words(shown, said):
    assert text(words().headline(shown)) == said


def test_the_headline_of_a_race_that_is_over():
    over = {"mode": "cooperative", "phase": "over", "score": -2}
    assert text(words().headline(told(view=over) | {"status": "ended"})) == "−2 points together"


def test_the_clock_that_ends_a_race_is_nobody():
    end = entry(9, None, {"type": "end", "score": 4}, by="clock")
    assert text(words().story(told(), [end])) == "10:00 The race is over: 4 points together"
