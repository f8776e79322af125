"""A wish to call a match off, or to pause it, lapses with one's next move: it is not kept for a convenient moment."""

from random import Random

import pytest

from games.models import Match
from games.queries import play
from games.services.play import moves
from games.services.play.moves import wish_call_off, wish_pause
from games.services.refusals import NoLongerProposed
from tests.factories import asked, browser_of, fresh, play_on, random_move, seat, seated, submit
from tests.games.play.test_sealed import BELIEVE, DOUBT, announced, asks

WISHES = {"wants_call_off": wish_call_off, "wants_pause": wish_pause}


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


def move(match, key="a move"):
    mover = asked(match)
    submit(match, mover, random_move(fresh(match), mover.number, Random(1)), key=key)


@pytest.mark.parametrize("name", WISHES)
def test_it_lapses_with_ones_own_move_alone(match, name):
    mover, other = asked(match), seat(match, 1 - asked(match).number)
    WISHES[name](match_id=match.pk, user=other.user, wish=True)
    WISHES[name](match_id=match.pk, user=mover.user, wish=False)
    while not match.log.filter(seat=other.number).exists():
        assert getattr(seat(match, other.number), name)
        move(match, key=f"move-{fresh(match).turns}")
    assert getattr(seat(match, other.number), name) is None
    assert getattr(seat(match, mover.number), name) is None  # the answer goes with it


@pytest.mark.parametrize("name", WISHES)
def test_until_then_it_can_be_accepted(match, name):
    mover, other = asked(match), seat(match, 1 - asked(match).number)
    WISHES[name](match_id=match.pk, user=other.user, wish=True)
    assert play.waiting_count(mover.user) == 1
    WISHES[name](match_id=match.pk, user=mover.user, wish=True, answers=True)
    match = fresh(match)
    assert match.status == Match.Status.ENDED or match.paused_at


@pytest.mark.parametrize(("name", "address"), [("wants_call_off", "call-off"), ("wants_pause", "pause")])
def test_to_accept_what_has_lapsed_proposes_nothing(match, name, address):
    mover, other = asked(match), seat(match, 1 - asked(match).number)
    WISHES[name](match_id=match.pk, user=mover.user, wish=True)
    move(match)
    with pytest.raises(NoLongerProposed):
        WISHES[name](match_id=match.pk, user=other.user, wish=True, answers=True)
    answer = browser_of(other.user).post(f"/matches/{match.pk}/{address}/", {"wish": "1", "answers": "1"})
    assert answer.status_code == 409
    assert "no longer stands" in answer.content.decode()
    assert getattr(seat(match, other.number), name) is None


def test_a_pause_in_force_goes_on(match, ann, bob):
    for person in (ann, bob):
        wish_pause(match_id=match.pk, user=person, wish=True)
    play_on(fresh(match), Random(3), turns=9)
    assert fresh(match).paused_at
    assert all(match.seats.values_list("wants_pause", flat=True))


def test_a_move_before_the_wish_does_not_count(match):
    mover = asked(match)
    move(match)
    wish_call_off(match_id=match.pk, user=mover.user, wish=True)
    if asked(match).number != mover.number:
        move(match, key="the other's")
    assert seat(match, mover.number).wants_call_off


def test_one_who_accepted_and_moves_has_not_agreed_for_ever(ann, bob, cem):
    match = seated(ann, bob, cem)
    mover = asked(match)
    others = [person for person in (ann, bob, cem) if person != mover.user]
    wish_call_off(match_id=match.pk, user=others[0], wish=True)
    wish_call_off(match_id=match.pk, user=mover.user, wish=True, answers=True)
    move(match)
    wish_call_off(match_id=match.pk, user=others[1], wish=True, answers=True)
    assert fresh(match).status == Match.Status.RUNNING


def test_of_a_sealed_answer_it_lapses_when_that_is_told(ann, bob, cem, eve):
    """Before that it would tell who has answered."""
    match = announced(seated(ann, bob, cem, eve, game_slug="yam-menteur"))
    first, second, third = asks(match)
    wish_call_off(match_id=match.pk, user=seat(match, first).user, wish=True)
    for number, (who, answer) in enumerate(((first, BELIEVE), (second, DOUBT), (third, DOUBT))):
        assert seat(match, first).wants_call_off
        submit(match, seat(match, who), answer, key=f"key-{number}")
    assert seat(match, first).wants_call_off is None


def test_an_answer_under_seal_from_before_the_wish_does_not_count(ann, bob, cem, eve):
    match = announced(seated(ann, bob, cem, eve, game_slug="yam-menteur"))
    first, second, third = asks(match)
    submit(match, seat(match, first), BELIEVE, key="before")
    moves.wish_call_off(match_id=match.pk, user=seat(match, first).user, wish=True)
    for number, who in enumerate((second, third)):
        submit(match, seat(match, who), DOUBT, key=f"key-{number}")
    assert seat(match, first).wants_call_off
