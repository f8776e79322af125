"""Reports by members: one for each subject while it is open, shown with the chat lines around it."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import second_factor
from config.lib import clock
from config.lib.steps import delete_in_steps
from config.lib.texts import clean_text
from games.models import LONGEST_LINE, Audit, ChatLine, Match, Seat
from games.moderation.matches import check_impartial
from games.moderation.models import LONGEST_WORDS, Report, Sanction
from games.moderation.sanctions import in_force
from games.services.operation.admin_actions import note
from games.services.refusals import Invalid, refuse_closed_accounts

OPEN = (Report.State.OPEN, Report.State.TAKEN)
KEPT = timedelta(days=365)  # a closed report; the audit of what was done stays
AROUND = 10  # lines before and after a reported one
MOST_SHOWN = 20  # of other reports, sanctions and audit rows on one page


def report(
    *,
    reporter: User,
    reason: str,
    words: str,
    member: User | None = None,
    match: Match | None = None,
    line: ChatLine | None = None,
    tournament: Any = None,
) -> Report:
    """Store a report of a member, a chat line, a match or a tournament; add to the reporter's open one of it, if any.

    Invalid for oneself, an unknown reason, "something else" without words, and too long a text.
    """
    words = clean_text(words)
    member, match = _concerned(member, match, line, tournament)
    if member is not None and member.pk == reporter.pk:
        raise Invalid(_("You cannot report yourself."))
    if reason not in Report.Reason:
        raise Invalid(_("Choose a reason."))
    if len(words) > LONGEST_WORDS:
        raise Invalid(_("That is too long: 2,000 characters at most."))
    if reason == Report.Reason.OTHER and not words:
        raise Invalid(_("Describe it in a few words."))
    with transaction.atomic():
        refuse_closed_accounts([reporter, *([member] if member else [])])  # and locked, a double click is one report
        same = waiting(reporter=reporter, member=member, match=match, line=line, tournament=tournament)
        if same is not None:  # unless a moderator closes it at this moment
            same = Report.objects.select_for_update().filter(pk=same.pk, state__in=OPEN).first()
        if same is not None:
            return _add(same, reason, words)
        return Report.objects.create(
            reporter=reporter,
            member=member,
            match=match,
            line=line,
            tournament=tournament,
            reason=reason,
            words=words,
            said=_said(line, tournament),
        )


def _concerned(
    member: User | None, match: Match | None, line: ChatLine | None, tournament: Any
) -> tuple[User | None, Match | None]:
    """Return whom a report concerns, and in which match: who wrote the line, who organises the tournament."""
    if line is not None:
        return line.user, line.match
    return (tournament.organiser, None) if tournament is not None else (member, match)


def _said(line: ChatLine | None, tournament: Any) -> str:
    """Return the words that are reported, as they stand now."""
    if tournament is not None:
        return "\n\n".join(filter(None, (tournament.name, tournament.words)))[:LONGEST_LINE]
    return line.text if line else ""


def waiting(
    *,
    reporter: User,
    member: User | None = None,
    match: Match | None = None,
    line: ChatLine | None = None,
    tournament: Any = None,
) -> Report | None:
    """Return the reporter's open report of this subject, if any."""
    member, match = _concerned(member, match, line, tournament)
    about = {"member": member, "match": match, "line": line, "tournament": tournament}
    return Report.objects.filter(reporter=reporter, **about, state__in=OPEN).order_by("pk").first()


def _add(there: Report, reason: str, words: str) -> Report:
    """Add the words to an open report unless it has them. Invalid when they do not fit."""
    label = str(Report.Reason(reason).label)
    news = words if reason == there.reason else ": ".join(filter(None, (label, words)))
    if not news or news in there.words:
        return there
    together = "\n\n".join(filter(None, (there.words, news)))
    left = LONGEST_WORDS - (len(together) - len(words))
    if len(together) > LONGEST_WORDS:
        raise Invalid(
            _("You have already reported this; you can add %(left)d more characters.") % {"left": max(0, left)}
        )
    there.words = together
    there.save(update_fields=["words"])
    return there


def open_to(reader: User, rows: QuerySet[Report]) -> QuerySet[Report]:
    """Return the reports this moderator may see: none of themselves, their matches or hidden chat lines."""
    found = rows.exclude(line__in=behind(reader))
    if reader.is_superuser:
        return found
    own = Seat.objects.filter(user=reader).order_by().values("match")
    return found.exclude(member=reader).exclude(match__in=own)


def told_to(reader: User, rows: QuerySet[Audit]) -> QuerySet[Audit]:
    """Return the audit rows this moderator may see: none about reports and chat lines hidden from them.

    Nor what others noted about them.
    """
    lines = behind(reader)
    rows = rows.exclude(line__in=lines).exclude(report__line__in=lines)
    if reader.is_superuser:
        return rows
    own = Seat.objects.filter(user=reader).order_by().values("match")
    about_them = Q(report__member=reader) | Q(report__match__in=own) | Q(member=reader, deed=Audit.Deed.NOTE)
    return rows.exclude(about_them & ~Q(moderator=reader))


