"""When people were last on the site: noted in Redis at each request, kept in the database each minute.

A GET writes nothing to the database; with Redis empty or away, what the database knows counts.
"""

import logging
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from redis import Redis

from accounts.models import User
from config.lib import clock
from config.lib.redis import AWAY, client

log = logging.getLogger(__name__)

KEY = "visits"
ANEW = 20.0  # seconds after which a person's next request is noted again
KEPT = timedelta(hours=1)
FRESH = timedelta(minutes=3)  # more than the minute between two times of keeping
MANY = 500

_noter = ThreadPoolExecutor(1, thread_name_prefix="noter")
_noted: dict[int, float] = {}


def _redis() -> Redis:
    return client(settings.PRESENCE_URL)


def note(user_id: int) -> None:
    """Note that this person is on the site now; without Redis, nothing."""
    try:
        _redis().zadd(KEY, {str(user_id): clock.now().timestamp()})
    except AWAY:
        log.warning("visit not noted: Redis is away")


def note_soon(user_id: int) -> None:
    """Note that this person is on the site; nobody waits for it."""
    now = clock.now().timestamp()
    if now - _noted.get(user_id, 0) >= ANEW:
        if len(_noted) > 10_000:
            _noted.clear()
        _noted[user_id] = now
        _noter.submit(note, user_id)


def forget(user_id: int) -> None:
    """Forget when this person was here, as their account is closed; without Redis that takes an hour."""
    try:
        _redis().zrem(KEY, str(user_id))
    except AWAY:
        log.warning("visit not forgotten: Redis is away")


def last(user_ids: Iterable[int]) -> dict[int, datetime]:
    """Return when each of these people was last noted; forgotten ones are left out."""
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
    """Carry what was noted into the database; return of how many people. RedisError when Redis is away.

    Looked at are the last minutes, and what is forgotten next: nobody may have kept that while it was fresh.
    """
    now = clock.now()
    fresh, old = (now - FRESH).timestamp(), (now - KEPT).timestamp()
    rows: Any = [
        *_redis().zrangebyscore(KEY, "-inf", old, withscores=True),
        *_redis().zrangebyscore(KEY, fresh, "+inf", withscores=True),
    ]
    noted = {int(user_id): datetime.fromtimestamp(score, UTC) for user_id, score in rows}
    ids = sorted(noted)
    kept = sum(_keep({pk: noted[pk] for pk in ids[n : n + MANY]}) for n in range(0, len(ids), MANY))
    _redis().zremrangebyscore(KEY, "-inf", old)
    return kept


def _keep(noted: dict[int, datetime]) -> int:
    """Write down the visits that are later than the ones known, in one statement; return how many."""
    later = []
    for user in User.objects.filter(pk__in=noted).only("seen_at"):
        if user.seen_at is None or user.seen_at < noted[user.pk]:
            user.seen_at = noted[user.pk]
            later.append(user)
    return User.objects.bulk_update(later, ["seen_at"])
