"""A member who is asked, with an address, a device and a webhook."""

from datetime import timedelta

import pytest

from games.models import Match, Notice
from games.services.mail import planning
from games.services.push import delivery as pushes
from games.services.webhooks import delivery as calls
from games.services.webhooks import keeping
from tests.factories import asked, seated
from tests.mailing import HOUR
from tests.pushing import device_of


@pytest.fixture
def match(ann, bob, clock) -> Match:
    match = seated(ann, bob)
    Notice.objects.all().delete()
    clock.forward(HOUR)
    return match


@pytest.fixture
def mover(match, service, receiver, monkeypatch):
    """Who is asked: with an address, a device and a webhook."""
    user = asked(match).user
    monkeypatch.setenv("OUTGOING_TEST_BASE", service.url)
    device_of(user, service)
    monkeypatch.setenv("OUTGOING_TEST_BASE", receiver.base)
    keeping.add(user_id=user.pk, name="x", format="json", address=receiver.base + "/hook")
    user.webhooks.update(created_at=planning.clock.now() - timedelta(days=1))  # before the question
    return user


@pytest.fixture
def push(monkeypatch, service):
    """Sends what waits for devices; one server at a time may be called."""

    def push() -> int:
        monkeypatch.setenv("OUTGOING_TEST_BASE", service.url)
        return pushes.send_due()

    return push


@pytest.fixture
def hook(monkeypatch, receiver):
    """Makes the calls of webhooks that are due."""

    def hook() -> int:
        monkeypatch.setenv("OUTGOING_TEST_BASE", receiver.base)
        return sum(calls.send_due(failing=failing) for failing in (False, True))

    return hook
