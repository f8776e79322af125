"""Tables of circles: by a button, and each week at its hour, once (spec: clubs.md, Circles of friends)."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib import clock, sql, time_zones
from games import broadcast
from games.clubs import circles
from games.clubs.models import Circle, CircleMember, CircleNews, CircleTable
from games.clubs.services.circles.keeping import own
from games.clubs.services.circles.refusals import TableOpen
from games.models import Match, Seat
from games.services.hooks import barred_among, check_taking_part
from games.services.lobby.circle_tables import open_for
from games.services.refusals import Invalid

MOST_MISSED = 4  # weeks in which nobody came, after which the weekly table pauses
ASIDE = timedelta(minutes=10)  # for which one that failed is left alone


def open_now(*, circle_id: int, user: User) -> Match:
    """Open a table for a circle. NotOfCircle, TableOpen, or what a sanction says."""
    check_taking_part(user)
    with transaction.atomic():
        circle = own(circle_id, user)
        if circles.open_table(circle) is not None:
            raise TableOpen
        return _open(circle, None)


def set_weekly(*, circle_id: int, user: User, weekday: int | None, hour: int | None) -> Circle:
    """Have a table open each week at this hour in the member's time zone; None: no more. NotOfCircle, Invalid."""
    if weekday is not None:
        check_taking_part(user)
        if weekday not in range(7) or hour not in range(24):
            raise Invalid(_("Choose a weekday and an hour."))
    with transaction.atomic():
        circle = own(circle_id, user)
        zone = user.time_zone if time_zones.is_zone(user.time_zone) else time_zones.UNKNOWN
        circle.weekday, circle.hour = weekday, hour if weekday is not None else None
        circle.zone = zone if weekday is not None else ""
        _go_on(circle)
    return circle


def pause(*, circle_id: int, user: User, paused: bool) -> Circle:
    """Let the weekly table rest, or go on. NotOfCircle, Invalid if there is none."""
    with transaction.atomic():
        circle = own(circle_id, user)
        if circle.weekday is None:
            raise Invalid(_("Choose a weekday and an hour."))
        if paused:
            circle.paused, circle.next_at = True, None
            circle.save(update_fields=["paused", "next_at"])
        else:
            _go_on(circle)
    return circle


def _go_on(circle: Circle) -> None:
    circle.paused, circle.missed, circle.next_at = False, 0, circle.next_after(clock.now())
    circle.save(update_fields=["weekday", "hour", "zone", "paused", "missed", "next_at"])


def due() -> QuerySet[Circle]:
    """Return the circles whose weekly hour has come, but those set aside; found without a lock."""
    now = clock.now()
    return Circle.objects.filter(next_at__lte=now).exclude(troubled_at__gt=now - ASIDE).order_by("next_at")


def tend(circle_id: int) -> None:
    """Open the weekly table of a circle if its hour has come; twice at once is once, late is once."""
    with transaction.atomic():
        circle = Circle.objects.select_for_update(no_key=True, of=("self",)).filter(pk=circle_id).first()
        now = clock.now()
        if circle is None or circle.next_at is None or circle.next_at > now:
            return
        day = circle.day_of(circle.next_at)
        circle.next_at = circle.next_after(now)
        circle.missed = circle.missed + 1 if _nobody_came(circle) else 0
        if circle.missed >= MOST_MISSED:
            _pause_unused(circle)
        elif circles.open_table(circle) is None and not circle.tables.filter(day=day).exists():
            _open(circle, day)
        circle.save(update_fields=["next_at", "missed", "paused"])


def _nobody_came(circle: Circle) -> bool:
    """Return whether nobody sat down at the last weekly table, whatever became of it."""
    last = circles.last_weekly(circle)
    return last is not None and not Seat.objects.filter(match=last.match_id, user__isnull=False).exists()


def _pause_unused(circle: Circle) -> None:
    """Let the weekly table of a locked circle rest, as nobody has come for long; its members are told."""
    circle.paused, circle.next_at, circle.missed = True, None, 0
    rows = CircleMember.objects.filter(circle=circle, accepted=True).values_list("user", flat=True)
    kind = CircleNews.Kind.PAUSED
    told = [CircleNews(circle=circle, user_id=one, kind=kind) for one in sorted(sql.kept(User, rows))]
    CircleNews.objects.bulk_create(told, ignore_conflicts=True)
    broadcast.clubs_waiting()


def _open(circle: Circle, day: int | None) -> Match:
    """Open a table at which nobody sits yet, to which all who accepted are invited, but who may not play."""
    rows = CircleMember.objects.filter(circle=circle, accepted=True, user__is_active=True).select_related("user")
    people = [row.user for row in rows.order_by("user")]
    barred = barred_among([one.pk for one in people])
    there = sql.kept(User, [one.pk for one in people if one.pk not in barred])
    match = open_for(
        [one for one in people if one.pk in there],
        game_slug=circle.game_slug,
        options=circle.options,
        size=circle.size,
        pace=circle.pace_slug,
        rated=circle.rated,
    )
    CircleTable.objects.create(circle=circle, match=match, day=day)
    return match


def release(circle_id: int) -> None:
    """Note that no sweep fails at it any more."""
    Circle.objects.filter(pk=circle_id, troubled_at__isnull=False).update(troubled_at=None, trouble="")


def put_aside(circle_id: int, error: Exception) -> None:
    """Leave a circle alone for a while, shown to the admins, so that it stops no other."""
    trouble = type(error).__name__  # the message may reveal secrets
    Circle.objects.filter(pk=circle_id).update(troubled_at=clock.now(), trouble=trouble)
