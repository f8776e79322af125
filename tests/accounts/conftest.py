"""Ann and Bob have accounts; limits are forgotten between tests."""

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client

from accounts.models import User

PASSWORD = "a lively otter 7"


@pytest.fixture(autouse=True)
def _site(settings):
    settings.ON_GUEST_JOINS = []
    cache.clear()


def make_member(name: str, email: str, *, confirmed: bool = True, **more: object) -> User:
    user = User.objects.create_user(name, email if confirmed else "", PASSWORD, **more)
    EmailAddress.objects.create(user=user, email=email, primary=True, verified=confirmed)
    return user


@pytest.fixture
def ann(db) -> User:
    return make_member("Ann", "ann@example.org")


@pytest.fixture
def bob(db) -> User:
    return make_member("bob_b", "bob@example.org", language="fr", time_zone="Europe/Paris")


@pytest.fixture
def anns(ann) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": "Ann", "password": PASSWORD})
    return client


@pytest.fixture
def guest(db) -> Client:
    """A browser in which somebody plays as a guest."""
    client = Client()
    client.force_login(
        User.objects.create_user("guest-puma-42", "", None, is_guest=True, time_zone="Asia/Tokyo")
    )
    return client


def sign_up(client: Client, name: str = "Cleo", email: str = "cleo@example.org", **more: str):
    data = {"username": name, "email": email, "password1": PASSWORD} | more
    return client.post("/accounts/signup/", data)


def prove(client: Client) -> None:
    """Answer "Is it you?" with the password."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
