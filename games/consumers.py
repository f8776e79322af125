"""The WebSocket of an open page: it greets, answers beats, and tells that something changed, never what."""

import asyncio
import json
import logging
import time
from typing import Any
from urllib.parse import parse_qs

from channels.consumer import get_handler_name
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import DatabaseError
from django.urls import path, re_path

from accounts.services import sessions, visits
from config.lib import clock, metrics, present
from config.lib.crowds import Allowance, Crowd, address_of
from config.lib.redis import AWAY
from config.lib.sockets import session_group
from games.broadcast import LOBBY, match_group, person_group
from games.forms.play import read_number
from games.models import Match
from games.queries import play
from games.services import hooks
from games.services.chat import mentions
from games.services.play import presence
from games.services.play.moves import mark_seen

log = logging.getLogger(__name__)

TRY_AGAIN, NOT_FOUND, LOGGED_OUT, TOO_MUCH = 4503, 4404, 4401, 4429
CHECK_SECONDS = 0.25  # seconds between two checks of Redis
NOTE_SECONDS = 60.0  # seconds between two notes of who has a page open, and checks of their sessions
COUNT_SECONDS = 2.0  # seconds between two counts of waiting matches
CLOSE_SECONDS = 1.0  # seconds for closing sockets, or dropping subscriptions

crowd, allowance = Crowd(), Allowance()
metrics.SOCKETS.set_function(lambda: len(crowd))


class PageSocket(AsyncWebsocketConsumer):
    """An open page: `?match=ID` subscribes to a match, `?lobby=1` to open tables, both to one's turns."""

    match_id: int | None = None
    seat: int | None = None
    session_key: str | None = None
    looked_at = False
    counting: asyncio.Task[None] | None = None
    rung_again = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket, and count it no more at its end, however that comes.

        Channels asks Redis before any handler is called: what fails there ends here.
        """
        try:
            await super().__call__(scope, receive, send)
        except AWAY as error:
            log.info("socket closed: Redis is away (%s)", type(error).__name__)
            await send({"type": "websocket.close", "code": TRY_AGAIN})
        finally:
            redis_watch.leave(self)
            crowd.leave(self)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the handler without Channels' thread hop: `database_sync_to_async` closes connections."""
        try:
            await getattr(self, get_handler_name(message))(message)
        except AWAY:
            await self.close(TRY_AGAIN)

    async def connect(self) -> None:
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        wanted = query.get("match", [""])[0]
        self.user = self.scope["user"]
        if self.user.is_authenticated:
            self.session_key = self.scope["session"].session_key
        history = None
        if not crowd.enter(self, self._counted_for()):
            await self.accept()
            await self.close(TOO_MUCH)
            return
        if wanted:
            found = await _find(wanted, self.user, self.scope["session"])
            if found is None:
                await self.accept()  # so that the page gets the reason
                await self.close(NOT_FOUND)
                return
            self.match_id, history, self.seat = found
        if not await redis_watch.join(self):
            await self.close(TRY_AGAIN)
            return
        if self.user.is_authenticated:
            await presence.note_open([self.user.pk])
        await self._subscribe("lobby" in query)
        await self.accept()
        await self._say(now=clock.now_ms(), build=present.build(), who=present.mark(self.user.pk))
        if history is not None:
            found = await _find(wanted, self.user, self.scope["session"])  # may have changed since
            if found is None:
                await self.close(NOT_FOUND)
                return
            self.match_id, history, self.seat = found
            await self._say(version=int(history.partition(":")[0]), history=history)
            await self._tell_here()
        if self.user.is_authenticated:
            await self.ring_person({})

    def _counted_for(self) -> dict[str, int]:
        """Return for whom this socket is counted, and how many they may have."""
        most = {f"address:{address_of(self.scope)}": settings.SOCKETS_OF_ADDRESS}
        if self.user.is_authenticated:
            most[f"person:{self.user.pk}"] = settings.SOCKETS_OF_PERSON
        return most

    async def _subscribe(self, lobby: bool) -> None:
        names = [LOBBY] if lobby else []
        if self.match_id is not None:
            names.append(match_group(self.match_id))
        if self.user.is_authenticated:
            names += [person_group(self.user.pk), session_group(self.session_key or "")]
        self.subscribed = names
        for name in names:
            await self.channel_layer.group_add(name, self.channel_name)

    async def disconnect(self, code: int) -> None:
        redis_watch.leave(self)
        crowd.leave(self)
        if self.counting is not None:
            self.counting.cancel()
        try:
            for name in getattr(self, "subscribed", []):
                await self.channel_layer.group_discard(name, self.channel_name)
            if self.match_id is not None and self.seat is not None:
                await presence.go(self.match_id, self.seat)
                presence.announce(self.match_id)
        except AWAY:
            log.info("left while Redis was away")

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer a page's beat, which shows that the socket is alive, and handle its report. Ignore all else.

        A report says whether its person looks at it, and its last chat line: {"here": true, "talk": 7}. In a match
        the answer is who is present. One who sends far more than a page does is closed.
        """
        if not allowance.spend(self.user.pk or f"visitor {id(self)}"):
            await self.close(TOO_MUCH)
            return
        try:
            said = json.loads(text_data or "")
        except (ValueError, RecursionError):
            return
        if not isinstance(said, dict):
            return
        if said.get("beat") is True or (self.match_id is None and "here" in said):
            await self._say(now=clock.now_ms())
        if self.match_id is None or not isinstance(said.get("here"), bool):
            return
        if said["here"] and self.user.is_authenticated:
            visits.note_soon(self.user.pk)
        if said["here"] or self.looked_at:
            await self._mark_seen()
            await self._mark_read(said.get("talk"))
        self.looked_at = said["here"]
        if self.seat is not None:
            await self._tell_presence(self.match_id, self.seat, said["here"])
        await self._tell_here()

    async def ring(self, message: dict[str, Any]) -> None:
        await self._say(version=message["version"])

    async def ring_chat(self, message: dict[str, Any]) -> None:
        await self._say(chat=True)

    async def ring_mention(self, message: dict[str, Any]) -> None:
        await self._say(mention=message["match"])

    async def ring_asked(self, message: dict[str, Any]) -> None:
        await self._say(asked=message["match"])

    async def ring_lobby(self, message: dict[str, Any]) -> None:
        await self._say(lobby=True)

    async def ring_person(self, message: dict[str, Any]) -> None:
        """Count the person's waiting matches: at once, then once for all messages of the next 2 seconds."""
        if self.counting is None or self.counting.done():
            self.counting = asyncio.create_task(self._count())
        else:
            self.rung_again = True

    async def _count(self) -> None:
        rung = True
        while rung:
            self.rung_again = False
            await self._say(waiting=await database_sync_to_async(play.waiting_count)(self.user))
            await asyncio.sleep(COUNT_SECONDS)
            rung = self.rung_again

    async def ring_here(self, message: dict[str, Any]) -> None:
        await self._tell_here()

    async def seat_lost(self, message: dict[str, Any]) -> None:
        """Close the socket of a person who lost a seat, so that the page checks again what it may see."""
        if message["match"] == self.match_id:
            await self.close(TRY_AGAIN)

    async def session_ended(self, message: dict[str, Any]) -> None:
        await self.close(LOGGED_OUT)

    async def _tell_presence(self, match_id: int, seat: int, is_here: bool) -> None:
        before = await presence.here(match_id)
        await (presence.arrive if is_here else presence.go)(match_id, seat)
        if (seat in before) is not is_here:
            presence.announce(match_id)

    async def _tell_here(self) -> None:
        if self.match_id is not None:
            await self._say(here=await presence.here(self.match_id))

    async def _mark_seen(self) -> None:
        if self.seat is not None:
            await database_sync_to_async(mark_seen)(match_id=self.match_id, user_id=self.user.pk)

    async def _mark_read(self, last: Any) -> None:
        if self.match_id is None or not self.user.is_authenticated or type(last) is not int or last < 1:
            return
        reader = self.user.pk
        await database_sync_to_async(mentions.mark_read)(user_id=reader, match_id=self.match_id, last=last)

    async def _say(self, **what: Any) -> None:
        await self.send(json.dumps(what))


