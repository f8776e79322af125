"""The arithmetic of clocks: when one runs out, how much of it was used. Instants and spans in whole ms."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from accounts import zones
from accounts.models import User
from games.pace import Pace

AFTER_QUIET = timedelta(hours=2)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MS = timedelta(milliseconds=1)

Span = tuple[int, int]


@dataclass(frozen=True)
class Times:
    """When a member cannot be held to a clock: days off, and quiet hours (minutes after local midnight)."""

    away: tuple[Span, ...] = ()
    quiet: tuple[int, int] | None = None
    zone: ZoneInfo | None = None

    def runs_out(self, start: int, bank: int) -> int:
        """Return when a clock with `bank` ms, running from `start`, has run out; it stands on days off."""
        end = start + bank
        for begin, until in self.away:
            if until > start and begin < end:
                end += until - max(begin, start)
        return end

    def used(self, start: int, end: int) -> int:
        """Return for how long a clock ran between two instants."""
        stood = (min(until, end) - max(begin, start) for begin, until in self.away)
        return max(0, end - start - sum(span for span in stood if span > 0))

    def away_until(self, now: int) -> int | None:
        """Return until when the member is off, if they are now."""
        return next((until for begin, until in self.away if begin <= now < until), None)

    def judged(self, end: int) -> int:
        """Return when a clock that has run out at `end` may be judged: after quiet hours, and two more."""
        if self.quiet is None:
            return end
        at = at_ms(end)
        local = at.astimezone(self.zone or UTC).date()
        for day in (local - timedelta(days=1), local):
            begin, until = self._night(day)
            if begin <= at < until + AFTER_QUIET:
                at = until + AFTER_QUIET
        return to_ms(at)

    def is_quiet(self, at: datetime) -> bool:
        """Return whether that instant lies in the quiet hours."""
        if self.quiet is None:
            return False
        local = at.astimezone(self.zone or UTC)
        minute, (begin, until) = local.hour * 60 + local.minute, self.quiet
        return begin <= minute < until if begin < until else minute >= begin or minute < until

    def _night(self, day: date) -> tuple[datetime, datetime]:
        """Return when the quiet hours that begin on this local day begin and end."""
        begin, until = self.quiet or (0, 0)
        last = day if begin < until else day + timedelta(days=1)
        return self._instant(day, begin), self._instant(last, until)

    def _instant(self, day: date, minute: int) -> datetime:
        local = datetime.combine(day, time(minute // 60, minute % 60), self.zone or UTC)
        return local.astimezone(UTC)


ALWAYS = Times()


@lru_cache(maxsize=1000)
def times(zone: str, quiet_from: int | None, quiet_until: int | None, vacation: str) -> Times:
    """Return the times of a member as the database has them, `vacation` as JSON text."""
    has_quiet = quiet_from is not None and quiet_until is not None and quiet_from != quiet_until
    quiet = (quiet_from, quiet_until) if has_quiet else None
    return Times(_merged(json.loads(vacation)), quiet, zones.zone(zone))  # type: ignore[arg-type]


def times_of(user: User) -> Times:
    """Return the times of a member."""
    return times(user.time_zone, user.quiet_from, user.quiet_until, json.dumps(user.vacation))


def _merged(days: Iterable[dict[str, Any]]) -> tuple[Span, ...]:
    """Return the days off as spans that do not overlap, the first first."""
    spans: list[Span] = []
    for begin, until in sorted((day["from"], day["until"]) for day in days):
        if spans and begin <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(until, spans[-1][1])
        else:
            spans.append((begin, until))
    return tuple(spans)


def completed(bank: int, pace: Pace) -> int:
    """Return the bank after a completed turn: the increment added, never beyond the cap."""
    return min(pace.cap // MS, max(0, bank) + pace.increment // MS)


def to_ms(at: datetime) -> int:
    """Return an instant in whole ms since the epoch."""
    return (at - EPOCH) // MS


def at_ms(ms: int) -> datetime:
    """Return the instant of so many ms since the epoch."""
    return EPOCH + ms * MS
