"""How the site is, for those who run it: heartbeats, what is due or set aside, sweeps, outages, mails."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.db.models import Count, F, Q, QuerySet
from django.utils.functional import Promise
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from config.lib import clock, error_counts, redis
from games.models import Heartbeat, Match, Outage, Seat, Sweep, TimeOut
from games.queries.readable import unreadable_matches
from games.queries.secrecy import is_secret_game
from games.services.clocks import outages
from games.services.mail import delivery, fuse
from games.services.operation import admin_actions, backups
from games.services.push import delivery as push_delivery

BEAT_KEY = "club-y:heartbeat"
BEAT_LATE_SECONDS = 25  # a few of beat's, which come each 5 s
AHEAD_SECONDS = 5  # by which clocks of two machines may differ
_redis = redis.client(settings.CACHES["default"]["LOCATION"])


def beat() -> None:
    """Record that beat and a worker are alive."""
    _redis.set(BEAT_KEY, clock.now().isoformat())


def heartbeat_age() -> float | None:
    """Return the seconds since the last heartbeat; None when there was none."""
    last = cast(bytes | None, _redis.get(BEAT_KEY))
    return (clock.now() - datetime.fromisoformat(last.decode())).total_seconds() if last else None


def is_beating(age: float | None) -> bool:
    """Return whether a heartbeat of this age is one of now: none, an old one or one that lies ahead is not."""
    return age is not None and -AHEAD_SECONDS <= age <= BEAT_LATE_SECONDS


def write_to_redis() -> None:
    """Try a write; RedisError when it is refused."""
    _redis.set("club-y:trial", 1, ex=60)


def redis_seconds() -> float:
    """Return the clock of Redis, in seconds since the epoch."""
    seconds, micros = cast(tuple[int, int], _redis.time())
    return seconds + micros / 1e6


OVERDUE_AFTER = timedelta(minutes=2)  # a few sweeps
SOON = timedelta(hours=1)
MAIL_STUCK_AFTER = timedelta(minutes=15)
BACKUP_LATE_AFTER = timedelta(hours=27)
SHOWN = 50
MOST = 50_000  # that are counted
SHOWN_SWEEPS = 20
REMEMBERED = timedelta(days=30)

_LABELS: dict[str, str | Promise] = {
    outages.WEB: _("Web server: members can reach the site"),
    outages.SWEEP: _("Sweep: clocks are looked at"),
}


@dataclass(frozen=True)
class HeartbeatStatus:
    """The heartbeat of a part of the site: its age in seconds (None: none yet), and whether it is late.

    The age is negative when the heartbeat lies ahead: a clock was set back, and that is no sign of life.
    """

    label: str | Promise
    age: float | None
    is_late: bool

    @property
    def is_awaited(self) -> bool:
        """Whether the site was silent and this part has yet to show that it is back."""
        return not self.is_late and self.seconds > outages.OUTAGE_AFTER.total_seconds()

    @property
    def seconds(self) -> int:
        return max(0, int(self.age or 0))

    @property
    def at(self) -> datetime:
        return clock.now() - timedelta(seconds=self.seconds)


@dataclass(frozen=True)
class Figure:
    """A labelled number; `is_bad` when an admin should look."""

    label: str | Promise
    number: int
    is_bad: bool = False

    @property
    def has_more(self) -> bool:
        """Whether it was counted no further."""
        return self.number == MOST


def pulses() -> dict[str, HeartbeatStatus]:
    """Return the database's heartbeats, `web` and `sweep`; late after 5 minutes (since web started)."""
    now = clock.now()
    beats = {beat.name: beat for beat in Heartbeat.objects.filter(name__in=_LABELS)}
    web = beats.get(outages.WEB)
    found = {}
    for name, label in _LABELS.items():
        last = beats[name].at if name in beats else None
        starts = [at for at in (last, web.since if web else None) if at is not None]
        age = (now - last).total_seconds() if last else None
        is_late = (bool(starts) and now - max(starts) > outages.OUTAGE_AFTER) or (age or 0) < -AHEAD_SECONDS
        found[name] = HeartbeatStatus(label, age, is_late)
    return found


def beat_pulse() -> HeartbeatStatus:
    """Return the heartbeat that beat sends through a worker."""
    try:
        age = heartbeat_age()
    except redis.AWAY:
        age = None
    return HeartbeatStatus(_("Beat and worker: tasks are done"), age, not is_beating(age))


def match_figures() -> list[Figure]:
    """Return how many matches run, wait for their clocks, or have failed."""
    now = clock.now()
    running = Match.objects.filter(status=Match.Status.RUNNING)
    clocks = Seat.objects.filter(ask__isnull=False, match__status=Match.Status.RUNNING)

    def matches_with(**deadline: datetime) -> int:
        return _up_to(clocks.filter(**deadline).values("match_id").distinct())

    overdue = matches_with(deadline__lte=now - OVERDUE_AFTER)
    races = _up_to(running.filter(ends_at__lte=now - OVERDUE_AFTER))
    waiting = clocks.filter(waited_ask__isnull=False, waited_ask=F("ask"))
    aside = _up_to(running.filter(troubled_at__isnull=False))
    return [
        Figure(_("Running matches"), _up_to(running)),
        Figure(_("of these, paused"), _up_to(running.filter(paused_at__isnull=False))),
        Figure(_("A clock runs out within the hour"), matches_with(deadline__gt=now, deadline__lte=now + SOON)),
        Figure(_("Due: a clock ran out"), matches_with(deadline__lte=now)),
        Figure(_("of these, overdue"), overdue, is_bad=overdue > 0),
        Figure(_("A race’s clock is overdue"), races, is_bad=races > 0),
        Figure(_("Clocks that wait, as no call reached the player"), _up_to(waiting)),
        Figure(_("Set aside"), aside, is_bad=aside > 0),
        Figure(_("Still owed time"), _up_to(outages.owed_matches())),
    ]


