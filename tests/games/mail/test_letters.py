"""An address with letters that the mail server cannot write to is its own fault, and holds up nobody else's mail."""

import smtplib
from collections.abc import Iterator

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink

from games.models import Mail
from games.services.mail import replies
from tests.processes import free_port

State = Mail.State


@pytest.fixture
def plain_server() -> Iterator[smtplib.SMTP]:
    """A line to a mail server without SMTPUTF8 and STARTTLS."""
    server = Controller(Sink(), hostname="127.0.0.1", port=free_port(), enable_SMTPUTF8=False)
    server.start()
    with smtplib.SMTP(server.hostname, server.port) as line:
        yield line
    server.stop()


def judged(error: Exception) -> tuple[Mail.State, bool, bool]:
    verdict = replies.judge(error, handed=False)
    return verdict.state, verdict.bad_address, verdict.server_away


def test_letters_the_server_cannot_write_to(plain_server) -> None:
    with pytest.raises(smtplib.SMTPNotSupportedError) as told:
        plain_server.sendmail("club@example.org", ["jürgen@example.org"], "Hello", mail_options=["SMTPUTF8"])
    assert judged(told.value) == (State.FAILED, True, False)


def test_a_server_that_cannot_what_the_site_is_set_to_is_away(plain_server) -> None:
    with pytest.raises(smtplib.SMTPNotSupportedError) as told:
        plain_server.starttls()
    assert judged(told.value) == (State.WAITING, False, True)
