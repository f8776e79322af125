"""Which players of a match are present: kept in Redis while their pages report it; losing it is harmless."""

from typing import Any

from django.conf import settings
from redis.asyncio import Redis

from config.lib import clock
from config.lib.redis import loop_client

STAYS = 45  # seconds that a player counts as present after their page's last report


def redis() -> Redis:
    """Return this event loop's connection to Redis."""
    return loop_client(settings.PRESENCE_URL)


async def arrive(match_id: int, seat: int) -> None:
    """Mark the person in this seat as present."""
    key = f"here:{match_id}"
    pipe = redis().pipeline()
    pipe.zadd(key, {str(seat): clock.now().timestamp() + STAYS})
    pipe.expire(key, STAYS)
    await pipe.execute()


async def go(match_id: int, seat: int) -> None:
    """Mark the person in this seat as absent."""
    await redis().zrem(f"here:{match_id}", str(seat))


async def here(match_id: int) -> list[int]:
    """Return the seats whose people are present, ascending."""
    present: Any = await redis().zrangebyscore(f"here:{match_id}", clock.now().timestamp(), "+inf")
    return sorted(int(seat) for seat in present)
