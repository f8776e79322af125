"""Open sockets end with the log-in session that they were opened in."""

import hashlib

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction


def session_group(session_key: str) -> str:
    """Return the name of the group of sockets opened in this session; it does not give the key away."""
    return f"session.{hashlib.sha256(session_key.encode()).hexdigest()[:32]}"


def close_sockets(session_key: str) -> None:
    """Close, after commit, all sockets of a session that ends."""
    group = session_group(session_key)
    transaction.on_commit(lambda: _close(group), robust=True)


@async_to_sync
async def _close(group: str) -> None:
    await get_channel_layer().group_send(group, {"type": "session.ended"})
