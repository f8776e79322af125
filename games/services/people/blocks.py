"""What a block does: the two cannot join a new table together. Matches that have begun go on."""

from collections.abc import Iterable, Sequence
from contextlib import suppress

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import blocked_among, blocks_between
from games import broadcast
from games.models import Invitation, Match, Seat
from games.services.lobby import closing
from games.services.play.locking import Person
from games.services.refusals import BlockedByOther, HasBlocked, Invalid, NotOpen, NotYourSeat


def refuse_blocked(user: User, seats: Sequence[Seat]) -> None:
    """Refuse a member blocked by, or blocking (HasBlocked), somebody seated here. BlockedByOther."""
    between = blocks_between(user.pk, [seat.user_id for seat in seats])
    if any(blocker == user.pk for blocker, _blocked in between):
        raise HasBlocked
    if between:
        raise BlockedByOther


def refuse_pair(user: User, other: User) -> None:
    """Refuse (HasBlocked, BlockedByOther) two members whom a block keeps apart."""
    between = blocks_between(user.pk, [other.pk])
    if any(blocker == user.pk for blocker, _blocked in between):
        raise HasBlocked(_("You have blocked %(name)s. Unblock them to play with them.") % {"name": other})
    if between:
        raise BlockedByOther


def refuse_invitation(user: Person, guest: User, seats: Sequence[Seat]) -> None:
    """Refuse (HasBlocked, BlockedByOther) to invite somebody to a table that a block closes to them."""
    between = blocks_between(guest.pk, [user.pk, *(seat.user_id for seat in seats)])
    if any(blocker == user.pk for blocker, _blocked in between):
        raise HasBlocked(_("You have blocked %(name)s. Unblock them to play with them.") % {"name": guest})
    if between:
        raise BlockedByOther(_("%(name)s cannot be invited to this table.") % {"name": guest})


def without_blocked(creator: User, invited: Iterable[User]) -> list[User]:
    """Return the invited members whom no block separates from the creator."""
    guests = list(invited)
    apart = blocked_among(creator.pk, [guest.pk for guest in guests])
    return [guest for guest in guests if guest.pk not in apart]


def check_guests(creator: User, invited: Sequence[User]) -> None:
    """Refuse (Invalid, with names) to invite members whom a block separates from the creator."""
    asked = without_blocked(creator, invited)
    names = ", ".join(guest.username for guest in invited if guest not in asked)
    if names:
        raise Invalid(_("You cannot invite these members: %(names)s.") % {"names": names})


def withdraw_invitations(blocker: User, blocked: User) -> None:
    """Delete the invitations by which one would meet the other; a hook of accounts (ON_BLOCK)."""
    meets = Q()
    for one, other in ((blocker, blocked), (blocked, blocker)):
        meets |= Q(user=one) & (Q(match__creator=other) | Q(match__seats__user=other))
    asked = Invitation.objects.filter(meets, match__status=Match.Status.OPEN).distinct()
    for invitation in list(asked.select_related("match").order_by("pk")):  # in one order: the other may block, too
        invitation.delete()
        broadcast.seat_lost(invitation.match_id, invitation.user_id)
        broadcast.match_changed(invitation.match_id, invitation.match.version, people=[invitation.user_id])


def leave_shared_matches(blocker: User, blocked: User) -> None:
    """Make one leave each open table of both, the blocker only if it is not theirs (hook ON_BLOCK)."""
    theirs = Seat.objects.filter(user=blocked, match__status=Match.Status.OPEN).values("match")
    both = Seat.objects.filter(user=blocker, match__in=theirs).select_related("match").order_by("match_id")
    for seat in both:
        goes = blocked if seat.match.creator_id == blocker.pk else blocker
        with suppress(NotOpen, NotYourSeat):  # it has just begun, or they left
            closing.leave(match_id=seat.match_id, user=goes)
