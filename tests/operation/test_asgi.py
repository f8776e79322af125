"""One hop: the handler answers as Django's own does, in few threads that keep their connections."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core import signals
from django.db import connections
from pytest_django.fixtures import Settings

from config.asgi import OneHopHandler
from config.lib.pool import POOL


@pytest.fixture
def handler(settings: Settings, transactional_db: None) -> Iterator[OneHopHandler]:
    settings.ROOT_URLCONF = "tests.operation.addresses"
    yield OneHopHandler()
    for _ in range(8):  # threads of the pool keep connections, which would hold the test database
        POOL.submit(connections.close_all).result()


class Visit:
    """One request, and what came back."""

    def __init__(self, path: str, body: bytes = b"", method: str = "GET") -> None:
        headers = [(b"host", b"localhost"), (b"content-type", b"application/x-www-form-urlencoded")]
        headers.append((b"content-length", str(len(body)).encode()))
        self.scope = {"type": "http", "path": path, "method": method, "headers": headers, "query_string": b""}
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.incoming.put_nowait({"type": "http.request", "body": body[:3], "more_body": True})
        self.incoming.put_nowait({"type": "http.request", "body": body[3:]})
        self.messages: list[dict[str, Any]] = []

    async def send(self, message: dict[str, Any]) -> None:
        self.messages.append(message)

    async def to(self, handler: OneHopHandler) -> "Visit":
        await handler(self.scope, self.incoming.get, self.send)
        return self

    @property
    def status(self) -> int:
        return int(self.messages[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.messages[1:])


async def test_view_runs_in_the_pool_and_its_coroutines_in_the_loop(handler: OneHopHandler) -> None:
    said = json.loads((await Visit("/where").to(handler)).body)
    assert said["thread"].startswith("request")
    assert said["waited"] == "MainThread"


async def test_threads_keep_their_connections(handler: OneHopHandler) -> None:
    said = [json.loads((await Visit("/where").to(handler)).body) for _ in range(12)]
    assert len({(each["thread"], each["database"], each["cache"]) for each in said}) <= 4


async def test_form_that_comes_in_parts(handler: OneHopHandler, settings: Settings) -> None:
    settings.MIDDLEWARE = []
    assert (await Visit("/said", b"word=hello", "POST").to(OneHopHandler())).body == b"hello"


async def test_crash_is_a_500(handler: OneHopHandler) -> None:
    assert (await Visit("/fails/1").to(handler)).status == 500


async def test_missing_page_is_a_404(handler: OneHopHandler) -> None:
    assert (await Visit("/nowhere").to(handler)).status == 404


async def test_stream_is_read_in_one_thread(handler: OneHopHandler) -> None:
    visit = await Visit("/rows").to(handler)
    assert (visit.status, visit.body) == (200, b"012")
    assert visit.messages[-1] == {"type": "http.response.body"}


async def test_endless_stream_ends_when_its_reader_leaves(handler: OneHopHandler) -> None:
    visit = Visit("/trickle")
    answering = asyncio.create_task(visit.to(handler))
    while len(visit.messages) < 3:
        await asyncio.sleep(0.01)
    visit.incoming.put_nowait({"type": "http.disconnect"})
    await asyncio.wait_for(answering, 2)


async def test_reader_who_leaves_before_the_request_is_whole(handler: OneHopHandler) -> None:
    visit = Visit("/where")
    visit.incoming = asyncio.Queue()
    visit.incoming.put_nowait({"type": "http.disconnect"})
    assert not (await visit.to(handler)).messages


@pytest.mark.parametrize("path", ["/where", "/rows", "/fails/1"])
async def test_each_request_starts_and_finishes_once(handler: OneHopHandler, path: str) -> None:
    seen: list[str] = []

    def started(**signal: Any) -> None:
        seen.append("started")

    def finished(**signal: Any) -> None:
        seen.append("finished")

    signals.request_started.connect(started)
    signals.request_finished.connect(finished)
    try:
        await Visit(path).to(handler)
    finally:
        signals.request_started.disconnect(started)
        signals.request_finished.disconnect(finished)
    assert seen == ["started", "finished"]
