"""Watches Redis for the sockets of this process: while it is away, they are closed; after that, opened anew."""

import asyncio
import logging
import time
from typing import Any, Protocol

from channels.db import database_sync_to_async
from django.db import DatabaseError

from accounts.services import sessions
from config.lib.redis import AWAY
from config.lib.sockets import groups
from games.services.play import presence

log = logging.getLogger(__name__)

TRY_AGAIN, LOGGED_OUT = 4503, 4401
CHECK_SECONDS = 0.25  # seconds between two checks of Redis
NOTE_SECONDS = 60.0  # seconds between two notes of who has a page open, and checks of their sessions
CLOSE_SECONDS = 1.0  # seconds for closing sockets, or dropping subscriptions


class Watched(Protocol):
    """A socket that is closed while Redis is away: an open page, or a program's, which has no session."""

    session_key: str | None
    user: Any

    async def close(self, code: int) -> None:
        """Close it with this code."""


async def _close(pages: set[Watched], code: int) -> None:
    """Close these pages, and wait for none that does not answer."""
    closing = [asyncio.ensure_future(page.close(code)) for page in pages]
    if closing:
        await asyncio.wait(closing, timeout=CLOSE_SECONDS)


class RedisWatch:
    """The open pages, and whether Redis answers."""

    def __init__(self) -> None:
        self.pages: set[Watched] = set()
        self.stopped = False
        self.noted = time.monotonic()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    async def join(self, page: Watched) -> bool:
        """Add a page; return False when Redis is away."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:  # another process, or another test
            self._loop, self._task, self.pages, self.stopped = loop, None, set(), False
        if not self.stopped and not await self._beats():  # the check may find that it has stopped meanwhile
            self.stopped = True
        if groups().is_deaf and not self.pages and not self.stopped:  # it broke while nobody listened
            self.stopped = not await self._subscriptions_dropped()
        if not self.stopped:
            self.pages.add(page)
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._watch())
        return not self.stopped

    def leave(self, page: Watched) -> None:
        self.pages.discard(page)

    async def _watch(self) -> None:
        while self.pages or self.stopped:
            await asyncio.sleep(CHECK_SECONDS)
            if not self.pages and not self.stopped:
                return  # the last has gone: whoever comes next begins anew
            if groups().is_deaf or not await self._beats():
                self.stopped = True
                await self._send_away()
                groups().is_deaf = False
            elif self.stopped:
                self.stopped = not await self._subscriptions_dropped()
            elif time.monotonic() - self.noted > NOTE_SECONDS:
                self.noted = time.monotonic()
                await self._end_over()
                await self._note_open()

    async def _beats(self) -> bool:
        try:
            return bool(await presence.redis().ping())
        except AWAY:
            return False

    async def _end_over(self) -> None:
        """Close the pages whose session has ended in a way that rang nobody: run out, deleted, a new password."""
        pages = {page for page in self.pages if page.session_key}
        try:
            good = await database_sync_to_async(sessions.still_good)({page.session_key or "" for page in pages})
        except DatabaseError:
            log.info("sessions of open pages not checked: the database is away")
        else:
            await _close({page for page in pages if page.session_key not in good}, LOGGED_OUT)

    async def _note_open(self) -> None:
        try:
            await presence.note_open({page.user.pk for page in self.pages if page.session_key})
        except AWAY:
            log.info("open pages not noted: Redis is away")

    async def _send_away(self) -> None:
        pages, self.pages = self.pages, set()
        await _close(pages, TRY_AGAIN)

    async def _subscriptions_dropped(self) -> bool:
        flushing = asyncio.ensure_future(groups().drop())
        done, _late = await asyncio.wait([flushing], timeout=CLOSE_SECONDS)
        return bool(done) and flushing.exception() is None


redis_watch = RedisWatch()
