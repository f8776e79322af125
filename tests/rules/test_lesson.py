"""The data of a lesson: how a step is found, what is said to an answer, and which draws are prepared."""

import pytest

from games.engine import Lesson, PreparedChance, SeededChance, Step
from games.engine.lesson import fits_pattern
from games.rules import games, get_game, lesson

VIEW = {"you": 0, "phase": "roll", "rolls": 1, "dice": [3, 3], "seats": [{"cash": 5}, {"cash": 7}], "map": {2: "x"}}


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ({}, True),
        ({"phase": "roll"}, True),
        ({"phase": "roll", "rolls": 2}, False),
        ({"rolls": (0, 1)}, True),
        ({"rolls": range(2, 5)}, False),
        ({"rolls": True}, False),  # 1 is no answer to a question
        ({"seats.1.cash": 7}, True),
        ({"seats.2.cash": None}, True),
        ({"seats.1.cash.far": None}, True),
        ({"map.2": "x"}, True),
        ({"dice": [3, 3]}, True),
        ({"dice": ([1], [3, 3])}, True),
        ({"dice": [3]}, False),
    ],
)
def test_a_situation(pattern, fits):
    assert fits_pattern(pattern, VIEW) is fits


def test_the_first_step_of_the_seat_that_fits_counts():
    own, other, later = Step(when={"rolls": 1}), Step(seat=1, when={}), Step(when={})
    taught = Lesson(steps=(other, own, later))
    assert taught.step(VIEW) is own
    assert taught.step(VIEW | {"rolls": 2}) is later
    assert taught.step(VIEW | {"you": 1}) is other
    assert Lesson(steps=(other,)).step(VIEW) is None


def test_facts_are_asked_like_the_view():
    taught = Lesson(steps=(Step(when={"pips": 6}),), facts=lambda view: {"pips": sum(view["dice"])})
    assert taught.step(VIEW) is taught.steps[0]


def test_what_is_said_to_an_answer():
    step = Step(
        when={},
        move={"type": "roll", "dice": [1]},
        or_move={"type": "pass"},
        others=(({"type": "roll"}, "not those"), ({}, "roll")),
    )
    assert step.reply({"type": "roll", "dice": [1]}) == ""
    assert step.reply({"type": "pass"}) == ""
    assert step.reply({"type": "roll", "dice": [2]}) == "not those"
    assert step.reply({"type": "score"}) == "roll"
    assert Step(when={}, others=(({}, "no"),)).reply({"type": "score"}) == ""


def test_prepared_draws_are_given_where_they_fit():
    seeded = SeededChance(b"seed")
    true = [seeded.roll(2), seeded.roll(3), seeded.shuffle(3), seeded.scatter(10), seeded.roll(1)]
    source = SeededChance(b"seed")
    chance = PreparedChance(source)
    chance.prepare([[6, 6], [6, 6], None, [3, 4]])
    assert chance.roll(2) == [6, 6]
    assert chance.roll(3) == true[1]  # of another shape
    assert chance.shuffle(3) == true[2]
    assert chance.scatter(10) == [3, 4]
    assert chance.roll(1) == true[4]
    assert chance.used == [0, 3]
    assert source.drawn == 5


def test_what_cannot_be_drawn_is_not_given():
    chance = PreparedChance(SeededChance(b"seed"))
    chance.prepare([[7], [0, 0, 1], [500, 0]])
    assert chance.roll(1) != [7]
    assert sorted(chance.shuffle(3)) == [0, 1, 2]
    assert chance.scatter(10) != [500, 0]
    assert chance.used == []


@pytest.mark.parametrize("slug", [slug for slug in games() if lesson(slug)])
def test_a_lesson_fits_its_game(slug):
    game, taught = get_game(slug), lesson(slug)
    assert taught.bot in game.levels
    assert taught.options.items() <= game.full_options(taught.seats, taught.options).items()
    assert all(step.move for step in taught.steps if step.seat)
    assert any(step.last for step in taught.steps_of(0))
    assert {step.seat for step in taught.steps} <= set(range(taught.seats))


def test_older_rules_have_no_lesson():
    assert lesson("sample-game") is not None
    assert lesson("sample-game", 1) is None
