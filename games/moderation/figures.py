"""What moderators did in the last months, in figures for everybody: no names, no cases."""

from datetime import UTC, datetime
from typing import Any

from django.db.models import Count, QuerySet
from django.db.models.functions import TruncMonth
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models import Audit
from games.moderation.models import Appeal, Report

MONTHS = 12
Deed = Audit.Deed
HEADS = {
    "reports": _("Reports"),
    "settled": _("Settled"),
    "dismissed": _("Dismissed"),
    "warn": _("Warnings"),
    "mute": _("Mutes"),
    "suspend": _("Suspensions"),
    "ban": _("Bans"),
    "lift": _("Lifted"),
    "hide": _("Chat lines hidden"),
    "void": _("Matches voided"),
    "granted": _("Appeals granted"),
    "refused": _("Appeals refused"),
}
COUNTED = (Deed.WARN, Deed.MUTE, Deed.SUSPEND, Deed.BAN, Deed.LIFT, Deed.HIDE, Deed.VOID)


def months() -> list[dict[str, Any]]:
    """Return the last twelve months, the present one first, each with its figures in the order of HEADS."""
    first = _first_day(MONTHS - 1)
    counted = {
        "reports": _by_month(Report.objects.filter(at__gte=first), "at"),
        "settled": _by_month(Report.objects.filter(state=Report.State.SETTLED, closed_at__gte=first), "closed_at"),
        "dismissed": _by_month(Report.objects.filter(state=Report.State.DISMISSED, closed_at__gte=first), "closed_at"),
        "granted": _by_month(_decided(Appeal.State.GRANTED, first), "decided_at"),
        "refused": _by_month(_decided(Appeal.State.REFUSED, first), "decided_at"),
        **{str(deed): _by_month(Audit.objects.filter(deed=deed, at__gte=first), "at") for deed in COUNTED},
    }
    starts = [_first_day(back) for back in range(MONTHS)]
    return [{"start": start, "figures": [counted[name].get(start, 0) for name in HEADS]} for start in starts]


def _decided(state: str, first: datetime) -> QuerySet[Appeal]:
    return Appeal.objects.filter(state=state, decided_at__gte=first)


def _first_day(back: int) -> datetime:
    """Return the start, in UTC, of the month that lies so many months back."""
    now = clock.now()
    number = now.year * 12 + now.month - 1 - back
    return datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC)


def _by_month(rows: QuerySet[Any], field: str) -> dict[datetime, int]:
    month = TruncMonth(field, tzinfo=UTC)
    return dict(rows.order_by().annotate(month=month).values_list("month").annotate(Count("pk")))
