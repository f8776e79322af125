"""Open pages of a match, as browsers keep them: a line on which tables come and moves go, HTTP for all else.

What `games/static/games/line.js` and `live.js` do, with their times; and what a page must never be sent.
"""

import asyncio
import contextlib
import json
import time
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any
from urllib.parse import urlencode

import httpx
import websockets

from tests.bench.forms import history_of, version_of

BEAT, PATIENCE = 5.0, 4.0  # seconds until a silent line is asked, and until it is dead
PATIENT = 2.0  # seconds for the answer to a move on the line
SOON, LATER, SOON_TRIES = 1.4, 10.0, 12  # seconds between tries of a line, and after how many there is less haste
UNSEEN, LOOKS = 1.5, 5.0  # seconds without a line until the page looks by itself, and between two looks
AGAIN = 0.3  # seconds after which somebody sends again what was not answered
TIMEOUT = 12.0  # seconds of a request
CLOSING = 0.1  # seconds for which an end of a line is waited for
UNDEFLATED = -15  # the window of a deflated frame without a header
WRONGLY = (4401, 4404, 4429)  # codes with which no line of those who play may be closed
AWAY = (0, 500, 502, 503, 504)  # statuses that are no answer


@dataclass
class Browser:
    """Where a browser finds the site, and who it says is there; what it was answered on either way, and when."""

    base: str
    headers: dict[str, str]  # of its requests
    socket: str  # the address of a line, without its query
    opening: dict[str, Any]  # what `websockets.connect` is told besides
    verify: Any = True
    answers: list[tuple[float, bool]] = field(default_factory=list)
    codes: Counter[int] = field(default_factory=Counter)  # how often which status was no answer
    lines: list[tuple[float, bool]] = field(default_factory=list)  # when a page's line opened and closed

    @cached_property
    def http(self) -> httpx.AsyncClient:
        headers = self.headers | {"X-Live": "1"}
        return httpx.AsyncClient(base_url=self.base, headers=headers, verify=self.verify, timeout=TIMEOUT)

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response | None:
        """Return an answer and note it; None when there was none, or none of use."""
        status, answer = 0, None
        with contextlib.suppress(httpx.HTTPError):
            answer = await self.http.request(method, path, **more)
            status = answer.status_code
        self.answers.append((time.monotonic(), status not in AWAY))
        if status in AWAY:
            self.codes[status] += 1
            return None
        return answer


