"""What the site counts: of this process for Prometheus, of all processes together in Redis.

`count` adds up in memory; `flush`, called every few seconds, brings that to Redis. A process that is killed takes
what it counted in the last seconds with it, and a Redis that begins anew begins at zero.
"""

import time
from collections import Counter
from datetime import timedelta
from threading import Lock
from typing import Any

from prometheus_client import CollectorRegistry, Gauge, Histogram, ProcessCollector
from prometheus_client import Counter as OwnCounter

from config.lib import redis

KEY = "club-y:counts"
KEPT = timedelta(days=30)  # after the last count
FLUSH_SECONDS = 5.0
SEPARATOR = "|"
METHODS = ("GET", "HEAD", "POST", "OPTIONS")
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

# Of this process alone: each web server is asked for its own.
REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
REQUESTS = OwnCounter("club_requests", "Requests answered.", ["route", "method", "status"], registry=REGISTRY)
SOCKETS = Gauge("club_sockets", "Open pages.", registry=REGISTRY)
STREAMS = Gauge("club_streams", "Streams of programs.", registry=REGISTRY)
DURATION = Histogram("club_request_seconds", "Time to answer.", ["route"], buckets=SECONDS, registry=REGISTRY)

# Of all processes: what each name counts, and its labels.
COUNTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "club_moves": ("Moves made.", ("game", "by")),
    "club_mails_settled": ("Attempts to send a mail that have ended.", ("state",)),
    "club_replies": ("Replies by mail, by what became of them.", ("outcome",)),
    "club_pushes_settled": ("Messages to devices that have ended.", ("state",)),
    "club_sweeps": ("Looks at the clocks that ran out.", ()),
    "club_time_outs": ("Clocks that ran out, by what followed.", ("kind",)),
    "club_errors": ("Errors, by their class.", ("kind",)),
    "club_answers": ("Requests answered by all web servers, by the hundred of the status.", ("status",)),
}

_counts: Counter[str] = Counter()
_lock = Lock()
_flushed = 0.0


def count(name: str, *labels: str, number: int = 1) -> None:
    """Count something that COUNTS names."""
    with _lock:
        _counts[SEPARATOR.join((name, *labels))] += number


def request_answered(*, route: str, method: str, status: int, seconds: float) -> None:
    """Count a request and its time."""
    REQUESTS.labels(route, method if method in METHODS else "other", str(status)).inc()
    DURATION.labels(route).observe(seconds)
    count("club_answers", f"{status // 100}xx")


def flush(*, at_once: bool = False) -> None:
    """Bring the counts to Redis, unless that was done in the last five seconds; they stay when it is away."""
    global _counts, _flushed
    with _lock:
        if not _counts or (time.monotonic() - _flushed < FLUSH_SECONDS and not at_once):
            return
        counts, _counts, _flushed = _counts, Counter(), time.monotonic()
    try:
        pipe = _redis().pipeline()
        for field, number in counts.items():
            pipe.hincrby(KEY, field, number)
        pipe.expire(KEY, KEPT)
        pipe.execute()
    except redis.AWAY:
        with _lock:
            _counts.update(counts)


def counted() -> dict[tuple[str, ...], int]:
    """Return what all processes counted: by the name and its labels. AWAY without Redis."""
    rows: dict[bytes, bytes] = _redis().hgetall(KEY)
    return {tuple(field.decode().split(SEPARATOR)): int(number) for field, number in rows.items()}


def _redis() -> Any:
    return redis.client(redis.address(redis.CACHE))
