"""The open pages of a match in this process: told together, and shown a table that is drawn once for all who see it."""

import asyncio
import logging
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from django.db import DatabaseError

from config.lib import clock
from config.lib.pool import with_database
from config.lib.redis import AWAY
from config.lib.sockets import groups
from games.broadcast import match_group
from games.models import Match
from games.services.play import presence
from games.sockets.redis_watch import TRY_AGAIN
from games.sockets.tables import Answer, Frame, LoggedOut, Sent, answer_move, for_readers

if TYPE_CHECKING:
    from games.sockets.page import PageSocket

LOOK_SECONDS = 5.0  # seconds between two looks at all open matches, for rings that were lost
AT_ONCE = 6  # pages whose tables are drawn before a move is answered, the players' first

log = logging.getLogger(__name__)


class MatchPages:
    """The pages of one match. A listener of its group, as long as there are any."""

    def __init__(self, match_id: int) -> None:
        self.match_id = match_id
        self.pages: set[PageSocket] = set()
        self._wanted = 0  # the newest version that was rung
        self._busy = 0  # moves of these pages that are under way, and show the others their tables themselves
        self._telling: asyncio.Task[None] | None = None

    def rung(self, message: dict[str, Any]) -> None:
        """Tell the pages."""
        kind = message["type"]
        if kind == "ring":
            self._wanted = max(self._wanted, message["version"])
            if not self._busy:
                self._tell()
        elif kind == "ring.chat":
            self._in_task(self._say(chat=True))
        elif kind == "ring.here":
            self._in_task(self._say_here())

    def _in_task(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        _running.add(task)
        task.add_done_callback(_running.discard)

    async def _say(self, **what: Any) -> None:
        for page in list(self.pages):
            await page.say(**what)

    async def _say_here(self) -> None:
        try:
            await self._say(here=await presence.here(self.match_id))
        except AWAY:
            log.info("presence not told: Redis is away")

    def _tell(self) -> None:
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._show())

    async def _show(self) -> None:
        """Show the newest table to all pages that show an older one, until there is no newer."""
        tried = 0
        while tried < self._wanted:
            tried = self._wanted
            shown = {page: page.reader.version for page in self.pages if page.reader is not None}
            behind = [page for page, version in shown.items() if max(version, page.told) < tried]
            for page in [page for page in self.pages if page.reader is None and page.told < tried]:
                page.told = tried
                await page.say(version=tried)  # it has a link to the table
            if behind:
                await self._show_to(behind, tried)

    async def _show_to(self, behind: list["PageSocket"], version: int) -> None:
        readers = [page.reader for page in behind]
        try:
            frames = await with_database(for_readers, self.match_id, readers)
        except Exception as error:  # they ask for it by HTTP, and are told what is wrong
            log.exception("tables could not be shown")
            for page in behind:
                if not isinstance(error, DatabaseError):  # else it may be well at the next look
                    page.told = version
                await page.say(version=version)
            return
        await self._send(behind, frames)

    async def _send(self, pages: list["PageSocket"], frames: list[Frame | None]) -> None:
        for page, frame in zip(pages, frames, strict=True):
            try:
                if frame is not None:
                    await page.show(frame)
            except Exception:  # of one: the others are shown theirs, and this one comes again
                log.exception("a table could not be sent")
                await page.close(TRY_AGAIN)

    async def show_at_once(self, page: "PageSocket") -> None:
        """Show a page that has just come the table, unless it shows the newest."""
        await self._show_to([page], 0)

    async def move(self, page: "PageSocket", number: int, form: str) -> None:
        """Make a move that a page sent, and show pages here their tables; further ones are rung for theirs."""
        sent = Sent(number, form, clock.now_ms())
        assert page.reader is not None
        others = [other for other in self.pages if other is not page and other.reader is not None]
        others = sorted(others, key=lambda other: other.seat is None)[:AT_ONCE]
        readers = [other.reader for other in others]
        self._busy += 1
        try:
            answer: Answer = await with_database(answer_move, page.reader, self.match_id, sent, readers)
            await page.show(answer.frame, is_answer=True)
            if answer.others:
                await self._send(others, answer.others)
        except LoggedOut:
            await page.end_session()
        finally:
            self._busy -= 1
            self._tell()  # what was rung meanwhile, even while the next move is under way: some never end


_running: set[asyncio.Task[None]] = set()
_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[int, MatchPages]] = WeakKeyDictionary()
_looking: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Task[None]] = WeakKeyDictionary()


def _here() -> dict[int, MatchPages]:
    return _of_loops.setdefault(asyncio.get_running_loop(), {})


async def _look() -> None:
    """Ring for matches as they are now, while any are open: who stored a move may have died before it rang."""
    while here := _here():
        await asyncio.sleep(LOOK_SECONDS)
        try:
            versions = await with_database(_versions, list(here))
        except Exception as error:  # next time
            log.info("open matches not looked at: %s", type(error).__name__)
            continue
        for match_id, version in versions.items():
            if match_id in here:
                here[match_id].rung({"type": "ring", "version": version})


def _versions(match_ids: list[int]) -> dict[int, int]:
    return dict(Match.objects.filter(pk__in=match_ids).values_list("pk", "version"))


async def join(page: "PageSocket", match_id: int) -> MatchPages:
    """Add a page to those of its match. AWAY without Redis."""
    found = _here().setdefault(match_id, MatchPages(match_id))
    found.pages.add(page)
    await groups().join(match_group(match_id), found)
    loop = asyncio.get_running_loop()
    if loop not in _looking or _looking[loop].done():
        _looking[loop] = loop.create_task(_look())
    return found


async def leave(page: "PageSocket", match_id: int) -> None:
    """Remove a page from those of its match; twice is harmless. AWAY without Redis."""
    found = _here().get(match_id)
    if found is None:
        return
    found.pages.discard(page)
    if not found.pages:
        _here().pop(match_id, None)
        await groups().leave(match_group(match_id), found)
