"""How a sanctioned member gets out of matches and tables; what a crash left undone is done by a sweep."""

import structlog
from django.db import transaction

from accounts.models import User
from games.models import Match, Seat
from games.moderation.models import Sanction
from games.services.lobby import closing
from games.services.play.forfeit import forfeit
from games.services.play.locking import lock_match
from games.services.refusals import NotOpen, NotYourSeat

log = structlog.get_logger(__name__)

REPLACING_BOT = "easy"
MANY = 100  # members a sweep


def leave_all(member: User) -> None:
    """Take the member out of all matches and tables, and their invitations with them.

    Each in a transaction of its own: one that fails keeps nobody in the others, and is tried again by
    `finish_bans`.
    """
    seats = Seat.objects.filter(user=member, bot="").exclude(match__status=Match.Status.ENDED)
    for match_id in seats.order_by("match_id").values_list("match_id", flat=True):
        _try(match_id, member, running=True)
    member.invitations.all().delete()


def leave_tables(member: User) -> None:
    """Take the member out of the tables that have not begun, and their invitations with them."""
    seats = Seat.objects.filter(user=member, match__status=Match.Status.OPEN)
    for match_id in seats.order_by("match_id").values_list("match_id", flat=True):
        _try(match_id, member, running=False)
    member.invitations.all().delete()


def finish_bans() -> int:
    """Take banned members out of what they still sit in, and suspended ones from tables; return how many.

    Somebody may have been sitting down in the instant of the ban, or the ban have been interrupted.
    """
    seated = Seat.objects.filter(user__is_active=False, user__is_guest=False, bot="").exclude(
        match__status=Match.Status.ENDED
    )
    held = Sanction.objects.filter(kind=Sanction.Kind.BAN, ended_at=None, member__in=seated.values("user"))
    people = User.objects.filter(pk__in=held.values("member"))[:MANY]
    for member in people:
        leave_all(member)
    return len(people)


def _try(match_id: int, member: User, *, running: bool) -> None:
    try:
        _leave(match_id, member, running=running)
    except Exception:  # one bad match keeps nobody in the others
        log.exception("seat not left", match=match_id)


def _leave(match_id: int, member: User, *, running: bool) -> None:
    """Take the member out of a match that has not ended; in a running one, if wanted, a bot plays on."""
    try:
        closing.leave(match_id=match_id, user=member)
    except NotOpen:
        with transaction.atomic():
            match, seats = lock_match(match_id)
            seat = next((one for one in seats if one.user_id == member.pk and one.is_in), None)
            if running and match.status == Match.Status.RUNNING and seat is not None:
                forfeit(match, seats, seat, bot=REPLACING_BOT, ending=Match.Ending.RESIGNED)
    except NotYourSeat:  # left meanwhile
        return
