"""What the tests of push share: a real push service."""

import pytest

from tests.pushing import PushService


@pytest.fixture
def service(monkeypatch):
    """A push service on this machine, which the site may call."""
    service = PushService()
    monkeypatch.setenv("OUTGOING_TEST_BASE", service.url)
    yield service
    service.stop()
