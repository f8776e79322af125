"""The streams of a web server: compared with how things are at each ring, and all of them every few seconds."""

import asyncio
import logging
import time
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from django.db import DatabaseError

from config.lib import clock
from config.lib.pool import with_database
from config.lib.redis import AWAY
from config.lib.sockets import groups
from games.api.services import streaming
from games.api.services.streaming import SLACK, Look, Taken
from games.api.streams.rounds import HEARD, go_round
from games.broadcast import match_group

if TYPE_CHECKING:
    from games.api.streams.socket import StreamSocket

LOOK_SECONDS = 5.0  # between two comparisons of everything
GATHER_SECONDS = 0.02  # in which rings gather
BREATH_SECONDS = 0.2  # between two rounds of a stream that has more to tell
BEAT_SECONDS = 8.0
SETTLE_SECONDS = 60.0
PATIENCE_SECONDS = 30.0  # with a program that does not read
CHUNK = 200  # streams in one round

log = logging.getLogger(__name__)


class Ear:
    """Hears the rings of one match for the streams of those who sit there."""

    __slots__ = ("live", "match_id", "streams")

    def __init__(self, live: "Live", match_id: int) -> None:
        self.live, self.match_id = live, match_id
        self.streams: set[StreamSocket] = set()

    def rung(self, message: dict[str, Any]) -> None:
        """Have the match looked at, unless it is only told who is there."""
        if message["type"] in ("ring", "ring.chat"):
            for stream in self.streams:
                self.live.wake(stream, self.match_id)


