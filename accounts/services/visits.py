"""Last visits: recorded in Redis at each request, and stored in the database each minute."""

import logging
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

from redis import Redis

from accounts.models import User
from config.lib import clock
from config.lib.redis import AWAY, PRESENCE, address, client

log = logging.getLogger(__name__)

KEY = "visits"
INTERVAL = 20.0  # seconds between two records of one person
KEPT = timedelta(hours=1)
FRESH = timedelta(minutes=3)  # more than the minute between two runs of `keep`
BATCH = 500

_noter = ThreadPoolExecutor(1, thread_name_prefix="noter")
_noted: dict[int, float] = {}


def _redis() -> Redis:
    return client(address(PRESENCE))


def note(user_id: int) -> None:
    """Record that this person is on the site now, unless Redis is away."""
    try:
        _redis().zadd(KEY, {str(user_id): clock.now().timestamp()})
    except AWAY:
        log.warning("visit not noted: Redis is away")


def note_soon(user_id: int) -> None:
    """Record in the background that this person is on the site."""
    now = clock.now().timestamp()
    if abs(now - _noted.get(user_id, 0)) >= INTERVAL:  # what lies ahead was noted before the clock was set back
        if len(_noted) > 10_000:
            _noted.clear()
        _noted[user_id] = now
        _noter.submit(note, user_id)


def forget(user_id: int) -> None:
    """Delete the visit of a closed account; without Redis it expires within an hour."""
    try:
        _redis().zrem(KEY, str(user_id))
    except AWAY:
        log.warning("visit not forgotten: Redis is away")


def bring_back() -> None:
    """Let visits that lie ahead, noted before the clock was set back, be of now."""
    now = clock.now()
    User.objects.filter(seen_at__gt=now).update(seen_at=now)
    try:
        _redis().zremrangebyscore(KEY, f"({now.timestamp()}", "+inf")
    except AWAY:
        log.warning("visits not brought back: Redis is away")


def last(user_ids: Iterable[int]) -> dict[int, datetime]:
    """Return the last recorded visit of each of these people, where there is one."""
    wanted = list(user_ids)
    if not wanted:
        return {}
    try:
        found: Any = _redis().zmscore(KEY, [str(user_id) for user_id in wanted])
    except AWAY:
        return {}
    pairs = zip(wanted, found, strict=True)
    return {user_id: datetime.fromtimestamp(at, UTC) for user_id, at in pairs if at is not None}


def keep() -> int:
    """Store recorded visits in the database; return of how many people. RedisError when Redis is away.

    It reads the last minutes, and what expires next, in case no run stored that in time.
    """
    now = clock.now()
    fresh, old = (now - FRESH).timestamp(), (now - KEPT).timestamp()
    rows: Any = [
        *_redis().zrangebyscore(KEY, "-inf", old, withscores=True),
        *_redis().zrangebyscore(KEY, fresh, "+inf", withscores=True),
    ]
    noted = {int(user_id): datetime.fromtimestamp(score, UTC) for user_id, score in rows}
    ids = sorted(noted)
    kept = sum(_keep({pk: noted[pk] for pk in ids[n : n + BATCH]}) for n in range(0, len(ids), BATCH))
    _redis().zremrangebyscore(KEY, "-inf", old)
    return kept


def _keep(noted: dict[int, datetime]) -> int:
    """Store the visits that are later than the stored ones, in one statement; return how many."""
    later = []
    for user in User.objects.filter(pk__in=noted).only("seen_at"):
        if user.seen_at is None or user.seen_at < noted[user.pk]:
            user.seen_at = noted[user.pk]
            later.append(user)
    return User.objects.bulk_update(later, ["seen_at"])
