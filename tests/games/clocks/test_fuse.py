"""The fuse: a sweep that would time out far more than is believable stops, until an admin lets it go on."""

from itertools import pairwise

import pytest

from accounts.models import User
from games.models import Match, Seat, Sweep, TimeOut
from games.services.clocks import time_outs
from tests.factories import confirmed_member, member, seated


@pytest.fixture(autouse=True)
def no_days_off_by_themselves(django_user_model, ann, bob):
    django_user_model.objects.update(vacation_by_itself=False)


@pytest.fixture
def due_matches(ann, bob, hours):
    """Make so many matches in which a clock has run out, among so many."""

    def make(due: int, running: int) -> None:
        matches = [seated(ann, bob).pk for _ in range(due)]
        model = Match.objects.get(pk=matches[0])
        others = [
            Match(
                game_slug=model.game_slug,
                rules_version=1,
                size=2,
                status="running",
                state=model.state,
            )
            for _ in range(running - due)
        ]
        Match.objects.bulk_create(others)
        Seat.objects.bulk_create(Seat(match=match, number=0) for match in others)
        hours.go_by(days=3, seconds=6)

    return make


def test_twenty_are_always_believable(due_matches, hours):
    due_matches(20, 20)
    assert (hours.sweep().due, TimeOut.objects.count()) == (20, 20)


def test_twenty_one_of_few_are_not(due_matches, hours):
    due_matches(21, 1049)
    sweep = hours.sweep()
    assert (sweep.stopped, sweep.due, TimeOut.objects.count()) == (True, 21, 0)


def test_two_percent_are_believable(due_matches, hours):
    due_matches(21, 1050)
    assert not hours.sweep().stopped
    assert TimeOut.objects.count() == 21


@pytest.mark.outgrown
def test_one_row_tells_of_it_for_as_long_as_it_stays_so(due_matches, hours):
    due_matches(21, 21)
    assert hours.sweep() == hours.sweep() == Sweep.objects.get()


def test_an_admin_lets_it_go_on_for_an_hour(due_matches, hours):
    due_matches(21, 21)
    time_outs.release(hours.sweep())
    sweep = hours.sweep()
    assert (sweep.stopped, sweep.due, TimeOut.objects.count()) == (False, 21, 21)
    hours.go_by(days=3, hours=1)
    assert hours.sweep().stopped


@pytest.mark.outgrown
def test_what_was_not_stopped_cannot_be_released(due_matches, hours):
    due_matches(1, 1)
    sweep = hours.sweep()
    time_outs.release(sweep)
    assert Sweep.objects.get(pk=sweep.pk).released_at is None


@pytest.mark.outgrown
def test_a_few_who_let_many_matches_run_out_stop_nobody_elses_clocks(due_matches, ann, bob, cem, hours):
    """Two accounts begin as many matches as they like, and live ones run out within five minutes."""
    others = [member(f"other{n}") for n in range(6)]
    User.objects.update(vacation_by_itself=False)
    for one, other in pairwise(others):
        seated(one, other, pace="14d")
    due_matches(21, 27)
    assert not hours.sweep().stopped
    assert TimeOut.objects.count() == 21


def test_accounts_of_no_mailbox_stop_nobody(ann, bob, hours):
    strangers = [confirmed_member(f"stranger{n}", f"s{n}@example.org", confirmed=False) for n in range(22)]
    User.objects.update(vacation_by_itself=False)
    for n in range(0, 22, 2):
        for _ in range(2):
            seated(strangers[n], strangers[n + 1])
    seated(ann, bob, pace="14d")
    hours.go_by(days=3, seconds=6)
    assert not hours.sweep().stopped
    assert TimeOut.objects.count() == 22
