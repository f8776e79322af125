"""Keeps apart who blocked whom: they sit down at no new table together. Matches that have begun go on."""

from collections.abc import Iterable, Sequence

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.people import blocks_between, kept_from
from games import broadcast
from games.models import Invitation, Match, Seat
from games.services.locking import Person
from games.services.refusals import BadTable, HasBlocked, KeptApart


def refuse_apart(user: User, seats: Sequence[Seat]) -> None:
    """Refuse a member who is kept apart from somebody here: HasBlocked by their own wish, else KeptApart."""
    between = blocks_between(user.pk, [seat.user_id for seat in seats])
    if any(blocker == user.pk for blocker, _blocked in between):
        raise HasBlocked
    if between:
        raise KeptApart


def refuse_invitation(user: Person, guest: User, seats: Sequence[Seat]) -> None:
    """Refuse (HasBlocked, KeptApart) to ask somebody to a table where they cannot sit."""
    between = blocks_between(guest.pk, [user.pk, *(seat.user_id for seat in seats)])
    if any(blocker == user.pk for blocker, _blocked in between):
        raise HasBlocked(_("You have blocked %(name)s. Unblock them to play with them.") % {"name": guest})
    if between:
        raise KeptApart(_("%(name)s cannot be invited to this table.") % {"name": guest})


def welcome(creator: User, invited: Iterable[User]) -> list[User]:
    """Return those of the invited members from whom nothing keeps the creator apart."""
    guests = list(invited)
    apart = kept_from(creator.pk, [guest.pk for guest in guests])
    return [guest for guest in guests if guest.pk not in apart]


def check_guests(creator: User, invited: Sequence[User]) -> None:
    """Refuse (BadTable, with their names) to ask members from whom the creator is kept apart."""
    asked = welcome(creator, invited)
    names = ", ".join(guest.username for guest in invited if guest not in asked)
    if names:
        raise BadTable(_("These members cannot be invited by you: %(names)s.") % {"names": names})


def part(blocker: User, blocked: User) -> None:
    """Take back the invitations by which one would meet the other; a hook of accounts (ON_BLOCK)."""
    for one, other in ((blocker, blocked), (blocked, blocker)):
        meets = Q(match__creator=other) | Q(match__seats__user=other)
        asked = Invitation.objects.filter(meets, user=one, match__status=Match.Status.OPEN).distinct()
        for invitation in list(asked.select_related("match")):
            invitation.delete()
            broadcast.match_changed(invitation.match_id, invitation.match.version, people=[one.pk])
