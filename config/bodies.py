"""What the web server answers by itself: bodies too large, refused before they are read; what it cannot read at all."""

import json
from typing import Any

from daphne.http_protocol import WebRequest
from daphne.server import twisted_loop
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings
from django.utils import translation
from django.utils.http import parse_header_parameters
from django.utils.translation import gettext, gettext_noop
from twisted.web.http import NO_BODY_CODES, HTTPChannel

from config.lib.crowds import Allowance

LARGEST = 128 * 1024  # bytes; the largest form, notes of 10 000 emoji, has 120 KB
LARGEST_MAIL = 1024 * 1024  # and of what a mail provider brings: mails, and reports of many at once
MAIL = b"/mail/events/"  # where it brings them
LARGEST_RECORD = 600 * 1024  # of a record that a member brings
SANDBOX = b"/sandbox/"  # and where
PROGRAMS = b"/api/v1/"  # where programs ask, who are answered in their own form
MOST_UNSENT = 512 * 1024  # bytes that wait for a page: seven of the largest tables
FRAMES = 4  # for each message that a person may send: control frames and parts of messages count here alone
READ = ("utf-8", "utf8", "us-ascii")  # encodings of what comes; Python has others that take long, or cannot
LONGEST_TYPE = 500  # characters of what a body says of itself; of a long row of semicolons each is looked at by all
LINGER = 2.0  # seconds in which what still comes is thrown away, so that the answer arrives
HEADERS = {  # of what the web server answers by itself, before the site is asked
    "Content-Security-Policy": "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}

TOO_LARGE = gettext_noop("This is too large. Nothing was read or changed.")
TOO_LONG = gettext_noop("The address, or what your browser sent with it, is too long. Nothing was done.")
UNREADABLE = gettext_noop("Your browser sent something this site cannot read. Nothing was done.")
HEADERS_TOO_LONG = (b"431 Request Header Fields Too Large", TOO_LONG)
PAGE = "<!doctype html><title>Club Y</title>{}<p><a href='/'>Club Y</a></p>"


class CappedSocket(WebSocketProtocol):
    """Daphne's socket, whose cap is for what comes: autobahn would refuse to send a longer message, too.

    A page that does not read what it is sent is let go: it would be kept for it until a ping is missed. So is one that
    sends more frames than pages do: pings are answered here, and nothing else counts them.
    """

    maxMessagePayloadSize: int
    http_headers: dict[str, str]
    clean_headers: list[tuple[bytes, bytes]]

    allowance = Allowance(FRAMES)  # of each connection

    def onFrameBegin(self) -> None:
        """Take a frame, a control frame or a part of a message too, if it is within what one page may send."""
        if self.allowance.spend(self.peer):
            super().onFrameBegin()
        else:
            self.dropConnection(abort=True)

    def onConnect(self, request: Any) -> Any:
        """Hand the handshake to the site, without protocols: no page asks for one, and Daphne cannot read some."""
        request.headers.pop("sec-websocket-protocol", None)
        return super().onConnect(request)

    def onClose(self, *how: Any) -> None:
        """Tell the site, unless the handshake was refused before it heard of this socket."""
        if hasattr(self, "server"):
            super().onClose(*how)

    def onOpen(self) -> None:
        """Forget the handshake, and the HTTP connection it came by: a socket may be open for days."""
        super().onOpen()
        self.transport.unregisterProducer()  # else Twisted's HTTP channel, with its request
        self.http_request_data = b""
        self.request.headers, self.http_headers, self.clean_headers = {}, {}, []

    def unsent(self) -> int:
        """Return how many bytes wait for the other end to read."""
        return _unsent(self.transport)

    def sendMessage(self, *args: Any, **options: Any) -> None:
        """Send a message of any length."""
        if self.unsent() > MOST_UNSENT:
            self.dropConnection(abort=True)
            return
        cap, self.maxMessagePayloadSize = self.maxMessagePayloadSize, 0
        try:
            super().sendMessage(*args, **options)
        finally:
            self.maxMessagePayloadSize = cap


def _unsent(transport: Any) -> int:
    """Return how many bytes wait for the other end to read."""
    return len(transport.dataBuffer) - int(transport.offset) + int(transport._tempDataLen)


class CappedRequest(WebRequest):
    """Daphne's request, which reads a whole body before the site may refuse it; this one reads no more than `most`."""

    received = 0
    refused = False

    def __init__(self, *connection: Any, **how: Any) -> None:
        """Begin a request whose form is left to the site: Twisted would read it all first, for itself, and slowly."""
        super().__init__(*connection, **how, parsePOSTFormSubmission=False)

    @property
    def most(self) -> int:
        """Return how many bytes a body at this address may have."""
        path = self.channel._path
        if path.startswith(SANDBOX):
            return LARGEST_RECORD
        return LARGEST_MAIL if path.startswith(MAIL) else LARGEST

    def gotLength(self, length: int | None) -> None:
        """Refuse a body that is announced as too large."""
        super().gotLength(min(length, self.most) if length is not None else None)
        if (length or 0) > self.most:
            self.refuse()

    def handleContentChunk(self, data: bytes) -> None:
        """Keep what comes; refuse a body of unknown length as soon as it is too large."""
        self.received += len(data)
        if self.received > self.most:
            self.refuse()
        if not self.refused:
            super().handleContentChunk(data)

    def process(self) -> object:
        """Hand the request to the site, unless it was refused; let go who asks on and reads no answer."""
        if _unsent(self.transport) > MOST_UNSENT:
            self.transport.abortConnection()
            return None
        if not self.refused and not self._is_readable():
            self.refuse(b"400 Bad Request", UNREADABLE)
        self._simplify_cookies()
        return None if self.refused else super().process()

    def unsent(self) -> int:
        """Return how many bytes wait for the other end to read."""
        return _unsent(self.transport)

    def let_go(self) -> None:
        """End the connection at once."""
        self.transport.abortConnection()

    def _simplify_cookies(self) -> None:
        """Leave backslashes out of cookies: ours have none, and of a long row Python copies the rest for each."""
        told = self.requestHeaders.getRawHeaders(b"cookie", [])
        if any(b"\\" in one for one in told):
            self.requestHeaders.setRawHeaders(b"cookie", [one.replace(b"\\", b"") for one in told])

    def _is_readable(self) -> bool:
        """Return whether what comes is in an encoding that the site reads, as far as its type says so."""
        told = b",".join(self.requestHeaders.getRawHeaders(b"content-type", ())).decode("latin-1")  # as Django has it
        if len(told) > LONGEST_TYPE:
            return False
        try:
            _kind, named = parse_header_parameters(told)
        except ValueError:
            return False
        return named.get("charset", READ[0]).lower() in READ

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

    def refuse(self, status: bytes = b"413 Content Too Large", words: str = TOO_LARGE) -> None:
        """Answer in words and end the connection."""
        if not self.refused:
            self.refused = True
            part_with(self.channel, status, words)


class WordyChannel(HTTPChannel):
    """Twisted's connection, which closes on what it cannot read, or says a bare 400; this one says it in words.

    A request has to arrive whole within the time that Twisted gives each of its bytes.
    """

    has_begun = False  # to receive a request

    def resetTimeout(self) -> None:
        """Give time for a request from its first byte on, not from its last."""
        if not self.has_begun:
            super().resetTimeout()
        self.has_begun = True

    def allContentReceived(self) -> None:
        """Hand on the request; the next one may begin."""
        self.has_begun = False
        super().allContentReceived()

    def lineLengthExceeded(self, line: bytes) -> None:
        """Refuse an address, or a header, that is longer than a line may be."""
        is_address = not self._receivedHeaderSize
        self.hang_up(*((b"414 URI Too Long", TOO_LONG) if is_address else HEADERS_TOO_LONG))

    def _respondToBadRequestAndDisconnect(self) -> None:
        too_long = self._receivedHeaderSize > self.totalHeadersSize
        self.hang_up(*(HEADERS_TOO_LONG if too_long else (b"400 Bad Request", UNREADABLE)))

    def hang_up(self, status: bytes, words: str) -> None:
        """Answer, once, and read no more."""
        self.dataReceived = self.lineReceived = self.rawDataReceived = lambda *args: None  # type: ignore[assignment]
        self.hang_up = lambda *args: None  # type: ignore[assignment,method-assign]
        part_with(self, status, words)


def part_with(channel: HTTPChannel, status: bytes, words: str) -> None:
    """Write a whole answer, and close the connection once it has arrived."""
    is_programs = bytes(getattr(channel, "_path", None) or b"").startswith(PROGRAMS)
    body = problem(status, words) if is_programs else page(words).encode()
    headers = {
        "Content-Type": "application/problem+json" if is_programs else "text/html; charset=utf-8",
        "Content-Length": len(body),
        "Connection": "close",
        **HEADERS,
    }
    lines = [b"HTTP/1.1 " + status, *(f"{name}: {value}".encode() for name, value in headers.items())]
    assert channel.transport is not None
    channel.transport.write(b"\r\n".join(lines) + b"\r\n\r\n" + body)  # type: ignore[call-arg, misc]
    twisted_loop.call_later(LINGER, channel.loseConnection)


def page(words: str) -> str:
    """Return the page that says so, in each language, as nothing is known of the reader yet."""
    found = ""
    for language in ("en", "fr"):
        with translation.override(language):
            found += f"<p lang='{language}'>{gettext(words)}</p>"
    return PAGE.format(found)


def problem(status: bytes, words: str) -> bytes:
    """Return the same for a program (RFC 9457), in English, as nothing is known of whose it is."""
    number, _space, title = status.decode().partition(" ")
    code = "too_large" if words == TOO_LARGE else "unreadable"
    kind = f"{settings.SITE_URL.rstrip('/')}/api/#{code}"
    with translation.override("en"):
        told = {"type": kind, "title": title, "status": int(number), "detail": gettext(words), "code": code}
    return json.dumps(told).encode()
