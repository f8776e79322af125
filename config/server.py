"""The web server: daphne, which on SIGTERM finishes running requests, with a heartbeat."""

import asyncio
import gc
import resource
import sys
from datetime import datetime
from threading import Thread
from typing import Any

import structlog
from daphne import http_protocol
from daphne.endpoints import build_endpoint_description_strings
from daphne.http_protocol import WebRequest
from daphne.server import Server, twisted_loop  # before anything else of Twisted
from daphne.ws_protocol import WebSocketFactory
from django.db import close_old_connections, connection
from twisted.internet.defer import Deferred
from twisted.python.log import PythonLoggingObserver
from twisted.web import http

from config import place
from config.asgi import application
from config.bodies import CappedRequest, CappedSocket, WordyChannel
from config.lib import clock, metrics
from config.lib.pool import POOL, in_pool
from config.lib.redis import AWAY
from games.services.clocks import outages
from games.services.play import presence

DRAIN_SECONDS = 8.0
FLUSH_SECONDS = 0.1
BEAT_SECONDS = 10.0
FIRST_BEAT_SECONDS = 5.0
LARGEST_FRAME = 4096  # bytes of what a page sends: some thirty, a move a few hundred

log = structlog.get_logger(__name__)


class DrainingServer(Server):
    """On SIGTERM: stop listening, close sockets, answer running requests, end what moves are under way, then exit."""

    failed = False

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        self.port = port
        self.beating = twisted_loop.create_task(keep_beating())  # that loop does not run yet

    def listen_error(self, failure: Any) -> None:
        self.failed = True
        super().listen_error(failure)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Tell the site by `unsent` how many bytes wait for the other end to read; `let_go` ends a connection."""
        if isinstance(protocol, CappedSocket | CappedRequest):
            scope["unsent"] = protocol.unsent
        if isinstance(protocol, CappedRequest):
            scope["let_go"] = protocol.let_go
        return super().create_application(protocol, scope)

    def kill_all_applications(self) -> Deferred[None]:
        """Return what the reactor waits for before it ends."""
        return Deferred.fromFuture(asyncio.ensure_future(self._drain()))

    async def _drain(self) -> None:
        if not self.failed:
            self.port.stopListening()
            self.beating.cancel()
        for socket in self._running(web=False):
            socket.cancel()
        end = asyncio.get_running_loop().time() + DRAIN_SECONDS
        while (requests := self._running(web=True)) and asyncio.get_running_loop().time() < end:
            await asyncio.wait(requests, timeout=DRAIN_SECONDS / 10)
        moves = asyncio.get_running_loop().run_in_executor(None, POOL.shutdown)  # of sockets, to be made and rung
        await asyncio.wait([moves], timeout=max(end - asyncio.get_running_loop().time(), 0))
        await asyncio.sleep(FLUSH_SECONDS)

    def _running(self, *, web: bool) -> list[asyncio.Future[None]]:
        applications = [
            details.get("application_instance")
            for protocol, details in self.connections.items()
            if isinstance(protocol, WebRequest) is web
        ]
        return [running for running in applications if running is not None and not running.done()]


def first_beat() -> None:
    """Record the outage since the last heartbeat."""
    try:
        outages.beat(outages.WEB, fresh=True)
    except Exception:
        log.exception("no heartbeat")
    finally:
        connection.close()


async def keep_beating() -> None:
    """Record a heartbeat regularly, by the loop and threads that answer requests.

    A beat has the time at which it was queued behind earlier requests, so that no time-out that relies on it
    comes before those have been handled.
    """
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        try:
            await in_pool(_beat, clock.now())
            await in_pool(metrics.flush)
            await presence.note_watch()
        except AWAY:
            log.info("open pages not watched: Redis is away")
        except Exception:  # the next may succeed
            log.exception("no heartbeat")


def _beat(at: datetime) -> None:
    close_old_connections()  # as at a request: lost connections are reopened
    try:
        outages.beat(outages.WEB, at=at)
    finally:
        close_old_connections()


def main() -> None:
    """Serve at HOST and PORT until a signal."""
    gc.collect()
    gc.freeze()  # modules stay loaded: collecting them took a tenth of the time
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard := resource.getrlimit(resource.RLIMIT_NOFILE)[1], hard))
    if reason := place.refusal():
        sys.exit(reason)
    host, port = place.HOST, place.port()
    opening = Thread(target=first_beat, daemon=True)
    opening.start()
    opening.join(FIRST_BEAT_SECONDS)  # before the first request, unless the database hangs
    http_protocol.WebRequest = CappedRequest  # Daphne has no setting for them
    WebSocketFactory.protocol = CappedSocket
    http.HTTPChannel = WordyChannel  # type: ignore[misc]
    endpoints = build_endpoint_description_strings(host=host, port=port)
    server = DrainingServer(
        application,
        endpoints=endpoints,
        websocket_max_message_size=LARGEST_FRAME,
        websocket_max_frame_size=LARGEST_FRAME,
    )
    PythonLoggingObserver().start()  # else Twisted writes to standard error by itself
    server.run()
    sys.exit(1 if server.failed else 0)


if __name__ == "__main__":
    main()
