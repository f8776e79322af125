"""Connections to Redis, one pool for each numbered database, with the same time-outs.

A command times out after half a second and is tried twice, for connections that a restart made stale. So
nothing waits longer than a second, and callers go on without Redis.
"""

import asyncio
from functools import cache
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from weakref import WeakKeyDictionary

from redis import Redis
from redis import asyncio as for_loops
from redis.asyncio.retry import Retry as RetryInLoop
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Broken
from redis.exceptions import RedisError, ResponseError
from redis.retry import Retry

AWAY = (RedisError, OSError)
TASKS, RINGS, CACHE, PRESENCE, RANKS = range(5)  # the numbered databases
BROKEN = Broken
REFUSED = ResponseError  # Redis is there, and takes no writes: it is full or read-only, or its rights are others
PATIENCE: dict[str, Any] = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}
OF_A_LOOP = 4  # connections at most
TURN_SECONDS = 10  # of waiting for one of them

_url = "redis://127.0.0.1:6379"

_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, for_loops.Redis]] = WeakKeyDictionary()


def use(url: str) -> None:
    """Use the Redis at this address; the settings say which, once. ValueError when it is no address of one."""
    global _url  # noqa: PLW0603
    _url = url
    address(CACHE)


def address(number: int) -> str:
    """Return the address, with its password, of a numbered database: for a TCP address or a unix socket alike.

    It is no setting, so that no report of an error shows it. ValueError when there is none of that form.
    """
    parts = urlsplit(_url)
    if parts.scheme == "unix":
        query = f"db={number}&{parts.query}" if "password=" in parts.query else f"db={number}"
        return f"unix://{parts.netloc}{parts.path}?{query}"
    if parts.scheme not in ("redis", "rediss") or not parts.hostname or parts.port == 0:  # looks at the port, too
        raise ValueError("no address of a Redis")
    return urlunsplit(parts._replace(path=f"/{number}"))


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
