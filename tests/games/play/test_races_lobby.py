"""Several sit down, leave and start at the same moment: each table ends up right."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection

from config.lib import clock
from games.models import Heartbeat, LastInvitation, Match
from games.services.lobby import closing, opening, readiness
from games.services.play import moves
from tests.factories import (
    fresh,
    member,
    opened,
    seat,
    seated,
)
from tests.games.play.at_once import Tab, statuses

pytestmark = pytest.mark.both


@pytest.fixture
def ann(site):
    return member("ann")


@pytest.fixture
def bob(site):
    return member("bob")


def test_twenty_members_and_one_seat(ann, at_once):
    match = opened(ann, size=2)
    tabs = [Tab(member(f"member-{number}")) for number in range(20)]
    answers = at_once(tab.post(f"/matches/{match.pk}/join/") for tab in tabs)
    assert statuses(answers) == [302] + [409] * 19
    assert all("All seats are taken." in answer.text for answer in answers if answer.status_code == 409)
    match = fresh(match)
    assert match.status == Match.Status.RUNNING
    assert [s.user is not None for s in match.seats.order_by("number")] == [True, True]
    assert match.seats.filter(ask__isnull=False).count() == 1


def test_one_member_joins_in_five_tabs(ann, bob, at_once):
    match = opened(ann, size=4)
    tab = Tab(bob)
    assert set(statuses(at_once(tab.post(f"/matches/{match.pk}/join/") for _ in range(5)))) == {302}
    assert [s.user for s in match.seats.order_by("number")] == [ann, bob, None, None]


def test_the_last_seat_and_an_early_start(ann, bob, at_once):
    """Bob sits down while Ann starts with a bot: he has the seat or the bot has it."""
    tabs = Tab(ann), Tab(bob)
    for _ in range(8):
        match = opened(ann, size=2)
        started, joined = at_once(
            [tabs[0].post(f"/matches/{match.pk}/start/"), tabs[1].post(f"/matches/{match.pk}/join/")]
        )
        other = seat(match, 1)
        assert fresh(match).status == Match.Status.RUNNING
        assert match.seats.filter(ask__isnull=False).count() == 1
        if other.user == bob:
            assert (started.status_code, joined.status_code, other.bot) == (409, 302, "")
        else:
            assert (started.status_code, joined.status_code, other.bot) == (302, 409, "easy")


def test_the_last_one_leaves_while_another_sits_down(ann, bob, at_once):
    tabs = Tab(ann), Tab(bob)
    for _ in range(8):
        match = opened(ann, size=3)
        _left, joined = at_once(
            [tabs[0].post(f"/matches/{match.pk}/leave/"), tabs[1].post(f"/matches/{match.pk}/join/")]
        )
        match = fresh(match)
        if match.status == Match.Status.OPEN:
            assert match.creator == bob
            assert joined.status_code == 302
        else:
            assert match.ending == Match.Ending.CLOSED
            assert joined.status_code == 409
            assert not match.seats.filter(user=bob).exists()


def test_two_rematches_are_one(ann, bob, at_once):
    tabs = Tab(ann), Tab(bob)
    for _ in range(8):
        old = seated(ann, bob)
        moves.resign(match_id=old.pk, user=bob)
        answers = at_once(tab.post(f"/matches/{old.pk}/rematch/") for tab in tabs)
        match = Match.objects.get(rematch_of=old)
        assert {answer.headers["Location"] for answer in answers} == {f"/matches/{match.pk}/"}
        assert match.status == Match.Status.RUNNING
        assert {s.user for s in match.seats.all()} == {ann, bob}


def test_a_rematch_asked_for_in_four_tabs(ann, bob, at_once):
    """What one of them opened and asked is not held against the others."""
    tabs = [Tab(ann) for _ in range(4)]
    for _ in range(12):
        old = seated(ann, bob)
        moves.resign(match_id=old.pk, user=bob)
        answers = at_once(tab.post(f"/matches/{old.pk}/rematch/") for tab in tabs)
        assert statuses(answers) == [302] * 4
        match = Match.objects.get(rematch_of=old)
        assert [s.user for s in match.seats.order_by("number")] == [ann, None]
        closing.leave(match_id=match.pk, user=ann)
        LastInvitation.objects.all().delete()  # else he is asked once a day


def test_two_say_at_once_that_they_are_here(ann, bob, at_once):
    tabs = Tab(ann), Tab(bob)
    for number in range(3):
        match = opened(ann, size=3, pace="live")
        for person in (bob, member(f"last-{number}")):
            opening.join(match_id=match.pk, user=person)
        answers = at_once(tab.post(f"/matches/{match.pk}/here/") for tab in (*tabs, tabs[0]))
        assert statuses(answers) == [302] * 3
        match = fresh(match)
        assert (match.status, match.asks) == (Match.Status.RUNNING, 1)


def test_the_last_says_so_as_the_minute_ends(ann, bob, at_once):
    """She plays, or the seat is free: never both."""
    tab, now = Tab(ann), clock.now()
    well = {"at": now, "since": now - timedelta(hours=1)}
    for _ in range(6):
        Heartbeat.objects.update_or_create(name="web", defaults=well)
        match = opened(ann, size=2, pace="live")
        opening.join(match_id=match.pk, user=bob)
        match.seats.filter(number=0).update(ready_by=clock.now())
        with ThreadPoolExecutor(1) as worker:
            freed = worker.submit(free_in_own_thread, match.pk)
            [answer] = at_once([tab.post(f"/matches/{match.pk}/here/")])
        match = fresh(match)
        if freed.result():
            assert (answer.status_code, match.status, seat(match, 0).user) == (403, Match.Status.OPEN, None)
        else:
            assert (answer.status_code, match.status, seat(match, 0).user) == (302, Match.Status.RUNNING, ann)


def free_in_own_thread(match_id: int) -> bool:
    try:
        return readiness.free_silent_seats(match_id=match_id)
    finally:
        connection.close()
