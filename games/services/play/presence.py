"""Which players of a match are present: kept in Redis while their pages report it; losing it is harmless."""

import asyncio
import logging
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from redis.asyncio import Redis

from accounts.models import User
from accounts.services import visits
from config.lib import clock
from config.lib.redis import PRESENCE, REFUSED, address, client, loop_client
from config.lib.sockets import send
from games.broadcast import match_group

log = logging.getLogger(__name__)

OPEN_PAGES = "pages"  # of each person, when a page of theirs was last open, in the background too
KEPT = 3600  # seconds
WATCHED = "watched"  # since when open pages have been noted without a gap
GAP = 120  # seconds without a web server, or its Redis, after which pages may have been missed
HERE_SECONDS = 2.0  # seconds between two messages to all pages of a match about who is there
STAYS = 45  # seconds that a player counts as present after their page's last report


def redis() -> Redis:
    """Return this event loop's connection to Redis."""
    return loop_client(address(PRESENCE))


async def _note(*commands: tuple[Any, ...]) -> None:
    """Execute these commands at once; dropped when Redis refuses to write: open pages stay live without them."""
    pipe = redis().pipeline()
    for command in commands:
        pipe.execute_command(*command)
    try:
        await pipe.execute()
    except REFUSED as error:
        log.info("presence not noted", extra={"error": type(error).__name__})


async def arrive(match_id: int, seat: int) -> None:
    """Mark the person in this seat as present."""
    key = f"here:{match_id}"
    await _note(("ZADD", key, clock.now().timestamp() + STAYS, seat), ("EXPIRE", key, STAYS))


async def go(match_id: int, seat: int) -> None:
    """Mark the person in this seat as absent."""
    await _note(("ZREM", f"here:{match_id}", seat))


async def here(match_id: int) -> list[int]:
    """Return the seats whose people are present, ascending."""
    present: Any = await redis().zrangebyscore(f"here:{match_id}", clock.now().timestamp(), "+inf")
    return sorted(int(seat) for seat in present)


async def note_open(user_ids: Iterable[int]) -> None:
    """Record that these people have a page open."""
    now = clock.now().timestamp()
    pages = [word for user_id in user_ids for word in (now, user_id)]
    if pages:
        await _note(("ZADD", OPEN_PAGES, *pages), ("ZREMRANGEBYSCORE", OPEN_PAGES, "-inf", now - KEPT))


async def note_watch() -> None:
    """Record that a web server notes open pages; the time is lost with all that Redis knows."""
    await _note(("SET", WATCHED, clock.now().timestamp(), "NX"), ("EXPIRE", WATCHED, GAP))


def has_watched(since: datetime) -> bool:
    """Return whether open pages have been noted ever since then, so that whoever had none was gone. RedisError."""
    began: Any = client(address(PRESENCE)).get(WATCHED)
    return began is not None and float(began) <= since.timestamp()


def lately_here(user_ids: Collection[int], since: datetime) -> set[int]:
    """Return who of these people had a page open, or asked for one, since then. RedisError when it is away."""
    wanted = [str(user_id) for user_id in user_ids]
    pages: Any = client(address(PRESENCE)).zmscore(OPEN_PAGES, wanted) if wanted else []
    open_pages = {pk for pk, at in zip(user_ids, pages, strict=True) if at is not None and at >= since.timestamp()}
    visitors = {user_id for user_id, at in visits.last(user_ids).items() if at >= since}
    seen = User.objects.filter(pk__in=user_ids, seen_at__gte=since).values_list("pk", flat=True)
    return open_pages | visitors | set(seen)


_announcing: dict[int, asyncio.Task[None]] = {}
_changed: set[int] = set()


def announce(match_id: int) -> None:
    """Tell the pages of a match who is there: at once, then once for all changes of the next 2 seconds."""
    _changed.add(match_id)
    running = _announcing.get(match_id)
    if running is None or running.done() or running.get_loop() is not asyncio.get_running_loop():
        _announcing[match_id] = asyncio.create_task(_announce(match_id))


async def _announce(match_id: int) -> None:
    try:
        while match_id in _changed:
            _changed.discard(match_id)
            send(match_group(match_id), {"type": "ring.here"})
            await asyncio.sleep(HERE_SECONDS)
    finally:
        if _announcing.get(match_id) is asyncio.current_task():
            del _announcing[match_id]
