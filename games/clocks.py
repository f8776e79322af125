"""Clocks: when one runs out and how much of it was used, in whole ms; instants and spans in words."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib import clock, time_zones
from games.time_controls import TimeControl

AFTER_QUIET = timedelta(hours=2)
LONGEST_NIGHT = timedelta(hours=12)  # for which quiet hours hold a clock at most
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MS = timedelta(milliseconds=1)
A_MINUTE = 60_000  # ms
SECONDS_SHOWN = 3600 - 60  # below which a clock shows them

Span = tuple[int, int]
Night = tuple[datetime, datetime]


@dataclass(frozen=True)
class Times:
    """When a member's clock is held: days off, and quiet hours (minutes after local midnight)."""

    away: tuple[Span, ...] = ()
    quiet: tuple[int, int] | None = None
    zone: ZoneInfo | None = None

    def runs_out(self, start: int, bank: int) -> int:
        """Return when a clock with `bank` ms, running from `start`, runs out; days off stop it."""
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
        """Return when a run-out clock may be judged: not on days off, nor until 2 h after quiet hours."""
        at = end
        while (later := self._after_night(self.away_until(at) or at)) > at:
            at = later
        return at

    def is_quiet(self, at: datetime) -> bool:
        return any(begin <= at < until for begin, until in self._nights(at))

    def _after_night(self, now: int) -> int:
        """Return the instant, or 2 hours after the quiet hours if it is in them or just after."""
        at = at_ms(now)
        for begin, until in self._nights(at):
            end = min(until, begin + LONGEST_NIGHT) + AFTER_QUIET
            if begin <= at < end:
                return to_ms(end)
        return now

    def _nights(self, at: datetime) -> list[Night]:
        """Return the quiet hours that began that local day or the day before, none if lost in a DST gap."""
        if self.quiet is None:
            return []
        day = at.astimezone(self.zone or UTC).date()
        nights = (self._night(day - timedelta(days=1)), self._night(day))
        return [(begin, until) for begin, until in nights if begin < until]

    def _night(self, day: date) -> Night:
        begin, until = self.quiet or (0, 0)
        last = day if begin < until else day + timedelta(days=1)
        return self._instant(day, begin), self._instant(last, until)

    def _instant(self, day: date, minute: int) -> datetime:
        local = datetime.combine(day, time(minute // 60, minute % 60), self.zone or UTC)
        return local.astimezone(UTC)


ALWAYS = Times()


@lru_cache(maxsize=1000)
def times(zone: str, quiet_from: int | None, quiet_until: int | None, vacation: str, automatic: bool = True) -> Times:
    """Return the times of a member from the columns of their row, `vacation` as JSON text.

    Days off that were taken automatically count only at tables that allow them.
    """
    has_quiet = quiet_from is not None and quiet_until is not None and quiet_from != quiet_until
    quiet = (quiet_from, quiet_until) if has_quiet else None
    days = [day for day in json.loads(vacation) if automatic or not day["by_itself"]]
    return Times(_merged(days), quiet, time_zones.zone(zone))  # type: ignore[arg-type]


def times_of(user: User, *, automatic: bool = True) -> Times:
    return times(user.time_zone, user.quiet_from, user.quiet_until, json.dumps(user.vacation), automatic)


def _merged(days: Iterable[dict[str, Any]]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for begin, until in sorted((day["from"], day["until"]) for day in days):
        if spans and begin <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(until, spans[-1][1])
        else:
            spans.append((begin, until))
    return tuple(spans)


def completed(bank: int, pace: TimeControl) -> int:
    """Return the bank after a completed turn: the increment added, up to the cap."""
    return min(pace.cap // MS, max(0, bank) + pace.increment // MS)


def to_ms(at: datetime) -> int:
    """Return an instant in whole ms since the epoch."""
    return (at - EPOCH) // MS


def at_ms(ms: int) -> datetime:
    """Return the instant of so many ms since the epoch."""
    return EPOCH + ms * MS


def when(at: datetime) -> str:
    """Return an instant in the active time zone: "18:40", "Tue 18:40", "12 March 18:40"; in French "18 h 40"."""
    return whens()(int(at.timestamp()) // 60)


def whens() -> Callable[[int], str]:
    """Return a function that tells instants, in minutes since the epoch, as `when` does: for many at one moment."""
    now, (zone, language) = int(clock.now().timestamp()) // 60, _here()
    return lambda minute: _when(minute, now, zone, language)


def _here() -> tuple[tzinfo, str]:
    return timezone.get_current_timezone(), get_language() or ""


@lru_cache(20_000)  # a log's turns are told again with each that follows
def _when(at: int, now: int, zone: tzinfo, language: str) -> str:
    local, today = (datetime.fromtimestamp(minute * 60, zone) for minute in (at, now))
    time = date_format(local, "TIME_FORMAT")
    if local.date() == today.date():
        return time
    return f"{date_format(local, 'D' if abs(today - local) < timedelta(days=6) else 'j F')} {time}"


def until(ms: int) -> str:
    """Return a deadline in the active time zone: "until 18:00", "until Tuesday 5 May at 18:00"."""
    zone, language = _here()
    return _until(ms // A_MINUTE, clock.now().astimezone(zone).toordinal(), zone, language)


@lru_cache(4096)  # a deadline is told with each move until it is met
def _until(minute: int, today: int, zone: tzinfo, language: str) -> str:
    local = datetime.fromtimestamp(minute * 60, zone)
    days = local.toordinal() - today
    told = {"time": date_format(local, "TIME_FORMAT")}
    if days == 0:
        return _("until %(time)s") % told
    if 0 < days < 7:
        return _("until %(weekday)s at %(time)s") % (told | {"weekday": date_format(local, "l")})
    is_this_year = local.year == date.fromordinal(today).year
    day = date_format(local, "l j F" if is_this_year else "l j F Y")
    return _("until %(date)s at %(time)s") % (told | {"date": day})


def time_left(ms: int, *, exact: bool = True) -> str:
    """Return the time until an instant: "2 days 4 h", "4 h 12 min", "12:05"; at least "0:00"."""
    return span(ms - clock.now_ms(), exact=exact)


def ago(at: datetime) -> str:
    """Return how long ago an instant was, in its largest unit: "3 hours ago", "6 months ago", "just now"."""
    now = clock.now()
    if now - at < timedelta(minutes=1):
        return _("just now")
    return _("%(span)s ago") % {"span": timesince(at, now, depth=1)}


def span(ms: int, *, exact: bool = True) -> str:
    """Return a duration in words, its two largest units; seconds only if `exact`."""
    seconds = max(0, ms) // 1000
    if seconds > SECONDS_SHOWN:
        seconds += 59  # round up: "3 days", not "2 days 23 h"
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        said = ngettext("%(num)d day", "%(num)d days", days) % {"num": days}
        return f"{said} {hours} h" if hours else said
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes}:{seconds % 60:02d}" if exact else f"{minutes} min"
