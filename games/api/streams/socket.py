"""The WebSocket of a program: who it is, since when it is to be told; then it is told, and closed with the reason."""

import asyncio
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.db import DatabaseError
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from config.lib import clock, metrics, present
from config.lib.crowds import Allowance, Crowd, address_of
from config.lib.pool import with_database
from config.lib.redis import AWAY
from config.lib.sockets import groups, person_group
from games.api.door import language_asked
from games.api.models import ApiToken
from games.api.services import streaming, tokens
from games.api.services.streaming import Taken
from games.api.services.tokens import stream_group
from games.api.streams.drawing import Frame, Manner
from games.api.streams.live import BEAT_SECONDS, PATIENCE_SECONDS, live
from games.api.streams.rounds import Reader
from games.sockets.redis_watch import TRY_AGAIN, redis_watch

PATH = "/api/v1/stream"
TOKEN_SECONDS = 10.0  # in which a token is to come
MOST_UNREAD = 128 * 1024  # bytes that wait for a program, above which nothing more is sent to it
OF_PERSON = 25  # connections: one of each token that one may have, and a few that are being replaced
A_MINUTE = 30  # comings-in of one member
SOON, LATER = 2, 60  # seconds

log = logging.getLogger(__name__)

ENDS: dict[str, tuple[int, str | Promise, int | None]] = {  # close code, words, when to come again
    "unreadable": (4400, _("`after` is not the number of an event, or the first frame holds no token."), None),
    "token_missing": (
        4401,
        _("Send a token: with the header “Authorization: Bearer …”, or as the first frame. Cookies are not taken."),
        None,
    ),
    "token_unknown": (4401, _("There is no such token, or not any more."), None),
    "token_ended": (4401, _("This token has ended."), None),
    "scope_missing": (4403, _("This token is not for that: it needs the scope “read”."), None),
    "replaced": (4409, _("The same token has opened a newer stream, which takes the place of this one."), None),
    "too_much": (4429, _("That was too much at once. Come back in a minute."), LATER),
    "come_again": (TRY_AGAIN, _("The site is busy with itself for a moment. Come back, and nothing is lost."), SOON),
}

addresses, persons, allowance = Crowd(), Crowd(), Allowance()
metrics.STREAMS.set_function(lambda: len(addresses))
_comings: dict[tuple[int, int], int] = {}  # by person and minute, in this process

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Refused(Exception):
    """A connection that is not let in, by the code of why."""


class Gone(Exception):
    """The other end has closed."""


