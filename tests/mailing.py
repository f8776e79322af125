"""Ways to get mails made and sent in tests."""

from datetime import timedelta
from email.message import EmailMessage as Received
from email.parser import BytesParser
from email.policy import default

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP
from django.core import mail

from accounts.models import User
from config.lib import clock as site_clock
from games.models import Seat
from games.services.mail import delivery, planning
from tests.processes import free_port

MINUTE, HOUR, DAY = 60, 3600, 86_400


def send() -> list:
    """Make and send what is due now; return the new mails in Django's outbox."""
    before = len(mail.outbox)
    planning.sweep()
    delivery.send_due()
    return mail.outbox[before:]


def night() -> dict[str, int | str]:
    """Return settings of a member by whom it is night now, for another hour; at whatever hour a test runs."""
    now = site_clock.now()
    minute = now.hour * 60 + now.minute
    return {"quiet_from": (minute - 60) % 1440, "quiet_until": (minute + 60) % 1440, "time_zone": "UTC"}


def deliver() -> list:
    """Send what waits, without a look at what is due; return Django's outbox."""
    delivery.send_due()
    return mail.outbox


def wind(seat: Seat, *, left: timedelta, bank: timedelta) -> None:
    """Set a seat's clock: so much is left of so much."""
    Seat.objects.filter(pk=seat.pk).update(
        deadline=site_clock.now() + left,
        runs_from=site_clock.now() + left - bank,
        bank=bank // timedelta(milliseconds=1),
    )


def prefer(user: User, **fields) -> None:
    """Change what a member prefers."""
    User.objects.filter(pk=user.pk).update(**fields)


class Postbox:
    """A real mail server on this machine: keeps what it takes, refuses or dawdles as told."""

    def __init__(self) -> None:
        self.kept: list[Received] = []
        self.rcpt_answers: list[str] = []  # each used once, then all are taken
        self.data_answers: list[str] = []
        self.sender_answer = ""  # to MAIL FROM, if not to take it
        self.on_rcpt = lambda: None
        self.on_data = lambda: None
        self.drop_after_data = False
        self.port = free_port()
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)

    def start(self) -> None:
        self.controller.start()

    async def handle_MAIL(self, server: SMTP, session, envelope, address, options) -> str:
        if self.sender_answer:
            return self.sender_answer
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(self, server: SMTP, session, envelope, address, options) -> str:
        self.on_rcpt()
        if self.rcpt_answers:
            answer = self.rcpt_answers.pop(0)
            if not answer.startswith("250"):
                return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session, envelope) -> str:
        self.on_data()
        if self.data_answers:
            answer = self.data_answers.pop(0)
            if not answer.startswith("250"):
                return answer
        self.kept.append(BytesParser(policy=default).parsebytes(envelope.content))
        if self.drop_after_data:
            server.transport.abort()
        return "250 OK"
