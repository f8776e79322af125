"""The WebSocket of an open page: it greets, answers beats, shows the page's table, and takes its moves."""

import asyncio
import json
import logging
from typing import Any
from urllib.parse import parse_qs

from channels.consumer import get_handler_name
from channels.db import database_sync_to_async
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from accounts.services import visits
from config.lib import clock, metrics, present
from config.lib.crowds import Allowance, Crowd, address_of
from config.lib.redis import AWAY
from config.lib.sockets import groups, person_group, session_group
from games.broadcast import LOBBY, named_by, series_group
from games.forms.play import read_number, read_turn
from games.models import Match
from games.queries import play
from games.services import hooks
from games.services.chat import mentions
from games.services.play import presence
from games.services.play.moves import mark_seen
from games.sockets import match_pages
from games.sockets.match_pages import MatchPages
from games.sockets.redis_watch import LOGGED_OUT, TRY_AGAIN, redis_watch
from games.sockets.tables import Frame, Reader, is_logged_in

log = logging.getLogger(__name__)

NOT_FOUND, TOO_MUCH = 4404, 4429
MOST = 2**53  # numbers of moves are below: a page counts no further
COUNT_SECONDS = 2.0  # seconds between two counts of waiting matches

crowd, allowance = Crowd(), Allowance()
metrics.SOCKETS.set_function(lambda: len(crowd))


