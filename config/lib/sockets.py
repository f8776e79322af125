"""Messages to groups, sent in the background and heard by one channel a process; sockets close with their session."""

import asyncio
import hashlib
import logging
from functools import cache
from threading import Thread
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from channels.layers import get_channel_layer
from django.db import transaction

from config.lib.redis import AWAY

log = logging.getLogger(__name__)

Message = dict[str, Any]
Ring = tuple[str, Message]


def ring(*rings: Ring) -> None:
    """Send each message to its group of sockets after commit, in the background; failures are only logged."""
    send = asyncio.run_coroutine_threadsafe
    transaction.on_commit(lambda: send(_send(rings), _sending_loop()).done(), robust=True)


async def send(group: str, message: Message) -> None:
    """Send a message to a group now. AWAY without Redis."""
    await get_channel_layer().group_send(group, message | {"group": group})


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


async def _send(rings: tuple[Ring, ...]) -> None:
    try:
        for group, message in rings:
            await send(group, message)
    except AWAY:
        log.warning("pages not rung: Redis is away")


@cache
def _sending_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="sending", daemon=True).start()
    return loop


class Listener(Protocol):
    """Whoever hears the messages of a group."""

    def rung(self, message: Message) -> None:
        """Take a message; what takes time is done in a task."""


class Groups:
    """Who of an event loop listens to which group, through one channel: a message comes in once for all of them."""

    def __init__(self) -> None:
        self._members: dict[str, set[Listener]] = {}
        self._opening: asyncio.Future[str] | None = None
        self._hearing: asyncio.Task[None] | None = None

    async def join(self, group: str, listener: Listener) -> None:
        """Hear what is sent to this group from now on. AWAY without Redis."""
        self._members.setdefault(group, set()).add(listener)
        await get_channel_layer().group_add(group, await self._channel())

    async def leave(self, group: str, listener: Listener) -> None:
        """Hear it no more; twice is harmless."""
        members = self._members.get(group, set())
        members.discard(listener)
        if not members and self._members.pop(group, None) is not None and self._hearing is not None:
            await get_channel_layer().group_discard(group, await self._channel())

    async def drop(self) -> None:
        """Forget all subscriptions: a Redis that was away has lost them."""
        if self._hearing is not None:
            self._hearing.cancel()
        self._members, self._opening, self._hearing = {}, None, None
        await get_channel_layer().flush()

    async def _channel(self) -> str:
        if self._opening is None:
            self._opening = asyncio.ensure_future(get_channel_layer().new_channel())
        opening = self._opening
        try:
            channel = await asyncio.shield(opening)
        except AWAY:
            if self._opening is opening:
                self._opening = None
            raise
        if self._hearing is None and self._opening is opening:
            self._hearing = asyncio.create_task(self._hear(channel))
        return channel

    async def _hear(self, channel: str) -> None:
        while True:
            message = await get_channel_layer().receive(channel)
            for listener in list(self._members.get(message["group"], ())):
                try:
                    listener.rung(message)
                except Exception:  # of one: the others are told
                    log.exception("a message could not be told")


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, Groups] = WeakKeyDictionary()


def groups() -> Groups:
    """Return the subscriptions of the running event loop."""
    return _of_loops.setdefault(asyncio.get_running_loop(), Groups())
