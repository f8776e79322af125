"""The queue of reports: taken by one moderator, closed with an answer to the reporter, reopened."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import structlog
from django.db import models, transaction
from django.db.models import BigIntegerField, Case, Count, F, Min, Q, QuerySet, When, Window
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.services.mail import send_to
from config.lib import clock
from games.clocks import times_of
from games.models import Audit
from games.moderation import reports
from games.moderation.matches import check_impartial, check_impartial_in_club
from games.moderation.models import Report
from games.services.operation.admin_actions import note
from games.services.refusals import Invalid

log = structlog.get_logger(__name__)
Deed = Audit.Deed
STATES = {
    Deed.TAKE: Report.State.TAKEN,
    Deed.OVER: Report.State.TAKEN,
    Deed.REOPEN: Report.State.TAKEN,
    Deed.SETTLE: Report.State.SETTLED,
    Deed.DISMISS: Report.State.DISMISSED,
}
CLOSING = (Deed.SETTLE, Deed.DISMISS)
TRIED_FOR = timedelta(days=3)  # how long a mail is retried
BATCH = 100  # mails per run: whose reader sleeps holds up nobody


class Reply(models.TextChoices):
    """What a reporter is told when a report is closed, in the reporter's own language."""

    ACTED = "acted", gettext_lazy("We looked into it and acted on it. Thank you for telling us.")
    UNFOUNDED = "unfounded", gettext_lazy("We looked into it and found nothing that is against the rules of the site.")
    KNOWN = "known", gettext_lazy("It had been dealt with already. Thank you all the same.")
    WATCHED = "watched", gettext_lazy("It is not enough to act on. We keep an eye on it: please report what follows.")
    BLOCK = "block", gettext_lazy("We cannot settle this for you. You can mute or block this person yourself.")


USUAL = {Deed.SETTLE: Reply.ACTED, Deed.DISMISS: Reply.UNFOUNDED}


def deeds_for(report: Report, moderator: User) -> list[str]:
    """Return what this moderator can do with a report, as it stands."""
    if report.closed_at is not None:
        return [Deed.REOPEN]
    if report.taken_by_id is not None and report.taken_by_id != moderator.pk:
        return [Deed.OVER]
    return [*CLOSING] if report.taken_by_id else [Deed.TAKE, *CLOSING]


def set_state(
    *,
    moderator: User,
    report: Report,
    deed: str,
    reason: str,
    reply: str = "",
    answer: str = "",
    together: bool = False,
) -> None:
    """Take, settle, dismiss or reopen a report; with `together`, all that wait about the same member.

    Of two moderators who take it at once, one does. Invalid when it is closed, or another has it.
    """
    with transaction.atomic():
        rows = _locked(moderator, report, together=together and report.member_id is not None)
        first = next(row for row in rows if row.pk == report.pk)
        _check(first, deed, moderator)
        for row in rows:
            if row is not first and deed not in deeds_for(row, moderator):
                continue
            if row.match_id is not None:
                check_impartial(moderator, row.match_id)
            check_impartial_in_club(moderator, row.club_id)
            note(moderator, deed, reason, report=row, member_id=row.member_id, match_id=row.match_id)
            _set(row, Deed(deed), moderator, reply, answer)


def _locked(moderator: User, report: Report, *, together: bool) -> list[Report]:
    wanted = Q(pk=report.pk)
    if together:
        seen = reports.open_to(moderator, Report.objects.filter(member_id=report.member_id, state__in=reports.OPEN))
        wanted |= Q(pk__in=list(seen.order_by().values_list("pk", flat=True)))
    return list(Report.objects.select_for_update().filter(wanted).order_by("pk"))


def _check(report: Report, deed: str, moderator: User) -> None:
    """Raise Invalid in words when the report has moved on since the page was shown."""
    if deed in deeds_for(report, moderator):
        return
    if deed == Deed.REOPEN:
        raise Invalid(_("This report is open."))
    if report.closed_at is not None:
        raise Invalid(_("This report is closed."))
    if report.taken_by_id == moderator.pk:
        raise Invalid(_("You have already taken this report."))
    if report.taken_by is None:
        raise Invalid(_("Nobody has taken this report."))
    words = _("%(name)s has taken this report. If they cannot see to it, take it over first.")
    raise Invalid(words % {"name": report.taken_by.username})


