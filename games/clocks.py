"""The arithmetic of clocks: when one runs out, how much of it was used. Instants and spans in whole ms."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from accounts.models import User
from config.lib import time_zones
from games.time_controls import TimeControl

AFTER_QUIET = timedelta(hours=2)
LONGEST_NIGHT = timedelta(hours=12)  # for which quiet hours hold a clock, so that there is always a day
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MS = timedelta(milliseconds=1)

Span = tuple[int, int]
Night = tuple[datetime, datetime]


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
        """Return when a clock that has run out at `end` may be judged.

        That is not on a day off, and not in quiet hours or the two hours after them.
        """
        at = end
        while (later := self._after_night(self.away_until(at) or at)) > at:
            at = later
        return at

    def is_quiet(self, at: datetime) -> bool:
        """Return whether that instant lies in the quiet hours."""
        return any(begin <= at < until for begin, until in self._nights(at))

    def _after_night(self, now: int) -> int:
        """Return the instant itself, or two hours after the quiet hours if it lies in them or just after."""
        at = at_ms(now)
        for begin, until in self._nights(at):
            end = min(until, begin + LONGEST_NIGHT) + AFTER_QUIET
            if begin <= at < end:
                return to_ms(end)
        return now

    def _nights(self, at: datetime) -> list[Night]:
        """Return the quiet hours that began on that local day and the day before; none that a DST gap ate."""
        if self.quiet is None:
            return []
        day = at.astimezone(self.zone or UTC).date()
        nights = (self._night(day - timedelta(days=1)), self._night(day))
        return [(begin, until) for begin, until in nights if begin < until]

    def _night(self, day: date) -> Night:
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
    return Times(_merged(json.loads(vacation)), quiet, time_zones.zone(zone))  # type: ignore[arg-type]


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


def completed(bank: int, pace: TimeControl) -> int:
    """Return the bank after a completed turn: the increment added, never beyond the cap."""
    return min(pace.cap // MS, max(0, bank) + pace.increment // MS)


def to_ms(at: datetime) -> int:
    """Return an instant in whole ms since the epoch."""
    return (at - EPOCH) // MS


def at_ms(ms: int) -> datetime:
    """Return the instant of so many ms since the epoch."""
    return EPOCH + ms * MS
