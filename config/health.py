"""Is the site well? `/healthz` says so: the database, Redis, and the heartbeat of beat and a worker."""

from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import datetime
from typing import Any, cast

import redis
from celery import shared_task
from celery.signals import worker_ready
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.urls import path
from redis.backoff import NoBackoff
from redis.retry import Retry

from config import clock

BEAT_KEY = "club-y:heartbeat"
BEAT_LATE_SECONDS = 90
ANSWER_SECONDS = 1.5

# One thread each: a check that hangs holds up later ones, which then say so in time, and no request.
_database_thread = ThreadPoolExecutor(1, thread_name_prefix="health-database")
_redis_thread = ThreadPoolExecutor(1, thread_name_prefix="health-redis")
_redis = redis.Redis.from_url(
    settings.CACHES["default"]["LOCATION"],
    socket_timeout=1,
    socket_connect_timeout=1,
    retry=Retry(NoBackoff(), 0),
)


@shared_task
def beat() -> None:
    """Note that beat and a worker live."""
    _redis.set(BEAT_KEY, clock.now().isoformat())


@worker_ready.connect
def _first_beat(**signal: Any) -> None:
    """Beat once as a worker starts, so that the site is well as soon as it is whole."""
    beat()


def _database() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
    finally:
        connection.close()


def _heartbeat() -> float | None:
    """Return the seconds since the last heartbeat; None when there was none."""
    last = cast(bytes | None, _redis.get(BEAT_KEY))
    if last is None:
        return None
    return (clock.now() - datetime.fromisoformat(last.decode())).total_seconds()


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
    wrong = {name: words for name, words in troubles.items() if words}
    report = {"ok": not wrong, **{name: words or "ok" for name, words in troubles.items()}, "beat_age_s": age}
    return JsonResponse(report, status=503 if wrong else 200)


urlpatterns = [path("healthz", healthz, name="healthz")]