class PageSocket(AsyncWebsocketConsumer):
    """An open page: `?match=ID` subscribes to a match, `?lobby=1` to open tables, all to one's turns.

    `?series=TICKET` subscribes to the tournament or ladder whose page was given that ticket.

    `&table=1` has the match's table sent, whenever it is not the one that the page shows: `&have=VERSION`. It is drawn
    in `&lang=fr`, with what is new after turn `&since=N` marked, and compressed (`&zip=1`).
    """

    match_id: int | None = None
    pages: MatchPages | None = None  # those of the match
    reader: Reader | None = None  # of the table, if it is to be sent
    told = 0  # the newest version of which it was told that there is one, without its table
    seat: int | None = None
    session_key: str | None = None
    is_open = False  # its handshake is answered
    looked_at = False
    counting: asyncio.Task[None] | None = None
    rung_again = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket, one message after the other, and count it no more at its end, however that comes."""
        self.scope, self.base_send = scope, send
        self.subscribed: list[str] = []
        self.tasks: set[asyncio.Future[None]] = set()
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            pass
        finally:
            redis_watch.leave(self)
            crowd.leave(self)
            await self._leave()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the handler without Channels' thread hop: `database_sync_to_async` closes connections."""
        try:
            await getattr(self, get_handler_name(message))(message)
        except AWAY as error:
            log.info("socket closed: Redis is away (%s)", type(error).__name__)
            await self.close(TRY_AGAIN)

    def rung(self, message: dict[str, Any]) -> None:
        """Take a message to one of the page's own groups."""
        task = asyncio.ensure_future(self.dispatch(message))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

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
        followed = named_by(query.get("series", [""])[0])
        await self._subscribe([LOBBY] * ("lobby" in query) + [series_group(followed)] * bool(followed))
        await self.accept()
        if self.session_key and not await database_sync_to_async(is_logged_in)(self.user, self.session_key):
            await self.close(LOGGED_OUT)
            return
        self.scope["headers"].clear()  # read by now; the socket may be open for days
        self.is_open = True
        await self.say(now=clock.now_ms(), build=present.build(), who=present.mark(self.user.pk))
        if history is not None:
            found = await _find(wanted, self.user, self.scope["session"])  # may have changed since
            if found is None:
                await self.close(NOT_FOUND)
                return
            self.match_id, history, self.seat = found
            await self._greet(query, history)
            await self._tell_here()
        if self.user.is_authenticated:
            await self.ring_person({})

    def _counted_for(self) -> dict[str, int]:
        """Return for whom this socket is counted, and how many they may have."""
        most = {f"address:{address_of(self.scope)}": settings.SOCKETS_OF_ADDRESS}
        if self.user.is_authenticated:
            most[f"person:{self.user.pk}"] = settings.SOCKETS_OF_PERSON
        return most

    async def _subscribe(self, names: list[str]) -> None:
        if self.match_id is not None:
            self.pages = await match_pages.join(self, self.match_id)
        if self.user.is_authenticated:
            names += [person_group(self.user.pk), session_group(self.session_key or "")]
        for name in names:
            self.subscribed.append(name)
            await groups().join(name, self)

    async def _greet(self, query: dict[str, list[str]], history: str) -> None:
        """Say which version of the match there is, or show its table if the page shows another; then it may move."""
        version = int(history.partition(":")[0])
        if "table" not in query or self.pages is None:
            self.told = version
            await self.say(version=version, history=history)
            return
        language, shown = query.get("lang", [""])[0], read_turn(query.get("have", [""])[0]) or 0
        await self.say(history=history, moves=self.user.is_authenticated)
        if shown > version:
            await self.say(anew=True)
            return
        self.reader = Reader(
            self.user,
            self.session_key,
            language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE,
            since=read_turn(query.get("since", [""])[0]),
            zipped="zip" in query,
            version=shown,
        )
        if shown < version:
            await self.pages.show_at_once(self)

    async def disconnect(self, code: int) -> None:
        """Say that the person has gone; subscriptions end with the socket."""
        try:
            if self.match_id is not None and self.seat is not None:
                await presence.go(self.match_id, self.seat)
                presence.announce(self.match_id)
        except AWAY:
            log.info("left while Redis was away")

    async def _leave(self) -> None:
        if self.counting is not None:
            self.counting.cancel()
        try:
            if self.match_id is not None:
                await match_pages.leave(self, self.match_id)
            for name in self.subscribed:
                await groups().leave(name, self)
        except AWAY:
            log.info("left while Redis was away")

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer a page's beat, which shows that the socket is alive, its report and its moves. Ignore all else.

        A report says whether its person looks at it, and its last chat line: {"here": true, "talk": 7}. In a match
        the answer is who is present. A move is a number and a form: {"move": 3, "form": "ask=1&key=…"}; its answer
        bears that number. One who sends far more than a page does is closed.
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
            await self.say(now=clock.now_ms())
        if self.match_id is None:
            return
        number = said.get("move")
        if isinstance(said.get("form"), str) and type(number) is int and 0 <= number < MOST:
            await self._move(number, said["form"])
        if isinstance(said.get("here"), bool):
            await self._report(said["here"], said.get("talk"))

    async def _move(self, number: int, form: str) -> None:
        if self.pages is None or self.reader is None or not self.user.is_authenticated:
            await self.say(answer=number, status=403)  # to be posted: visitors are led to log-in by that
        else:
            await self.pages.move(self, number, form.encode("utf-8", "replace").decode())

    async def _report(self, is_here: bool, talk: Any) -> None:
        if is_here and self.user.is_authenticated:
            visits.note_soon(self.user.pk)
        if is_here or self.looked_at:
            await self._mark_seen()
            await self._mark_read(talk)
        self.looked_at = is_here
        if self.seat is not None and self.match_id is not None:
            await self._tell_presence(self.match_id, self.seat, is_here)
        await self._tell_here()

    async def ring_mention(self, message: dict[str, Any]) -> None:
        await self.say(mention=message["match"])

    async def ring_asked(self, message: dict[str, Any]) -> None:
        await self.say(asked=message["match"])

    async def ring_lobby(self, message: dict[str, Any]) -> None:
        await self.say(lobby=True)

    async def ring_series(self, message: dict[str, Any]) -> None:
        await self.say(series=True)

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
            await self.say(waiting=await database_sync_to_async(play.waiting_count)(self.user))
            await asyncio.sleep(COUNT_SECONDS)
            rung = self.rung_again

    async def seat_lost(self, message: dict[str, Any]) -> None:
        """Close the socket of a person who lost a seat, so that the page checks again what it may see."""
        if message["match"] == self.match_id:
            await self.close(TRY_AGAIN)

    async def session_ended(self, message: dict[str, Any]) -> None:
        await self.end_session()

    async def end_session(self) -> None:
        """Close the socket of a session that has ended."""
        await self.close(LOGGED_OUT)

    async def person_changed(self, message: dict[str, Any]) -> None:
        """Close the socket of a person who is described otherwise now, so that the page opens one anew."""
        await self.close(TRY_AGAIN)

    async def show(self, frame: Frame, *, is_answer: bool = False) -> None:
        """Send a table, unless it is older than the one that the page shows: those of two moves may overtake."""
        if frame.version is None:
            await self.close(NOT_FOUND)
            return
        assert self.reader is not None
        if not is_answer and frame.version <= self.reader.version:
            return
        if isinstance(frame.text, bytes):
            await self.send(bytes_data=frame.text)
        else:
            await self.send(frame.text)
        self.reader.version = max(frame.version, self.reader.version)

    async def _tell_presence(self, match_id: int, seat: int, is_here: bool) -> None:
        before = await presence.here(match_id)
        await (presence.arrive if is_here else presence.go)(match_id, seat)
        if (seat in before) is not is_here:
            presence.announce(match_id)

    async def _tell_here(self) -> None:
        if self.match_id is not None:
            await self.say(here=await presence.here(self.match_id))

    async def _mark_seen(self) -> None:
        if self.seat is not None:
            await database_sync_to_async(mark_seen)(match_id=self.match_id, user_id=self.user.pk)

    async def _mark_read(self, last: Any) -> None:
        if self.match_id is None or not self.user.is_authenticated or type(last) is not int or last < 1:
            return
        reader = self.user.pk
        await database_sync_to_async(mentions.mark_read)(user_id=reader, match_id=self.match_id, last=last)

    async def say(self, **what: Any) -> None:
        """Send a few words; none before the greeting, which tells how things are then."""
        if self.is_open:
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
