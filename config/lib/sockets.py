"""Messages to open pages, handed on without waiting; sockets end with the log-in they were opened in."""

import asyncio
import hashlib
import logging
from functools import cache
from threading import Thread
from typing import Any

from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from channels.layers import get_channel_layer
from django.db import transaction

from config.lib.redis import AWAY

log = logging.getLogger(__name__)

Ring = tuple[str, dict[str, Any]]


def ring(*rings: Ring) -> None:
    """Send, after commit, each message to its group of sockets. Nobody waits for it, nothing hangs on it."""
    transaction.on_commit(
        lambda: asyncio.run_coroutine_threadsafe(_send(rings), _bellman()).done(), robust=True
    )


def session_group(session_key: str) -> str:
    """Return the name of the group of sockets opened in this session; it does not give the key away."""
    return f"session.{hashlib.sha256(session_key.encode()).hexdigest()[:32]}"


def close_sockets(session_key: str) -> None:
    """Close, after commit, all sockets of a session that ends."""
    ring((session_group(session_key), {"type": "session.ended"}))


def end_sessions(user_id: int) -> None:
    """End every session of this person, and close the sockets opened in it."""
    get_adapter().end_sessions(UserSession.objects.filter(user_id=user_id))


async def _send(rings: tuple[Ring, ...]) -> None:
    try:
        layer = get_channel_layer()
        for group, message in rings:
            await layer.group_send(group, message)
    except AWAY:
        log.warning("pages not rung: Redis is away")


@cache
def _bellman() -> asyncio.AbstractEventLoop:
    """Return the loop of the thread that rings; it lives as long as the process."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="bellman", daemon=True).start()
    return loop
