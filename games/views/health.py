"""The health of the site for monitoring (`/healthz`): database, Redis, disk, clock, heartbeats, fuses."""

from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from django.db import connection
from django.http import HttpRequest, JsonResponse

from games.models import MailStop, Sweep
from games.services.clocks.time_outs import stopped_sweep
from games.services.mail import fuse
from games.services.operation import machine
from games.services.operation.site_status import (
    BEAT_LATE_SECONDS,
    HeartbeatStatus,
    heartbeat_age,
    pulses,
    redis_seconds,
)

ANSWER_SECONDS = 1.5
WRITES_LATE_SECONDS = 25.0  # a few of the web server's heartbeats, each 10 s, which try whether rows can be written
SILENT = "late: the web server has not written for 25 s that it is open: can it write to the database?"
UNSWEPT = "late: clocks have not been looked at for 5 minutes"

# One thread each: a check that hangs delays later checks, which report it, but no other request.
_database_thread = ThreadPoolExecutor(1, thread_name_prefix="health-database")
_disk_thread = ThreadPoolExecutor(1, thread_name_prefix="health-disk")
_redis_thread = ThreadPoolExecutor(1, thread_name_prefix="health-redis")

_disk, _clock = machine.Disk(), machine.Clock()


def _database() -> tuple[dict[str, HeartbeatStatus], Sweep | None, MailStop | None]:
    try:
        return pulses(), stopped_sweep(), fuse.stopped()
    finally:
        connection.close()


def _redis() -> tuple[float | None, float]:
    return heartbeat_age(), redis_seconds()


def _rows(
    beats: dict[str, HeartbeatStatus], stopped: Sweep | None, mail_stop: MailStop | None
) -> tuple[dict[str, str | None], dict[str, float | None]]:
    silent = (beats["web"].age or 0) > WRITES_LATE_SECONDS
    troubles = {
        "web": SILENT if silent else None,
        "sweep": UNSWEPT if beats["sweep"].is_late else None,
        "fuse": f"blown: {stopped.due} matches are due, no clock is judged" if stopped else None,
        "mail": f"stopped: {mail_stop.addresses} addresses in a row were refused" if mail_stop else None,
    }
    return troubles, {f"{name}_age_s": pulse.age for name, pulse in beats.items()}


def _trouble(check: Future[Any]) -> str | None:
    if not check.done():
        return "does not answer"
    error = check.exception()
    return f"fails: {type(error).__name__}" if error else None


def healthz(request: HttpRequest) -> JsonResponse:
    """Return the state of each part as JSON; 503 if anything is wrong."""
    database: Future[Any] = _database_thread.submit(_database)
    disk: Future[Any] = _disk_thread.submit(_disk.look)
    redis: Future[Any] = _redis_thread.submit(_redis)
    wait([database, disk, redis], ANSWER_SECONDS)
    troubles = {"database": _trouble(database), "redis": _trouble(redis)}
    troubles["disk"] = _trouble(disk) or disk.result()
    age, redis_now = (None, None) if troubles["redis"] else redis.result()
    if not troubles["redis"]:
        late = age is None or age > BEAT_LATE_SECONDS
        troubles["beat"] = "no heartbeat: is a worker with beat running?" if late else None
    ages: dict[str, float | None] = {"beat_age_s": age}
    if not troubles["database"]:
        told, more = _rows(*database.result())
        troubles, ages = troubles | told, ages | more
    troubles["clock"] = _clock.look(redis=redis_now, ages=ages.values())
    wrong = {name: words for name, words in troubles.items() if words}
    report = {"ok": not wrong, **{name: words or "ok" for name, words in troubles.items()}, **ages}
    return JsonResponse(report, status=503 if wrong else 200)
