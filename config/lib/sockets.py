"""Messages to groups of sockets, sent in the background; sockets close with their session."""

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
    """Send each message to its group of sockets after commit, in the background; failures are only logged."""
    send = asyncio.run_coroutine_threadsafe
    transaction.on_commit(lambda: send(_send(rings), _sending_loop()).done(), robust=True)


def session_group(session_key: str) -> str:
    """Return the name of the group of a session's sockets, which does not reveal the key."""
    return f"session.{hashlib.sha256(session_key.encode()).hexdigest()[:32]}"


def close_sockets(session_key: str) -> None:
    """Close all sockets of a session after commit."""
    ring((session_group(session_key), {"type": "session.ended"}))


def end_sessions(user_id: int) -> None:
    """End every session of this person, with its sockets."""
    get_adapter().end_sessions(UserSession.objects.filter(user_id=user_id))


async def _send(rings: tuple[Ring, ...]) -> None:
    try:
        layer = get_channel_layer()
        for group, message in rings:
            await layer.group_send(group, message)
    except AWAY:
        log.warning("pages not rung: Redis is away")


@cache
def _sending_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="sending", daemon=True).start()
    return loop
