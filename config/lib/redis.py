"""Connections to Redis: one pool for each numbered database, with the same time-outs.

A command times out after half a second and is tried twice, for connections that a restart made stale. So
nothing waits longer than a second, and callers go on without Redis.
"""

import asyncio
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from redis import Redis
from redis import asyncio as for_loops
from redis.asyncio.retry import Retry as RetryInLoop
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError
from redis.retry import Retry

AWAY = (RedisError, OSError)
REFUSED = ResponseError  # Redis is there, and takes no writes: it is full or read-only, or its rights are others
PATIENCE: dict[str, Any] = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}
OF_A_LOOP = 4  # connections at most
TURN_SECONDS = 10  # of waiting for one of them

_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, for_loops.Redis]] = WeakKeyDictionary()


@cache
def client(url: str) -> Redis:
    """Return this process's connections to a database, for threads."""
    return Redis.from_url(url, retry=Retry(NoBackoff(), 1), **PATIENCE)


def loop_client(url: str) -> for_loops.Redis:
    """Return the running event loop's connections to a database."""
    clients = _of_loops.setdefault(asyncio.get_running_loop(), {})
    if url not in clients:
        limits = {"max_connections": OF_A_LOOP, "timeout": TURN_SECONDS, **PATIENCE}
        retry = RetryInLoop(NoBackoff(), 1)
        pool = for_loops.BlockingConnectionPool.from_url(url, retry=retry, **limits)
        clients[url] = for_loops.Redis(connection_pool=pool)
    return clients[url]
