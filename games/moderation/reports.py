"""Reports of members: made once for each thing while it is open, and shown with what was said around it."""

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.texts import clean_text
from games.chat import ChatLine
from games.models import Match, Seat
from games.moderation.models import LONGEST_WORDS, Report
from games.services.refusals import BadTable

OPEN = (Report.State.OPEN, Report.State.TAKEN)
AROUND = 10  # lines before and after a reported one
EARLIER = 20


def report(
    *,
    reporter: User,
    reason: str,
    words: str,
    member: User | None = None,
    match: Match | None = None,
    line: ChatLine | None = None,
) -> Report:
    """Keep a report of a member, a chat line or a match, for the moderators. Twice is once while it is open.

    BadTable for oneself, for a reason there is not, or for "something else" without words.
    """
    words = clean_text(words)
    if line is not None:
        member, match = line.user, line.match
    if member is not None and member.pk == reporter.pk:
        raise BadTable(_("That is yourself."))
    if reason not in Report.Reason:
        raise BadTable(_("Choose a reason."))
    if len(words) > LONGEST_WORDS:
        raise BadTable(_("That is too long: 2,000 characters at most."))
    if reason == Report.Reason.OTHER and not words:
        raise BadTable(_("Say in a few words what it is."))
    with transaction.atomic():
        same = Report.objects.filter(
            reporter=reporter, member=member, match=match, line=line, state__in=OPEN
        ).first()
        return same or Report.objects.create(
            reporter=reporter,
            member=member,
            match=match,
            line=line,
            reason=reason,
            words=words,
            said=line.text if line else "",
        )


def open_to(reader: User, rows: QuerySet[Report]) -> QuerySet[Report]:
    """Return those that this moderator may see: none about themselves or lines not to be read yet."""
    found = rows.exclude(line__in=behind(reader))
    return found if reader.is_superuser else found.exclude(member=reader)


def behind(reader: User) -> list[int]:
    """Return the lines that watchers say of running matches in which the reader sits: not to be read yet."""
    seats = Seat.objects.filter(user=reader, match__status=Match.Status.RUNNING).order_by()
    said = ChatLine.objects.filter(channel=ChatLine.Channel.WATCHERS, match__in=seats.values("match"))
    return list(said.values_list("pk", flat=True))


def lines_around(found: Report, reader: User) -> list[ChatLine]:
    """Return the lines around the reported one, or the last of the reported match, oldest first."""
    if found.line is None:
        if found.match is None:
            return []
        last = ChatLine.objects.filter(match=found.match).exclude(pk__in=behind(reader))
        return list(last.select_related("user").order_by("-pk")[: 2 * AROUND])[::-1]
    there = ChatLine.objects.filter(match_id=found.line.match_id, channel=found.line.channel)
    there = there.exclude(pk__in=behind(reader)).select_related("user")
    before = list(there.filter(pk__lt=found.line.pk).order_by("-pk")[:AROUND])
    return [*before[::-1], *there.filter(pk__gte=found.line.pk).order_by("pk")[: AROUND + 1]]


def earlier(found: Report) -> QuerySet[Report]:
    """Return other reports about the same member or match, the newest first."""
    same = Q(pk__in=[])
    if found.member_id:
        same |= Q(member_id=found.member_id)
    if found.match_id:
        same |= Q(match_id=found.match_id)
    return (
        Report.objects.filter(same).exclude(pk=found.pk).select_related("reporter").order_by("-pk")[:EARLIER]
    )
