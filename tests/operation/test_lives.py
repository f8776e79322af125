"""What grows has a stated life, and nothing outlives it."""

import re
from datetime import timedelta
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from allauth.usersessions.models import UserSession
from asgiref.sync import async_to_sync
from django.apps import apps
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.services import visits
from accounts.tasks import forget_sessions
from config.lib import clock as present
from config.lib import error_counts, redis, steps
from games.models import Audit, Invitation, MailStop, Match, Notice, Outage, Sweep, TimeOut
from games.queries import readable
from games.services.clocks import time_outs
from games.services.mail import delivery, planning
from games.services.operation import old_rows, samples, site_status
from games.services.play import presence
from leaderboards import ranks
from tests.factories import PASSWORD, browser_of, opened, seated

pytestmark = pytest.mark.outgrown
TOLD = Path("docs/operation.md").read_text().partition("## What grows, and how long it stays")[2].partition("\n## ")[0]
TABLES = TOLD.partition("Redis keeps")[0]
KEYS = TOLD.partition("\n| key |")[2].partition("\n\n")[0]
FEW = ("visits", "pages", "club-y:heartbeat", "ranks:wanted", "ranks:synced", "ranks:left-out", "celery", "_kombu*")
OLD, LATELY = timedelta(days=91), timedelta(days=89)


def test_every_table_has_a_stated_life():
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    ours = {table for table in tables if not table.startswith("sample")}
    told = re.findall(r"`([a-z_]+)`", "".join(re.findall(r"^\| (.*?) \|", TABLES, re.M)))
    assert sorted(told) == sorted(ours)


@pytest.mark.bad_matches
def test_every_key_of_redis_has_a_stated_life(ann, bob):
    """After play, pages, sweeps and errors: each key is in the table, and ends by itself or is one of a few."""
    stores = [redis.client(redis.address(number)) for number in range(5)]
    for store in stores:
        store.flushdb()
    match = seated(ann, bob)
    browser = Client()
    browser.post("/accounts/login/", {"login": "ann", "password": PASSWORD})
    browser.post("/accounts/login/", {"login": "bob", "password": "wrong"})
    Client().post("/accounts/signup/", {"username": "Cleo", "email": "cleo@example.org", "password1": PASSWORD})
    for path in ("/", f"/matches/{match.pk}/", "/people/bob/", "/leaderboards/yum-extra/", "/healthz", "/metrics"):
        browser.get(path)
    for task in (planning.sweep, time_outs.sweep, ranks.refresh, samples.keep, site_status.beat, visits.keep):
        task()
    error_counts.note("ValueError", "/", "abc")
    readable.report(match.pk, ValueError())
    readable.unreadable_matches(5)
    visits.note(ann.pk)
    async_to_sync(presence.note_open)([ann.pk])
    async_to_sync(presence.note_watch)()
    async_to_sync(presence.arrive)(match.pk, 0)
    patterns = re.findall(r"`([^`|]+)`", "".join(re.findall(r"^\| (`[^|]*`) \|", KEYS, re.M)))
    found = {key.decode(): store.ttl(key) for store in stores for key in store.scan_iter("*")}
    assert {"visits", "pages", "club-y:heartbeat", f"here:{match.pk}"} <= found.keys()
    untold = [key for key in found if not any(fnmatchcase(key, pattern) for pattern in patterns)]
    assert not untold
    endless = [key for key, ttl in found.items() if ttl < 0 and not any(fnmatchcase(key, one) for one in FEW)]
    assert not endless


def ended(match: Match, ago: timedelta) -> Match:
    at = present.now() - ago
    Match.objects.filter(pk=match.pk).update(status="ended", ending="played", ended_at=at)
    return match


def time_out(match: Match, ago: timedelta, sweep: Sweep | None = None) -> TimeOut:
    facts = {"seat": 0, "kind": "played", "before": {}, "at": present.now() - ago}
    return TimeOut.objects.create(match=match, ask=TimeOut.objects.count(), sweep=sweep, **facts)


