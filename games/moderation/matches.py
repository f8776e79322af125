"""What moderators do to chat lines and matches; each action leaves a row in the audit."""

from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from config.lib import clock
from games import broadcast
from games.models import Audit, ChatLine, Kind, Match, Membership, Seat
from games.moderation import members
from games.moderation.models import Report
from games.services import hooks
from games.services.clocks import adjustments
from games.services.lobby import closing
from games.services.mail import notices
from games.services.operation.admin_actions import note
from games.services.play.forfeit import BOT_AFTER_SANCTION, forfeit
from games.services.play.locking import lock_match
from games.services.play.match_transaction import finish, save_all
from games.services.refusals import Invalid, Refused

Deed = Audit.Deed


class Partial(Refused):
    """A moderator who sits in a match does not decide about it."""

    status = 403
    sentence = gettext_lazy("You play in this match: leave it to another moderator.")


def plays_or_played(user: User) -> QuerySet[Seat]:
    """Return the seats in which this person sits, or sat until a substitute took over."""
    return Seat.objects.filter(Q(user=user) | Q(absentee=user))


def check_impartial(moderator: User, match_id: int) -> None:
    """Raise Partial if the moderator, unless an admin, sits or sat in the match."""
    if not moderator.is_superuser and plays_or_played(moderator).filter(match_id=match_id).exists():
        raise Partial


def check_impartial_in_club(moderator: User, club_id: int | None) -> None:
    """Raise Partial if the moderator, unless an admin, owns or organises the club."""
    roles = (Membership.Role.OWNER, Membership.Role.ORGANISER)
    if not moderator.is_superuser and Membership.objects.filter(club=club_id, user=moderator, role__in=roles).exists():
        raise Partial(_("You organise this club: leave it to another moderator."))


def hide(*, moderator: User, line: ChatLine, reason: str, report: Report | None = None, hidden: bool = True) -> None:
    """Hide a chat line from everybody; with `hidden` False, show it again."""
    if line.match_id is not None:
        check_impartial(moderator, line.match_id)
    else:
        check_impartial_in_club(moderator, line.club_id)
    deed = Deed.HIDE if hidden else Deed.UNHIDE
    about: dict[str, Any] = {
        "line": line,
        "match_id": line.match_id,
        "member_id": line.user_id,
        "report": report,
    }
    with transaction.atomic():
        note(moderator, deed, reason, **about)
        ChatLine.objects.filter(pk=line.pk).update(hidden=hidden)
        if line.match_id is not None:
            broadcast.chat_changed(line.match_id)


unhide = partial(hide, hidden=False)


def end_match(*, moderator: User, match: Match, reason: str, report: Report | None = None) -> None:
    """End a match without result; an open table closes. Invalid when it has ended."""
    with transaction.atomic():
        check_impartial(moderator, match.pk)
        note(moderator, Deed.END, reason, match=match, report=report)
        _end(match.pk)


def _end(match_id: int) -> None:
    match, seats = lock_match(match_id)
    if match.status == Match.Status.ENDED:
        raise Invalid(_("This match has ended already."))
    if match.status == Match.Status.OPEN:
        closing.close(match, seats)
        return
    _mark_voided(match)
    finish(match, seats, Match.Ending.CALLED_OFF)
    save_all(match, seats)


def _mark_voided(match: Match) -> None:
    match.voided_at = clock.now()
    match.save(update_fields=["voided_at"])


def void(*, moderator: User, match: Match, reason: str, report: Report | None = None) -> None:
    """Void a match: its rating changes are reversed by new rows; a running match just ends.

    Its players get a mail, and its page says so. Invalid for an open table and for a match voided before.
    """
    with transaction.atomic():
        check_impartial(moderator, match.pk)
        locked, seats = lock_match(match.pk)
        counts = locked.started_at is not None and locked.ending != Match.Ending.CALLED_OFF
        if locked.voided_at is not None or not counts:
            raise Invalid(_("This match does not count: there is nothing to undo."))
        note(moderator, Deed.VOID, reason, match=match, report=report)
        if locked.status == Match.Status.ENDED:
            _mark_voided(locked)
            hooks.match_voided(locked)
            notices.note(locked, Kind.VOIDED, [seat.user_id for seat in seats if seat.user_id])
            save_all(locked, seats)
        else:
            _end(match.pk)


def replace_seat(*, moderator: User, match: Match, seat: int, reason: str, report: Report | None = None) -> None:
    """Give a person's seat in a running match to a bot for good, as if they had resigned.

    Partial; Staff and Opponent, as it is done to that person, too.
    """
    with transaction.atomic():
        check_impartial(moderator, match.pk)
        locked, seats = lock_match(match.pk)
        if locked.status != Match.Status.RUNNING:
            raise Invalid(_("This match is not running."))
        if not 0 <= seat < len(seats) or not seats[seat].is_in:
            raise Invalid(_("No person plays in that seat."))
        if (person := seats[seat].user) is not None:
            members.check_impartial(moderator, person)
        about: dict[str, Any] = {"match": match, "member_id": seats[seat].user_id, "report": report}
        note(moderator, Deed.REPLACE, reason, details=f"{seat + 1}", **about)
        forfeit(locked, seats, seats[seat], bot=BOT_AFTER_SANCTION, ending=Match.Ending.RESIGNED)


def give_time(*, moderator: User, match: Match, hours: int, reason: str, report: Report | None = None) -> None:
    """Add hours to the clock of everybody who is to move in a match. Invalid when no clock runs."""
    with transaction.atomic():
        check_impartial(moderator, match.pk)
        if not adjustments.give_time(match_id=match.pk, amount=timedelta(hours=hours)):
            raise Invalid(_("It is nobody’s move in this match."))
        note(moderator, Deed.TIME, reason, match=match, report=report, details=f"{hours} h")
