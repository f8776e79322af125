"""The site's outages: heartbeats detect them, and running clocks are given that time back, once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import connection, transaction
from django.db.models import QuerySet

from config.lib import clock, sql
from games import broadcast
from games.clocks import ALWAYS, MS, to_ms
from games.models import Heartbeat, Match, Outage, Seat, Sweep
from games.queries.readable import known
from games.services.clocks.set_back import bring_back

log = structlog.get_logger(__name__)

WEB, SWEEP, ADMIN, CLOCK = "web", "sweep", "admin", "clock"
OUTAGE_AFTER = timedelta(minutes=5)
GAP_AFTER = timedelta(seconds=45)  # without a beat, after which a part counts as restarted
APART = timedelta(seconds=5)  # by which clocks may differ: that of time-outs, which wait as long for moves
LEAP = timedelta(minutes=1)  # by which a clock may be set forward without anybody's being asked
TOLD_FOR = timedelta(minutes=10)
SETTLED_AFTER = timedelta(minutes=1)  # for people to come back before anyone is timed out

Span = tuple[datetime, datetime]


# How this process's clock stood to the time since the machine's start: at the last heartbeat of each part, else first.
_set_offsets: dict[str, float] = {}
_first_offset = clock.set_offset()


def beat(part: str, *, at: datetime | None = None, fresh: bool = False) -> Heartbeat | None:
    """Record a heartbeat, now or `at`; over 5 minutes of silence become an outage, once.

    `fresh`: the process has just started, so people may have been cut off a moment ago. Silence is what passed, not
    what the wall clock was set by meanwhile (docs/decisions/0029-clocks-that-jump.md). None, and nothing recorded,
    while this process's clock and the database's are apart: its time is not to be relied on.
    """
    if abs(apart := seconds_ahead()) > APART.total_seconds():
        log.error("no heartbeat: the clock is apart from the database's", part=part, seconds=round(apart))
        return None
    now = at or clock.now()
    jump = timedelta(seconds=_set_since_last(part))
    with transaction.atomic():
        Heartbeat.objects.get_or_create(name=part, defaults={"at": now, "since": now})
        held = _held()
        heartbeat = held[part]
        gap = now - heartbeat.at
        is_forward = jump > APART and gap > jump - APART  # of a jump that another process has told, the gap is small
        silence = gap - jump if is_forward else gap - _told_jump(held.get(CLOCK), (heartbeat.at, now))
        if silence > OUTAGE_AFTER:
            _record(part, (now - silence, now))
        if is_forward or gap < -APART:
            _note_set(part, heartbeat.at + silence if is_forward else heartbeat.at, now)
        if fresh or silence > GAP_AFTER or is_forward or gap < -APART:
            heartbeat.since = now
        heartbeat.at = now if gap < -APART else max(heartbeat.at, now)
        heartbeat.save(update_fields=["at", "since"])
    return heartbeat


def _set_since_last(part: str) -> float:
    """Return the seconds by which the clock was set forward since this process's last heartbeat; back: negative."""
    offset = clock.set_offset()
    before = _set_offsets.get(part, _first_offset)
    _set_offsets[part] = offset
    return offset - before


def _told_jump(noted: Heartbeat | None, span: Span) -> timedelta:
    """Return how much of the span did not pass, as another process, or another part of this one, saw."""
    if noted is None:
        return timedelta()
    return max(timedelta(), min(noted.at, span[1]) - max(noted.since, span[0]))


def _note_set(part: str, before: datetime, now: datetime) -> None:
    """Keep that the clock was set, for admins; one set forward by over a minute stops all time-outs by the fuse."""
    log.error("the clock was set", part=part, before=before.isoformat(), now=now.isoformat())
    Heartbeat.objects.update_or_create(name=CLOCK, defaults={"at": now, "since": before})
    if now < before:
        bring_back()
    if now - before > LEAP and stopped_sweep() is None:
        Sweep.objects.create(stopped=True)


@dataclass(frozen=True)
class ClockSet:
    """When the clock was set, and by how many seconds, forward or (negative) back."""

    at: datetime
    seconds: float

    @property
    def back(self) -> float:
        return -self.seconds


def last_set() -> ClockSet | None:
    """Return how the clock was last set; None after ten minutes."""
    noted = Heartbeat.objects.filter(name=CLOCK).first()
    if noted is None or not timedelta() <= clock.now() - noted.at < TOLD_FOR:
        return None
    return ClockSet(noted.at, (noted.at - noted.since).total_seconds())


def seconds_ahead() -> float:
    """Return by how much this process's clock is ahead of the database server's; 0 for SQLite, which has none."""
    if connection.vendor != "postgresql":
        return 0.0
    before = clock.machine_seconds()
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXTRACT(EPOCH FROM clock_timestamp())")
        (theirs,) = cursor.fetchone()
    return (before + clock.machine_seconds()) / 2 - float(theirs)


