"""The fixed cast: Ann owns tables and sits first, Bob sits, Cem watches, Eve is a stranger, Gus a guest."""

import pytest
from django.core.cache import cache
from django.test import Client

from accounts import visits
from accounts.models import User


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


@pytest.fixture
def gus(db):
    return guest()
