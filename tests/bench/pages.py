"""The open page of a member or a watcher: one socket, the table as last shown, and moves from its forms.

By the socket, as pages of today: the move goes by it, tables come by it. By HTTP, as pages without a socket's
tables: the socket rings, the page fetches. A page whose server does not know the first falls back to the second.
"""

import asyncio
import time
import zlib
from random import Random

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from tests.bench.forms import move_of, version_of
from tests.bench.http import Connection
from tests.bench.server import Server

CSRF = "b" * 32
PATIENCE = 2.0  # seconds after which a page sends by HTTP what the socket did not answer
RAW = -15  # the window of a deflated frame without a header


class Frame(msgspec.Struct):
    """What is read of a frame."""

    version: int | None = None
    table: str | None = None
    answer: int | None = None
    status: int = 200


frames = msgspec.json.Decoder(Frame)


class Page(WSListener):
    """One open page. `faults` are the orders of versions that a page must never see."""

    def __init__(self, server: Server, match: int, session: str | None, way: str, place: int = 0) -> None:
        self.match, self.way = match, way
        self.port = server.ports[(match + place) % len(server.ports)]  # the two of a match are at different servers
        cookies = f"csrftoken={CSRF}" + (f"; sessionid={session}" if session else "")
        self.headers = {"Cookie": cookies, "X-CSRFToken": CSRF, "X-Live": "1"}
        self.http = Connection(self.port, self.headers)
        self.text = ""
        self.shown = self.rung = self.sent = self.bytes = 0
        self.shown_at = 0.0
        self.faults: list[str] = []
        self.waiting: tuple[int, asyncio.Future[None]] | None = None
        self.answer: asyncio.Future[int] | None = None
        self.fetching: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the page's socket, and wait for the first table."""
        query = f"match={self.match}"
        if self.way == "socket":
            query += "&table=1&have=0&history=&lang=en&zip=1"
        address = f"ws://127.0.0.1:{self.port}/ws/?{query}"
        headers = {"Cookie": self.headers["Cookie"], "Origin": f"http://127.0.0.1:{self.port}"}
        self.socket, _self = await ws_connect(lambda: self, address, extra_headers=headers)
        if self.way == "socket" and not await self.has(1):
            self.way = "http"
        if self.way == "http":
            await self.fetch()

    def close(self) -> None:
        self.socket.disconnect()
        self.http.close()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            self.faults.append(f"closed: {frame.get_close_code()}")
        if frame.msg_type not in (WSMsgType.TEXT, WSMsgType.BINARY):
            return
        raw = frame.get_payload_as_bytes()
        self.bytes += len(raw)
        said = frames.decode(raw if frame.msg_type == WSMsgType.TEXT else zlib.decompress(raw, RAW))
        if said.table is not None:
            self.show(said.table)
        elif said.version and said.version > self.rung:
            self.rung = said.version
            if self.way == "http" and self.fetching is None and self.shown and self.rung > self.shown:
                self.fetching = asyncio.ensure_future(self.follow())
        if said.answer == self.sent and self.answer is not None and not self.answer.done():
            self.answer.set_result(said.status)

    def show(self, text: str) -> None:
        """Take a table as shown, and note when; a fault if it is not newer than the one before."""
        version = version_of(text)
        if version <= self.shown:
            self.faults.append(f"version {version} after {self.shown}")
        self.text, self.shown, self.shown_at = text, version, time.perf_counter()
        if self.waiting and self.waiting[0] <= version:
            self.waiting[1].set_result(None)
            self.waiting = None

    async def follow(self) -> None:
        """Fetch the table, once more if it rang meanwhile."""
        while self.rung > self.shown:
            await self.fetch()
        self.fetching = None

    async def fetch(self) -> None:
        status, text, size = await self.http.ask("GET", f"/matches/{self.match}/table/?have={self.shown}")
        self.bytes += size
        if status == 200 and version_of(text) > self.shown:  # else the answer to its own move was sooner
            self.show(text)

    async def until(self, version: int) -> None:
        """Return when the page shows this version or a later one."""
        if self.shown < version:
            shown = asyncio.get_running_loop().create_future()
            self.waiting = (version, shown)
            await shown

    async def has(self, version: int, within: float = PATIENCE) -> bool:
        """Return whether the page shows this version, or a later one, within the seconds."""
        try:
            await asyncio.wait_for(self.until(version), within)
        except TimeoutError:
            self.waiting = None
        return self.shown >= version

    async def move(self, rng: Random) -> int | None:
        """Send a move that the table offers; return the answer's status, None when it offers none."""
        form = move_of(self.text, rng)
        if form is None:
            return None
        if self.way == "socket":
            self.sent += 1
            self.answer = asyncio.get_running_loop().create_future()
            self.socket.send(WSMsgType.TEXT, msgspec.json.encode({"move": self.sent, "form": form}))
            try:
                return await asyncio.wait_for(self.answer, PATIENCE)
            except TimeoutError:
                self.faults.append("a move that the socket did not answer")
        status, text, size = await self.http.ask("POST", f"/matches/{self.match}/move/", form)
        self.bytes += size
        if version_of(text) > self.shown:
            self.show(text)
        return status
