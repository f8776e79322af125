"""What the lesson of YESSS! says of one's own guess, of a legal word, and of a pair that came back."""

import pytest

from games.engine import LEARNER, PreparedChance, SeededChance
from games.rules import lesson
from tests.rules.yesss_match import apply, game, view

taught = lesson("yesss")
SKI, KING, MOUSE = "ski", "king", "mouse"


def said(state) -> str:
    step = taught.step(view(state, LEARNER))
    return step.says if step else ""


def reply(state, move) -> str:
    return taught.step(view(state, LEARNER)).reply(move)


def say(state, token, word):
    announcer = view(state)["tokens"][token]["announcer"]
    return apply(state, announcer, {"type": "word", "token": token, "word": word})


def guess(state, seat, token, pair, *draws):
    return apply(state, seat, {"type": "guess", "token": token, "pair": pair}, *draws)


def selected(state):
    for seat in range(taught.seats):
        state = apply(state, seat, {"type": "select", "pair": view(state, seat)["hand"][0]})
    return state


@pytest.fixture
def first():
    """The first round, when all words are said."""
    chance = PreparedChance(SeededChance(b"seed"))
    chance.prepare(taught.setup)
    state = selected(game.setup(seats=taught.seats, options={"language": "en", **taught.options}, chance=chance))
    return say(say(say(state, 2, KING), 1, SKI), 0, MOUSE)


@pytest.fixture
def given(first):
    """The second round, before anybody has said a word."""
    state = guess(first, 2, 0, [1, 2])
    return selected(guess(guess(state, 1, 2, [5, 6]), LEARNER, 1, [3, 4], list(range(21))))


@pytest.fixture
def second(given):
    """The same, when only the learner has said none."""
    return say(say(given, 0, "thing"), 2, "nature")


@pytest.mark.parametrize(("pair", "told"), [([3, 4], "Right: +1 for you"), ([2, 3], "Wrong: “ski” was")])
def test_ones_own_guess_is_told_at_once_and_in_the_next_round(first, pair, told):
    state = guess(first, LEARNER, 1, pair)
    assert said(state).startswith(told)
    for missed in ([1, 2], [2, 7]):
        after = guess(guess(state, 1, 2, [5, 6]), 2, 0, missed, list(range(21)))
        assert said(after).startswith(told)
        assert ("+1 for you." in said(after) or "yours brought +1" in said(after)) == (missed == [1, 2])


def test_a_question_keeps_its_sentence_while_others_answer(first):
    asked = said(first)
    assert asked.startswith("A bot says “ski”")
    assert said(guess(first, 2, 0, [1, 2])) == asked


def test_a_wrong_guess_is_told_which_picture_to_change(first):
    wrong = {"type": "guess", "token": 1}
    assert "then tap 4" in reply(first, wrong | {"pair": [2, 3]})
    assert "then tap 3" in reply(first, wrong | {"pair": [4, 7]})
    assert "tap 3 and 4" in reply(first, wrong | {"pair": [1, 2]})
    assert reply(first, wrong | {"pair": [3, 4]}) == ""


def test_an_objection_to_a_legal_word_is_answered_each_time(second):
    objection = {"type": "object", "token": 2}
    assert said(second).startswith("Impossible?")
    assert "breaks no rule" in reply(second, objection)
    state = say(second, 1, "stone")
    assert said(state).startswith("This word breaks no rule")
    assert "breaks no rule" in reply(state, objection)
    again = say(apply(state, LEARNER, objection), 2, "forest")
    assert said(again).startswith("Another word")
    assert "breaks no rule" in reply(again, objection)


def test_a_pair_that_came_back_is_told(given):
    state = apply(given, view(given)["tokens"][0]["receiver"], {"type": "refuse"})
    assert said(state).startswith("Impossible?")
    assert said(say(state, 1, "stone")).startswith("Your pair came back")


@pytest.mark.parametrize(("pair", "told"), [("own", "Right: +1"), ([6, 7], "Wrong: +1")])
def test_the_second_guess_is_told_before_the_last_round(second, pair, told):
    true = view(second, 2)["tokens"][2]["pair"]
    state = guess(say(second, 1, "stone"), LEARNER, 2, true if pair == "own" else pair)
    assert said(state).startswith(told)
    state = guess(guess(state, 1, 0, [1, 2]), 2, 1, [1, 2], list(range(21)))
    assert said(state).startswith(told)
    assert taught.step(view(state, LEARNER)).last
