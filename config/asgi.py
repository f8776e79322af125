"""The site as an ASGI application: requests in one hop to a thread, sockets through Channels."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, cast

import django
import structlog
from autobahn.exception import Disconnected
from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("LOCK_SECONDS", "3")
django.setup()

from channels.auth import AuthMiddlewareStack  # noqa: E402 (needs the settings)
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator, WebsocketDenier  # noqa: E402

from config.embeds import SocketWithoutCookies  # noqa: E402
from config.lib import clock, tracing  # noqa: E402
from config.lib.pool import in_pool  # noqa: E402
from games.api.streams.socket import PATH, stream_socket  # noqa: E402
from games.sockets.urls import websocket_urlpatterns  # noqa: E402

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

MOST_UNREAD = 256 * 1024  # bytes of a file that wait to be read
LOOK_SECONDS = 0.01  # between two looks at that
PATIENCE_SECONDS = 30.0  # with who reads nothing of it
INTERNAL_ERROR = 4500  # 1011 is not ours to send: the web server refuses it, and the socket stays open

log = structlog.get_logger(__name__)


async def _one_by_one(parts: list[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


def _as_read(send: Send, scope: Mapping[str, Any]) -> Send:
    """Return a `send` that waits until most of what was sent is read: the web server keeps all that is not.

    Who reads nothing for long is let go, and their end ends the answer.
    """
    unsent: Callable[[], int] = scope.get("unsent", int)

    async def send_and_wait(message: Mapping[str, Any]) -> None:
        await send(message)
        least, patience = unsent(), PATIENCE_SECONDS
        while message.get("more_body") and (waits := unsent()) > MOST_UNREAD:
            patience = PATIENCE_SECONDS if waits < least else patience - LOOK_SECONDS
            least = min(least, waits)
            if patience < 0:
                scope["let_go"]()
                await asyncio.Event().wait()  # until it is heard, which cancels this
            await asyncio.sleep(LOOK_SECONDS)

    return send_and_wait


class OneHopHandler(ASGIHandler):
    """Django's handler, with signals, middleware and view in one hop to one thread (decision 0001)."""

    def __init__(self) -> None:
        self.load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        received = clock.now_ms()  # before waiting for a thread: it decides whether a move is in time
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        try:
            response = await in_pool(self._respond, scope | {"received": received}, body)
            if response.streaming:
                await self._stream(response, scope, receive, send)
            else:
                await self.send_response(response, send)
        finally:
            body.close()

    def _respond(self, scope: dict[str, Any], body: Any) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: Any = refusal if request is None else self._answer(request)
        if not response.streaming:
            response.close()
        elif not response.is_async:  # read now: its source may belong to this thread
            response.streaming_content = _one_by_one(list(response.streaming_content))
        return response

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        response: Any = self.get_response(request)
        response._handler_class = self.__class__
        return cast(HttpResponseBase, response)

    async def _stream(self, response: Any, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        gone = asyncio.ensure_future(receive())
        sending = asyncio.create_task(self.send_response(response, _as_read(send, scope)))
        try:
            await asyncio.wait([gone, sending], return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            gone.cancel()
            sending.cancel()
            await asyncio.wait([gone, sending])
            await in_pool(response.close)


class Numbered:
    """Give each socket its number, which stands in its log lines, and end it in order when it fails or has gone."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        headers = {name.decode("latin-1").title(): value.decode("latin-1") for name, value in scope["headers"]}
        route = PATH if scope["path"] == PATH else "/ws/"
        tracing.begin(tracing.told({tracing.HEADER: headers.get(tracing.HEADER.title(), "")}), route=route)
        del headers  # the socket may be open for days

        async def send_if_open(message: Any) -> None:
            with contextlib.suppress(Disconnected):  # the page has gone, and "websocket.disconnect" is on its way
                await send(message)

        try:
            await self.app(scope, receive, send_if_open)
        except Exception:  # the server would log it without the number
            log.exception("socket failed")
            with contextlib.suppress(Exception):
                await send({"type": "websocket.close", "code": INTERNAL_ERROR})


class ProgramsApart:
    """Lead programs to their stream, from pages of whatever origin: no cookie counts there; all else to the site's."""

    def __init__(self, pages: Any) -> None:
        self.pages = pages

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> Any:
        return await (stream_socket if scope["path"] == PATH else self.pages)(scope, receive, send)


class SameOrigin:
    """Refuse sockets of pages of another origin, which allowed hosts alone do for hosts but not ports."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> Any:
        headers = dict(scope["headers"])
        origin, host = (headers.get(name, b"").decode("latin-1") for name in (b"origin", b"host"))
        own = is_same_origin(origin, host) or origin in settings.CSRF_TRUSTED_ORIGINS  # as for forms
        app = self.app if own else WebsocketDenier()
        del headers, origin, host  # the socket may be open for days
        return await app(scope, receive, send)


def is_same_origin(origin: str, host: str) -> bool:
    """Return whether an Origin header has the host and port of a Host header, whatever the scheme."""
    scheme, _slashes, named = origin.lower().partition("://")
    usual = {"http": ":80", "https": ":443"}.get(scheme)
    return usual is not None and named.removesuffix(usual) == host.lower().removesuffix(usual) != ""


application = ProtocolTypeRouter(
    {
        "http": OneHopHandler(),
        "websocket": Numbered(
            ProgramsApart(
                AllowedHostsOriginValidator(
                    SameOrigin(SocketWithoutCookies(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))))
                )
            )
        ),
    }
)