def _up_to(rows: QuerySet[Any, Any]) -> int:
    return rows.order_by()[:MOST].count()


def mail_figures() -> list[Figure]:
    """Return how many mails wait, failed, or have an unknown fate."""
    counts = delivery.mail_counts()
    oldest = counts["oldest_waiting"]
    is_stuck = oldest is not None and clock.now() - oldest > MAIL_STUCK_AFTER
    return [
        Figure(_("Mails that wait"), counts["waiting"], is_bad=is_stuck),
        Figure(_("Mails that failed"), counts["failed"], is_bad=counts["failed"] > 0),
        Figure(_("Mails that may not have gone out"), counts["unknown"], is_bad=counts["unknown"] > 0),
    ]


def push_figures() -> list[Figure]:
    """Return how many messages to devices wait, failed, or have an unknown fate; none where they are switched off."""
    if not settings.PUSH:
        return []
    counts = push_delivery.push_counts()
    return [
        Figure(_("Messages to devices that wait"), counts["waiting"]),
        Figure(_("Messages to devices that failed"), counts["failed"]),
        Figure(_("Messages to devices that may not have gone out"), counts["unknown"], is_bad=counts["unknown"] > 0),
    ]


def backup_figures() -> list[Figure]:
    """Return how old the last nightly copy of the site is, if there is to be one."""
    if not settings.BACKUP_DIR:
        return []
    age = backups.age()
    if age is None:
        return [Figure(_("Nightly copies"), 0, is_bad=True)]
    hours = int(age / timedelta(hours=1))
    return [Figure(_("Hours since the last nightly copy"), hours, is_bad=age > BACKUP_LATE_AFTER)]


# Figures by group.
FIGURES: dict[str | Promise, Callable[[], list[Figure]]] = {
    _("Matches"): match_figures,
    _("Mails"): mail_figures,
    _("Devices"): push_figures,
    _("Copies of the site"): backup_figures,
}


def due_clocks() -> list[dict[str, Any]]:
    """Return the clocks that ran out and are not judged yet, the most overdue first; 50 at most."""
    now = clock.now()
    due = Seat.objects.filter(deadline__lte=now, ask__isnull=False, match__status=Match.Status.RUNNING)
    of_match = ("match_id", "match__game_slug", "match__rules_version", "match__troubled_at")
    found = list(due.order_by("deadline", "match_id").values(*of_match, "number", "user__username", "deadline")[:SHOWN])
    for row in found:
        row["is_overdue"] = row["deadline"] <= now - OVERDUE_AFTER
        if is_secret_game(row["match__game_slug"], row.pop("match__rules_version")):  # such as who has not answered
            row["number"] = row["user__username"] = None
    return found


def set_aside() -> list[dict[str, Any]]:
    """Return the running matches in which a sweep failed, latest first; 50 at most."""
    aside = Match.objects.filter(status=Match.Status.RUNNING, troubled_at__isnull=False)
    rows = aside.order_by("-troubled_at").values("id", "game_slug", "troubled_at", "trouble")[:SHOWN]
    return [dict(row) for row in rows]


def others_set_aside() -> list[dict[str, Any]]:
    """Return what else a sweep failed at (SET_ASIDE), as `name`, `page`, `again`, `troubled_at` and `trouble`."""
    return [row for path in settings.SET_ASIDE for row in import_string(path)()]


def counts(sweep_ids: list[int]) -> dict[int, dict[str, int]]:
    """Return for each of these sweeps the number of time-outs by kind, and of undone ones."""
    wanted: dict[str, Any] = {kind.value: Count("pk", filter=Q(kind=kind)) for kind in TimeOut.Kind}
    wanted |= {"all": Count("pk"), "taken_back": Count("pk", filter=Q(undone__isnull=False))}
    found = TimeOut.objects.filter(sweep_id__in=sweep_ids).order_by()
    rows: Any = found.values("sweep_id").annotate(**wanted)
    return {row["sweep_id"]: row for row in rows}


def last_sweeps() -> list[dict[str, Any]]:
    """Return the latest sweeps that found something, each as `sweep` with the `done` of `counts`."""
    sweeps = list(Sweep.objects.order_by("-pk")[:SHOWN_SWEEPS])
    done = counts([sweep.pk for sweep in sweeps])
    return [{"sweep": sweep, "done": done.get(sweep.pk, {})} for sweep in sweeps]


def last_outages() -> list[Outage]:
    """Return the outages of the last 30 days, gifts of time by admins included; 50 at most."""
    return list(Outage.objects.filter(end__gte=clock.now() - REMEMBERED).order_by("-pk")[:SHOWN])


def last_errors() -> list[error_counts.ErrorCount] | None:
    """Return the errors of the last 24 hours, latest first, 50 at most; None when Redis is away."""
    try:
        return error_counts.last_day()[:SHOWN]
    except redis.AWAY:
        return None


def operation_context() -> dict[str, Any]:
    """Return the context of the operation page."""
    return {
        "now": clock.now(),
        "pulses": [*pulses().values(), beat_pulse()],
        "figures": [(label, found) for label, figures in FIGURES.items() if (found := figures())],
        "clock_set": outages.last_set(),
        "errors": last_errors(),
        "stopped": outages.stopped_sweep(),
        "mail_stop": fuse.stopped(),
        "due": due_clocks(),
        "aside": set_aside(),
        "others_aside": others_set_aside(),
        "unreadable": unreadable_matches(SHOWN),
        "sweeps": last_sweeps(),
        "outages": last_outages(),
        "acts": list(admin_actions.acts().select_related("moderator")[: admin_actions.SHOWN_ACTS]),
    }
