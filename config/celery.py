"""The Celery application and beat's schedule of every sweep."""

import os
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from celery import Celery
from celery.schedules import schedule
from celery.signals import beat_embedded_init, before_task_publish, setup_logging, task_postrun, task_prerun
from django.conf import settings

from config.children import end_with_parent
from config.lib import clock, metrics, tracing
from config.lib.redis import TASKS, address

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

MODERATION = "games.moderation.tasks"


def broker(redis: str) -> str:
    """Return the address of a Redis as Celery writes it, who names sockets in a way of his own."""
    parts = urlsplit(redis)
    if parts.scheme != "unix":
        return redis
    query = dict(parse_qsl(parts.query))
    password = f":{quote(query['password'], safe='')}@" if "password" in query else ""
    return f"redis+socket://{password}{parts.path}?virtual_host={query['db']}"


app = Celery("club-y")
settings.VAR_DIR  # noqa: B018 (reads the settings, which say where Redis is)
app.conf.broker_url = broker(address(TASKS))
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# In memory: a schedule file that a crash has torn would keep beat from ever starting again. So nothing may have an
# interval longer than a site stays up.
app.conf.beat_scheduler = "celery.beat:Scheduler"


def every(seconds: float) -> schedule:
    """Return an interval by a clock that nobody can set: else beat would rest for as long as clocks are set back."""
    return schedule(timedelta(seconds=seconds), nowfun=clock.steady)


@beat_embedded_init.connect
def _end_with_worker(**signal: Any) -> None:
    """Let the beat of a worker with `-B` not outlive it."""
    end_with_parent()


app.conf.beat_schedule = {
    "heartbeat": {"task": "games.tasks.beat", "schedule": every(5.0), "options": {"expires": 20}},
    "bots": {"task": "games.tasks.sweep_bots", "schedule": every(5.0), "options": {"expires": 5}},
    "clocks": {"task": "games.tasks.sweep_clocks", "schedule": every(20.0), "options": {"expires": 20}},
    "deadlines": {"task": "games.tasks.sweep_deadlines", "schedule": every(5.0), "options": {"expires": 5}},
    "ranks": {"task": "leaderboards.tasks.refresh_ranks", "schedule": every(5.0), "options": {"expires": 5}},
    "moderation": {"task": f"{MODERATION}.see_through", "schedule": every(30.0), "options": {"expires": 30}},
    "traces": {"task": f"{MODERATION}.forget_traces", "schedule": every(3600.0), "options": {"expires": 3600}},
    "dice": {"task": "games.tasks.count_dice", "schedule": every(60.0), "options": {"expires": 60}},
    "sessions": {"task": "accounts.tasks.forget_sessions", "schedule": every(3600.0), "options": {"expires": 3600}},
    "seals": {"task": "accounts.tasks.seal_authenticators", "schedule": every(3600.0), "options": {"expires": 3600}},
    "guests": {"task": "accounts.tasks.forget_guests", "schedule": every(3600.0), "options": {"expires": 3600}},
    "old-letters": {"task": "games.tasks.forget_mails", "schedule": every(3600.0), "options": {"expires": 3600}},
    "archive": {"task": "games.tasks.archive_matches", "schedule": every(60.0), "options": {"expires": 60}},
    "puzzle": {"task": "games.tasks.make_puzzle", "schedule": every(600.0), "options": {"expires": 600}},
    "records": {"task": "games.tasks.make_records", "schedule": every(600.0), "options": {"expires": 600}},
    "backup": {"task": "games.tasks.back_up", "schedule": every(600.0), "options": {"expires": 600}},
    "lapse": {"task": "games.tasks.lapse_open_matches", "schedule": every(600.0), "options": {"expires": 600}},
    "live-tables": {"task": "games.tasks.tend_live_tables", "schedule": every(20.0), "options": {"expires": 20}},
    "visits": {"task": "accounts.tasks.keep_visits", "schedule": every(60.0), "options": {"expires": 60}},
    "notices": {"task": "games.tasks.sweep_notices", "schedule": every(20.0), "options": {"expires": 20}},
    "samples": {"task": "games.tasks.keep_sample", "schedule": every(600.0), "options": {"expires": 600}},
    "errors": {"task": "games.tasks.tell_of_errors", "schedule": every(60.0), "options": {"expires": 60}},
    "hooks": {"task": "games.tasks.sweep_webhooks", "schedule": every(20.0), "options": {"expires": 20}},
    "calls": {"task": "games.tasks.call_webhooks", "schedule": every(10.0), "options": {"expires": 10}},
    "late-calls": {
        "task": "games.tasks.call_webhooks",
        "schedule": every(10.0),
        "args": (True,),
        "options": {"expires": 10},
    },
    "mails": {"task": "games.tasks.send_mails", "schedule": every(10.0), "options": {"expires": 10}},
    "tournaments": {"task": "games.competitions.tasks.tend", "schedule": every(10.0), "options": {"expires": 10}},
    "ladders": {"task": "games.ladders.tasks.tend", "schedule": every(10.0), "options": {"expires": 10}},
    "club-matches": {"task": "games.clubs.tasks.tend_encounters", "schedule": every(10.0), "options": {"expires": 10}},
    "circles": {"task": "games.clubs.tasks.tend_circles", "schedule": every(20.0), "options": {"expires": 20}},
    "clubs": {"task": "games.clubs.tasks.tend", "schedule": every(10.0), "options": {"expires": 10}},
    "streams": {"task": "games.api.tasks.forget_old", "schedule": every(3600.0), "options": {"expires": 3600}},
    "championships": {
        "task": "leaderboards.tasks.tend_championships",
        "schedule": every(600.0),
        "options": {"expires": 600},
    },
    "pushes": {"task": "games.tasks.send_pushes", "schedule": every(10.0), "options": {"expires": 10}},
}


@setup_logging.connect
def _as_all_else(**signal: Any) -> None:
    """Leave the logs as they are: else Celery adds handlers of its own."""


@before_task_publish.connect
def _number(headers: dict[str, Any], **signal: Any) -> None:
    """Send the number of the request along that asks for a task."""
    if number := tracing.current():
        headers["request_id"] = number


@task_prerun.connect
def _begin(task: Any, **signal: Any) -> None:
    told = getattr(task.request, "request_id", None) or (task.request.headers or {}).get("request_id")
    tracing.begin(str(told or ""), task=str(task.name))


@task_postrun.connect
def _end(**signal: Any) -> None:
    tracing.end()
    metrics.flush()
