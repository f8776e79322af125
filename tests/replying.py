"""Ways to answer the site's mails in tests, as a mail program does."""

from email.message import EmailMessage
from email.utils import make_msgid

from config.lib import clock
from games.services.mail import receiving, reply_address
from games.services.mail.receiving import Verdict
from tests.factories import asked
from tests.mailing import deliver

QUOTE = "On Fri, 27 Nov 2026 at 10:00, Club Y <club-y@localhost> wrote:\n> Do you believe Ana?\n> believe\n> doubt\n"


def letter(
    sender: str, to: str, text: str, *, quote: str = QUOTE, message_id: str = "", headers: dict[str, str] | None = None
) -> bytes:
    """Return a reply as it is sent: the text above the mail that it quotes."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, "Re: Your turn"
    mail["Message-ID"] = message_id or make_msgid(domain="example.org")
    for name, value in (headers or {}).items():
        mail[name] = value
    mail.set_content(f"{text}\n\n{quote}")
    return mail.as_bytes()


def take(raw: bytes, to: str, *, envelope_sender: str | None = "somebody@example.org") -> Verdict:
    """Bring a mail to the site, as its mail server does."""
    return receiving.receive(raw, recipient=to, envelope_sender=envelope_sender, received=clock.now_ms())


def say(match, text: str, *, user=None, seat=None, **more) -> Verdict:
    """Answer the question of whoever is asked, by a mail with this text."""
    seat = seat or asked(match)
    user = user or seat.user
    to = reply_address.address_for(user, match.pk, seat.ask)
    return take(letter(f"{user.username} <{user.email}>", to, text, **more), to)


def told() -> str:
    """Send what waits; return the text of the last mail."""
    return str(deliver()[-1].body)
