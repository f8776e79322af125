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
from games.models import LONGEST_LINE, Audit, ChatLine, Club, Match, Seat
from games.moderation.matches import check_impartial, check_impartial_in_club
from games.moderation.models import LONGEST_WORDS, Report, Sanction
from games.moderation.sanctions import in_force
from games.queries.clubs import club_ids_of
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
    club: Club | None = None,
    tournament: Any = None,
) -> Report:
    """Store a report of a member, a chat line, a match, a club or a tournament; add to the reporter's open one of it.

    Invalid for oneself or a bot of one's own, an unknown reason, "something else" without words, and too long a text.
    """
    words = clean_text(words)
    subject = _subject(member, match, line, club, tournament)
    member = subject["member"]
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
        same = _waiting(reporter, subject)
        if same is not None:  # unless a moderator closes it at this moment
            same = Report.objects.select_for_update().filter(pk=same.pk, state__in=OPEN).first()
        if same is not None:
            return _add(same, reason, words)
        said = _as_it_stood(line, club, tournament)
        return Report.objects.create(reporter=reporter, **subject, reason=reason, words=words, said=said)


def _subject(
    member: User | None, match: Match | None, line: ChatLine | None, club: Club | None, tournament: Any
) -> dict[str, Any]:
    """Return what a report is of, whom it concerns, and where: a line's writer, a tournament's organiser.

    It concerns the owner of a bot, beside whom the bot is named.
    """
    if line is not None:
        member, match, club = line.user, line.match, line.club
    if tournament is not None:
        member, match = tournament.organiser, None
    bot = member if member is not None and member.is_bot else None
    concerned = bot.owner if bot is not None else member
    about = {"member": concerned, "bot": bot, "match": match, "line": line}
    return about | {"club": club, "tournament": tournament}


def _as_it_stood(line: ChatLine | None, club: Club | None, tournament: Any) -> str:
    """Return the reported line, or what the reported club or tournament said of itself, as far as there is room."""
    if line is not None:
        return line.text
    told = tournament or club
    return "\n\n".join(filter(None, (told.name, told.words)))[:LONGEST_LINE] if told is not None else ""


def waiting(
    *,
    reporter: User,
    member: User | None = None,
    match: Match | None = None,
    line: ChatLine | None = None,
    club: Club | None = None,
    tournament: Any = None,
) -> Report | None:
    """Return the reporter's open report of this subject, if any."""
    return _waiting(reporter, _subject(member, match, line, club, tournament))


def _waiting(reporter: User, subject: dict[str, Any]) -> Report | None:
    return Report.objects.filter(reporter=reporter, state__in=OPEN, **subject).order_by("pk").first()


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
    """Return the condition of the lines that a moderator reads as anybody does, or as one of the match or club."""
    own = Q(match__in=Seat.objects.filter(user=reader).order_by().values("match"))
    return ANYBODY_READS | own | Q(club__in=club_ids_of(reader))


def lines_open_to(reader: User) -> QuerySet[ChatLine]:
    """Return the chat lines this moderator may read: those that anybody reads, and those that were reported.

    Besides, all of a match or club whose private chat they read for a report that is not closed; the audit has that.
    """
    reported = Q(pk__in=Report.objects.filter(line__isnull=False).values("line"))
    open_reports = Q(report__closed_at=None)
    noted = Audit.objects.filter(open_reports, moderator=reader, deed=Audit.Deed.READ, report__isnull=False)
    wanted = _readable_anyway(reader) | reported | Q(match__in=noted.filter(match__isnull=False).values("match"))
    wanted |= Q(club__in=noted.filter(report__club__isnull=False).values("report__club"))
    return ChatLine.objects.filter(wanted).exclude(pk__in=behind(reader))


def read_chat(*, moderator: User, report: Report, reason: str) -> None:
    """Note that a moderator reads the private chat of the match or club of a report. Invalid without one."""
    if not is_chat_closed(report, moderator):
        raise Invalid(_("There is no private chat to read for this report."))
    check_impartial(moderator, report.match_id or 0)
    check_impartial_in_club(moderator, report.club_id)
    about: dict[str, Any] = {"report": report, "match_id": report.match_id, "member_id": report.member_id}
    note(moderator, Audit.Deed.READ, reason, **about)


def is_chat_closed(found: Report, reader: User) -> bool:
    """Return whether there is a private chat around a report that this moderator has not said that they read."""
    there = _chat_of(found)
    if there is None or has_read(found, reader):
        return False
    hidden = there.exclude(_readable_anyway(reader)).exclude(pk__in=behind(reader))
    return hidden.exclude(pk=found.line_id or 0).exists()


def _chat_of(found: Report) -> QuerySet[ChatLine] | None:
    """Return the lines of the match or club that a report is about; None when it is about neither."""
    if found.match_id is not None:
        return ChatLine.objects.filter(match=found.match_id)
    return ChatLine.objects.filter(club=found.club_id) if found.club_id is not None else None


def has_read(found: Report, reader: User) -> bool:
    return Audit.objects.filter(moderator=reader, deed=Audit.Deed.READ, report=found).exists()


def lines_around(found: Report, reader: User) -> list[ChatLine]:
    """Return the lines around the reported one, or the last of the reported match or club, oldest first.

    Of a private chat there is the reported line alone, until the moderator has said that they read it.
    """
    chat = _chat_of(found)
    if chat is None:
        return []
    there = chat.exclude(pk__in=behind(reader)).select_related("user")
    if found.closed_at is not None or not has_read(found, reader):
        there = there.filter(_readable_anyway(reader) | Q(pk=found.line_id or 0))
    if found.line is None:
        return list(there.order_by("-pk")[: 2 * AROUND])[::-1]
    there = there.filter(channel=found.line.channel)
    before = list(there.filter(pk__lt=found.line.pk).order_by("-pk")[:AROUND])
    return [*before[::-1], *there.filter(pk__gte=found.line.pk).order_by("pk")[: AROUND + 1]]


def others(found: Report, reader: User) -> QuerySet[Report]:
    """Return the other reports about the same subject that the reader may see, the newest first."""
    same = Q(pk__in=[])
    if found.member_id:
        same |= Q(member_id=found.member_id)
    if found.match_id:
        same |= Q(match_id=found.match_id)
    if found.club_id:
        same |= Q(club_id=found.club_id)
    if found.tournament_id:
        same |= Q(tournament_id=found.tournament_id)
    rows = open_to(reader, Report.objects.filter(same)).exclude(pk=found.pk)
    return rows.select_related("reporter").order_by("-pk")[:MOST_SHOWN]


def forget_old() -> int:
    """Delete the reports that were closed a year ago; return how many."""
    return delete_in_steps(Report.objects.filter(closed_at__lt=clock.now() - KEPT))