class Live:
    """All streams of an event loop."""

    def __init__(self) -> None:
        self.streams: set[StreamSocket] = set()
        self._ears: dict[int, Ear] = {}
        self._rung: dict[StreamSocket, set[int] | None] = {}  # which matches; None: everything
        self._wake = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._beating: asyncio.Task[None] | None = None
        self._looked: datetime | None = None  # when all were compared
        self._line = 0

    def join(self, stream: "StreamSocket", taken: Taken) -> None:
        """Add a stream that has just been taken, and compare all of it."""
        if not self.streams:
            self._looked, self._line = None, taken.line
        self._line = min(self._line, taken.line)
        self.streams.add(stream)
        self.wake(stream)
        loop = asyncio.get_running_loop()
        if self._running is None or self._running.done():
            self._running = loop.create_task(self._run())
        if self._beating is None or self._beating.done():
            self._beating = loop.create_task(self._beat())

    def wake(self, stream: "StreamSocket", match_id: int | None = None) -> None:
        """Have a stream compared soon: as to one match, or to everything."""
        rung = self._rung.get(stream, set())
        self._rung[stream] = None if match_id is None or rung is None else rung | {match_id}
        self._wake.set()

    async def leave(self, stream: "StreamSocket") -> None:
        """Forget a stream. AWAY without Redis."""
        self.streams.discard(stream)
        self._rung.pop(stream, None)
        for match_id in list(stream.heard):
            await self._unhear(stream, match_id)

    async def _unhear(self, stream: "StreamSocket", match_id: int) -> None:
        stream.heard.discard(match_id)
        if (ear := self._ears.get(match_id)) is not None:
            ear.streams.discard(stream)
            if not ear.streams:
                del self._ears[match_id]
                await groups().leave(match_group(match_id), ear)

    async def _run(self) -> None:
        looked = settled = time.monotonic()
        while self.streams:
            await self._rings(until=looked + LOOK_SECONDS)
            now = time.monotonic()
            try:
                if now >= looked + LOOK_SECONDS:
                    looked = now
                    await self._compare_all()
                await self._compare_rung()
                if now >= settled + SETTLE_SECONDS:
                    settled = now
                    await self._settle(list(self.streams))
            except DatabaseError as error:  # at the next look, which compares everything
                log.warning("streams not compared: %s", error)
            except Exception:
                log.exception("streams not compared")

    async def _beat(self) -> None:
        while self.streams:
            await asyncio.sleep(BEAT_SECONDS)
            for stream in list(self.streams):
                try:
                    await stream.beat()
                except Exception:  # of one: the others live
                    log.exception("a stream does not beat")

    async def _rings(self, *, until: float) -> None:
        """Wait until something rings, or that time."""
        try:
            async with asyncio.timeout(max(until - time.monotonic(), 0.0)):
                await self._wake.wait()
        except TimeoutError:
            return
        await asyncio.sleep(GATHER_SECONDS)
        self._wake.clear()

    async def _compare_all(self) -> None:
        begun = clock.now()
        since = (self._looked or begun) - SLACK
        await self._begin([stream for stream in self.streams if stream.begins])
        old = [stream for stream in self.streams if not stream.begins]
        for place in range(0, len(old), CHUNK):
            chunk = [stream for stream in old[place : place + CHUNK] if stream in self.streams]
            await self._round(chunk, [(self._look(chunk, since), False)])
        self._looked = begun

    async def _compare_rung(self) -> None:
        rung, self._rung = self._rung, {}
        since = (self._looked or clock.now()) - SLACK
        await self._begin([stream for stream in rung if stream.begins])
        known = [stream for stream in rung if not stream.begins]
        for place in range(0, len(known), CHUNK):
            chunk = [stream for stream in known[place : place + CHUNK] if stream in self.streams]
            whole = [stream for stream in chunk if rung[stream] is None]
            parts = [stream for stream in chunk if rung[stream]]
            matches = set().union(*(rung[stream] or () for stream in parts))
            looks = [(self._look(whole, since), False)] if whole else []
            looks += [(self._look(parts, since, matches), True)] if parts else []
            await self._round(chunk, looks)

    async def _begin(self, streams: Iterable["StreamSocket"]) -> None:
        """Compare each new stream by itself: with what it missed."""
        for stream in streams:
            if stream in self.streams and (taken := stream.taken) is not None:
                look = Look([stream.token_id], taken.since, taken.line)
                await self._round([stream], [(look, False)])
                stream.taken = None
                await self._settle([stream])

    def _look(self, streams: Iterable["StreamSocket"], since: datetime, matches: Iterable[int] = ()) -> Look:
        return Look(sorted(stream.token_id for stream in streams), since, self._line, sorted(matches))

    async def _round(self, streams: list["StreamSocket"], looks: list[tuple[Look, bool]]) -> None:
        if not streams:
            return
        readers = [stream.reader() for stream in streams]
        outcomes = await with_database(go_round, readers, looks)
        for stream, outcome in zip(streams, outcomes, strict=True):
            if outcome.end:
                await stream.end(outcome.end)
                continue
            all_told = await stream.tell(outcome.frames, outcome.sent)
            for match_id in stream.heard.intersection(outcome.over):
                await self._unhear(stream, match_id)
            await self._hear(stream, outcome.hears)
            if outcome.is_behind or not all_told:
                asyncio.get_running_loop().call_later(BREATH_SECONDS, self._go_on, stream)

    def _go_on(self, stream: "StreamSocket") -> None:
        if stream in self.streams:
            self._rung.setdefault(stream, set())
            self._wake.set()

    async def _hear(self, stream: "StreamSocket", match_ids: Iterable[int]) -> None:
        """Have a stream hear the rings of matches, and look at them once more: they may have rung meanwhile."""
        for match_id in match_ids:
            if match_id in stream.heard or len(stream.heard) >= HEARD:
                continue
            ear = self._ears.setdefault(match_id, Ear(self, match_id))
            is_new = not ear.streams
            ear.streams.add(stream)
            stream.heard.add(match_id)
            if is_new:
                try:
                    await groups().join(match_group(match_id), ear)
                except AWAY:  # the watch closes all; else the next look finds what rings
                    log.info("a match is not heard: Redis is away")
                self.wake(stream, match_id)

    async def _settle(self, streams: list["StreamSocket"]) -> None:
        ids = [stream.token_id for stream in streams if not stream.begins]
        line = await with_database(streaming.settle, ids, self._line)
        if len(ids) == len(self.streams):
            self._line = line


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, Live] = WeakKeyDictionary()


def live() -> Live:
    """Return the streams of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _of_loops:
        _of_loops[loop] = Live()
    return _of_loops[loop]
