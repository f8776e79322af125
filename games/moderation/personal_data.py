"""What moderation stores about a person: the data export, and what happens to it when an account closes."""

import re
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.names import may_name, unnamed
from config.lib import clock
from config.lib.steps import delete_in_steps
from games.models import Audit, Seat
from games.moderation.members import shut_out
from games.moderation.models import Appeal, Report, Sanction, Trace
from games.moderation.queue import outcome
from games.moderation.removal import leave_after_commit
from games.moderation.reports import OPEN
from games.moderation.sanctions import (
    SILENCING,
    address_mark,
    address_marks,
    all_in_force,
    in_force,
    typed_mark,
)
from games.services.people.personal_data import forget_mentions

REMEMBERED = timedelta(days=365)  # at most, sanctions of a closed account
TRACED = timedelta(days=30)  # at most, beside traces of its network range and device
ARROW = " → "  # between a member's old name and the new one, in the audit


def moderation_data(user: User) -> dict[str, Any]:
    """Return the person's reports, sanctions and traces; a hook (DATA_EXPORTS).

    Reports about them are left out, as they could reveal who made them.
    """
    made = Report.objects.filter(reporter=user).select_related("tournament").order_by("pk")
    return {
        "reports_made": [
            {"at": one.at.isoformat(), "reason": one.reason, "words": one.words, "state": one.state}
            | {"answer": outcome(one), "tournament": one.tournament and one.tournament.name}
            for one in made
        ],
        "sanctions": [
            {"kind": one.kind, "at": one.at.isoformat(), "until": one.until and one.until.isoformat()}
            | {"reason": one.reason, "mark": one.mark}
            for one in Sanction.objects.filter(member=user).order_by("pk")
        ],
        "appeals": [
            {"at": one.at.isoformat(), "words": one.words, "state": one.state, "answer": one.answer}
            for one in Appeal.objects.filter(sanction__member=user).order_by("pk")
        ],
        "traces": [
            {"kind": one.kind, "mark": one.mark, "on": one.on.isoformat()}
            for one in Trace.objects.filter(member=user).order_by("pk")
        ],
    }


def take_over_sanctions(guest: User, member: User) -> None:
    """Have the member keep what was imposed on the guest who they were; a hook (ON_GUEST_JOINS)."""
    Sanction.objects.filter(member=guest).update(member=member)
    Report.objects.filter(member=guest).update(member=member)
    Audit.objects.filter(member=guest).update(member=member)


def forget_member(user: User) -> None:
    """Remove the person's name and texts from reports and the audit; a hook (ON_ACCOUNT_CLOSING).

    Reports about them stay without the name; open ones, like sanctions in force, are kept for whoever
    confirms the same address again. As a name may be an ordinary word, audit and reports lose it only in rows
    that concern the person, sanctions everywhere, and no row older than the account is changed.
    """
    _keep_sanctions(user)
    renamed = Audit.objects.filter(member=user, deed=Audit.Deed.RENAME).order_by("pk")
    former = {row.details.partition(ARROW)[0]: row.at for row in renamed if ARROW in row.details}
    for name, until in former.items():
        forget_mentions(name, since=user.date_joined, until=until)
    renamed.update(details="")
    Report.objects.filter(reporter=user).update(words="")
    about = Report.objects.filter(member=user)
    about.update(said="")
    about.filter(state__in=OPEN).update(mark=address_mark(user.email))
    for name in {user.username, *former}:
        _forget_name(user, name)


def _forget_name(user: User, name: str) -> None:
    """Remove a name of the person from audit, reports and sanctions written since they joined."""
    with_them = Q(match__in=Seat.objects.filter(user=user).order_by().values("match"))
    involved = Q(member=user) | Q(report__reporter=user) | Q(report__member=user) | with_them
    since = Q(at__gte=user.date_joined)
    _unname(Audit.objects.filter(involved, since), ("reason", "details"), name)
    _unname(Report.objects.filter(with_them | Q(member=user), since), ("words", "said", "answer"), name)
    _unname(Sanction.objects.filter(since), ("reason",), name)


def _unname(rows: QuerySet[Any], fields: tuple[str, ...], name: str) -> None:
    named = reduce(or_, (may_name(field, name) for field in fields))
    for row in rows.filter(named).order_by("pk"):
        found = {field: getattr(row, field) for field in fields}
        without = {field: unnamed(text, name) for field, text in found.items()}
        if without != found:
            type(row)._default_manager.filter(pk=row.pk).update(**without)


def _keep_sanctions(user: User) -> None:
    """Keep the person's sanctions in force for a year at most, by hashes of their addresses.

    Otherwise closing the account and signing up again would end a suspension. Beside a confirmed address they wait
    for whoever confirms it; beside what is no proof (an address that was only typed, the traces of their last days)
    they are a hint for moderators.
    """
    last = clock.now() + REMEMBERED
    typed = EmailAddress.objects.filter(user=user, verified=False).values_list("email", flat=True)
    hints = {typed_mark(address): last for address in typed}
    hints |= dict.fromkeys(Trace.objects.filter(member=user).values_list("mark", flat=True), clock.now() + TRACED)
    name = re.compile(re.escape(user.username), re.IGNORECASE)
    for one in in_force(user, SILENCING):
        sure = dict.fromkeys({one.mark, address_mark(user.email)} - {""}, last)
        for mark, latest in (hints | sure).items():
            words, until = name.sub("…", one.reason), min(one.until or latest, latest)
            facts = {"reason": words, "until": until, "by": one.by, "to_ban": one.to_ban}
            Sanction.objects.get_or_create(member=None, mark=mark, kind=one.kind, at=one.at, defaults=facts)


def take_up_sanctions(user: User, address: str) -> None:
    """Apply what is in force against a confirmed address, however it is written; a hook (ON_ADDRESS_CONFIRMED).

    What waits since an account was closed becomes the member's; what holds another account of the same mailbox holds
    this one too.
    """
    marks = address_marks(address)
    with transaction.atomic():
        found = list(Sanction.objects.filter(member=None, mark__in=marks, until__gt=clock.now()))
        for one in found:  # the same sanction, kept by another mark of theirs
            Sanction.objects.filter(member=None, kind=one.kind, at=one.at).exclude(pk=one.pk).delete()
        Sanction.objects.filter(pk__in=[one.pk for one in found]).update(member=user)
        Sanction.objects.filter(member=user, kind=Sanction.Kind.BAN).update(until=None)
        for other in all_in_force().filter(member__isnull=False, mark__in=marks).exclude(member=user):
            facts = {name: getattr(other, name) for name in ("mark", "reason", "until", "by", "to_ban")}
            one, _made = Sanction.objects.get_or_create(member=user, kind=other.kind, at=other.at, defaults=facts)
            found.append(one)
        if marks:
            Report.objects.filter(member=None, mark__in=marks, state__in=OPEN).update(member=user, mark="")
    kinds = {one.kind for one in found}
    if Sanction.Kind.BAN in kinds:
        shut_out(user)
    elif Sanction.Kind.SUSPENSION in kinds:
        leave_after_commit(user, running=False)


def forget_sanctions() -> int:
    """Delete expired sanctions of closed accounts; return how many."""
    return delete_in_steps(Sanction.objects.filter(member=None, until__lt=clock.now()))
