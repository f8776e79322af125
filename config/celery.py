"""The Celery application and beat's schedule of every sweep."""

import os
from datetime import timedelta
from typing import Any

from celery import Celery
from celery.schedules import schedule
from celery.signals import beat_embedded_init

from config.children import end_with_parent
from config.lib import clock

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

MODERATION = "games.moderation.tasks"

app = Celery("club-y")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.set_default()  # for every thread of the web server

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
    "backup": {"task": "games.tasks.back_up", "schedule": every(600.0), "options": {"expires": 600}},
    "lapse": {"task": "games.tasks.lapse_open_matches", "schedule": every(600.0), "options": {"expires": 600}},
    "live-tables": {"task": "games.tasks.tend_live_tables", "schedule": every(20.0), "options": {"expires": 20}},
    "visits": {"task": "accounts.tasks.keep_visits", "schedule": every(60.0), "options": {"expires": 60}},
    "notices": {"task": "games.tasks.sweep_notices", "schedule": every(20.0), "options": {"expires": 20}},
    "mails": {"task": "games.tasks.send_mails", "schedule": every(10.0), "options": {"expires": 10}},
}
