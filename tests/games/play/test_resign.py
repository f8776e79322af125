"""Leaving a running match: a bot takes the seat, ranked below all who are still in."""

from random import Random

import pytest

from games.models import Match
from games.queries.play import seats_of
from games.services.play import moves
from games.services.refusals import NotRunning, NotYourSeat
from games.table import table_for
from tests.factories import asked, fresh, opened, play_on, seat, seated, waiting


def resign(match, *people):
    for person in people:
        moves.resign(match_id=match.pk, user=person)


def test_a_stranger_has_nothing_to_leave(ann, bob, eve):
    match = seated(ann, bob)
    with pytest.raises(NotYourSeat):
        resign(match, eve)


def test_before_the_start(ann):
    with pytest.raises(NotRunning):
        resign(opened(ann), ann)


@pytest.mark.outgrown
def test_twice(ann, bob, cem):
    match = seated(ann, bob, cem)
    resign(match, bob)
    with pytest.raises(NotYourSeat):
        resign(match, bob)


def test_after_the_end(ann, bob):
    match = seated(ann, bob)
    resign(match, bob)
    with pytest.raises(NotRunning):
        resign(match, ann)


def test_a_bot_takes_the_seat(ann, bob, cem):
    match = seated(ann, bob, cem)
    mover = asked(match)
    resign(match, mover.user)
    left = seat(match, mover.number)
    assert (left.user, left.bot, left.left, left.ask) == (mover.user, "strong", 1, mover.ask)
    assert fresh(match).status == Match.Status.RUNNING
    assert fresh(match).version > match.version


def test_the_match_goes_on_and_who_left_is_last(ann, bob, cem):
    match = seated(ann, bob, cem)
    resign(match, bob)
    match = play_on(match, Random(21))
    assert match.ending == Match.Ending.PLAYED
    ranks = {s.user: s.rank for s in match.seats.all()}
    scores = match.outcome["scores"]
    assert ranks[bob] == 3
    assert (ranks[ann] < ranks[cem]) == (scores[0] > scores[2])
    assert [s.score for s in match.seats.order_by("number")] == scores


def test_the_first_to_leave_is_last(ann, bob, cem, eve):
    match = seated(ann, bob, cem, eve)
    resign(match, cem, ann)
    match = play_on(match, Random(22))
    ranks = {s.user.username: s.rank for s in match.seats.all()}
    assert (ranks["ann"], ranks["cem"]) == (3, 4)
    assert {ranks["bob"], ranks["eve"]} <= {1, 2}


@pytest.mark.outgrown
def test_one_person_against_none_but_who_left_has_won(ann, bob, cem):
    match = seated(ann, bob, cem)
    resign(match, cem, ann)
    match = fresh(match)
    assert (match.status, match.ending) == (Match.Status.ENDED, Match.Ending.RESIGNED)
    assert {s.user: s.rank for s in match.seats.all()} == {bob: 1, ann: 2, cem: 3}
    assert match.outcome is None
    assert not match.seats.filter(ask__isnull=False).exists()


def test_bots_that_sat_there_from_the_start_are_worth_playing_on_against(ann, bob):
    match = seated(ann, bob, bots=["easy"])
    resign(match, bob)
    assert fresh(match).status == Match.Status.RUNNING
    match = play_on(match, Random(23))
    assert match.ending == Match.Ending.PLAYED
    assert seat(match, 1).rank == 3


def test_nobody_is_left(ann):
    match = seated(ann, bots=["easy", "strong"])
    resign(match, ann)
    match = fresh(match)
    assert (match.status, match.ending) == (Match.Status.ENDED, Match.Ending.RESIGNED)
    assert [s.rank for s in match.seats.order_by("number")] == [3, 1, 1]


def test_all_leave_a_match_with_a_bot(ann, bob):
    match = seated(ann, bob, bots=["easy"])
    resign(match, ann, bob)
    assert [s.rank for s in match.seats.order_by("number")] == [3, 2, 1]


def test_who_left_no_longer_stands_against_a_call_off(ann, bob, cem):
    match = seated(ann, bob, cem)
    for person in (ann, bob):
        moves.wish_call_off(match_id=match.pk, user=person, wish=True)
    resign(match, cem)
    assert fresh(match).ending == Match.Ending.CALLED_OFF


def test_a_wish_to_call_off_goes_with_who_had_it(ann, bob, cem):
    match = seated(ann, bob, cem)
    moves.wish_call_off(match_id=match.pk, user=bob, wish=True)
    resign(match, bob)
    match = fresh(match)
    assert match.status == Match.Status.RUNNING
    shown = table_for(match, seats_of(match), None)["seats"]
    assert [one["wants_call_off"] for one in shown] == [False, False, False]


def test_the_question_stays_open_for_the_bot(ann, bob, cem, django_capture_on_commit_callbacks, monkeypatch):
    rung = []
    monkeypatch.setattr("games.broadcast._post", lambda *arguments: rung.append(arguments))
    match = seated(ann, bob, cem)
    with django_capture_on_commit_callbacks(execute=True):
        resign(match, waiting(match).user)
    assert rung == []
    with django_capture_on_commit_callbacks(execute=True):
        resign(match, asked(match).user)  # one is left: the match is over
    assert rung == []
    match = seated(ann, bob, cem)
    with django_capture_on_commit_callbacks(execute=True):
        resign(match, asked(match).user)
    assert rung == [("games.tasks.play_bots", [match.pk], 0.0)]
