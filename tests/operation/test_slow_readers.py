"""Files are read as fast as they are sent: whoever asks for one and does not read it costs next to nothing."""

import asyncio
import contextlib
import os
import socket
import time
from collections.abc import AsyncIterator, Iterator
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.http import StreamingHttpResponse

from config import asgi
from config.lib import clock
from games.models import RecordMonth
from games.services.records import making
from tests.faults.test_odd_requests import memory
from tests.processes import Site, wait_until

SIZE = 100 * 1024 * 1024


@pytest.fixture
def month(site: Site, transactional_db: None) -> Iterator[RecordMonth]:
    """A month whose file is large, as one of a site with many matches."""
    found = RecordMonth.objects.create(month=date(2026, 9, 1), digest="a" * 64, made_at=clock.now())
    path = Path(making.path_of(found))
    path.parent.mkdir(exist_ok=True)
    with open(path, "wb") as file:
        file.truncate(SIZE)
    yield found
    path.unlink()


def asked(site: Site, month: RecordMonth) -> socket.socket:
    """Return a connection by which the file was asked for, whose end takes little at once."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.settimeout(20)
    line.connect(("localhost", site.port))
    host = urlsplit(site.url).netloc
    line.sendall(f"GET /records/{month}.jsonl.zst HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    return line


def test_who_reads_nothing_of_a_file_takes_no_memory(site, month):
    """Else two of them had filled it with as much as the file has, each."""
    with contextlib.ExitStack() as kept:
        asked(site, month).close()  # what the first one loads stays
        before = memory(site.web.child.pid)
        lines = [kept.enter_context(asked(site, month)) for _reader in range(4)]
        assert all(line.recv(12) == b"HTTP/1.1 200" for line in lines)
        for _look in range(20):
            assert memory(site.web.child.pid) - before < 40_000
            lines[0].recv(65536)  # a slow one is no other
            time.sleep(0.1)  # in two seconds it would be read


def test_who_reads_it_has_all_of_it(site, month):
    with asked(site, month) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        had = 0
        while part := line.recv(1 << 20):
            had += len(part)
    assert had > SIZE


def test_the_file_is_closed_when_its_reader_leaves(site, month):
    folder = Path(f"/proc/{site.web.child.pid}/fd")

    def is_open() -> bool:
        return any(os.path.realpath(one).endswith(".jsonl.zst") for one in folder.iterdir())

    with asked(site, month) as line:
        line.recv(12)
        assert is_open()
    wait_until(lambda: not is_open(), "the end of the file")


class Line:
    """The web server's side of a connection: so much waits to be read, and whether it was let go."""

    def __init__(self, unsent: list[int]) -> None:
        self._unsent, self.is_let_go, self.sent = unsent, False, 0

    def unsent(self) -> int:
        return self._unsent.pop(0) if len(self._unsent) > 1 else self._unsent[0]

    def let_go(self) -> None:
        self.is_let_go = True
        self.gone.set()

    async def run(self) -> None:
        """Answer with two blocks, until it is let go."""
        self.gone = asyncio.Event()

        async def blocks() -> AsyncIterator[bytes]:
            yield b"one"
            yield b"two"

        async def receive() -> dict[str, str]:
            await self.gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: object) -> None:
            self.sent += 1

        scope = {"unsent": self.unsent, "let_go": self.let_go}
        await asgi.OneHopHandler()._stream(StreamingHttpResponse(blocks()), scope, receive, send)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "LOOK_SECONDS", 0.001)
    monkeypatch.setattr(asgi, "PATIENCE_SECONDS", 0.05)


async def test_who_reads_nothing_for_long_is_let_go(hasty: None) -> None:
    line = Line([10_000_000])
    await asyncio.wait_for(line.run(), 5)
    assert line.is_let_go and line.sent == 2  # the head and one block


async def test_who_reads_slowly_is_not(hasty: None) -> None:
    line = Line([*range(10_000_000, 9_999_700, -1), 0])
    await asyncio.wait_for(line.run(), 5)
    assert not line.is_let_go and line.sent > 2
