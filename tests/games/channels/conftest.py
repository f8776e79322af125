"""What the tests of channels share: a mail server, a push service, and a server that a webhook leads to."""

import pytest

from tests.games.webhooks.receiver import Receiver
from tests.mailing import Postbox
from tests.pushing import PushService


@pytest.fixture
def postbox(settings):
    """A mail server on this machine, to which the site sends."""
    box = Postbox()
    box.start()
    settings.EMAIL_BACKEND = "config.mail.Smtp"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", box.port
    yield box
    box.controller.stop()


@pytest.fixture
def service(monkeypatch):
    """A push service on this machine, the one server that the site may call."""
    service = PushService()
    monkeypatch.setenv("OUTGOING_TEST_BASE", service.url)
    yield service
    service.stop()


@pytest.fixture
def receiver(monkeypatch):
    """The one server that may be called, for a webhook."""
    server = Receiver()
    monkeypatch.setenv("OUTGOING_TEST_BASE", server.base)
    yield server
    server.shutdown()
    server.server_close()
