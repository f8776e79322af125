"""Requests whose body is too large, refused at their header, before the body is read."""

from typing import Any

from daphne.http_protocol import WebRequest
from daphne.server import twisted_loop
from django.utils import translation
from django.utils.translation import gettext
from twisted.web.http import NO_BODY_CODES

LARGEST = 1024 * 1024  # bytes; the largest form, and what mail providers report, are far smaller
LINGER = 2.0  # seconds in which what still comes is thrown away, so that the answer arrives
HEADERS = {  # of what the web server answers by itself, before the site is asked
    "Content-Security-Policy": "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}

PAGE = "<!doctype html><title>Club Y</title>{}<p><a href='/'>Club Y</a></p>"


class CappedRequest(WebRequest):
    """Daphne's request, which reads a whole body before the site may refuse it; this one reads no more than LARGEST."""

    received = 0
    refused = False

    def gotLength(self, length: int | None) -> None:
        """Refuse a body that is announced as too large."""
        super().gotLength(min(length, LARGEST) if length is not None else None)
        if (length or 0) > LARGEST:
            self.refuse()

    def handleContentChunk(self, data: bytes) -> None:
        """Keep what comes; refuse a body of unknown length as soon as it is too large."""
        self.received += len(data)
        if self.received > LARGEST:
            self.refuse()
        if not self.refused:
            super().handleContentChunk(data)

    def process(self) -> object:
        """Hand the request to the site, unless it was refused."""
        return None if self.refused else super().process()

    def handle_reply(self, message: dict[str, Any]) -> None:
        """Send a part of an answer; of one that has no body, no byte and no length of it.

        Twisted leaves out the first part of such a body and sends the others, which whoever keeps the connection
        (a proxy) would take for the next answer.
        """
        if message["type"] == "http.response.start" and message["status"] in NO_BODY_CODES:
            headers = [pair for pair in message.get("headers", ()) if pair[0].lower() != b"content-length"]
            message = message | {"headers": headers}
        elif message["type"] == "http.response.body" and (self.method == b"HEAD" or self.code in NO_BODY_CODES):
            message = message | {"body": b""}
        super().handle_reply(message)

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        """Answer what is no request, with the headers that every answer has."""
        for name, value in HEADERS.items():
            self.setHeader(name.encode(), value.encode())
        super().basic_error(status, status_text, body)

    def refuse(self) -> None:
        """Answer in words and end the connection."""
        if self.refused:
            return
        self.refused = True
        body = page().encode()
        head = (
            "HTTP/1.1 413 Content Too Large\r\nContent-Type: text/html; charset=utf-8\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n"
            + "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())
            + "\r\n"
        )
        self.channel.transport.write(head.encode() + body)
        twisted_loop.call_later(LINGER, self.channel.loseConnection)


def page() -> str:
    """Return the page that says so, in each language, as nothing is known of the reader yet."""
    found = ""
    for language in ("en", "fr"):
        with translation.override(language):
            words = gettext("This is too large. Nothing was read or changed.")
        found += f"<p lang='{language}'>{words}</p>"
    return PAGE.format(found)