_TOLD = ("version", "turns", "moved_at")


@database_sync_to_async
def _find(wanted: str, user: Any, session: Any) -> tuple[int, str, int | None] | None:
    """Return id and history of a match that this person may see in this session, and the person's seat; else None."""
    number = read_number(wanted)
    if number is None:
        return None
    match = play.visible_to(user).filter(pk=number).only(*_TOLD).first()
    if match is not None:
        return match.pk, match.history, play.seat_number(match.pk, user)
    match = Match.objects.filter(pk=number).only(*_TOLD, "status").first()
    sees = match is not None and hooks.may_watch(match, user, session)
    return (match.pk, match.history, None) if match is not None and sees else None


class NoSocket(AsyncWebsocketConsumer):
    """Closes the socket at any other address, with the reason."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(NOT_FOUND)


async def _close(pages: set[PageSocket], code: int) -> None:
    """Close these pages, and wait for none that does not answer."""
    closing = [asyncio.ensure_future(page.close(code)) for page in pages]
    if closing:
        await asyncio.wait(closing, timeout=CLOSE_SECONDS)


class RedisWatch:
    """Watches Redis: while it is away, sockets are closed; after that subscriptions are renewed."""

    def __init__(self) -> None:
        self.pages: set[PageSocket] = set()
        self.stopped = False
        self.noted = time.monotonic()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    async def join(self, page: PageSocket) -> bool:
        """Add a page; return False when Redis is away."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:  # another process, or another test
            self._loop, self._task, self.pages, self.stopped = loop, None, set(), False
        self.stopped = self.stopped or not await self._beats()
        if not self.stopped:
            self.pages.add(page)
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._watch())
        return not self.stopped

    def leave(self, page: PageSocket) -> None:
        self.pages.discard(page)

    async def _watch(self) -> None:
        while self.pages or self.stopped:
            await asyncio.sleep(CHECK_SECONDS)
            if not await self._beats():
                self.stopped = True
                await self._send_away()
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
            await presence.note_open({page.user.pk for page in self.pages if page.user.is_authenticated})
        except AWAY:
            log.info("open pages not noted: Redis is away")

    async def _send_away(self) -> None:
        pages, self.pages = self.pages, set()
        await _close(pages, TRY_AGAIN)

    async def _subscriptions_dropped(self) -> bool:
        flushing = asyncio.ensure_future(get_channel_layer().flush())
        done, _late = await asyncio.wait([flushing], timeout=CLOSE_SECONDS)
        return bool(done) and flushing.exception() is None


redis_watch = RedisWatch()

websocket_urlpatterns = [path("ws/", PageSocket.as_asgi()), re_path("", NoSocket.as_asgi())]