def test_time_outs_and_their_sweeps(ann, bob):
    sweeps = [Sweep.objects.create(at=present.now() - OLD, due=1) for _ in range(4)]
    running, old, late = seated(ann, bob), ended(seated(ann, bob), OLD), ended(seated(ann, bob), LATELY)
    kept = {time_out(running, OLD, sweeps[0]).pk, time_out(late, OLD).pk}
    time_out(old, OLD, sweeps[1])
    Audit.objects.create(deed="undo", reason="so", sweep=sweeps[2])
    last = Sweep.objects.create(at=present.now() - OLD, stopped=True)
    gone = old_rows.forget_old()
    assert (gone["timeout"], gone["sweep"]) == (1, 2)
    assert set(TimeOut.objects.values_list("pk", flat=True)) == kept
    assert set(Sweep.objects.values_list("pk", flat=True)) == {sweeps[0].pk, sweeps[2].pk, last.pk}


def test_outages_that_every_clock_was_given_back(ann, bob):
    def outage(ago: timedelta) -> Outage:
        return Outage.objects.create(
            part="web", start=present.now() - ago - timedelta(hours=1), end=present.now() - ago
        )

    match, first, second, named, last = seated(ann, bob), outage(OLD), outage(OLD), outage(OLD), outage(OLD)
    Audit.objects.create(deed="time_all", reason="so", outage=named)
    Match.objects.filter(pk=match.pk).update(outage=first.pk)
    assert old_rows.forget_old()["outage"] == 1
    assert set(Outage.objects.values_list("pk", flat=True)) == {second.pk, named.pk, last.pk}
    Match.objects.filter(pk=match.pk).update(outage=last.pk)
    assert old_rows.forget_old()["outage"] == 1
    assert set(Outage.objects.values_list("pk", flat=True)) == {named.pk, last.pk}


def test_stops_of_the_mails_that_are_over(db):
    facts = {"since": present.now() - OLD, "addresses": 5, "error": "no"}
    MailStop.objects.create(open=None, released_at=present.now() - OLD, **facts)
    kept = (
        MailStop.objects.create(open=None, released_at=present.now() - LATELY, **facts),
        MailStop.objects.create(**facts),
    )
    assert old_rows.forget_old()["mailstop"] == 1
    assert set(MailStop.objects.all()) == set(kept)


def test_invitations_to_matches_that_ended_long_ago(ann, bob, cem):
    matches = [seated(ann, bob), seated(ann, bob), opened(ann)]
    Invitation.objects.bulk_create(Invitation(match=match, user=cem, declined=True) for match in matches)
    ended(matches[0], OLD)
    ended(matches[1], LATELY)
    assert old_rows.forget_old()["invitation"] == 1
    assert set(Invitation.objects.values_list("match", flat=True)) == {match.pk for match in matches[1:]}


def test_notices_that_no_mail_told(ann, bob):
    match = seated(ann, bob)
    Notice.objects.all().delete()
    for kind, ago in (("started", OLD), ("ended", LATELY)):
        Notice.objects.create(user=ann, match=match, kind=kind, created_at=present.now() - ago)
    delivery.forget_old()
    assert [notice.kind for notice in Notice.objects.all()] == ["ended"]


def test_sessions_go_with_the_browsers_that_had_them(ann, bob):
    keys = [browser_of(person).session.session_key for person in (ann, bob)]
    for key, person in zip(keys, (ann, bob), strict=True):
        UserSession.objects.get_or_create(session_key=key, defaults={"user": person, "ip": "127.0.0.1"})
    UserSession.objects.create(user=ann, session_key="of none", ip="127.0.0.1")
    Session.objects.filter(session_key=keys[0]).update(expire_date=present.now() - timedelta(hours=1))
    forget_sessions()
    assert list(Session.objects.values_list("session_key", flat=True)) == [keys[1]]
    assert list(UserSession.objects.values_list("session_key", flat=True)) == [keys[1]]


def test_a_step_at_a_time(db):
    Sweep.objects.bulk_create(Sweep() for _ in range(25))
    assert steps.delete_in_steps(Sweep.objects.all(), step=10, most=20) == 20
    assert steps.delete_in_steps(Sweep.objects.all(), step=10, most=20) == 5
    assert not Sweep.objects.exists()
