"""Removing a sanctioned member from matches and tables; a sweep finishes what a crash interrupted."""

from functools import partial
from typing import Any

import structlog
from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games import broadcast
from games.models import Match, Seat, StandingChallenge
from games.moderation.models import Sanction
from games.moderation.sanctions import all_in_force
from games.services.lobby import closing
from games.services.play.forfeit import BOT_AFTER_SANCTION, forfeit
from games.services.play.locking import lock_match
from games.services.refusals import NotOpen, NotYourSeat

log = structlog.get_logger(__name__)
BATCH = 100  # members per sweep


def leave_after_commit(member: User, *, running: bool) -> None:
    """Have the member leave their tables, and running matches if so, once the sanction is committed.

    Match by match: in its transaction all matches would be locked, after the member's row, which moves lock last.
    """
    transaction.on_commit(partial(leave_all if running else leave_tables, member), robust=True)


def leave_all(member: User) -> None:
    """Remove the member from all matches and tables, with their invitations; `finish_bans` retries."""
    seats = Seat.objects.filter(user=member, bot="").exclude(match__status=Match.Status.ENDED)
    _leave_each(seats, member, running=True)


def leave_tables(member: User) -> None:
    """Remove the member from the tables that have not begun, with their invitations."""
    _leave_each(Seat.objects.filter(user=member, match__status=Match.Status.OPEN), member, running=False)


def _leave_each(seats: QuerySet[Seat], member: User, *, running: bool) -> None:
    """Leave each match in a transaction of its own, so that one that fails does not block the others."""
    for match_id in seats.order_by("match_id").values_list("match_id", flat=True):
        try:
            _leave(match_id, member, running=running)
        except Exception:
            log.exception("seat not left", match=match_id)
    member.invitations.all().delete()
    ended, _by_model = StandingChallenge.objects.filter(member=member).delete()
    if ended:
        broadcast.lobby_changed()


def finish_bans() -> int:
    """Remove banned members from seats they still hold, suspended ones from tables, both with their challenges.

    Returns how many members. They may have taken a seat, or offered to play, at the moment of the sanction, or the
    leaving may have been interrupted.
    """
    seated = Seat.objects.filter(user__is_active=False, bot="")
    seated = seated.exclude(match__status=Match.Status.ENDED)
    banned = _members_under(Sanction.Kind.BAN, seated)
    for member in banned:
        leave_all(member)
    suspended = _members_under(Sanction.Kind.SUSPENSION, Seat.objects.filter(match__status=Match.Status.OPEN))
    suspended += _members_under(Sanction.Kind.SUSPENSION, StandingChallenge.objects.all(), "member")
    for member in dict.fromkeys(suspended):
        leave_tables(member)
    return len(banned) + len(set(suspended))


def _members_under(kind: Sanction.Kind, rows: QuerySet[Any], whose: str = "user") -> list[User]:
    """Return whose rows these are, of members under such a sanction and of their bots."""
    theirs = rows.filter(**{f"{whose}__isnull": False})
    held = all_in_force().filter(kind=kind, member__in=theirs.values(whose))
    found = list(User.objects.filter(pk__in=held.values("member"))[:BATCH])
    owners = all_in_force().filter(
        kind=kind, member__in=theirs.filter(**{f"{whose}__owner__isnull": False}).values(f"{whose}__owner")
    )
    bots = User.objects.filter(owner__in=owners.values("member"), pk__in=theirs.values(whose))
    return [*found, *bots[:BATCH]]


def _leave(match_id: int, member: User, *, running: bool) -> None:
    """Remove the member from an open table or, if `running`, a running match, where a bot plays on."""
    try:
        closing.leave(match_id=match_id, user=member)
    except NotOpen:
        with transaction.atomic():
            match, seats = lock_match(match_id)
            seat = next((one for one in seats if one.user_id == member.pk and one.is_in), None)
            if running and match.status == Match.Status.RUNNING and seat is not None:
                forfeit(match, seats, seat, bot=BOT_AFTER_SANCTION, ending=Match.Ending.RESIGNED)
    except NotYourSeat:  # left in the meantime
        return
