"""The decisions of YAM menteur's lesson: how soon one comes, and that each answer has a reply of its own."""

import pytest

from games.rules import lesson
from games.rules.yam_menteur.sheet import CLAIMS, points
from tests.games.lessons import Learner, seconds

SOON = 60
DOUBT, BELIEVE = {"type": "answer", "doubt": True}, {"type": "answer", "doubt": False}
POOR = [6, 2, 1, 1, 6]  # the dice of the learner's second announcement


def is_own(step) -> bool:
    return step.or_move is not None


def test_the_first_own_decision_comes_within_a_minute(ann):
    learner = Learner(ann, "yam-menteur")
    words = learner.said(until=is_own)
    presses = 2 + learner.match.turns
    assert seconds(words, presses) < SOON


@pytest.mark.parametrize(("move", "reply"), [(DOUBT, "Well doubted"), (BELIEVE, "You believed something rare")])
def test_either_answer_to_the_first_claim_has_a_reply(ann, move, reply):
    learner = Learner(ann, "yam-menteur")
    learner.said(until=is_own)
    learner.play(move)
    list(zip(learner.path(), range(1), strict=False))
    assert [each for each in learner.met if reply in each.says]


@pytest.mark.parametrize(
    ("claim", "reply"),
    [(("large_straight", 40), "It was true: you write it"), (("yam", 50), "Your bluff was found out")],
)
def test_the_first_announcement_is_judged_by_what_came_of_it(ann, claim, reply):
    learner = Learner(ann, "yam-menteur")
    learner.said(until=lambda step: "say-0" in step.points)
    learner.play({"type": "announce", "combination": claim[0], "points": claim[1]}, advised=True)
    for _step in learner.path():
        if any(reply in each.says for each in learner.met):
            break
    judged = [each.says for each in learner.met if "throws." in each.says]
    assert [each for each in judged if reply in each or each.startswith("Nobody doubted")], judged


def test_who_doubted_what_was_true_is_told_of_the_cross(ann):
    learner = Learner(ann, "yam-menteur")
    learner.said(until=lambda step: step.move == BELIEVE)
    learner.play(DOUBT, advised=True)
    list(zip(learner.path(), range(1), strict=False))
    assert [each for each in learner.met if "a cross for you in Twos" in each.says]


@pytest.mark.thin(1)
@pytest.mark.parametrize(
    ("claim", "reply"),
    [
        (("sixes", 18), "Nobody doubted your 18"),
        (("sixes", 12), "The truth risks nothing"),
        (("chance", 16), "The truth risks nothing"),
    ],
)
def test_the_truth_and_a_bluff_are_both_judged(ann, claim, reply):
    learner = Learner(ann, "yam-menteur")
    learner.said(until=lambda step: "say-sixes" in step.points)
    learner.play({"type": "announce", "combination": claim[0], "points": claim[1]})
    list(zip(learner.path(), range(1), strict=False))
    assert [each for each in learner.met if reply in each.says]


def test_what_is_true_is_never_called_a_bluff(ann):
    learner = Learner(ann, "yam-menteur")
    learner.said(until=lambda step: "say-sixes" in step.points)
    assert learner.table()["view"]["dice"] == POOR
    for cell, held in points(tuple(POOR)).items():
        for claimed in [each for each in CLAIMS[cell] if each <= held]:
            move = {"type": "announce", "combination": cell, "points": claimed}
            answer = learner.step().reply(move)
            assert not answer or answer.startswith("True"), move


def test_a_cross_is_told_with_the_verdict_and_at_its_row(ann):
    learner = Learner(ann, "yam-menteur")
    learner.said(until=lambda step: step.move == BELIEVE)
    learner.play(DOUBT, advised=True)
    for _step in zip(learner.path(), range(2), strict=False):
        viewing = learner.viewing()
        html = viewing.fragment(viewing.table())
        assert "You: ×" in html
    assert html.count("a caught bluff bars this row") == 1


def test_no_prepared_try_shows_the_same_faces_again():
    steps = list({repr(step.draws): step for step in lesson("yam-menteur").steps_of(0) if step.draws}.values())
    dice: list[int] = []
    for step in steps:
        again = step.move.get("dice", range(5))
        before, rolled = sorted(dice[die] for die in again if dice), step.draws[0]
        assert sorted(rolled) != before
        for die, face in zip(again, rolled, strict=True):
            dice[die : die + 1] = [face]
