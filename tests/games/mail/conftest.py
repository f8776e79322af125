"""What the tests of mails share: a real mail server."""

import pytest

from tests.mailing import Postbox


@pytest.fixture
def postbox(settings):
    """A mail server on this machine, to which the site sends."""
    box = Postbox()
    box.start()
    settings.EMAIL_BACKEND = "config.mail.Smtp"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", box.port
    yield box
    box.controller.stop()