def behind(reader: User) -> list[int]:
    """Return the watchers' chat lines that the reader, who plays in the match, may not read yet."""
    seats = Seat.objects.filter(user=reader, match__status=Match.Status.RUNNING).order_by()
    said = ChatLine.objects.filter(channel=ChatLine.Channel.WATCHERS, match__in=seats.values("match"))
    return list(said.values_list("pk", flat=True))


def date_words(at: datetime) -> str:
    return date_format(timezone.localtime(at), "DATE_FORMAT")


ANYBODY_READS = Q(channel=ChatLine.Channel.WATCHERS, match__access=Match.Access.OPEN)


def may_watch(match: Match, user: Any, session: Any) -> bool:
    """Return whether somebody may look at a private match as its spectators would; a hook (MAY_WATCH).

    Moderators may, once it has begun and while there is a report of it, or of a line in it, and after they have shown
    their second factor, as in the admin.
    """
    if match.status == Match.Status.OPEN or not user.is_authenticated or not user.has_perm("moderation.moderate"):
        return False
    is_reported = Report.objects.filter(match_id=match.pk).exists()
    return is_reported and second_factor.opens_rights(session, user) and not in_force(user, [Sanction.Kind.SUSPENSION])


def _readable_anyway(reader: User) -> Q:
    """Return the condition of the lines that a moderator reads as anybody does, or as a player of the match."""
    return ANYBODY_READS | Q(match__in=Seat.objects.filter(user=reader).order_by().values("match"))


def lines_open_to(reader: User) -> QuerySet[ChatLine]:
    """Return the chat lines this moderator may read: those that anybody reads, and those that were reported.

    Besides, all of a match whose private chat they read for a report that is not closed; the audit has that.
    """
    reported = Q(pk__in=Report.objects.filter(line__isnull=False).values("line"))
    open_reports = Q(report__closed_at=None)
    noted = Audit.objects.filter(open_reports, moderator=reader, deed=Audit.Deed.READ, report__isnull=False)
    wanted = _readable_anyway(reader) | reported | Q(match__in=noted.filter(match__isnull=False).values("match"))
    return ChatLine.objects.filter(wanted).exclude(pk__in=behind(reader))


def read_chat(*, moderator: User, report: Report, reason: str) -> None:
    """Note that a moderator reads the private chat of the match that a report is about. Invalid without one."""
    if not is_chat_closed(report, moderator):
        raise Invalid(_("There is no private chat to read for this report."))
    check_impartial(moderator, report.match_id or 0)
    about: dict[str, Any] = {"report": report, "match_id": report.match_id, "member_id": report.member_id}
    note(moderator, Audit.Deed.READ, reason, **about)


def is_chat_closed(found: Report, reader: User) -> bool:
    """Return whether there is a private chat around a report that this moderator has not said that they read."""
    if found.match_id is None or has_read(found, reader):
        return False
    hidden = (
        ChatLine.objects.filter(match=found.match_id).exclude(_readable_anyway(reader)).exclude(pk__in=behind(reader))
    )
    return hidden.exclude(pk=found.line_id or 0).exists()


def has_read(found: Report, reader: User) -> bool:
    return Audit.objects.filter(moderator=reader, deed=Audit.Deed.READ, report=found).exists()


def lines_around(found: Report, reader: User) -> list[ChatLine]:
    """Return the lines around the reported one, or the last of the reported match, oldest first.

    Of a private chat there is the reported line alone, until the moderator has said that they read it.
    """
    if found.match is None:
        return []
    there = ChatLine.objects.filter(match=found.match).exclude(pk__in=behind(reader)).select_related("user")
    if found.closed_at is not None or not has_read(found, reader):
        there = there.filter(_readable_anyway(reader) | Q(pk=found.line_id or 0))
    if found.line is None:
        return list(there.order_by("-pk")[: 2 * AROUND])[::-1]
    there = there.filter(channel=found.line.channel)
    before = list(there.filter(pk__lt=found.line.pk).order_by("-pk")[:AROUND])
    return [*before[::-1], *there.filter(pk__gte=found.line.pk).order_by("pk")[: AROUND + 1]]


def others(found: Report, reader: User) -> QuerySet[Report]:
    """Return the other reports about the same member, match or tournament that the reader may see, the newest first."""
    same = Q(pk__in=[])
    if found.member_id:
        same |= Q(member_id=found.member_id)
    if found.match_id:
        same |= Q(match_id=found.match_id)
    if found.tournament_id:
        same |= Q(tournament_id=found.tournament_id)
    rows = open_to(reader, Report.objects.filter(same)).exclude(pk=found.pk)
    return rows.select_related("reporter").order_by("-pk")[:MOST_SHOWN]


def forget_old() -> int:
    """Delete the reports that were closed a year ago; return how many."""
    return delete_in_steps(Report.objects.filter(closed_at__lt=clock.now() - KEPT))
