"""What the admin's lists must hide of running matches with secrets: time-outs and open questions."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Kind, Seat, TimeOut
from games.queries.secrecy import secret_matches
from games.table import unsettled

# Kinds of mail that show who was asked, or whose clock ran low or out.
TELLING = (Kind.TURN, Kind.REMINDER, Kind.REMINDER2, Kind.PLAYED, Kind.VACATION, Kind.ABSENT)


def secret_time_outs() -> Q:
    """Return the condition of the time-outs that must stay hidden, in running matches with secrets.

    They are those of seats that play on, and of lost seats until the match's page shows it (`Seat.left_at`).
    """
    lost = Seat.objects.filter(match=OuterRef("match"), number=OuterRef("seat"), absent=True)
    told = Exists(lost.exclude(pk__in=[seat.pk for seat in _untold_absences()]))
    return secret_matches("match__") & (Q(kind=TimeOut.Kind.PLAYED) | Q(kind=TimeOut.Kind.ABSENT) & ~Q(told))


def _absent() -> QuerySet[Seat]:
    return Seat.objects.filter(secret_matches("match__"), absent=True).order_by()


def _untold_absences() -> list[Seat]:
    found = _absent().filter(left_at__gt=0).select_related("match").defer("match__setup_draws", "match__server_seed")
    return [
        seat
        for seat in found.iterator(500)
        if seat.left_at is not None and seat.left_at > seat.match.turns - unsettled(seat.match)
    ]


def secret_mails() -> Q:
    """Return the condition of the mails whose kind stays hidden: it tells as much as the clocks do."""
    return secret_matches("match__") & Q(kind__in=TELLING)


def secret_calls() -> Q:
    """Return the condition of the calls of webhooks that must stay hidden, as they say who is asked."""
    return Q(match__isnull=False) & secret_matches("match__") & Q(kind__in=TELLING)


def secret_replies() -> Q:
    """Return the condition of the replies by mail that must stay hidden, as they say who has answered."""
    return secret_matches("match__")
