"""Is the site well? `/healthz` says so: the database, Redis, the heartbeats of all parts, the fuse."""

from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import datetime
from typing import Any, cast

from celery import shared_task
from celery.signals import worker_ready
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.urls import path

from config import clock
from config.lib import redis
from games.models import Sweep
from games.services.state_of_site import Pulse, pulses
from games.services.time_outs import stopped_sweep

BEAT_KEY = "club-y:heartbeat"
BEAT_LATE_SECONDS = 90
ANSWER_SECONDS = 1.5
LATE = {
    "web": "late: the web server has not noted for 5 minutes that it is open",
    "sweep": "late: clocks have not been looked at for 5 minutes",
}

# One thread each: a check that hangs holds up later ones, which then say so in time, and no request.
_database_thread = ThreadPoolExecutor(1, thread_name_prefix="health-database")
_redis_thread = ThreadPoolExecutor(1, thread_name_prefix="health-redis")
_redis = redis.client(settings.CACHES["default"]["LOCATION"])


@shared_task
def beat() -> None:
    """Note that beat and a worker live."""
    _redis.set(BEAT_KEY, clock.now().isoformat())


@worker_ready.connect
def _first_beat(**signal: Any) -> None:
    """Beat once as a worker starts, so that the site is well as soon as it is whole."""
    beat()


def _database() -> tuple[dict[str, Pulse], Sweep | None]:
    """Return the heartbeats in the database, and the sweep that the fuse holds back, if it does."""
    try:
        return pulses(), stopped_sweep()
    finally:
        connection.close()


def _heartbeat() -> float | None:
    """Return the seconds since the last heartbeat; None when there was none."""
    last = cast(bytes | None, _redis.get(BEAT_KEY))
    if last is None:
        return None
    return (clock.now() - datetime.fromisoformat(last.decode())).total_seconds()


def beat_pulse() -> tuple[float | None, bool]:
    """Return the seconds since the last heartbeat through a worker (None: not known), and if that is late."""
    try:
        age = _heartbeat()
    except redis.AWAY:
        age = None
    return age, age is None or age > BEAT_LATE_SECONDS


def _rows(
    found: tuple[dict[str, Pulse], Sweep | None],
) -> tuple[dict[str, str | None], dict[str, float | None]]:
    """Return the troubles that the database tells of, and the ages of its heartbeats."""
    beats, stopped = found
    troubles = {name: LATE[name] if pulse.is_late else None for name, pulse in beats.items()}
    troubles["fuse"] = f"blown: {stopped.due} matches are due, no clock is judged" if stopped else None
    return troubles, {f"{name}_age_s": pulse.age for name, pulse in beats.items()}


def _trouble(check: Future[Any]) -> str | None:
    """Return what is wrong with the thing checked, in words; None when it is well."""
    if not check.done():
        return "does not answer"
    error = check.exception()
    return f"fails: {type(error).__name__}" if error else None


def healthz(request: HttpRequest) -> JsonResponse:
    """Return what works; 503, with what does not in words, when anything does not."""
    database: Future[Any] = _database_thread.submit(_database)
    heartbeat: Future[Any] = _redis_thread.submit(_heartbeat)
    wait([database, heartbeat], ANSWER_SECONDS)
    troubles = {"database": _trouble(database), "redis": _trouble(heartbeat)}
    age = None if troubles["redis"] else heartbeat.result()
    if not troubles["redis"]:
        late = age is None or age > BEAT_LATE_SECONDS
        troubles["beat"] = "no heartbeat: is a worker with beat running?" if late else None
    ages: dict[str, float | None] = {"beat_age_s": age}
    if not troubles["database"]:
        told, more = _rows(database.result())
        troubles, ages = troubles | told, ages | more
    wrong = {name: words for name, words in troubles.items() if words}
    report = {"ok": not wrong, **{name: words or "ok" for name, words in troubles.items()}, **ages}
    return JsonResponse(report, status=503 if wrong else 200)


urlpatterns = [path("healthz", healthz, name="healthz")]
