"""The members to whom a mail may be due: found by query, many at once, and who of them may be mailed now."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import DurationField, Exists, Func, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from accounts import queries
from accounts.models import User
from accounts.services import visits
from config.lib import time_zones
from games.clocks import times_of
from games.models import TOPIC_OF, Kind, Mail, Match, Notice, Seat, unheard
from games.services.push import devices

SETTLED = timedelta(seconds=20)  # a younger question may be about to be answered
AWAY = timedelta(minutes=5)  # since the last visit; before that the pages are enough
LAST_CALL = timedelta(hours=2)
MS = timedelta(milliseconds=1)
LONGEST_QUARTER = timedelta(days=4)  # more than any quarter: lets the query use an index
MANY = 500  # members that are read at once
LATELY, NEAR = timedelta(minutes=12), timedelta(hours=1)  # asked within, and runs out within: that is new
UNSENT = (Mail.State.DROPPED, Mail.State.FAILED)

_MAIL_OFF = Cast("user__mail_off", TextField())
_BY_MAIL = Q(mail_broken_at__isnull=True) & ~Q(email="")
READERS = Q(is_active=True, is_guest=False) & (_BY_MAIL | Q(devices.can_be_called("pk")))
_NO_MAIL = Q(user__mail_broken_at__isnull=False) | Q(user__email="")
_UNREACHED = (
    Q(user__is_active=False) | Q(user__is_guest=True) | (_NO_MAIL & ~Q(devices.can_be_called("user_id")))
)  # all others, of rows that lead to a member


class QuarterOf(Func):
    """A quarter of a column of milliseconds as a duration, which SQLite stores in microseconds."""

    template = "(%(expressions)s * interval '250 microseconds')"
    output_field = DurationField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template="(%(expressions)s * 250)", **extra)


def candidates(now: datetime, after: int, *, whole: bool) -> Iterator[User]:
    """Yield the members with something due who may be mailed now: those after `after`, then the others."""
    waiting = Notice.objects.filter(mail__isnull=True, unread=False)
    waiting.filter(_UNREACHED).delete()
    asked = _asked(now, whole=whole)
    ids = sorted({*set().union(*asked.values()), *_noted(), *_daily(now)}, key=lambda pk: (pk <= after, pk))
    for start in range(0, len(ids), MANY):
        found = User.objects.filter(READERS).in_bulk(ids[start : start + MANY])
        part = [found[pk] for pk in ids[start : start + MANY] if pk in found]
        seen = visits.last(user.pk for user in part)
        last_call = asked[Kind.REMINDER2]
        yield from (user for user in part if may_be_mailed(user, seen.get(user.pk), now, last=user.pk in last_call))


def open_seats(user: User | None = None) -> QuerySet[Seat]:
    """Return the seats with an open question: of one person, or of all."""
    seats = Seat.objects.order_by().filter(ask__isnull=False, bot="", match__status=Match.Status.RUNNING)
    return seats.filter(user=user) if user else seats.filter(user__isnull=False)


def _asked(now: datetime, *, whole: bool = True) -> dict[Kind, set[int]]:
    """Return by kind of mail who has an open question about which such a mail is due; `sweep` says what is whole."""
    soon, farthest = Q(deadline__gt=now), now + (LONGEST_QUARTER if whole else NEAR)
    new = Q() if whole else Q(asked_at__gt=now - LATELY)
    due = {
        Kind.TURN: new & Q(asked_at__lte=now - SETTLED),
        Kind.REMINDER: soon & Q(deadline__lte=farthest) & Q(deadline__lte=now + QuarterOf("bank")),
        Kind.REMINDER2: soon & Q(deadline__lte=now + LAST_CALL, bank__gt=LAST_CALL / MS),
    }
    people: dict[Kind, set[int]] = {}
    for kind, condition in due.items():
        same = {name: OuterRef(name) for name in ("user_id", "match_id", "ask")}
        told = Notice.objects.filter(kind=kind, **same)
        seats = (
            open_seats()
            .exclude(_UNREACHED)
            .exclude(_told_otherwise())
            .alias(off=_MAIL_OFF)
            .exclude(off__contains=f'"{TOPIC_OF[kind]}"')
            .exclude(notices__in=unheard(kind))
        )
        people[kind] = set(seats.filter(condition).exclude(Exists(told)).values_list("user_id", flat=True))
    return people


def _told_otherwise() -> Q:
    """Return the condition that a seat's member gets one mail a day, or had the one until their next visit."""
    sent = Mail.objects.filter(user=OuterRef("user"), created_at__gt=OuterRef("user__seen_at"), expires_at=None)
    until_visit = Q(Exists(sent.exclude(state__in=UNSENT)), user__mail_rhythm=User.Rhythm.VISIT)
    return Q(user__mail_rhythm=User.Rhythm.DAILY) | until_visit


def _noted() -> Iterable[int]:
    waiting = Notice.objects.filter(mail__isnull=True).alias(off=_MAIL_OFF)
    for_mail = waiting.exclude(unread=True, off__contains=f'"{TOPIC_OF[Kind.MENTIONED]}"')
    own = Seat.objects.filter(user=OuterRef("user"), match=OuterRef("match"), notices__in=unheard(Kind.MENTIONED))
    for_mail = for_mail.exclude(Exists(own), unread=True)
    return for_mail.values_list("user_id", flat=True).distinct()


def _daily(now: datetime) -> Iterable[int]:
    """Return whose digest is due by the day and hour of their zone, as `digest_day` says: not all who want one."""
    due = Q()
    for (day, hour), zones in time_zones.by_hour(now).items():
        here = Q(time_zone__in=zones)
        if (day, hour) == (now.date(), now.hour):  # UTC's, and that of zones which this machine does not know
            here |= ~Q(time_zone__in=time_zones.known())
        due |= here & Q(digest_hour__lte=hour) & (Q(digest_on__isnull=True) | Q(digest_on__lt=day))
    return User.objects.filter(READERS, due, mail_rhythm=User.Rhythm.DAILY).values_list("pk", flat=True)


def is_visiting(user: User, seen: datetime | None, now: datetime) -> bool:
    """Return whether the member is on the site, or was a moment ago; `seen` is their last recorded visit."""
    visited = max(filter(None, (seen, user.seen_at)), default=None)
    return visited is not None and now - visited < AWAY


def may_be_mailed(user: User, seen: datetime | None, now: datetime, *, last: bool) -> bool:
    """Return whether a mail may be sent now: not in quiet hours, nor to a visitor, but for the `last` reminder."""
    if times_of(user).is_quiet(now) or (is_visiting(user, seen, now) and not last):
        return False
    return user.mail_rhythm != User.Rhythm.DAILY or digest_day(user, now) is not None


def digest_day(user: User, now: datetime) -> date | None:
    """Return the local day for which the member's digest is due now; None when it is not."""
    there = queries.local(user, now)
    if there.hour < user.digest_hour or (user.digest_on is not None and user.digest_on >= there.date()):
        return None
    return there.date()
