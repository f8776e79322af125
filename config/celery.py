"""The Celery application and beat's schedule of every sweep."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

MODERATION = "games.moderation.tasks"

app = Celery("club-y")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.set_default()  # for every thread of the web server

# In memory: a schedule file that a crash has torn would keep beat from ever starting again. So nothing may have an
# interval longer than a site stays up.
app.conf.beat_scheduler = "celery.beat:Scheduler"
app.conf.beat_schedule = {
    "heartbeat": {"task": "games.tasks.beat", "schedule": 5.0, "options": {"expires": 20}},
    "bots": {"task": "games.tasks.sweep_bots", "schedule": 5.0, "options": {"expires": 5}},
    "clocks": {"task": "games.tasks.sweep_clocks", "schedule": 20.0, "options": {"expires": 20}},
    "deadlines": {"task": "games.tasks.sweep_deadlines", "schedule": 5.0, "options": {"expires": 5}},
    "ranks": {"task": "leaderboards.tasks.refresh_ranks", "schedule": 5.0, "options": {"expires": 5}},
    "moderation": {"task": f"{MODERATION}.see_through", "schedule": 30.0, "options": {"expires": 30}},
    "traces": {"task": f"{MODERATION}.forget_traces", "schedule": 3600.0, "options": {"expires": 3600}},
    "dice": {"task": "games.tasks.count_dice", "schedule": 60.0, "options": {"expires": 60}},
    "sessions": {"task": "accounts.tasks.forget_sessions", "schedule": 3600.0, "options": {"expires": 3600}},
    "seals": {"task": "accounts.tasks.seal_authenticators", "schedule": 3600.0, "options": {"expires": 3600}},
    "guests": {"task": "accounts.tasks.forget_guests", "schedule": 3600.0, "options": {"expires": 3600}},
    "old-letters": {"task": "games.tasks.forget_mails", "schedule": 3600.0, "options": {"expires": 3600}},
    "archive": {"task": "games.tasks.archive_matches", "schedule": 60.0, "options": {"expires": 60}},
    "backup": {"task": "games.tasks.back_up", "schedule": 600.0, "options": {"expires": 600}},
    "lapse": {"task": "games.tasks.lapse_open_matches", "schedule": 600.0, "options": {"expires": 600}},
    "live-tables": {"task": "games.tasks.tend_live_tables", "schedule": 20.0, "options": {"expires": 20}},
    "visits": {"task": "accounts.tasks.keep_visits", "schedule": 60.0, "options": {"expires": 60}},
    "notices": {"task": "games.tasks.sweep_notices", "schedule": 20.0, "options": {"expires": 20}},
    "mails": {"task": "games.tasks.send_mails", "schedule": 10.0, "options": {"expires": 10}},
}