def _set(report: Report, deed: Deed, moderator: User, reply: str, answer: str) -> None:
    is_closing = deed in CLOSING
    report.state, report.taken_by = STATES[deed], moderator
    report.closed_at, report.told_at = clock.now() if is_closing else None, None
    report.reply = (reply or USUAL[deed].value) if is_closing else ""
    report.answer = answer if is_closing else ""
    report.save(update_fields=["state", "taken_by", "closed_at", "told_at", "reply", "answer"])


def waiting_about(report: Report, moderator: User) -> int:
    """Return how many other reports about the same member wait, of those that this moderator sees."""
    if report.member_id is None:
        return 0
    seen = reports.open_to(moderator, Report.objects.filter(member_id=report.member_id, state__in=reports.OPEN))
    return seen.exclude(pk=report.pk).count()


def outcome(report: Report) -> str:
    """Return what became of a report, for who made it, in the active language."""
    if report.closed_at is None:
        taken = report.state == Report.State.TAKEN
        return _("A moderator is looking into it.") if taken else _("It waits for a moderator.")
    if report.reply in Reply:
        return " ".join(filter(None, (str(Reply(report.reply).label), report.answer)))
    return _("It is closed.")


def subject(report: Report) -> str:
    """Return what a report is about, in the active language."""
    if report.tournament is not None:
        return _("tournament: %(name)s") % {"name": report.tournament.name}
    if report.member is not None:
        return report.member.username
    if report.match_id is not None:
        return _("match %(number)d") % {"number": report.match_id}
    if report.club is not None:
        return _("the club “%(name)s”") % {"name": report.club.name}
    if report.said:  # of a closed account it is gone: so this was a club, which is dissolved
        return _("the club “%(name)s”") % {"name": report.said.partition("\n")[0]}
    return _("former member")


def _mail_words(report: Report) -> str:
    words = _("You reported this: %(subject)s, on %(date)s. %(outcome)s")
    date = reports.date_words(report.at)
    return words % {"subject": subject(report), "date": date, "outcome": outcome(report)}


def mail_outcomes() -> int:
    """Post the due mails to reporters whose reports were closed, each once; return how many."""
    posted = 0
    for report in _due().select_related("reporter", "member").order_by("pk"):
        if posted == BATCH:
            break
        if report.reporter is None or times_of(report.reporter).is_quiet(clock.now()):
            continue
        try:
            posted += _mail(report, report.reporter)
        except Exception:
            log.exception("mail not made", report=report.pk)
    return posted


def _mail(report: Report, reporter: User) -> bool:
    with transaction.atomic():
        mine = _due().filter(pk=report.pk).update(told_at=clock.now())
        if mine:
            words = lazy(_mail_words, str)(report)
            send_to(reporter, "moderation/mail/report", {"words": words}, kind="report")
    return bool(mine)


def _due() -> QuerySet[Report]:
    reachable = Q(reporter__isnull=False, reporter__mail_broken_at=None) & ~Q(reporter__email="")
    return Report.objects.filter(reachable, told_at=None, closed_at__gt=clock.now() - TRIED_FOR).exclude(reply="")


def made_by(user: User) -> QuerySet[Report]:
    """Return the reports of a member, the newest first."""
    return Report.objects.filter(reporter=user).select_related("member").order_by("-pk")


def grouped(rows: QuerySet[Report]) -> QuerySet[Report]:
    """Return reports with the oldest of those about the same (`first`), and how many these are (`about`)."""
    nobody = Case(When(match__isnull=True, then=-F("pk")), default=F("match_id"), output_field=BigIntegerField())
    alone = Case(When(member__isnull=True, then=nobody), output_field=BigIntegerField())
    same: Sequence[Any] = [F("member"), alone]
    return rows.annotate(first=Window(Min("pk"), partition_by=same), about=Window(Count("pk"), partition_by=same))
