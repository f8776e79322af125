"""The fixed cast: Ann owns tables and sits first, Bob sits, Cem watches, Eve is a stranger, Gus a guest."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client

from accounts import visits
from accounts.models import User
from config import clock as present
from games.models import Heartbeat, Match, Sweep
from games.post import Notice
from games.services import outages, time_outs
from tests.games.playing import seated


def member(name: str, **fields) -> User:
    return User.objects.create_user(name, f"{name}@example.org", "correct horse battery", **fields)


def guest(name: str = "guest-gnu-1") -> User:
    return User.objects.create_user(name, "", None, is_guest=True)


def browser_of(person: User | None = None, **settings) -> Client:
    """A browser in which this person is logged in; a visitor's without one. A view's error is its 500."""
    client = Client(raise_request_exception=False, **settings)
    if person is not None:
        client.force_login(person)
    return client


@pytest.fixture(autouse=True)
def _no_limits_left():
    cache.clear()
    visits._noted.clear()
    visits._redis().delete(visits.KEY)


@pytest.fixture
def ann(db):
    return member("ann")


@pytest.fixture
def bob(db):
    return member("bob")


@pytest.fixture
def cem(db):
    return member("cem")


@pytest.fixture
def eve(db):
    return member("eve")


class Hours:
    """Time that passes while the site is well: both its hearts beat on."""

    def __init__(self, clock) -> None:
        self.clock = clock
        self.beat()

    def beat(self, after=timedelta()) -> None:
        at = present.now() + after
        for part in (outages.WEB, outages.SWEEP):
            Heartbeat.objects.update_or_create(
                name=part, defaults={"at": at, "since": at - timedelta(days=1)}
            )

    def go_by(self, **span: float) -> None:
        self.beat(timedelta(**span))
        self.clock.forward(timedelta(**span).total_seconds())
        self.beat()

    def sweep(self) -> Sweep | None:
        """Do what beat and the worker do each 20 seconds."""
        sweep, due = time_outs.sweep()
        for match_id in due:
            time_outs.judge(match_id=match_id, sweep_id=sweep.pk)
        return sweep


@pytest.fixture
def hours(db, clock):
    """Lets time pass, with the site well."""
    return Hours(clock)


@pytest.fixture
def gus(db):
    return guest()


@pytest.fixture
def waiting(ann, bob, clock):
    """A match in which somebody owes a decision for an hour, and what it began with is told."""
    match = seated(ann, bob)
    Notice.objects.all().delete()
    clock.forward(3600)
    return match


@pytest.fixture
def steady(monkeypatch):
    """What changes with every showing, whatever is shown: keys, tokens, the time, and the commitment."""
    at = present.now()
    monkeypatch.setattr("config.clock.now", lambda: at)
    monkeypatch.setattr("games.table.fresh_key", lambda: "the key")
    monkeypatch.setattr("games.views.showing.get_token", lambda request: "the token")
    monkeypatch.setattr("django.template.context_processors.get_token", lambda request: "the token")
    monkeypatch.setattr(Match, "commitment", "the commitment")
    monkeypatch.setattr("games.services.unsubscribing.token", lambda user_id, topics: "the token")
    monkeypatch.setattr("games.table.commit", lambda seed: "the commitment")
