"""Pausing by agreement: the clocks stand when all agree, until one does not; nobody gains by it."""

from datetime import timedelta
from random import Random

import pytest

from games.clocks import MS
from games.services.play import moves
from games.services.refusals import NotRunning, NotYourSeat
from tests.factories import asked, fresh, opened, play_on, seat, seated, submit, waiting


def wish(match, *people, pause=True):
    for person in people:
        moves.wish_pause(match_id=match.pk, user=person, wish=pause)


def test_a_stranger_has_no_say(ann, bob, eve):
    match = seated(ann, bob)
    with pytest.raises(NotYourSeat):
        wish(match, eve)


def test_before_the_start_and_after_the_end(ann, bob):
    match = opened(ann, size=2)
    with pytest.raises(NotRunning):
        wish(match, ann)
    match = seated(ann, bob)
    moves.resign(match_id=match.pk, user=bob)
    with pytest.raises(NotRunning):
        wish(match, ann)


def test_one_wish_pauses_nothing_and_can_be_taken_back(ann, bob):
    match = seated(ann, bob)
    deadline = asked(match).deadline
    wish(match, ann)
    assert (fresh(match).paused_at, asked(match).deadline) == (None, deadline)
    wish(match, ann, pause=False)
    wish(match, bob)
    assert fresh(match).paused_at is None


@pytest.mark.outgrown
def test_when_all_agree_the_clock_stands_until_one_does_not(ann, bob, hours):
    match = seated(ann, bob)
    hours.go_by(days=1)
    wish(match, ann, bob)
    mover = asked(match)
    assert fresh(match).paused_at is not None
    assert (mover.runs_from, mover.deadline) == (None, None)
    assert mover.bank == pytest.approx(timedelta(days=2) // MS, abs=30_000)
    hours.go_by(days=100)
    wish(match, bob, pause=False)
    resumed = asked(match)
    assert fresh(match).paused_at is None
    assert resumed.bank == mover.bank
    assert resumed.deadline == resumed.runs_from + mover.bank * MS
    assert not match.seats.filter(wants_pause=True).exists()


@pytest.mark.outgrown
def test_moves_may_be_made_meanwhile_and_nobody_s_clock_starts(ann, bob, hours):
    match = seated(ann, bob)
    wish(match, ann, bob)
    mover = asked(match)
    hours.go_by(days=10)
    submit(match, mover, {"type": "roll"})
    play_on(fresh(match), Random(51), until=lambda m: asked(m).number != mover.number)
    assert asked(match).number != mover.number
    assert asked(match).deadline is None
    wish(match, ann, pause=False)
    assert asked(match).deadline is not None
    assert waiting(match).deadline is None


def test_a_hundred_pauses_gain_nothing(ann, bob, hours):
    match = seated(ann, bob)
    for _number in range(100):
        wish(match, ann, bob)
        hours.go_by(minutes=7)
        wish(match, ann, pause=False)
    whole = match.pace.bank // MS
    assert whole - 120_000 < asked(match).bank <= whole


def test_who_leaves_stands_in_no_pause_s_way(ann, bob, cem):
    match = seated(ann, bob, cem)
    wish(match, ann, bob)
    moves.resign(match_id=match.pk, user=cem)
    assert fresh(match).paused_at is not None
    assert all(s.deadline is None for s in match.seats.all())


def test_against_bots_alone_one_decides(ann):
    match = seated(ann, bots=["easy"])
    wish(match, ann)
    assert fresh(match).paused_at is not None
    assert seat(match, 0).deadline is None
