"""`manage.py receive_mail`: takes replies by mail over SMTP or LMTP, until it is stopped.

What cannot be judged now is refused for the time being, so that the mail server keeps it and tries again.
"""

import asyncio
import logging
import os
import signal
import sys
from asyncio import BaseTransport, Server
from pathlib import Path
from typing import Any

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import close_old_connections
from django.utils.module_loading import import_string

from config.lib import clock, metrics
from games.services.mail import receiving, reply_address

log = structlog.get_logger(__name__)

MOST_BYTES = 5_000_000  # of a mail, with what is attached
KEPT_BYTES = 500_000  # of these, from the first on: what is attached comes after the text
END = b"\r\n.\r\n"  # of a mail
MOST_CONNECTIONS = 20
MOST_AT_ONCE = 4  # mails looked at in threads
IDLE_SECONDS = 60.0
LONGEST_SECONDS = 300.0  # of a connection, however much it says
PATIENCE = 10.0  # seconds until a port that is taken is tried again
NOBODY = "<>"  # how aiosmtpd has the sender of mails of programs
LATER = "451 4.3.0 Not now: try again later"
TOO_LARGE = "552 5.3.4 This mail is too large"
BUSY = b"421 4.3.2 Too many connections: try again later\r\n"


class Handler:
    """Answers to the commands of a mail server."""

    def __init__(self) -> None:
        self.slots = asyncio.Semaphore(MOST_AT_ONCE)
        self.mails = asyncio.Semaphore(MOST_AT_ONCE)  # those that come

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if envelope.rcpt_tos:
            return "452 4.5.3 One recipient at a time"
        answer = await self._judged(receiving.addressed, address)
        if answer is None:
            envelope.rcpt_tos.append(address)
            return "250 2.1.5 OK"
        return answer

    async def handle_DATA(self, server: "_Bounded", session: Session, envelope: Envelope) -> str:
        if server.mail is None or server.mail.size > MOST_BYTES:
            return TOO_LARGE
        raw = envelope.content if isinstance(envelope.content, bytes) else (envelope.content or "").encode()
        sender = "" if envelope.mail_from == NOBODY else envelope.mail_from
        about = {"recipient": envelope.rcpt_tos[0], "envelope_sender": sender, "received": clock.now_ms()}
        return await self._judged(receiving.receive, raw, **about) or LATER

    async def handle_exception(self, error: Exception) -> str:
        """Answer an error of the listener itself, of which it would tell the text."""
        log.error("receiver failed", exc_info=error)
        return LATER

    async def _judged(self, judge: Any, *args: Any, **about: Any) -> str | None:
        """Return the answer that a function of the services gives, in a thread; LATER if it fails."""
        async with self.slots:
            return await asyncio.to_thread(_in_thread, judge, *args, **about)


def _in_thread(judge: Any, *args: Any, **about: Any) -> str | None:
    close_old_connections()
    try:
        verdict = judge(*args, **about)
        return None if verdict is None else str(verdict)
    except Exception:
        log.exception("reply not judged")
        return LATER
    finally:
        close_old_connections()
        metrics.flush()


class _Incoming:
    """A mail that comes, of which the beginning is handed on, and the end.

    aiosmtpd keeps each line by itself, and looks at each: 5 MB of short ones took 400 MB and five seconds, and twenty
    mails with pictures at once 400 MB, too.
    """

    size = 0  # bytes that have come
    is_cut = is_over = False
    _last = b""  # bytes in which the end may have begun

    def taken(self, data: bytes) -> bytes:
        """Return what is handed on of this piece; whatever comes after the end."""
        if self.is_over:
            return data
        before, self._last = self._last, (self._last + data)[1 - len(END) :]
        self.size += len(data)
        if self.size <= KEPT_BYTES:
            return data
        begun = b"" if self.is_cut else b"x"  # what was handed on is no part of the end
        self.is_cut = True
        _left_out, end, after = (before + data).partition(END)
        self.is_over = bool(end)
        return begun + end + after


class _Bounded:
    """Limits of connections, their length and their mails, and no word about programs and versions in the greeting."""

    connections: set[BaseTransport]
    event_handler: Handler
    mail: _Incoming | None = None  # while one comes

    def connection_made(self, transport: BaseTransport) -> None:
        if len(self.connections) >= MOST_CONNECTIONS:
            transport.write(BUSY)  # type: ignore[attr-defined]
            transport.close()
            return
        self.connections.add(transport)
        asyncio.get_running_loop().call_later(LONGEST_SECONDS, transport.abort)  # type: ignore[attr-defined]
        super().connection_made(transport)  # type: ignore[misc]

    def connection_lost(self, error: Exception | None) -> None:
        transport = getattr(self, "transport", None)
        if transport is not None:
            self.connections.discard(transport)
            super().connection_lost(error)  # type: ignore[misc]

    async def smtp_DATA(self, arg: str) -> None:
        async with self.event_handler.mails:
            self.mail = _Incoming()
            try:
                await super().smtp_DATA(arg)  # type: ignore[misc]
            finally:
                self.mail = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data if self.mail is None else self.mail.taken(data))  # type: ignore[misc]


class BoundedSmtp(_Bounded, SMTP): ...


class BoundedLmtp(_Bounded, LMTP): ...


async def listen(handler: Handler, *, host: str, port: int, lmtp: bool) -> Server:
    """Return the listening server. OSError if the port is taken."""
    kind: Any = BoundedLmtp if lmtp else BoundedSmtp
    connections: set[BaseTransport] = set()

    def connected() -> Any:
        protocol = kind(
            handler,
            data_size_limit=MOST_BYTES,
            enable_SMTPUTF8=True,
            ident="Club Y",
            hostname=settings.REPLY_DOMAIN,
            timeout=IDLE_SECONDS,
        )
        protocol.connections = connections
        return protocol

    return await asyncio.get_running_loop().create_server(connected, host=host, port=port)


async def run(*, lmtp: bool) -> None:
    """Listen until SIGTERM, and note where."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, over.set)
    handler, server = Handler(), None
    while server is None and not over.is_set():
        try:
            server = await listen(handler, host=settings.REPLY_HOST, port=settings.REPLY_PORT, lmtp=lmtp)
        except OSError as error:
            log.error("replies not received", error=os.strerror(error.errno or 0), port=settings.REPLY_PORT)
            await asyncio.wait({asyncio.ensure_future(over.wait())}, timeout=PATIENCE)
    if server is not None:
        note_place(server)
        await over.wait()
        server.close()
    metrics.flush(at_once=True)


def note_place(server: Server) -> None:
    """Write where this listens into the data folder, for the supervisor and `make reply`."""
    host, port = server.sockets[0].getsockname()[:2]
    note = Path(settings.VAR_DIR) / settings.RECEIVER
    note.write_text(f"{host}:{port}\n")
    log.info("replies received", host=host, port=port)


class Command(BaseCommand):
    """Take replies by mail."""

    help = "Takes replies by mail over SMTP (or LMTP), at REPLY_HOST and REPLY_PORT."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--lmtp", action="store_true", help="speak LMTP")

    def handle(self, *args: Any, **options: Any) -> None:
        if not reply_address.is_on():
            sys.exit("Replies are off: REPLY_DOMAIN names no domain for their addresses (docs/operation.md).")
        logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd's, with addresses
        import_string(settings.TASKS_APP)
        asyncio.run(run(lmtp=options["lmtp"]))