def _is_apart() -> bool:
    return abs(seconds_ahead()) > APART.total_seconds()


def _held() -> dict[str, Heartbeat]:
    """Return all heartbeats, locked, so that no outage is recorded twice."""
    return {heartbeat.name: heartbeat for heartbeat in Heartbeat.objects.select_for_update().order_by("name")}


def _record(part: str, span: Span) -> None:
    known = Outage.objects.exclude(part=ADMIN).filter(start__lt=span[1], end__gt=span[0])
    for start, end in without(span, known.order_by("start").values_list("start", "end")):
        Outage.objects.create(part=part, start=start, end=end)
        log.error("outage", part=part, start=start.isoformat(), end=end.isoformat())


def without(span: Span, known: Iterable[Span]) -> list[Span]:
    """Return the parts of a span that none of the known spans, in order, covers."""
    start, end = span
    parts = []
    for begin, until in known:
        if begin > start:
            parts.append((start, begin))
        start = max(start, until)
    return [*parts, (start, end)] if start < end else parts


def is_in_outage(part: str) -> bool:
    """Return whether a part of the site has been silent so long that no one is timed out."""
    heartbeat = Heartbeat.objects.filter(name=part).first()
    return heartbeat is not None and clock.now() - heartbeat.at > OUTAGE_AFTER


def judged_until() -> datetime | None:
    """Return until when people could reach the site; None if unknown, or in the first minute of a web server.

    None too in the first minute after the clock was set forward, and while it and the database's are apart.
    """
    heartbeat = Heartbeat.objects.filter(name=WEB).first()
    if heartbeat is None or heartbeat.at - heartbeat.since < SETTLED_AFTER or clock.leapt() or _is_apart():
        return None
    return min(heartbeat.at, clock.now())


def decided_until() -> datetime | None:
    """Return `judged_until`; None as long as the fuse holds: what nobody can undo waits for an admin, as clocks do."""
    return None if stopped_sweep() is not None else judged_until()


def is_recovering() -> bool:
    """Return whether the site or a part of it is or was just away, or its clock in doubt: then no move is too late.

    So it is as long as the fuse holds all time-outs back.
    """
    heartbeat = Heartbeat.objects.filter(name=WEB).first()
    lately = heartbeat is None or clock.now() - heartbeat.since < SETTLED_AFTER
    away = clock.leapt() or is_in_outage(WEB) or is_in_outage(SWEEP) or _is_apart()
    return lately or away or stopped_sweep() is not None


def stopped_sweep() -> Sweep | None:
    """Return the sweep at which the fuse stopped all time-outs; None when it does not."""
    last = Sweep.objects.order_by("-pk").first()
    return last if last and last.is_stopped else None


def give_back(match: Match, seats: Sequence[Seat]) -> None:
    """Give the locked match's running clocks the time of each outage that they were not given yet."""
    for outage in Outage.objects.filter(pk__gt=match.outage).order_by("pk"):
        for seat in seats:
            if seat.runs_from is not None:
                seat.bank += _owed(outage, seat, match)
        match.outage = outage.pk
    for seat in seats:
        if seat.runs_from is not None:
            seat.set_deadline(match.pace)
            sql.update(seat, ["bank", "deadline"])
    match.version += 1
    sql.update(match, ["outage", "version"])
    broadcast.match_changed(match.pk, match.version)


def _owed(outage: Outage, seat: Seat, match: Match) -> int:
    """Return how many ms this clock ran during an outage; a gift by an admin is given whole."""
    if seat.runs_from is None or seat.runs_from >= outage.end:
        return 0
    times = ALWAYS if match.pace.is_live else seat.times
    if outage.part == ADMIN:
        return (outage.end - outage.start) // MS + seat.overrun(match.pace, outage.end)
    return times.used(to_ms(max(outage.start, seat.runs_from)), to_ms(outage.end))


def owed_to(limit: datetime, since: datetime, outage: Outage) -> timedelta:
    """Return by how much an outage moves a limit that ran from `since` on: what was left before is left afterwards.

    A gift by an admin is given whole, from its moment on if the limit had passed by then.
    """
    if since >= outage.end:
        return timedelta()
    if outage.part == ADMIN:
        return outage.end - outage.start + max(timedelta(), outage.end - limit)
    return outage.end - max(outage.start, since) if limit > outage.start else timedelta()


def owed_matches() -> QuerySet[Match]:
    """Return the running matches whose clocks are owed time; those that are not known here get it later."""
    last = Outage.objects.order_by("-pk").values_list("pk", flat=True).first()
    return Match.objects.filter(known(), status=Match.Status.RUNNING, outage__lt=last or 0)


def give_all(amount: timedelta) -> Outage:
    """Give every running clock this much time, as an admin may; from now if it has run out."""
    with transaction.atomic():
        _held()
        now = clock.now()
        return Outage.objects.create(part=ADMIN, start=now - amount, end=now)
