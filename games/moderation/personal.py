"""What moderation holds about a person: for the file of their data; and without a name, when they go."""

import re
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from config import clock
from games.moderation.models import Audit, Report, Sanction, Trace
from games.moderation.out import leave_tables
from games.moderation.sanctions import SILENCING, address_mark, in_force
from games.moderation.services import shut_out

REMEMBERED = timedelta(days=365)  # for how long a closed account's sanctions wait for their member at most
OPEN = (Report.State.OPEN, Report.State.TAKEN)


def moderation_data(user: User) -> dict[str, Any]:
    """Return what the person reported, what was imposed on them, and the traces of the week (DATA_EXPORTS).

    What others reported about them is not theirs: it would tell who did.
    """
    made = Report.objects.filter(reporter=user).order_by("pk")
    return {
        "reports_made": [
            {"at": one.at.isoformat(), "reason": one.reason, "words": one.words, "state": one.state}
            for one in made
        ],
        "sanctions": [
            {
                "kind": one.kind,
                "at": one.at.isoformat(),
                "until": one.until and one.until.isoformat(),
                "reason": one.reason,
                "mark": one.mark,
            }
            for one in Sanction.objects.filter(member=user).order_by("pk")
        ],
        "traces": [
            {"kind": one.kind, "mark": one.mark, "on": one.on.isoformat()}
            for one in Trace.objects.filter(member=user).order_by("pk")
        ],
    }


def forget_member(user: User) -> None:
    """Take the person's name and words out of reports and the audit; a hook (ON_ACCOUNT_CLOSING).

    Reports by and about them lose their words, open ones about them are closed: there is nobody left to act
    on. The audit keeps who did what when and why, without the name. What is in force waits for them.
    """
    _keep_sanctions(user)
    theirs = Report.objects.filter(Q(reporter=user) | Q(member=user))
    theirs.filter(member=user, state__in=OPEN).update(state=Report.State.DISMISSED, closed_at=clock.now())
    theirs.update(words="", said="")
    name = re.compile(rf"(?<!\w){re.escape(user.username)}(?!\w)", re.IGNORECASE)
    named = Q(reason__icontains=user.username) | Q(details__icontains=user.username)
    for row in Audit.objects.filter(named | Q(member=user, deed=Audit.Deed.RENAME)).order_by("pk"):
        details = (
            "" if row.member_id == user.pk and row.deed == Audit.Deed.RENAME else name.sub("…", row.details)
        )
        Audit.objects.filter(pk=row.pk).update(reason=name.sub("…", row.reason), details=details)
    for report in Report.objects.filter(Q(words__icontains=user.username) | Q(said__icontains=user.username)):
        words, said = name.sub("…", report.words), name.sub("…", report.said)
        Report.objects.filter(pk=report.pk).update(words=words, said=said)


def _keep_sanctions(user: User) -> None:
    """Have what is in force on the person wait, for a year at most, for who confirms one of their addresses.

    Otherwise closing the account and signing up anew would end a suspension. The address itself is not kept.
    """
    last = clock.now() + REMEMBERED
    name = re.compile(re.escape(user.username), re.IGNORECASE)
    for one in in_force(user, SILENCING):
        for mark in {one.mark, address_mark(user.email)} - {""}:
            facts = {"reason": name.sub("…", one.reason), "until": min(one.until or last, last)}
            Sanction.objects.get_or_create(member=None, mark=mark, kind=one.kind, at=one.at, defaults=facts)


def take_up_sanctions(user: User, address: str) -> None:
    """Lay on the member what waits for the address that they confirmed; a hook (ON_ADDRESS_CONFIRMED)."""
    with transaction.atomic():
        waiting = Sanction.objects.filter(member=None, mark=address_mark(address), until__gt=clock.now())
        found = list(waiting)
        for one in found:  # what waits by another address of theirs is the same one
            Sanction.objects.filter(member=None, kind=one.kind, at=one.at).exclude(pk=one.pk).delete()
        Sanction.objects.filter(pk__in=[one.pk for one in found]).update(member=user)
        Sanction.objects.filter(member=user, kind=Sanction.Kind.BAN).update(until=None)
    kinds = {one.kind for one in found}
    if Sanction.Kind.BAN in kinds:
        shut_out(user)
    elif Sanction.Kind.SUSPENSION in kinds:
        leave_tables(user)


def forget_sanctions() -> int:
    """Delete what waited for a member who did not come back in time; return how many."""
    return Sanction.objects.filter(member=None, until__lt=clock.now()).delete()[0]
