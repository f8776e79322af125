"""The open page of a member: one socket, the table as last shown, and moves from its forms.

By the socket: the move goes by it, tables come by it. By HTTP: the socket rings, the page fetches. A page whose
server pushes no table at the first goes by HTTP, so that one bench measures both.
"""

import asyncio
import time
import zlib
from collections.abc import Iterable
from random import Random

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from tests.bench.forms import move_of, version_of
from tests.bench.http import Connection
from tests.bench.server import Server

CSRF = "b" * 32
PATIENCE = 2.0  # seconds after which a page sends by HTTP what the socket did not answer
FIRST = 20.0  # seconds for the first table: the server may have to compile its templates
RAW = -15  # the window of a deflated frame without a header
BEAT = 5.0  # seconds between two beats of a page, of which every fourth reports who looks at it
REPORT = 4


class Frame(msgspec.Struct):
    """What is read of a frame."""

    version: int | None = None
    table: str | None = None
    answer: int | None = None
    status: int = 200


frames = msgspec.json.Decoder(Frame)


def read(raw: bytes, is_text: bool) -> Frame:
    """Return what a frame says."""
    return frames.decode(raw if is_text else zlib.decompress(raw, RAW))


class Page(WSListener):
    """One open page; `faults` tells what a page must never see, `late` counts moves that went by HTTP at last,
    `behind` answers whose table, or a newer one, was shown already.
    """

    def __init__(self, server: Server, match: int, session: str | None, way: str, place: int = 0) -> None:
        self.server, self.match, self.way = server, match, way
        self.port = server.port_of(match, place)
        self.cookies = f"csrftoken={CSRF}" + (f"; sessionid={session}" if session else "")
        self.http = Connection(self.port, {"Cookie": self.cookies, "X-CSRFToken": CSRF, "X-Live": "1"})
        self.text = ""
        self.shown = self.rung = self.sent = self.played = self.late = self.behind = self.beats = 0
        self.shown_at = 0.0
        self.faults: list[str] = []
        self.waiting: tuple[int, asyncio.Future[None]] | None = None
        self.answers: dict[int, asyncio.Future[tuple[int, int]]] = {}
        self.fetching: asyncio.Task[None] | None = None

    async def open(self, have: int = 0, history: str = "") -> None:
        """Open the socket of a page that shows this version, or none yet: then wait for its table."""
        query = f"match={self.match}"
        if self.way == "socket":
            query += f"&table=1&have={have}&history={history}&lang=en&zip=1"
        address = f"ws://127.0.0.1:{self.port}/ws/?{query}"
        headers = {"Cookie": self.cookies, "Origin": f"http://127.0.0.1:{self.port}"}
        self.shown = have
        asked = {"extra_headers": headers, "websocket_handshake_timeout": FIRST}
        self.socket, _self = await ws_connect(lambda: self, address, **asked)
        if have:
            return
        if self.way == "socket" and not await self.has(1, FIRST):
            self.way = "http"
        if self.way == "http":
            await self.fetch()

    def close(self) -> None:
        self.socket.disconnect()
        self.http.close()

    def say(self, what: dict[str, object]) -> None:
        self.socket.send(WSMsgType.TEXT, msgspec.json.encode(what))

    def beat(self) -> None:
        """Say what an open page says every five seconds."""
        self.say({"beat": True} if self.beats % REPORT else {"here": True, "talk": 0})
        self.beats += 1

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            self.faults.append(f"the socket was closed with {frame.get_close_code()}")
        elif frame.msg_type in (WSMsgType.TEXT, WSMsgType.BINARY):
            self.heard(read(frame.get_payload_as_bytes(), frame.msg_type == WSMsgType.TEXT))

    def heard(self, said: Frame) -> None:
        """Take what a frame says: a table, a ring, the answer to a move."""
        answer = self.answers.pop(said.answer, None) if said.answer else None
        if said.answer and answer is None:
            return  # too late: sent by HTTP meanwhile
        if (
            answer is not None
            and said.table is not None
            and said.status == 200
            and version_of(said.table) <= self.shown
        ):
            self.behind += 1  # another's move overtook the answer
        elif said.table is not None and said.status == 200:
            self.show(said.table, said.version)
        elif said.table is not None:
            self.refused(said.table)
        elif said.version and said.version > self.rung:
            self.rung = said.version
            if self.way == "http" and self.fetching is None and 0 < self.shown < self.rung:
                self.fetching = asyncio.ensure_future(self.follow())
        if answer is not None:
            answer.set_result((said.status, said.version or 0))

    def show(self, text: str, told: int | None = None) -> None:
        """Take a table as shown, and note when; a fault if it is not newer than the one before."""
        version = version_of(text)
        if version <= self.shown:
            self.faults.append(f"the table of version {version} came after that of {self.shown}")
            return
        if told not in (None, version):
            self.faults.append(f"a frame says version {told}, its table {version}")
        self.text, self.shown, self.shown_at = text, version, time.perf_counter()
        if self.waiting and self.waiting[0] <= version:
            self.waiting[1].set_result(None)
            self.waiting = None

    def refused(self, text: str) -> None:
        """Take the table of a refusal, which may be the one that is shown, with a sentence."""
        if version_of(text) > self.shown:
            self.show(text)
        elif version_of(text) == self.shown:
            self.text = text

    async def follow(self) -> None:
        """Fetch the table, once more if it rang meanwhile."""
        while self.rung > self.shown:
            await self.fetch()
        self.fetching = None

    async def fetch(self) -> None:
        status, text, _size = await self.http.ask("GET", f"/matches/{self.match}/table/?have={self.shown}")
        if status == 200 and version_of(text) > self.shown:  # else the answer to its own move was sooner
            self.show(text)

    async def has(self, version: int, within: float) -> bool:
        """Return whether the page shows this version, or a later one, within the seconds."""
        if self.shown < version:
            shown = asyncio.get_running_loop().create_future()
            self.waiting = (version, shown)
            try:
                await asyncio.wait_for(shown, within)
            except TimeoutError:
                self.waiting = None
        return self.shown >= version

    async def move(self, rng: Random) -> int | None:
        """Send a move that the table offers; return the answer's status, None when it offers none."""
        form = move_of(self.text, rng)
        return None if form is None else (await self.send(form))[0]

    async def send(self, form: str) -> tuple[int, int]:
        """Send a form by the page's way; return the answer's status, and the version of the table that came with it."""
        status, version = await (self.send_by_socket(form) if self.way == "socket" else self.send_by_http(form))
        self.played += status == 200
        return status, version

    async def send_by_socket(self, form: str) -> tuple[int, int]:
        self.sent += 1
        number, answer = self.sent, asyncio.get_running_loop().create_future()
        self.answers[number] = answer
        self.say({"move": number, "form": form})
        try:
            return await asyncio.wait_for(answer, PATIENCE)
        except TimeoutError:
            self.answers.pop(number, None)
            self.late += 1
            return await self.send_by_http(form)

    async def send_by_http(self, form: str) -> tuple[int, int]:
        status, text, _size = await self.http.ask("POST", f"/matches/{self.match}/move/", form)
        if status != 200:
            self.refused(text)
        elif version_of(text) > self.shown:
            self.show(text)
        return status, version_of(text)


async def keep_beating(pages: list[Page]) -> None:
    """Let each of these pages beat every five seconds, evenly spread, until cancelled; the first beat is a report."""
    for number, page in enumerate(pages):
        page.beats = number % REPORT
    for page in pages:
        page.say({"here": True, "talk": 0})
        await asyncio.sleep(BEAT / len(pages))
    while True:
        for page in pages:
            page.beat()
            await asyncio.sleep(BEAT / len(pages))


def faults_of(pages: Iterable[Page]) -> list[str]:
    """Return what pages of one match saw that they must not, and which does not show the newest table."""
    pages = list(pages)
    newest = max(page.shown for page in pages)
    found = [f"match {page.match}: {fault}" for page in pages for fault in page.faults]
    return found + [
        f"match {page.match}: a page shows version {page.shown}, another {newest}"
        for page in pages
        if page.shown < newest
    ]
