"""Whom a sweep of the mails looks at, in which order, and what it leaves for later; visits are kept."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.models import User
from accounts.services import visits
from config.lib import clock as site_clock
from config.lib.redis import CACHE, address
from games.models import Kind, Mail
from games.services.mail import candidates, delivery, planning
from games.services.mail.notices import note
from tests.factories import asked, member, seated
from tests.mailing import HOUR, MINUTE, prefer, send, wind

pytestmark = pytest.mark.usefixtures("clock")


@pytest.mark.both
def test_visits_are_kept_together_and_none_is_lost(ann, bob, cem, clock):
    """All in one statement; one that nobody kept while it was fresh, before it is forgotten."""
    visits.note(cem.pk)
    clock.forward(50 * MINUTE)
    for person in (ann, bob):
        visits.note(person.pk)
    with CaptureQueriesContext(connection) as queries:
        assert visits.keep() == 2
    assert len([query for query in queries if query["sql"].startswith("UPDATE")]) == 1
    assert visits.keep() == 0
    assert User.objects.get(pk=cem.pk).seen_at is None
    clock.forward(11 * MINUTE)
    assert visits.keep() == 1
    seen = {person.pk: person.seen_at for person in User.objects.all()}
    assert seen[ann.pk] - seen[cem.pk] >= timedelta(minutes=50)
    assert visits.last([cem.pk]) == {}
    assert visits.last([ann.pk]) == {ann.pk: seen[ann.pk]}


@pytest.mark.both
def test_a_later_visit_in_the_database_stays(ann):
    visits.note(ann.pk)
    later = site_clock.now() + timedelta(minutes=1)
    prefer(ann, seen_at=later)
    assert visits.keep() == 0
    assert User.objects.get(pk=ann.pk).seen_at == later


@pytest.mark.both
def test_a_sweep_that_ran_out_of_time_goes_on_where_it_ended(clock, db, monkeypatch):
    people = [member(f"dan{n}") for n in range(6)]
    for ann, bob in zip(people[::2], people[1::2], strict=True):
        match = seated(ann, bob)
        match.seats.update(ask=9, asked_at=site_clock.now())
    clock.forward(HOUR)
    looked = []
    monkeypatch.setattr(planning, "SWEEP_SECONDS", -1.0)  # one member a sweep
    monkeypatch.setattr(planning, "plan_mails_for", lambda pk: looked.append(pk) or 0)  # and none gets a mail
    for _ in range(8):
        planning.sweep()
    ids = sorted(person.pk for person in people)
    assert looked == [*ids, *ids[:2]]


def test_who_turned_a_topic_off_is_not_even_looked_at(waiting):
    mover = asked(waiting)
    wind(mover, left=timedelta(hours=1), bank=timedelta(days=3))
    for off, found in (
        (["reminder"], {mover.user_id}),
        (["turn"], {mover.user_id}),
        (["turn", "reminder"], set()),
        (["ended"], {mover.user_id}),
    ):
        prefer(mover.user, mail_off=off)
        assert set().union(*candidates._asked(site_clock.now()).values()) == found


@pytest.mark.both
def test_what_is_new_is_found_each_time_and_all_else_in_five_minutes(waiting, clock):
    """A look at a million open questions takes seconds, one at what was asked or runs out now does not."""
    mover = asked(waiting)
    day = timedelta(days=1)

    def found(*, whole: bool) -> set[str]:
        return {kind for kind, people in candidates._asked(site_clock.now(), whole=whole).items() if people}

    for ago, left, new in (
        (timedelta(minutes=1), 3 * day, {"turn"}),
        (timedelta(minutes=11), 3 * day, {"turn"}),
        (timedelta(minutes=13), 3 * day, set()),
        (day, timedelta(minutes=50), {"reminder", "reminder2"}),
    ):
        wind(mover, left=left, bank=3 * day)
        waiting.seats.filter(pk=mover.pk).update(asked_at=site_clock.now() - ago)
        assert found(whole=False) == new
        assert found(whole=True) == new | {"turn"}
    assert [planning.is_time_for_all() for _ in range(3)] == [True, False, False]


def test_who_is_killed_at_a_look_at_all_leaves_it_to_the_next(waiting):
    def left() -> int:
        return Redis.from_url(address(CACHE)).ttl(cache.make_key(planning.LOOKED))

    assert planning.is_time_for_all()
    assert 0 < left() <= 60
    planning.sweep()
    assert left() > 240


@pytest.mark.both
def test_a_look_at_all_that_ran_out_of_time_goes_on_at_once(waiting, monkeypatch):
    assert planning.is_time_for_all()
    planning.sweep()
    assert not planning.is_time_for_all()
    monkeypatch.setattr(planning, "SWEEP_SECONDS", -1.0)
    wind(asked(waiting), left=timedelta(hours=20), bank=timedelta(days=5))
    planning.sweep()
    assert planning.is_time_for_all()


@pytest.mark.both
def test_who_is_told_once_a_visit_or_a_day_is_not_looked_at_again(waiting, clock):
    mover = asked(waiting)
    prefer(mover.user, mail_rhythm="daily")
    assert not set().union(*candidates._asked(site_clock.now()).values())
    prefer(mover.user, mail_rhythm="visit", seen_at=site_clock.now() - timedelta(hours=1))
    assert candidates._asked(site_clock.now())[Kind.TURN] == {mover.user_id}
    planning.sweep()
    clock.forward(HOUR)
    waiting.seats.filter(pk=mover.pk).update(ask=mover.ask + 1)
    assert not set().union(*candidates._asked(site_clock.now()).values())
    Mail.objects.update(state="dropped")
    assert candidates._asked(site_clock.now())[Kind.TURN] == {mover.user_id}


@pytest.mark.both
def test_who_cannot_be_mailed_is_not_even_looked_at(waiting, ann, bob):
    mover = asked(waiting)
    for cannot in ({"email": ""}, {"is_guest": True}, {"is_active": False}, {"mail_broken_at": site_clock.now()}):
        before = {name: getattr(mover.user, name) for name in cannot}
        prefer(mover.user, **cannot)
        assert not set().union(*candidates._asked(site_clock.now()).values()), cannot
        prefer(mover.user, **before)
    assert candidates._asked(site_clock.now())[Kind.TURN] == {mover.user_id}


def test_the_longest_pace_is_reminded_of_at_its_quarter(waiting):
    send()
    mover = asked(waiting)
    for left, found in ((timedelta(days=3, hours=13), set()), (timedelta(days=3, hours=11), {mover.user_id})):
        wind(mover, left=left, bank=timedelta(days=14))
        assert set().union(*candidates._asked(site_clock.now()).values()) == found


def test_while_a_mail_is_under_way_no_second_asks(waiting, clock):
    """The mail server is away for the whole time of a decision: one mail of it leaves, not three."""
    wind(asked(waiting), left=timedelta(hours=20), bank=timedelta(hours=20))
    for _ in range(19):
        planning.sweep()
        clock.forward(HOUR)
    assert Mail.objects.get().kind == Kind.TURN
    assert delivery.send_due() == 1
    assert planning.sweep() == 0


@pytest.mark.both
@pytest.mark.parametrize("state", ["waiting", "sending", "handed"])
def test_news_waits_while_a_mail_is_under_way_and_then_tells_the_present_question(waiting, state, clock):
    planning.sweep()
    Mail.objects.update(state=state)
    mover = asked(waiting)
    waiting.seats.filter(pk=mover.pk).update(ask=mover.ask + 1)
    clock.forward(HOUR)
    note(waiting, Kind.STARTED, [mover.user_id])
    assert planning.sweep() == 0
    Mail.objects.update(state="sent", sent_at=site_clock.now(), state_at=site_clock.now())
    clock.forward(11 * MINUTE)
    assert planning.sweep() == 1
    told = Mail.objects.order_by("pk").last().notices.order_by("pk")
    assert list(told.values_list("kind", "ask")) == [("started", 0), ("turn", mover.ask + 1)]


def test_the_pauses_count_from_when_a_mail_left(waiting, clock):
    planning.sweep()
    clock.forward(3 * HOUR)
    assert delivery.send_due() == 1
    wind(asked(waiting), left=timedelta(hours=10), bank=timedelta(hours=72))
    clock.forward(29 * MINUTE)
    assert send() == []
    clock.forward(2 * MINUTE)
    assert len(send()) == 1
