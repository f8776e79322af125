"""Samples of the site's figures, each ten minutes, and the curves of a week that the operation page draws of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from config.lib import clock, metrics, redis
from games.models import Sample
from games.services.operation import metrics as figures

EVERY = timedelta(minutes=10)
WEEK = timedelta(days=7)
KEPT = timedelta(days=8)
BATCH = 200  # rows deleted in one step
GAP = EVERY * 2.5  # without a sample: the curve is broken
WIDTH, HEIGHT = 336, 60  # of the drawing: two units an hour
MEGABYTE = 1_000_000.0


@dataclass(frozen=True)
class Line:
    """What one curve shows: its words, where its figure comes from, and by what that is divided.

    What is `counted` only grows; shown is what came since the sample before.
    """

    label: str | Promise
    source: str
    of: str = ""  # the value of the label; all of them if there is none
    per: float = 1.0

    @property
    def is_counted(self) -> bool:
        return self.source in metrics.COUNTS


LINES = {
    "answers": Line(_("Requests in ten minutes"), "club_answers"),
    "failures": Line(_("Errors in ten minutes"), "club_errors"),
    "moves": Line(_("Moves in ten minutes"), "club_moves"),
    "time_outs": Line(_("Clocks that ran out in ten minutes"), "club_time_outs"),
    "sent": Line(_("Mails sent in ten minutes"), "club_mails_settled", "sent"),
    "waiting": Line(_("Mails that wait"), "club_mails"),
    "running": Line(_("Running matches"), "club_matches", "running"),
    "open": Line(_("Open tables"), "club_matches", "open"),
    "due": Line(_("Due: a clock ran out"), "club_clocks_due"),
    "queue": Line(_("Tasks that wait for the worker"), "club_queue_length", "celery"),
    "beat": Line(_("Seconds since beat was heard"), "club_beat_age_seconds"),
    "database": Line(_("Database, in megabytes"), "club_database_bytes", per=MEGABYTE),
    "redis": Line(_("Redis, in megabytes"), "club_redis_bytes", per=MEGABYTE),
}


@dataclass(frozen=True)
class Curve:
    """A line of the last week as a drawing: the points of each piece, and its figures for the text beside it."""

    label: str | Promise
    pieces: tuple[str, ...]
    last: float
    least: float
    most: float


def keep() -> None:
    """Keep a sample of this moment, and forget those of over eight days ago."""
    shown, counted = figures.values(), _counted()
    values: dict[str, float] = {}
    for name, line in LINES.items():
        found = _found(line, shown, counted)
        if found is not None:
            values[name] = (found.get(line.of, 0.0) if line.of else sum(found.values())) / line.per
    Sample.objects.create(values=values)
    forget_old()


def forget_old() -> None:
    """Delete the samples of over eight days ago, some at a time."""
    old = Sample.objects.filter(at__lt=clock.now() - KEPT).order_by("at")
    while ids := list(old.values_list("pk", flat=True)[:BATCH]):
        Sample.objects.filter(pk__in=ids).delete()


def curves() -> list[Curve]:
    """Return the curves of the last week, of those figures of which there are samples."""
    start = clock.now() - WEEK
    rows = list(Sample.objects.filter(at__gte=start - EVERY).order_by("at").values_list("at", "values"))
    found = []
    for name, line in LINES.items():
        seen = [(at, values[name]) for at, values in rows if name in values]
        seen = list(_grown(seen)) if line.is_counted else seen
        if drawn := [(at, value) for at, value in seen if at >= start]:
            found.append(_curve(line, drawn, start))
    return found


def _found(line: Line, shown: figures.Values, counted: figures.Values | None) -> dict[str, float] | None:
    if not line.is_counted:
        return shown.get(line.source)
    return None if counted is None else counted.get(line.source, {})


def _counted() -> figures.Values | None:
    """Return what all processes counted, by name and the last label; None without Redis."""
    metrics.flush(at_once=True)
    try:
        rows = metrics.counted()
    except redis.AWAY:
        return None
    found: figures.Values = {}
    for (name, *labels), number in rows.items():
        by_label = found.setdefault(name, {})
        last = labels[-1] if labels else ""
        by_label[last] = by_label.get(last, 0.0) + number
    return found


def _grown(seen: list[tuple[datetime, float]]) -> Iterator[tuple[datetime, float]]:
    """Yield by how much a count grew since the sample before; it began at zero if it is smaller than that."""
    for (before_at, before), (at, value) in pairwise(seen):
        if at - before_at <= GAP:
            yield at, value - before if value >= before else value


def _curve(line: Line, drawn: list[tuple[datetime, float]], start: datetime) -> Curve:
    values = [value for _at, value in drawn]
    top = max(values) or 1.0
    pieces: list[list[str]] = []
    before: datetime | None = None
    for at, value in drawn:
        if before is None or at - before > GAP:
            pieces.append([])
        x, y = WIDTH * ((at - start) / WEEK), HEIGHT - (HEIGHT - 2) * (value / top) - 1
        pieces[-1].append(f"{x:.1f},{y:.1f}")
        before = at
    return Curve(line.label, tuple(" ".join(piece) for piece in pieces), values[-1], min(values), max(values))
