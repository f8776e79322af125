"""The only way to lock a club: its row, then the people whom the change concerns, then who belongs to it."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.clubs.services.refusals import (
    FullClub,
    NoClub,
    NotOfClub,
    NotThere,
    OrganisersOnly,
    OwnerOnly,
    TooManyClubs,
    UnconfirmedMember,
)
from games.models import Club, Membership
from games.services import hooks
from games.services.refusals import GuestsCannot, refuse_closed_accounts

MOST_OWNED, MOST_JOINED, MOST_MEMBERS = 3, 20, 500
MOST_WAITING = 200  # who ask to join one club, and who are invited to it
State, Role = Membership.State, Membership.Role


def lock(club_id: int, people: Iterable[User] = ()) -> Club:
    """Return the club, locked until the transaction ends, and with it these people, in the order of their ids.

    Who joins two clubs at once is counted one after the other by their row. NoClub; Invalid when an account was
    closed meanwhile.
    """
    club = Club.objects.select_for_update(no_key=True).filter(pk=club_id).first()
    if club is None:
        raise NoClub
    refuse_closed_accounts(people)
    return club


def of(club: Club, user_id: int | None) -> Membership | None:
    """Return what somebody is to a locked club; None: nothing."""
    return Membership.objects.select_related("user").filter(club=club, user=user_id).first()


def in_state(club: Club, user_id: int, state: str) -> Membership:
    """Return what somebody is to a locked club. NotThere unless it is this."""
    found = of(club, user_id)
    if found is None or found.state != state:
        raise NotThere
    return found


def member(club: Club, user: User) -> Membership:
    """Return the membership of who belongs to a locked club. NotOfClub."""
    found = of(club, user.pk)
    if found is None or not found.is_in:
        raise NotOfClub
    return found


def organiser(club: Club, user: User) -> Membership:
    """Return the membership of who may do what organisers do. NotOfClub, OrganisersOnly."""
    found = member(club, user)
    if not found.organises:
        raise OrganisersOnly
    return found


def owner(club: Club, user: User) -> Membership:
    """Return the membership of the owner. NotOfClub, OwnerOnly."""
    found = member(club, user)
    if found.role != Role.OWNER:
        raise OwnerOnly
    return found


def check_person(user: User) -> None:
    """Refuse guests (GuestsCannot), the unconfirmed (UnconfirmedMember), and whom a sanction keeps from playing."""
    if user.is_guest:
        raise GuestsCannot
    if not user.is_confirmed:
        raise UnconfirmedMember
    hooks.check_taking_part(user)


def check_owns_fewer(user: User, words: str = "") -> None:
    """Refuse (TooManyClubs) who owns as many clubs as one may; their row is locked."""
    if Membership.objects.filter(user=user, state=State.IN, role=Role.OWNER).count() >= MOST_OWNED:
        usual = ngettext("You own %(most)d club already.", "You own %(most)d clubs already.", MOST_OWNED)
        raise TooManyClubs(words or usual % {"most": MOST_OWNED})


def check_belongs_to_fewer(user: User, words: str = "") -> None:
    """Refuse (TooManyClubs) who belongs to as many clubs as one may; their row is locked."""
    if Membership.objects.filter(user=user, state=State.IN).count() >= MOST_JOINED:
        usual = _("You belong to %(most)d clubs already. Leave one first.")
        raise TooManyClubs(words or usual % {"most": MOST_JOINED})


def check_room(club: Club) -> None:
    """Refuse (FullClub) one more member of a locked club."""
    if club.size >= MOST_MEMBERS:
        raise FullClub
