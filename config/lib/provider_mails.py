"""Mails that a provider passes on, as Anymail reads them: none that would take long, in whatever they came wrapped."""

from collections.abc import Iterable
from email.parser import BytesParser
from email.policy import default

from anymail.inbound import AnymailInboundMessage

from config.lib.mail_reading import is_ambiguous, is_laborious

LARGEST = 5 * 1024 * 1024  # bytes of a mail that is fetched from the provider


class Unreadable(ValueError):
    """A mail that would take long to be read, is too large, or is read otherwise by others."""


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


# Anymail has no setting for it: each provider's post holds the mail in another way, as base64 or as JSON within a form.
AnymailInboundMessage.parse_raw_mime_bytes = classmethod(_read)
AnymailInboundMessage.parse_raw_mime_chunks = classmethod(_read_chunks)
