"""Ending a match without result, when all who are still in agree."""

import pytest

from games.models import Match
from games.services.play import moves
from games.services.refusals import NotRunning, NotYourSeat
from tests.factories import fresh, opened, seat, seated


def wish(match, person, wish=True):
    moves.wish_call_off(match_id=match.pk, user=person, wish=wish)


def test_a_stranger_has_no_say(ann, bob, eve):
    match = seated(ann, bob)
    with pytest.raises(NotYourSeat):
        wish(match, eve)


def test_who_left_has_no_say(ann, bob, cem):
    match = seated(ann, bob, cem)
    moves.resign(match_id=match.pk, user=cem)
    with pytest.raises(NotYourSeat):
        wish(match, cem)


def test_before_the_start(ann):
    with pytest.raises(NotRunning):
        wish(opened(ann), ann)


def test_after_the_end(ann, bob):
    match = seated(ann, bob)
    moves.resign(match_id=match.pk, user=ann)
    with pytest.raises(NotRunning):
        wish(match, bob)


def test_one_alone_ends_nothing(ann, bob):
    match = seated(ann, bob)
    wish(match, ann)
    wish(match, ann)
    assert fresh(match).status == Match.Status.RUNNING
    assert seat(match, 0).wants_call_off
    assert fresh(match).version > match.version


def test_taken_back(ann, bob):
    match = seated(ann, bob)
    wish(match, ann)
    wish(match, ann, False)
    wish(match, bob)
    assert fresh(match).status == Match.Status.RUNNING


def test_agreed(ann, bob):
    match = seated(ann, bob)
    wish(match, ann)
    wish(match, bob)
    match = fresh(match)
    assert (match.status, match.ending, match.outcome) == ("ended", Match.Ending.CALLED_OFF, None)
    assert match.ended_at
    assert [(s.rank, s.score, s.ask) for s in match.seats.all()] == [(None, None, None)] * 2


def test_bots_and_who_left_need_not_agree(ann, bob, cem):
    match = seated(ann, bob, cem, bots=["easy"])
    moves.resign(match_id=match.pk, user=bob)
    wish(match, ann)
    wish(match, cem)
    assert fresh(match).ending == Match.Ending.CALLED_OFF
    assert set(match.seats.values_list("rank", flat=True)) == {None}


def test_alone_with_bots(ann):
    match = seated(ann, bots=["easy"])
    wish(match, ann)
    assert fresh(match).ending == Match.Ending.CALLED_OFF


@pytest.mark.parametrize("say", [moves.wish_call_off, moves.wish_pause])
def test_a_no_that_changes_nothing_is_told_to_nobody(ann, bob, say):
    """Else one player has everybody's pages fetch the table ten times a second, as each post brings a new version."""
    match = seated(ann, bob)
    say(match_id=match.pk, user=ann, wish=False)
    assert fresh(match).version == match.version
    say(match_id=match.pk, user=bob, wish=True)
    say(match_id=match.pk, user=ann, wish=False)
    refused = fresh(match).version
    assert refused == match.version + 2
    say(match_id=match.pk, user=ann, wish=False)
    assert fresh(match).version == refused
    say(match_id=match.pk, user=bob, wish=False)
    assert fresh(match).version == refused + 1
