"""Figures for Prometheus: those of this process, those that all processes count, and those of the rows."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from threading import Lock
from typing import Any, cast

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import generate_latest

from config.lib import clock, metrics, redis
from games.models import Mail, Match, Outage, Seat
from games.services.clocks import outages
from games.services.mail import fuse
from games.services.operation import site_status

TYPE = "text/plain; version=0.0.4; charset=utf-8"
FRESH_SECONDS = 10.0  # between two looks at the rows, however often one is asked
MOST = 100_000  # rows that are counted; more are told as so many
OUTAGES = timedelta(days=30)
QUEUES = {"celery": "celery", "taken": "unacked"}  # by the name that is told: what waits, and what workers hold
UNDERWAY = (Mail.State.WAITING, Mail.State.SENDING, Mail.State.HANDED)
# Written out as the index is: SQLite finds one of some rows by the words of its condition alone.
MAILS = "SELECT state, count(*) FROM games_mail WHERE state IN ('waiting', 'sending', 'handed') GROUP BY state"

# What is told of the rows and of Redis: the words, and the label if there is one.
GAUGES = {
    "club_matches": ("Matches, up to 100 000.", "status"),
    "club_clocks_due": ("Clocks that ran out and are not judged yet.", ""),
    "club_clocks_late": ("Of these, the ones that ran out over two minutes ago.", ""),
    "club_mails": ("Mails under way.", "state"),
    "club_outage_seconds": ("Outages and gifts of time that ended in the last 30 days.", "part"),
    "club_fuse_blown": ("Whether a fuse has blown.", "fuse"),
    "club_database_bytes": ("Size of the database.", ""),
    "club_database_up": ("Whether the database answers.", ""),
    "club_redis_up": ("Whether Redis answers.", ""),
    "club_redis_bytes": ("Memory that Redis uses.", ""),
    "club_queue_length": ("Tasks that wait, and that workers hold.", "queue"),
    "club_beat_age_seconds": ("Seconds since beat was last heard through a worker.", ""),
}

Values = dict[str, dict[str, float]]  # by name, then by the label's value; "" without a label


def text() -> bytes:
    """Return all figures in Prometheus' text format; without those of a database or Redis that is away."""
    shown = CollectorRegistry()
    shown.register(cast(Any, _Shown()))
    return generate_latest(metrics.REGISTRY) + generate_latest(shown)


def values() -> Values:
    """Return the figures of the rows and of Redis, at most ten seconds old."""
    return _rows.values() | _of_redis()


class _Shown:
    """Collects what is not of this process."""

    def collect(self) -> Iterator[Metric]:
        for name, by_label in values().items():
            words, label = GAUGES[name]
            gauge = GaugeMetricFamily(name, words, labels=[label] if label else [])
            for value, number in by_label.items():
                gauge.add_metric([value] if label else [], number)
            yield gauge
        yield from _counters()


def _counters() -> Iterator[Metric]:
    metrics.flush(at_once=True)
    try:
        counted = metrics.counted()
    except redis.AWAY:
        return
    for name, (words, labels) in metrics.COUNTS.items():
        counter = CounterMetricFamily(name, words, labels=labels)
        for (found, *values), number in counted.items():
            if found == name and len(values) == len(labels):
                counter.add_metric(values, number)
        yield counter


class _Rows:
    """Remembers the figures of the rows for ten seconds; one thread at a time looks at them anew."""

    def __init__(self, look: Callable[[], Values]) -> None:
        self.look, self.lock = look, Lock()
        self.found: Values = {}
        self.looked_at = -FRESH_SECONDS

    def values(self) -> Values:
        with self.lock:
            if time.monotonic() - self.looked_at >= FRESH_SECONDS:
                self.found, self.looked_at = self.look(), time.monotonic()
            return dict(self.found)


def _of_rows() -> Values:
    """Return the figures of the database; each query reads an index, and MOST rows of it."""
    try:
        now = clock.now()
        late = now - site_status.OVERDUE_AFTER
        blown = {"clocks": outages.stopped_sweep(), "mails": fuse.stopped()}
        return {
            "club_matches": {str(s): _up_to(Match.objects.filter(status=s)) for s in ("open", "running")},
            "club_clocks_due": {"": _up_to(_ran_out().filter(deadline__lte=now))},
            "club_clocks_late": {"": _up_to(_ran_out().filter(deadline__lte=late))},
            "club_mails": dict.fromkeys(map(str, UNDERWAY), 0.0) | _mails(),
            "club_outage_seconds": _outages(),
            "club_fuse_blown": {name: float(stop is not None) for name, stop in blown.items()},
            "club_database_bytes": {"": float(_database_bytes())},
            "club_database_up": {"": 1.0},
        }
    except DatabaseError:
        return {"club_database_up": {"": 0.0}}


def _up_to(rows: QuerySet[Any]) -> float:
    return float(rows.order_by()[:MOST].count())


def _ran_out() -> QuerySet[Seat]:
    """Return the seats whose clock runs, which those of paused and ended matches do not."""
    return Seat.objects.filter(deadline__isnull=False, ask__isnull=False)


def _mails() -> dict[str, float]:
    with connection.cursor() as cursor:
        cursor.execute(MAILS)
        return {str(state): float(number) for state, number in cursor.fetchall()}


def _outages() -> dict[str, float]:
    ended = Outage.objects.filter(end__gte=clock.now() - OUTAGES).order_by("-pk")[: site_status.SHOWN]
    found = {"web": 0.0, "sweep": 0.0, "admin": 0.0}
    for outage in ended:
        found[outage.part] = found.get(outage.part, 0.0) + (outage.end - outage.start).total_seconds()
    return found


def _database_bytes() -> int:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    path = Path(settings.DATABASES["default"]["NAME"])
    files = [path, path.with_name(f"{path.name}-wal")]
    return sum(file.stat().st_size for file in files if file.exists())


def _of_redis() -> Values:
    try:
        tasks: Any = redis.client(redis.address(redis.TASKS))
        age = site_status.heartbeat_age()
        queues = {"celery": tasks.llen(QUEUES["celery"]), "taken": tasks.hlen(QUEUES["taken"])}
        found: Values = {
            "club_redis_up": {"": 1.0},
            "club_redis_bytes": {"": float(tasks.info("memory")["used_memory"])},
            "club_queue_length": {name: float(number) for name, number in queues.items()},
        }
        return found if age is None else found | {"club_beat_age_seconds": {"": age}}
    except redis.AWAY:
        return {"club_redis_up": {"": 0.0}}


_rows = _Rows(_of_rows)
