"""Ann and Bob have signed up, with addresses that are confirmed."""

import pytest
from django.test import Client

from accounts.models import User
from tests.factories import PASSWORD, confirmed_member


@pytest.fixture(autouse=True)
def _site(settings):
    settings.ON_GUEST_JOINS = []


@pytest.fixture
def ann(db) -> User:
    return confirmed_member("Ann", "ann@example.org")


@pytest.fixture
def bob(db) -> User:
    return confirmed_member("bob_b", "bob@example.org", language="fr", time_zone="Europe/Paris")


@pytest.fixture
def anns(ann) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": "Ann", "password": PASSWORD})
    return client


@pytest.fixture
def guest(db) -> Client:
    """A browser in which somebody plays as a guest."""
    client = Client()
    client.force_login(User.objects.create_user("guest-puma-42", "", None, is_guest=True, time_zone="Asia/Tokyo"))
    return client
