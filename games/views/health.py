"""Whether the site lives (`/livez`), can serve (`/readyz`), and what is wrong with it, for monitoring (`/healthz`)."""

from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Any

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string

from config.lib.version import VERSION
from games.models import MailStop, Sweep
from games.services.clocks import outages
from games.services.clocks.outages import stopped_sweep
from games.services.mail import fuse
from games.services.operation import machine
from games.services.operation.site_status import (
    AHEAD_SECONDS,
    HeartbeatStatus,
    heartbeat_age,
    is_beating,
    pulses,
    redis_seconds,
    write_to_redis,
)

ANSWER_SECONDS = 1.5
WRITES_LATE_SECONDS = 25.0  # a few of the web server's heartbeats, each 10 s, which try whether rows can be written
SILENT = "late: the web server has not written for 25 s that it is open: can it write to the database?"
LEAPT = "blown: the clock was set forward, no clock of a match is judged before it has been looked at"
BLOWN = "blown: {} matches are due, no clock is judged"
UNSWEPT = "late: clocks have not been looked at for 5 minutes"

# One thread each: a check that hangs delays later checks, which report it, but no other request.
_database_thread = ThreadPoolExecutor(1, thread_name_prefix="health-database")
_disk_thread = ThreadPoolExecutor(1, thread_name_prefix="health-disk")
_redis_thread = ThreadPoolExecutor(1, thread_name_prefix="health-redis")

_disk, _room, _clock = machine.Disk(), machine.Room(), machine.Clock()


def _database() -> tuple[str | None, dict[str, HeartbeatStatus], Sweep | None, MailStop | None, dict[str, float]]:
    try:
        was_set = outages.last_set()
        clocks = {"ahead": outages.seconds_ahead(), "was_set": was_set.seconds if was_set else 0.0}
        return _room.look(), pulses(), stopped_sweep(), fuse.stopped(), clocks
    finally:
        connection.close()


def _redis() -> tuple[float | None, float]:
    write_to_redis()
    return heartbeat_age(), redis_seconds()


def _rows(
    beats: dict[str, HeartbeatStatus], stopped: Sweep | None, mail_stop: MailStop | None
) -> tuple[dict[str, str | None], dict[str, float | None]]:
    silent = not -AHEAD_SECONDS <= (beats["web"].age or 0) <= WRITES_LATE_SECONDS
    troubles = {
        "web": SILENT if silent else None,
        "sweep": UNSWEPT if beats["sweep"].is_late else None,
        "fuse": (BLOWN.format(stopped.due) if stopped.due else LEAPT) if stopped else None,
        "mail": f"stopped: {mail_stop.addresses} addresses in a row were refused" if mail_stop else None,
    }
    return troubles, {f"{name}_age_s": pulse.age for name, pulse in beats.items()}


def _trouble(check: Future[Any]) -> str | None:
    if not check.done():
        return "does not answer"
    error = check.exception()
    return f"fails: {type(error).__name__}" if error else None


@cache
def _newest_migrations() -> frozenset[tuple[str, str]]:
    """Return the app and name of the last migrations of this code."""
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def _unmigrated() -> str | None:
    """Read the database; return what this code misses in it."""
    try:
        missing = _newest_migrations() - MigrationRecorder(connection).applied_migrations().keys()
    finally:
        connection.close()
    return f"not migrated: {', '.join(sorted(map('.'.join, missing)))}" if missing else None


def _unmade() -> str | None:
    """Make a page; return what is wrong with templates or static files."""
    try:
        render_to_string("500.html")
    except Exception as error:
        return f"fails: {type(error).__name__}"
    return None


def livez(request: HttpRequest) -> JsonResponse:
    """Return that this web server answers: its loop and a thread for requests work. Nothing else is asked."""
    return JsonResponse({"ok": True})


def readyz(request: HttpRequest) -> JsonResponse:
    """Return whether this web server can serve pages, as JSON; 503 if not. What others do is not its matter."""
    database: Future[Any] = _database_thread.submit(_unmigrated)
    wait([database], ANSWER_SECONDS)
    return _report({"database": _trouble(database) or database.result(), "pages": _unmade()})


def _report(troubles: dict[str, str | None], **more: str | float | None) -> JsonResponse:
    wrong = {name: words for name, words in troubles.items() if words}
    report = {"ok": not wrong, **{name: words or "ok" for name, words in troubles.items()}, **more}
    return JsonResponse(report, status=503 if wrong else 200)


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
        troubles["beat"] = None if is_beating(age) else "no heartbeat: are a worker and beat running?"
    ages: dict[str, float | None] = {"beat_age_s": age}
    clocks: dict[str, float] = {}
    if not troubles["database"]:
        troubles["database"], *rows, clocks = database.result()
        told, more = _rows(*rows)
        troubles, ages = troubles | told, ages | more
    troubles["clock"] = _clock.look(redis=redis_now, ages=ages.values(), **clocks)
    return _report(troubles, **ages, version=VERSION)