class OpenPage:
    """A page of one match, open until `close`.

    `faults` says in words what it was sent and must not be; `returns` what it may be sent only by a site that was
    restored from an older copy, after which it begins anew as a browser does.
    """

    def __init__(self, browser: Browser, match: int, rng: Random, *, has_line: bool = True, looks: float = LOOKS):
        self.browser, self.match, self.rng, self.looks = browser, match, rng, looks
        self.text, self.shown = "", 0
        self.faults: list[str] = []
        self.returns: list[str] = []
        self.counts: Counter[str] = Counter()
        self.changed = asyncio.Event()  # whoever waits for it clears it
        self.is_live = False
        self._socket: Any = None
        self._sent = 0  # the version that this line was told the page shows, or has sent it
        self._number = 0
        self._unanswered: dict[int, asyncio.Future[dict | None]] = {}
        self._reading: asyncio.Task[None] | None = None
        keepers = [self._keep_line(), self._look_by_itself()] if has_line else [self._look_by_itself()]
        self._keepers = [asyncio.ensure_future(keeper) for keeper in keepers]

    async def close(self) -> None:
        """Close it; raise what went wrong with it."""
        for keeper in self._keepers:
            keeper.cancel()
        for ended in await asyncio.gather(*self._keepers, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended

    # What it shows

    def _show(self, text: str, had: int, by: str) -> None:
        """Show a table that was asked for while version `had` was shown, unless a newer one is shown by now."""
        version = version_of(text)
        if version < had:
            self._begin_anew(f"{by}: version {version}, asked for when {had} was shown")
        if version > self.shown or (version == self.shown and 'class="refusal' in text):
            self.text, self.shown = text, version
            self.changed.set()

    def _fault(self, words: str) -> None:
        self.faults.append(f"match {self.match}: {words}")

    def _begin_anew(self, why: str) -> None:
        self.returns.append(f"match {self.match}: {why}")
        self.text, self.shown = "", 0

    async def refresh(self) -> None:
        """Fetch the table, unless the page shows the newest."""
        had, query = self.shown, {}
        if had:
            query = {"have": str(had), "history": history_of(self.text)}
        answer = await self.browser.ask("GET", f"/matches/{self.match}/table/", params=query)
        if answer is not None and answer.status_code != 204:
            assert answer.status_code == 200, (answer.status_code, self.match)
            self._show(answer.text, had, "a look")

    async def _look_by_itself(self) -> None:
        await self.refresh()
        without = 0.0
        while True:
            await asyncio.sleep(min(self.looks, UNSEEN))
            without = 0.0 if self.is_live else without + min(self.looks, UNSEEN)
            if without >= self.looks or not self.shown:
                without = 0.0
                await self.refresh()

    # Its line

    async def _keep_line(self) -> None:
        tries = 0
        while True:
            self._reading = asyncio.ensure_future(self._line())
            try:
                await asyncio.wait([self._reading])
            finally:
                self._reading.cancel()
            self._ended(self._reading)
            if self.is_live:
                tries = 0
                self.browser.lines.append((time.monotonic(), False))
            self.is_live, self._socket, tries = False, None, tries + 1
            for number in list(self._unanswered):
                self._settle(number, None)
            wait = min(SOON, 0.3 * 2**tries) if tries <= SOON_TRIES else LATER
            await asyncio.sleep(wait * self.rng.uniform(0.7, 1))

    def _ended(self, line: asyncio.Task[None]) -> None:
        try:
            line.result()
        except websockets.ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd.code in WRONGLY:
                self._fault(f"the line was closed with {closed.rcvd.code}")
        except (OSError, websockets.WebSocketException, TimeoutError, asyncio.CancelledError):
            pass

    async def _line(self) -> None:
        """Be one line, until its end. Its end may be that it is silent."""
        self._sent = self.shown
        query = {"match": self.match, "table": 1, "lang": "en", "zip": 1}
        if self.shown:
            query |= {"have": self.shown, "history": history_of(self.text)}
        limits = {"open_timeout": PATIENCE, "close_timeout": CLOSING, "ping_interval": None}
        address = f"{self.browser.socket}?{urlencode(query)}"
        async with websockets.connect(address, **limits, **self.browser.opening) as self._socket:
            await self._say({"here": True, "talk": 0})
            while True:
                try:
                    raw = await asyncio.wait_for(self._socket.recv(), BEAT)
                except TimeoutError:
                    await self._say({"beat": True})
                    raw = await asyncio.wait_for(self._socket.recv(), PATIENCE)
                self._hear(raw)

    async def _say(self, what: dict[str, object]) -> None:
        await self._socket.send(json.dumps(what))

    def _hear(self, raw: str | bytes) -> None:
        said = json.loads(raw if isinstance(raw, str) else zlib.decompress(raw, UNDEFLATED))
        self.browser.answers.append((time.monotonic(), True))
        if not self.is_live:
            self.is_live = True
            self.browser.lines.append((time.monotonic(), True))
        version, text = said.get("version", 0), said.get("table")
        if text is not None and version_of(text) != version:
            self._fault(f"a frame says version {version}, its table {version_of(text)}")
        if "answer" in said:
            self.counts["answers behind"] += said["status"] == 200 and 0 < version <= self._sent
            self._sent = max(self._sent, version)
            self._settle(said["answer"], said)
        elif text is not None:
            self._pushed(text, version)
        elif version > self.shown:
            self.counts["rings"] += 1
            self._keepers.append(asyncio.ensure_future(self.refresh()))
        if "anew" in said:
            self._begin_anew(f"the site has an older version than {self.shown}, which is shown")
            self._keepers.append(asyncio.ensure_future(self.refresh()))
        mark = said.get("history", "")
        if self.shown and mark.startswith(f"{self.shown}:") and mark != history_of(self.text):
            self._begin_anew(f"version {self.shown}, which is shown, has another history now")
            self._keepers.append(asyncio.ensure_future(self.refresh()))

    def _pushed(self, text: str, version: int) -> None:
        """Take a table that nobody asked for: it has to be newer than all before it on the line."""
        if version <= self._sent:
            self._fault(f"the line sent version {version} after {self._sent}")
        self._sent = max(self._sent, version)
        self.counts["tables"] += 1
        self._show(text, 0, "the line")

    def _settle(self, number: int, answer: dict | None) -> None:
        waiting = self._unanswered.pop(number, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)

    # Its moves

    async def send(self, key: str, ask: str, move: object) -> int:
        """Send a move until it is answered, with one key; return the answer's status, which shows that it is known."""
        form, before = {"ask": ask, "key": key, "move": json.dumps(move)}, self.shown
        while (found := await self._by_line(form) or await self._by_post(form)) is None:
            await asyncio.sleep(AGAIN)
        status, text = found
        if status == 200 and version_of(text) <= before:
            self._begin_anew(f"the answer to a move shows version {version_of(text)}, as before it")
        self._show(text, before, "the answer to a move")
        return status

    async def _by_line(self, form: dict[str, str]) -> tuple[int, str] | None:
        """Return status and table of the answer; None when there is no line, or no such answer within 2 s."""
        if not self.is_live or self._socket is None:
            return None
        self._number += 1
        number, waiting = self._number, asyncio.get_running_loop().create_future()
        self._unanswered[number] = waiting
        self.counts["moves by line"] += 1
        try:
            await self._say({"move": number, "form": urlencode(form)})
            said = await asyncio.wait_for(waiting, PATIENT)
        except (TimeoutError, OSError, websockets.WebSocketException) as error:
            self._unanswered.pop(number, None)
            if isinstance(error, TimeoutError) and self._reading is not None:
                self.counts["lines dropped"] += 1
                self._reading.cancel()
            return None
        return (said["status"], said["table"]) if said and "table" in said else None

    async def _by_post(self, form: dict[str, str]) -> tuple[int, str] | None:
        self.counts["moves by post"] += 1
        answer = await self.browser.ask("POST", f"/matches/{self.match}/move/", data=form)
        return None if answer is None else (answer.status_code, answer.text)


async def all_show(pages: Iterable[OpenPage], newest: int, within: float) -> list[str]:
    """Return in words which pages do not show this version of their match within the seconds, by themselves."""
    end = time.monotonic() + within
    while (behind := [page for page in pages if page.shown != newest]) and time.monotonic() < end:
        await asyncio.sleep(0.05)
    return [f"match {page.match}: a page shows version {page.shown}, the newest is {newest}" for page in behind]
