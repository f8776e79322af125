"""Days off: 30 a calendar year, booked ahead, or taken automatically when a clock is about to run out.

Automatic ones stop after five without a visit: who is gone for longer must not hold a table.

They are stored in `User.vacation` as [{"day": "2026-12-24", "from": ms, "until": ms, "by_itself": bool}]: as
instants, so that a later change of the time zone moves none of them.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.services import visits
from accounts.services.membership import times_changed
from config.lib import clock, time_zones

DAYS_A_YEAR = 30
MOST_AUTOMATIC = 5  # without a visit between them
FARTHEST = timedelta(days=400)
A_DAY = timedelta(days=1) // timedelta(milliseconds=1)

Day = dict[str, Any]


class NotBooked(Exception):
    """These days cannot be taken; the text says why."""


def book(*, user_id: int, first: date, last: date) -> None:
    """Book the days from `first` to `last`, of which none may have begun. NotBooked."""
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user_id)
        if not today(user) < first <= last <= today(user) + FARTHEST:
            raise NotBooked(_("Choose days from tomorrow on, at most %(most)d days ahead.") % {"most": FARTHEST.days})
        taken = {day["day"] for day in user.vacation}
        wanted = [first + timedelta(days=n) for n in range((last - first).days + 1)]
        _take(user, [_day(user, day) for day in wanted if day.isoformat() not in taken])


def cancel(*, user_id: int, days: Iterable[str]) -> int:
    """Cancel those of these days ("2026-12-24") that have not begun; return how many."""
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user_id)
        cancelled, now = set(days), clock.now_ms()
        kept = [day for day in user.vacation if day["day"] not in cancelled or day["from"] <= now]
        returned = len(user.vacation) - len(kept)
        user.vacation = kept
        user.save(update_fields=["vacation"])
        times_changed(user)
    return returned


def let(*, user_id: int, by_itself: bool) -> None:
    """Set whether the site takes a day off for the member when a clock would run out."""
    User.objects.filter(pk=user_id).update(vacation_by_itself=by_itself)


def take_today(user_id: int, *, since: int) -> User | None:
    """Take today off automatically; return the member, None when not wanted or no day is left.

    The day begins at `since` (ms), when a clock ran out, so that it stops that clock too. Call it inside a
    transaction, with nothing locked that comes after a member's row.
    """
    if not _may_take(User.objects.get(pk=user_id)):  # without a lock, which would last through the time-out
        return None  # that follows, and block the member's other matches
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if not _may_take(user):
        return None
    if (taken := _under_way(user)) is not None:  # two clocks ran out on one day
        taken["from"] = min(taken["from"], since)
        _keep(user, [])
    else:
        _keep(user, [_day(user, today(user)) | {"from": since, "by_itself": True}])
    return user


def take_now(*, user_id: int) -> None:
    """Take one of the days off at once: 24 hours from now on, which count only where automatic ones do.

    NotBooked when there is none left, or one is under way.
    """
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user_id)
        if not can_take_now(user):
            raise NotBooked(_("You have a day off now, or none left this year."))
        now = clock.now_ms()
        _keep(user, [_day(user, today(user)) | {"from": now, "until": now + A_DAY, "by_itself": True}])


def can_take_now(user: User) -> bool:
    """Return whether a day is left this year, and none is under way."""
    now = clock.now_ms()
    is_off = any(day["from"] <= now < day["until"] or day["day"] == today(user).isoformat() for day in user.vacation)
    return not user.is_guest and not is_off and left(user, today(user).year) > 0


def _may_take(user: User) -> bool:
    if user.is_guest or not user.vacation_by_itself:
        return False
    if _under_way(user) is not None:
        return True
    return left(user, today(user).year) > 0 and _taken_unseen(user) < MOST_AUTOMATIC


def _taken_unseen(user: User) -> int:
    """Return how many days off were taken automatically since the member's last visit."""
    seen = max(filter(None, (visits.last([user.pk]).get(user.pk), user.seen_at)), default=None)
    since = _ms(seen) if seen else 0
    return sum(day["by_itself"] and day["from"] > since for day in user.vacation)


def _under_way(user: User) -> Day | None:
    now, name = clock.now_ms(), today(user).isoformat()
    return next((day for day in user.vacation if day["day"] == name and day["until"] > now), None)


def left(user: User, year: int) -> int:
    """Return how many days off the member still has in that calendar year."""
    return DAYS_A_YEAR - sum(day["day"].startswith(f"{year}-") for day in user.vacation)


def today(user: User) -> date:
    """Return today's date in the member's time zone."""
    return clock.now().astimezone(time_zones.zone(user.time_zone) or UTC).date()


def ahead(user: User) -> list[Day]:
    """Return the days off under way or to come, the next first."""
    now = clock.now_ms()
    return [day for day in user.vacation if day["until"] > now]


def _take(user: User, days: list[Day]) -> None:
    for year in {day["day"][:4] for day in days}:
        wanted, have = sum(day["day"].startswith(year) for day in days), left(user, int(year))
        if wanted > have:
            raise NotBooked(
                ngettext(
                    "You have %(have)d day off left in %(year)s.",
                    "You have %(have)d days off left in %(year)s.",
                    have,
                )
                % {"have": have, "year": year}
            )
    _keep(user, days)


def _keep(user: User, days: list[Day]) -> None:
    kept = f"{today(user).year - 1}-01-01"  # older ones: a running clock may have stopped on them
    user.vacation = sorted([*(day for day in user.vacation if day["day"] >= kept), *days], key=lambda day: day["from"])
    user.save(update_fields=["vacation"])
    times_changed(user)


def _day(user: User, day: date) -> Day:
    zone = time_zones.zone(user.time_zone) or UTC
    start, end = (datetime.combine(at, time(), zone) for at in (day, day + timedelta(days=1)))
    return {"day": day.isoformat(), "from": _ms(start), "until": _ms(end), "by_itself": False}


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)
