"""Which published months do not say any more what they should: they are made again by `making`.

Months are marked in their order, so that two who mark several never wait for each other in a circle.
"""

from datetime import UTC, date

from django.db.models.functions import TruncMonth

from accounts.models import User
from config.lib import clock
from games.models import Match, RecordMonth, Seat
from games.services.records.lines import month_of


def mark(*, first: date, last: date | None = None) -> None:
    """Have the months from `first` to `last` (without it to now) made again."""
    found = RecordMonth.objects.filter(month__gte=first)
    if last is not None:
        found = found.filter(month__lte=last)
    _mark(list(found.order_by("month").values_list("pk", flat=True)))


def _mark(months: list[int]) -> None:
    for number in months:
        RecordMonth.objects.filter(pk=number).update(stale_at=clock.now())


def names_changed(user: User) -> None:
    """Have those months made again in which this person played in public; a hook (ON_NAME_IN_RECORDS).

    Also called when they are renamed, or close their account, while their seats still name them.
    """
    played = Seat.objects.order_by().filter(
        user=user, match__status=Match.Status.ENDED, match__access=Match.Access.OPEN, match__ended_at__isnull=False
    )
    months = {
        moment.date() for moment in played.values_list(TruncMonth("match__ended_at", tzinfo=UTC), flat=True).distinct()
    }
    found = RecordMonth.objects.filter(month__in=months).order_by("month")
    _mark(list(found.values_list("pk", flat=True)))


def match_voided(match: Match) -> None:
    """Have the month of a match made again that was voided, or is valid again; a hook (ON_MATCH_VOIDED)."""
    month = month_of(match)
    if month is not None and match.is_public:
        mark(first=month, last=month)


def match_reopened(match: Match) -> None:
    """Have the months made again in one of which a match stood that goes on; a hook (ON_MATCH_REOPENED).

    When it had ended is not known any more: not before it started.
    """
    if match.is_public and match.started_at is not None:
        mark(first=match.started_at.date().replace(day=1))
