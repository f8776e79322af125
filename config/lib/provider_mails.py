"""Mails that a provider passes on, as Anymail reads them: none that would take long, in whatever they came wrapped."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from email.headerregistry import HeaderRegistry
from email.message import Message
from email.parser import BytesParser, HeaderParser
from email.policy import compat32, default
from typing import Any

from anymail.inbound import AnymailInboundMessage
from django.http import HttpRequest

from config.lib.mail_reading import alphabet, is_ambiguous, is_laborious, parsed

LARGEST = 5 * 1024 * 1024  # bytes of a mail that is fetched from the provider
MOST_IN_FIELDS = 200_000  # characters of a mail's fields
MOST_TAKEN_APART = 20_000  # of those that Python takes apart, at 20 µs each
NAMED = {"From": "from_email", "To": "to", "Cc": "cc", "Bcc": "bcc", "Subject": "subject"}
AS_THEY_ARE: dict[str, Any] = {"max_line_length": 0, "utf8": True}  # to fold a name of 18 000 letters takes Python 44 s
# At which Python splits the text of a field once it is written out, and no mail server did.
SPLITTING = re.compile("[\\x0b\\x0c\\x1c-\\x1e\\x85\\u2028\\u2029]")
TAKEN_APART = frozenset(HeaderRegistry().registry) - {"subject"}


class Unreadable(ValueError):
    """A mail that would take long to be read, is too large, or is read otherwise by others."""


@contextmanager
def mistakes_of_the_mail() -> Iterator[None]:
    """Raise Unreadable where what a sender wrote cannot be made a mail again, as CR LF in a coded subject.

    So is a provider's post that is no event, as JSON that is no object.
    """
    try:
        yield
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError) as error:
        raise Unreadable(type(error).__name__) from error


def careful(view: Any) -> Callable[[HttpRequest], Any]:
    """Return Anymail's view of what a provider posts, raising Unreadable at what it cannot read."""

    class Careful(view.view_class):  # type: ignore[name-defined,misc]
        def validate_request(self, request: HttpRequest) -> None:
            with mistakes_of_the_mail():
                super().validate_request(request)

        def parse_events(self, request: HttpRequest) -> list[Any]:
            with mistakes_of_the_mail():
                _refuse_odd_alphabets(request)
                events = list(super().parse_events(request))
            mails = [message for event in events if (message := getattr(event, "message", None)) is not None]
            if any(set(name) & {"\r", "\n"} for mail in mails for name in mail):
                raise Unreadable  # two fields, once it is written out
            return events

    return Careful.as_view()


def _refuse_odd_alphabets(request: HttpRequest) -> None:
    """Raise Unreadable where a provider says that the texts of a mail are in what is no alphabet.

    SendGrid passes on what the mail names, and Anymail decodes by it.
    """
    _kept = request.body  # before its form is read: Anymail reads both
    named = json.loads(request.POST.get("charsets") or "{}")
    if not all(alphabet(name) for name in named.values()):
        raise Unreadable


def bytes_of(mail: AnymailInboundMessage) -> bytes:
    """Return a mail as it came, else put together of what came. Unreadable."""
    came: bytes | None = getattr(mail, "came_as", None)
    if came is not None:
        return came
    with mistakes_of_the_mail():
        written = bytes(mail.as_bytes(policy=mail.policy.clone(**AS_THEY_ARE)))
        read = parsed(written)
        if read is None or _names(read) != _names(mail):
            raise Unreadable  # a field more is none that the provider saw
        return written


def _names(mail: Message) -> list[str]:
    return [name.lower() for name in mail.keys()]  # noqa: SIM118  # each as often as it is there


def _refuse_long(fields: Iterable[tuple[str, Any]]) -> None:
    """Raise Unreadable where a mail's fields would take long to be read."""
    sizes = [(name.lower(), len(str(value))) for name, value in fields]
    apart = sum(size for name, size in sizes if name in TAKEN_APART)
    if apart > MOST_TAKEN_APART or sum(size for _name, size in sizes) > MOST_IN_FIELDS:
        raise Unreadable


def _read(cls: type[AnymailInboundMessage], raw: bytes) -> AnymailInboundMessage:
    """Return the mail, read in Python's old way, which takes no field apart that nobody asks for. Unreadable."""
    if is_laborious(raw) or is_ambiguous(raw):
        raise Unreadable
    try:
        mail = BytesParser(cls, policy=compat32).parsebytes(raw)
    except RecursionError as error:
        raise Unreadable from error
    _refuse_long(mail.raw_items())
    mail.policy = default
    mail.came_as = raw  # type: ignore[attr-defined]
    return mail


def _read_chunks(cls: type[AnymailInboundMessage], chunks: Iterable[bytes]) -> AnymailInboundMessage:
    """Return the mail that comes in these parts. Unreadable."""
    raw = bytearray()
    for chunk in chunks:
        raw += chunk
        if len(raw) > LARGEST:
            raise Unreadable
    return _read(cls, bytes(raw))


def _construct(cls: type[AnymailInboundMessage], raw_headers: str | None = None, **fields: Any) -> Any:
    """Return the mail of parts, without what is attached: nobody looks at it. Unreadable."""
    if raw_headers is not None:
        if SPLITTING.search(raw_headers) or is_ambiguous(raw_headers.encode(errors="replace")):
            raise Unreadable
        _refuse_long(HeaderParser(policy=compat32).parsestr(raw_headers).raw_items())
    more = fields.get("headers") or ()
    more = list(more.items() if hasattr(more, "items") else more)
    _refuse_long([*((name, fields.get(field) or "") for name, field in NAMED.items()), *more])
    return _of_parts(cls, raw_headers=raw_headers, **fields | {"headers": more, "attachments": None})


def _no_attachment(cls: type[AnymailInboundMessage], *of_it: Any, **more: Any) -> None:
    """Return nothing in the place of what is attached."""


_of_parts = AnymailInboundMessage.construct.__func__
AnymailInboundMessage.construct = classmethod(_construct)
AnymailInboundMessage.construct_attachment = classmethod(_no_attachment)
# Anymail has no setting for it: each provider's post holds the mail in another way, as base64 or as JSON within a form.
AnymailInboundMessage.parse_raw_mime_bytes = classmethod(_read)
AnymailInboundMessage.parse_raw_mime_chunks = classmethod(_read_chunks)
