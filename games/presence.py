"""Who of a match is here now: kept in Redis for as long as their pages say so, and lost without harm."""

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from config import clock

STAYS = 45  # seconds that somebody counts as here after their page last said so

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Redis] = WeakKeyDictionary()


def redis() -> Redis:
    """Return this event loop's connection to Redis."""
    loop = asyncio.get_running_loop()
    if loop not in _clients:
        pool = BlockingConnectionPool.from_url(  # a crowd of pages waits its turn
            settings.PRESENCE_URL,
            socket_timeout=1,
            socket_connect_timeout=1,
            max_connections=4,
            timeout=10,
            retry=Retry(NoBackoff(), 1),  # a page must hear soon that Redis is away
        )
        _clients[loop] = Redis(connection_pool=pool)
    return _clients[loop]


async def arrive(match_id: int, seat: int) -> None:
    """Count the person in this seat as here."""
    key = f"here:{match_id}"
    pipe = redis().pipeline()
    pipe.zadd(key, {str(seat): clock.now().timestamp() + STAYS})
    pipe.expire(key, STAYS)
    await pipe.execute()


async def go(match_id: int, seat: int) -> None:
    """Count the person in this seat as gone."""
    await redis().zrem(f"here:{match_id}", str(seat))


async def here(match_id: int) -> list[int]:
    """Return the seats whose people are here, ascending."""
    present: Any = await redis().zrangebyscore(f"here:{match_id}", clock.now().timestamp(), "+inf")
    return sorted(int(seat) for seat in present)
