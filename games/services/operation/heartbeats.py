"""The heartbeat that Celery's beat sends through a worker, kept in Redis."""

from datetime import datetime
from typing import cast

from django.conf import settings

from config.lib import clock, redis

BEAT_KEY = "club-y:heartbeat"
BEAT_LATE_SECONDS = 90
_redis = redis.client(settings.CACHES["default"]["LOCATION"])


def beat() -> None:
    """Record that beat and a worker are alive."""
    _redis.set(BEAT_KEY, clock.now().isoformat())


def heartbeat_age() -> float | None:
    """Return the seconds since the last heartbeat; None when there was none."""
    last = cast(bytes | None, _redis.get(BEAT_KEY))
    return (clock.now() - datetime.fromisoformat(last.decode())).total_seconds() if last else None
