"""Messages to groups of sockets, by Redis to every web server; sockets close with their session.

On the wire a message is MessagePack on a channel named as Channels' own layer names it, so that two releases side by
side hear each other (docs/decisions/0034-tables-over-the-socket.md).
"""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import msgspec
from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.db import transaction
from redis import asyncio as for_loops

from config.lib import redis
from config.lib.redis import AWAY

log = logging.getLogger(__name__)

Message = dict[str, Any]
Ring = tuple[str, Message]

CHANNEL = "asgi__group__"  # before the name of a group
ALWAYS = "all"  # a group of nobody, so that a connection is never without a subscription
HEARD_SECONDS = 2.0  # until Redis has confirmed a subscription

_ringer = ThreadPoolExecutor(1, thread_name_prefix="ringing")


def ring(*rings: Ring) -> None:
    """Send each message to its group of sockets after commit, in the background; failures are only logged."""
    if rings:
        transaction.on_commit(lambda: _ringer.submit(_ring, rings).done(), robust=True)


def send(group: str, message: Message) -> None:
    """Send a message to a group now, in the background."""
    _ringer.submit(_ring, [(group, message)])


def _ring(rings: Sequence[Ring]) -> None:
    try:
        pipe = redis.client(redis.address(redis.RINGS)).pipeline(transaction=False)
        for group, message in rings:
            pipe.publish(CHANNEL + group, msgspec.msgpack.encode(message))
        pipe.execute()
    except AWAY:
        log.warning("pages not rung: Redis is away")
    except Exception:
        log.exception("pages not rung")


def session_group(session_key: str) -> str:
    """Return the name of the group of a session's sockets, which does not reveal the key."""
    return f"session.{hashlib.sha256(session_key.encode()).hexdigest()[:32]}"


def person_group(user_id: int) -> str:
    """Return the group of all pages that this person has open."""
    return f"person.{user_id}"


def close_sockets(session_key: str) -> None:
    """Close all sockets of a session after commit."""
    ring((session_group(session_key), {"type": "session.ended"}))


def person_changed(user_id: int) -> None:
    """Have this person's open pages read anew after commit who they are."""
    ring((person_group(user_id), {"type": "person.changed"}))


def end_sessions(user_id: int) -> None:
    """End every session of this person, with its sockets."""
    get_adapter().end_sessions(UserSession.objects.filter(user_id=user_id))


class Listener(Protocol):
    """Whoever hears the messages of a group."""

    def rung(self, message: Message) -> None:
        """Take a message; what takes time is done in a task."""


class Groups:
    """Who of an event loop listens to which group, by one connection: a message comes in once for all of them."""

    def __init__(self) -> None:
        self.is_deaf = False  # the connection broke: messages were missed perhaps, and `drop` is to be called
        self._members: dict[str, set[Listener]] = {}
        self._confirmed: dict[str, asyncio.Future[None]] = {}
        self._connection: for_loops.Redis | None = None
        self._pubsub: Any = None
        self._hearing: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()

    async def join(self, group: str, listener: Listener) -> None:
        """Hear what is sent to this group from now on. AWAY without Redis."""
        self._members.setdefault(group, set()).add(listener)
        async with self._lock:
            if self._hearing is None:
                await self._begin()
            if group not in self._confirmed:
                self._confirmed[group] = asyncio.get_running_loop().create_future()
                await self._ask(self._pubsub.subscribe, group)
            confirmed = self._confirmed[group]
        await asyncio.wait_for(asyncio.shield(confirmed), HEARD_SECONDS)

    async def leave(self, group: str, listener: Listener) -> None:
        """Hear it no more; twice is harmless. AWAY without Redis."""
        members = self._members.get(group, set())
        members.discard(listener)
        async with self._lock:
            if not self._members.get(group) and self._confirmed.pop(group, None) is not None:
                self._members.pop(group, None)
                await self._ask(self._pubsub.unsubscribe, group)

    async def drop(self) -> None:
        """Forget all subscriptions: a Redis that was away has lost them."""
        async with self._lock:
            connection, pubsub, hearing = self._connection, self._pubsub, self._hearing
            self._members, self._confirmed, self._hearing, self._connection = {}, {}, None, None
            self.is_deaf = False
            if hearing is not None:
                hearing.cancel()
            if connection is not None:
                await pubsub.aclose()
                await connection.aclose()

    async def _begin(self) -> None:
        self._connection = for_loops.Redis.from_url(redis.address(redis.RINGS), **redis.PATIENCE)
        self._pubsub = self._connection.pubsub()
        self._pubsub.on_connect = self._connected_anew
        await self._ask(self._pubsub.subscribe, ALWAYS)
        self._hearing = asyncio.create_task(self._hear(self._pubsub))

    async def _connected_anew(self, connection: Any) -> None:
        """Take it that messages were missed: the client mends a broken connection by itself, and tells nobody."""
        self.is_deaf = True
        raise redis.BROKEN("the connection to hear by broke")

    async def _ask(self, change: Callable[[str], Awaitable[None]], group: str) -> None:
        """Change what is heard. AWAY without Redis, also when `_hear` finds the connection broken just then.

        The client has no writer from that moment on, and trips over it.
        """
        try:
            await change(CHANNEL + group)
        except AttributeError as error:
            raise ConnectionError("the connection broke") from error

    async def _hear(self, pubsub: Any) -> None:
        try:
            while True:
                said = await pubsub.get_message(timeout=None)
                if said is not None:
                    self._take(said["type"], said["channel"].decode().removeprefix(CHANNEL), said["data"])
        except AWAY as error:
            log.info("no longer heard: Redis is away (%s)", type(error).__name__)
        except Exception:
            log.exception("no longer heard")
        self.is_deaf = True

    def _take(self, kind: str, group: str, data: Any) -> None:
        if kind == "subscribe" and group in self._confirmed and not self._confirmed[group].done():
            self._confirmed[group].set_result(None)
        if kind != "message":
            return
        message = msgspec.msgpack.decode(data)
        for listener in list(self._members.get(group, ())):
            try:
                listener.rung(message)
            except Exception:  # of one: the others are told
                log.exception("a message could not be told")


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, Groups] = WeakKeyDictionary()


def groups() -> Groups:
    """Return the subscriptions of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _of_loops:
        _of_loops[loop] = Groups()
    return _of_loops[loop]
