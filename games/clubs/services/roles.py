"""Who may do what in a club: organisers, the owner, who is kept out; and that a club never is without an owner."""

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from accounts.models import User
from games.clubs.models import News
from games.clubs.services import joining, making, notices
from games.clubs.services.locking import (
    MOST_OWNED,
    Role,
    State,
    check_owns_fewer,
    in_state,
    lock,
    organiser,
    owner,
)
from games.clubs.services.refusals import NoClub, OrganisersOnly, OwnsIt
from games.models import Club, Membership
from games.services.refusals import Invalid

log = structlog.get_logger(__name__)
Kind = News.Kind
BATCH = 100  # memberships that a sweep ends


def remove(*, club_id: int, user: User, member_id: int) -> User:
    """Remove somebody, who is kept out from then on; organisers by the owner alone. Return them.

    NoClub, NotOfClub, OrganisersOnly, OwnerOnly, NotThere; Invalid for oneself.
    """
    with transaction.atomic():
        club = lock(club_id)
        organiser(club, user)
        found = in_state(club, member_id, State.IN)
        if found.user_id == user.pk:
            raise Invalid(_("That is you: you may leave the club."))
        if found.role == Role.OWNER:
            raise OrganisersOnly(_("Nobody removes the owner of a club."))
        if found.role == Role.ORGANISER:
            owner(club, user)
        joining.keep_out(club, found)
        notices.forget(club, member_id, *(kind for kind in Kind if kind != Kind.REMOVED))
        notices.note(club, Kind.REMOVED, [member_id])
    return found.user


def let_back(*, club_id: int, user: User, member_id: int) -> User:
    """Keep somebody out no longer; they may join again as everybody else. Return them.

    NoClub, NotOfClub, OrganisersOnly, NotThere.
    """
    with transaction.atomic():
        club = lock(club_id)
        organiser(club, user)
        found = in_state(club, member_id, State.OUT)
        found.delete()
    return found.user


def make_organiser(*, club_id: int, user: User, member_id: int, wish: bool) -> User:
    """Make a member an organiser, or an organiser a member again; return them. NoClub, NotOfClub, OwnerOnly, NotThere.

    Invalid for the owner.
    """
    with transaction.atomic():
        club = lock(club_id)
        owner(club, user)
        found = in_state(club, member_id, State.IN)
        if found.role == Role.OWNER:
            raise Invalid(_("The owner may do all that organisers may."))
        role = Role.ORGANISER if wish else Role.MEMBER
        if found.role != role:
            _set_role(found, role)
            notices.forget(club, member_id, Kind.ORGANISER)
            if wish:
                notices.note(club, Kind.ORGANISER, [member_id])
    return found.user


def hand_over(*, club_id: int, user: User, member_id: int) -> User:
    """Make somebody else who belongs to it the owner of a club; who owned it is an organiser then. Return the new one.

    NoClub, NotOfClub, OwnerOnly, NotThere, TooManyClubs; OwnsIt for oneself.
    """
    with transaction.atomic():
        club = lock(club_id, User.objects.filter(pk=member_id))
        mine = owner(club, user)
        found = in_state(club, member_id, State.IN)
        if found.pk == mine.pk:
            raise OwnsIt(_("You own this club already."))
        words = _("%(name)s owns %(most)d clubs already.") % {"name": found.user.username, "most": MOST_OWNED}
        check_owns_fewer(found.user, words)
        _set_role(mine, Role.ORGANISER)
        _make_owner(club, found)
    return found.user


def _make_owner(club: Club, found: Membership) -> None:
    _set_role(found, Role.OWNER)
    notices.forget(club, found.user_id, Kind.ORGANISER)
    notices.note(club, Kind.OWNER, [found.user_id])


def _set_role(found: Membership, role: str) -> None:
    found.role = role
    found.save(update_fields=["role"])


def part(club: Club, user_id: int) -> None:
    """End what somebody is to a locked club; if they own it, it passes on, or is dissolved when nobody is left."""
    found = Membership.objects.filter(club=club, user=user_id).first()
    if found is None:
        return
    was_owner = found.role == Role.OWNER
    joining.let_go(club, found)
    if was_owner:
        _pass_on(club)


def _pass_on(club: Club) -> None:
    """Make the longest-serving organiser of a locked club its owner, else the longest-serving member."""
    left = Membership.objects.filter(club=club, state=State.IN, user__is_active=True).order_by("since", "pk")
    heir = left.filter(role=Role.ORGANISER).first() or left.first()
    if heir is None:
        making.take_down(club)
    else:
        _make_owner(club, heir)


def part_banned() -> int:
    """End what banned people are to clubs, each club in a transaction of its own; return how many rows were seen."""
    rows = list(banned().values_list("club", "user")[:BATCH])
    for club_id, user_id in rows:
        try:
            with transaction.atomic():
                part(lock(club_id), user_id)
        except NoClub:  # dissolved since
            continue
        except Exception:  # the others are parted nevertheless
            log.exception("banned member not parted from a club", club=club_id)
    return len(rows)


def banned() -> QuerySet[Membership]:
    """Return what banned people still are to clubs."""
    barred = import_string(settings.WHO_IS_BARRED)()
    gone = Q(user__in=barred) & Q(user__is_active=False)
    return Membership.objects.filter(gone).exclude(state=State.OUT).order_by("club", "user")