class StreamSocket:
    """One connection of a program; counted, watched and told as long as it is open."""

    session_key: str | None = None  # it is none of a page
    user = None
    __slots__ = (
        *("token_id", "user_id", "holder", "manner", "sent", "current_until", "taken", "heard", "number"),
        *("_send", "_unsent", "_is_open", "_stuck", "__weakref__"),
    )

    def __init__(self, send: Send, unsent: Callable[[], int]) -> None:
        self.token_id = self.user_id = 0
        self.holder = secrets.token_hex(8)
        self.manner = Manner()
        self.sent = self.current_until = self.number = 0
        self.taken: Taken | None = None
        self.heard: set[int] = set()
        self._send, self._unsent = send, unsent
        self._is_open, self._stuck = True, 0.0

    @property
    def begins(self) -> bool:
        """Whether nothing was compared for it yet."""
        return self.taken is not None

    def reader(self) -> Reader:
        """Return how the stream stands."""
        takes_more = self._unsent() <= MOST_UNREAD
        return Reader(
            self.token_id, self.holder, self.manner, self.sent, self.current_until, takes_more, begins=self.begins
        )

    async def serve(self, scope: dict[str, Any], receive: Receive) -> None:
        """Serve the connection from its handshake to its end."""
        try:
            await self._come_in(scope, receive)
            scope["headers"].clear()  # read by now; the socket may be open for days
            while True:
                await _next(receive)
                if not allowance.spend(self.token_id):
                    await self.end("too_much")
        except Refused as refusal:
            await self.end(str(refusal))
        except Gone:
            pass
        except (DatabaseError, *AWAY) as error:
            log.info("stream closed: %s", type(error).__name__)
            await self.end("come_again")
        except asyncio.CancelledError:  # the server is being replaced
            await self.end("come_again")
            raise
        finally:
            self._is_open = False
            await self._leave()

    async def _come_in(self, scope: dict[str, Any], receive: Receive) -> None:
        await receive()
        await self._send({"type": "websocket.accept"})  # so that the program gets the reason
        if not addresses.enter(self, {f"address:{address_of(scope)}": settings.SOCKETS_OF_ADDRESS}):
            raise Refused("too_much")
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        query = {
            name: values[0] for name, values in parse_qs(scope["query_string"].decode("latin-1")).items() if values
        }
        after = _number(query.get("after") or headers.get(b"last-event-id", ""))
        token = await with_database(_found, await self._secret(headers, receive))
        self.token_id, self.user_id = token.pk, token.user_id
        self.manner = Manner(_language(query, headers) or token.user.language, tables=query.get("tables") == "1")
        if not persons.enter(self, {f"person:{self.user_id}": OF_PERSON}) or not _may_come(self.user_id):
            raise Refused("too_much")
        if not await redis_watch.join(self):
            raise Refused("come_again")
        for name in self._groups():
            await groups().join(name, self)
        await self._take(after)

    async def _secret(self, headers: dict[bytes, str], receive: Receive) -> str:
        """Return the token that the program sends: in the header, else in the first frame."""
        kind, _space, secret = headers.get(b"authorization", "").partition(" ")
        if kind:
            if kind.lower() != "bearer" or not secret.strip():
                raise Refused("token_missing")
            return secret.strip()
        try:
            async with asyncio.timeout(TOKEN_SECONDS):
                said = json.loads(await _next(receive))
        except TimeoutError:
            raise Refused("token_missing") from None
        except (ValueError, RecursionError):
            raise Refused("unreadable") from None
        if not isinstance(said, dict) or not isinstance(said.get("token"), str):
            raise Refused("unreadable")
        return str(said["token"])

    async def _take(self, after: int | None) -> None:
        """Take the token's stream, greet, and begin to tell."""
        taken = await with_database(streaming.take, self.token_id, self.holder, after)
        if taken is None:
            raise Refused("token_unknown")
        self.number = taken.number
        self.sent, self.current_until = (0, taken.number) if taken.reset or after is None else (after, 0)
        await self._say(
            type="hello",
            now=clock.now_ms(),
            number=taken.number,
            reset=taken.reset,
            build=present.build(),
            beat=int(BEAT_SECONDS),
            lang=self.manner.language,
        )
        self.taken = taken
        live().join(self, taken)

    def _groups(self) -> list[str]:
        return [stream_group(self.token_id), person_group(self.user_id)]

    def rung(self, message: dict[str, Any]) -> None:
        """Take a message to the token's own group or the person's: it may concern anything."""
        is_own = message["type"] == "stream.replaced" and message["holder"] == self.holder
        if not is_own and self in live().streams:
            live().wake(self)  # who holds the stream is asked, too: rings may overtake each other

    async def tell(self, frames: list[Frame], sent: int) -> bool:
        """Send events, with which all up to `sent` is sent; return False if the program has to read some first."""
        for place, frame in enumerate(frames):
            if not self._is_open:
                return True
            if place and self._unsent() > MOST_UNREAD:
                return False
            await self._send({"type": "websocket.send", "text": frame.text})
            self.sent, self.number = frame.number, max(self.number, frame.number)
            await asyncio.sleep(0)  # so that it leaves
        self.sent, self.number = max(self.sent, sent), max(self.number, sent)
        return True

    async def beat(self) -> None:
        """Send a sign of life; end the connection of a program that has not read for long."""
        if self._unsent() <= MOST_UNREAD:
            self._stuck = 0.0
            await self._say(type="beat", now=clock.now_ms(), number=self.sent)
            return
        self._stuck += BEAT_SECONDS
        if self._stuck > PATIENCE_SECONDS:
            await self.end("too_much")

    async def end(self, why: str) -> None:
        """Say why, and close; a second time does nothing."""
        if not self._is_open:
            return
        code, words, again = ENDS[why]
        with translation.override(self.manner.language or settings.LANGUAGE_CODE):
            detail = str(words)
        await self._say(type="end", code=why, detail=detail, again=again)
        self._is_open = False
        await self._send({"type": "websocket.close", "code": code})
        await self._leave()

    async def close(self, code: int) -> None:
        """Close it because Redis is away."""
        await self.end("come_again")

    async def _say(self, **what: Any) -> None:
        if self._is_open:
            await self._send({"type": "websocket.send", "text": json.dumps(what)})

    async def _leave(self) -> None:
        redis_watch.leave(self)
        addresses.leave(self)
        persons.leave(self)
        try:
            await live().leave(self)
            for name in self._groups() if self.token_id else ():
                await groups().leave(name, self)
        except AWAY:
            log.info("left while Redis was away")


async def stream_socket(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Serve a connection to a stream: an ASGI application."""
    await StreamSocket(send, scope.get("unsent", int)).serve(scope, receive)


async def _next(receive: Receive) -> str:
    """Return the next frame's text. Gone."""
    message = await receive()
    if message["type"] == "websocket.disconnect":
        raise Gone
    return message.get("text") or ""


def _number(told: str) -> int | None:
    """Return the event that a program names; None if it names none. Refused."""
    if not told:
        return None
    if not (told.isascii() and told.isdigit() and len(told) <= 18):
        raise Refused("unreadable")
    return int(told)


def _language(query: dict[str, str], headers: dict[bytes, str]) -> str:
    asked = query.get("lang", "")
    return asked if asked in dict(settings.LANGUAGES) else language_asked(headers.get(b"accept-language", ""))


def _found(secret: str) -> ApiToken:
    """Return the token of a secret, which may read. Refused."""
    token = tokens.found(secret)
    if token is None:
        raise Refused("token_unknown")
    if tokens.is_over(token):
        raise Refused("token_ended")
    if not streaming.reads(token.scopes):
        raise Refused("scope_missing")
    tokens.note_use(token)
    return token


def _may_come(user_id: int) -> bool:
    """Count a coming-in; return whether it is within the person's limit for this minute."""
    minute = int(clock.steady_seconds() // 60)
    if (0, minute) not in _comings:
        _comings.clear()
        _comings[0, minute] = 0
    count = _comings[user_id, minute] = _comings.get((user_id, minute), 0) + 1
    return count <= A_MINUTE
