"""Mails that a provider passes on, as Anymail reads them: none that would take long, in whatever they came wrapped."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from email.parser import BytesParser
from email.policy import default
from typing import Any

from anymail.inbound import AnymailInboundMessage
from django.http import HttpRequest

from config.lib.mail_reading import is_ambiguous, is_laborious

LARGEST = 5 * 1024 * 1024  # bytes of a mail that is fetched from the provider


class Unreadable(ValueError):
    """A mail that would take long to be read, is too large, or is read otherwise by others."""


@contextmanager
def mistakes_of_the_mail(*kinds: type[Exception]) -> Iterator[None]:
    """Raise Unreadable where what a sender wrote cannot be made a mail again, as CR LF in a coded subject.

    `kinds` are further errors that are the sender's.
    """
    mistakes: tuple[type[Exception], ...] = (ValueError, LookupError, *kinds)
    try:
        yield
    except mistakes as error:
        raise Unreadable(type(error).__name__) from error


def careful(view: Any) -> Callable[[HttpRequest], Any]:
    """Return Anymail's view of what a provider posts, raising Unreadable at what it cannot read."""

    class Careful(view.view_class):  # type: ignore[name-defined,misc]
        def validate_request(self, request: HttpRequest) -> None:
            with mistakes_of_the_mail(AttributeError, TypeError):  # as of JSON that is no object
                super().validate_request(request)

        def parse_events(self, request: HttpRequest) -> list[Any]:
            with mistakes_of_the_mail(AttributeError, TypeError):
                events = list(super().parse_events(request))
            mails = [message for event in events if (message := getattr(event, "message", None)) is not None]
            if any(set(name) & {"\r", "\n"} for mail in mails for name in mail):
                raise Unreadable  # two fields, once it is written out
            return events

    return Careful.as_view()


def _read(cls: type[AnymailInboundMessage], raw: bytes) -> AnymailInboundMessage:
    """Return the mail. Unreadable."""
    if is_laborious(raw) or is_ambiguous(raw):
        raise Unreadable
    try:
        return BytesParser(cls, policy=default).parsebytes(raw)
    except RecursionError as error:
        raise Unreadable from error


def _read_chunks(cls: type[AnymailInboundMessage], chunks: Iterable[bytes]) -> AnymailInboundMessage:
    """Return the mail that comes in these parts. Unreadable."""
    raw = bytearray()
    for chunk in chunks:
        raw += chunk
        if len(raw) > LARGEST:
            raise Unreadable
    return _read(cls, bytes(raw))


def _construct(cls: type[AnymailInboundMessage], raw_headers: str | None = None, **fields: Any) -> Any:
    """Return the mail of parts. Unreadable."""
    if raw_headers is not None and is_ambiguous(raw_headers.encode(errors="replace")):
        raise Unreadable
    return _of_parts(cls, raw_headers=raw_headers, **fields)


_of_parts = AnymailInboundMessage.construct.__func__
AnymailInboundMessage.construct = classmethod(_construct)
# Anymail has no setting for it: each provider's post holds the mail in another way, as base64 or as JSON within a form.
AnymailInboundMessage.parse_raw_mime_bytes = classmethod(_read)
AnymailInboundMessage.parse_raw_mime_chunks = classmethod(_read_chunks)
