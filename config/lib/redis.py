"""Connections to Redis: one pool for each numbered database, with one patience while Redis is away.

An answer may take half a second, and is asked for twice: the second time also serves a connection that went
stale as Redis was started anew. So nothing waits longer than a second, and callers go on without Redis.
"""

import asyncio
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from redis import Redis
from redis import asyncio as for_loops
from redis.asyncio.retry import Retry as RetryInLoop
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

AWAY = (RedisError, OSError)
PATIENCE: dict[str, Any] = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}
OF_A_LOOP = 4  # connections at most
TURN_SECONDS = 10  # that a crowd of pages waits for one of them

_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, for_loops.Redis]] = WeakKeyDictionary()


@cache
def client(url: str) -> Redis:
    """Return this process's connections to a database, for threads."""
    return Redis.from_url(url, retry=Retry(NoBackoff(), 1), **PATIENCE)


def loop_client(url: str) -> for_loops.Redis:
    """Return the running event loop's connections to a database."""
    clients = _of_loops.setdefault(asyncio.get_running_loop(), {})
    if url not in clients:
        pool = for_loops.BlockingConnectionPool.from_url(
            url,
            max_connections=OF_A_LOOP,
            timeout=TURN_SECONDS,
            retry=RetryInLoop(NoBackoff(), 1),
            **PATIENCE,
        )
        clients[url] = for_loops.Redis(connection_pool=pool)
    return clients[url]
