"""The decisions of Yum EXTRA's lesson: how soon one comes, that each answer has a reply, and where it points."""

import pytest

from tests.games.lessons import Learner, seconds

SOON = 30
"""Seconds, of the words of the coach and the presses alone: as long again goes by with what else is on the page."""


def writes_one_of_several(step) -> bool:
    return step.or_move is not None and step.move["type"] == "score"


def test_the_first_own_decision_comes_soon_with_what_it_hangs_on(ann):
    learner = Learner(ann, "yum-extra")
    words = learner.said(until=writes_one_of_several)
    home, dice = 3, 2
    presses = home + learner.match.turns + dice
    assert seconds(words, presses) < SOON
    assert "rarest" in words[-1]
    assert all(f"write-{cell}" in learner.step().points for cell in ("three_kind", "four_kind", "high_roll"))


@pytest.mark.parametrize(
    ("cell", "reply"),
    [
        ("four_kind", "Well chosen"),
        ("three_kind", "28 as well, but Four of a kind"),
        ("high_roll", "28 as well, but any dice"),
    ],
)
def test_each_row_that_gives_as_much_has_its_reply(ann, cell, reply):
    learner = Learner(ann, "yum-extra")
    learner.said(until=writes_one_of_several)
    learner.play({"type": "score", "cell": cell})
    assert learner.step().says.startswith(reply)
    assert list(learner.path())[-1].last


def test_what_a_combo_brought_is_told_in_words_and_shown_at_its_row(ann):
    learner = Learner(ann, "yum-extra")
    told = []
    for step in learner.path():
        told += [(step.says, learner.table()["view"]["sheets"])] if step.points == ("row-fives",) else []
    [(says, sheets)] = told
    assert "20 as Bonus" in says
    assert (sheets[0]["fives"]["bonus"], sheets[0]["fives"]["open"]) == (20, False)
    assert "struck out" in says
    assert "once more" in says
    assert (sheets[1]["fives"]["stolen"], sheets[1]["fives"]["open"]) == (True, True)


def test_who_passes_on_the_steal_is_told_of_no_twenty(ann):
    learner = Learner(ann, "yum-extra")
    learner.said(until=lambda step: "steal" in step.move["type"])
    learner.play({"type": "pass"}, advised=True)
    learner.bots_out()
    assert "20" not in learner.step().says


def test_it_points_at_what_is_to_be_pressed_not_at_the_whole_sheet(ann):
    learner = Learner(ann, "yum-extra")
    pointed = []
    for step in learner.path():
        pointed += step.points
        if step.move in ({"type": "steal", "cell": "fives"}, {"type": "triple", "cell": "yum"}):
            viewing = learner.viewing()
            html = viewing.fragment(viewing.table())
            [name] = step.points
            assert f'type="radio" name="chosen" id="{name}" data-pointed' in html
    assert {"steal-fives-1", "triple-yum", "reroll-3-2"} <= set(pointed)
    assert not {"use", "upper", "lower", "sheets"} & set(pointed)


def test_what_stays_kept_is_said_and_the_button_pointed_at(ann):
    learner = Learner(ann, "yum-extra")
    third = [step for step in learner.path() if step.when.get("rolls") == 2]
    assert [("kept" in step.says, step.points) for step in third] == [(True, ("roll",))] * 2
