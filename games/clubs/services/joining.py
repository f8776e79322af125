"""Coming to a club and leaving it: joining, asking, invitations, and their answers."""

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import blocks_between, member_named
from config.lib import clock
from games.clubs.models import News
from games.clubs.services import notices
from games.clubs.services.locking import (
    MOST_JOINED,
    MOST_WAITING,
    Role,
    State,
    check_belongs_to_fewer,
    check_person,
    check_room,
    in_state,
    lock,
    member,
    of,
    organiser,
)
from games.clubs.services.refusals import ByInvitation, FullClub, NotThere, NotWelcome, OwnerBlocked, OwnsIt
from games.models import ChatLine, Club, Membership
from games.services.lobby.inviting import unwished
from games.services.refusals import BlockedByOther, HasBlocked, Invalid, NotAsked

Kind = News.Kind


def join(*, club_id: int, user: User, token: str = "") -> Membership:
    """Join a club: one that is open, one that invites the person, or any by its link; else ask to join.

    Return what they are to it then; who belongs to it already, or has asked, is left as they are. NoClub,
    GuestsCannot, UnconfirmedMember, CannotWrite, NotWelcome, OwnerBlocked, ByInvitation, FullClub, TooManyClubs.
    """
    check_person(user)
    with transaction.atomic():
        club = lock(club_id, [user])
        found = of(club, user.pk)
        if found is not None and found.is_in:
            return found
        _check_welcome(club, user, found)
        invited = found is not None and found.state == State.INVITED
        if invited or club.access == Club.Access.OPEN or (token and token == club.token):
            return admit(club, user, found)
        if club.access == Club.Access.INVITATION:
            raise ByInvitation
        return found if found is not None else _ask(club, user)


def _check_welcome(club: Club, user: User, found: Membership | None) -> None:
    """Refuse who is kept out (NotWelcome), or parted from the owner by a block (NotWelcome, OwnerBlocked)."""
    if found is not None and found.state == State.OUT:
        raise NotWelcome
    owners = Membership.objects.filter(club=club, role=Role.OWNER).values_list("user", flat=True)
    between = blocks_between(user.pk, owners)
    if any(blocker == user.pk for blocker, _blocked in between):
        raise OwnerBlocked
    if between:
        raise NotWelcome


def _ask(club: Club, user: User) -> Membership:
    """Note that somebody asks to join a locked club; its organisers are mailed once while some wait."""
    waiting = Membership.objects.filter(club=club, state=State.ASKED)
    if waiting.count() >= MOST_WAITING:
        raise FullClub(_("Too many people ask to join this club at the moment. Try it again later."))
    if not waiting.exists():
        tellers = Membership.objects.filter(club=club, role__in=(Role.OWNER, Role.ORGANISER))
        notices.note(club, Kind.ASKED, tellers.values_list("user", flat=True), by=user)
    return Membership.objects.create(club=club, user=user, state=State.ASKED)


def admit(club: Club, user: User, found: Membership | None) -> Membership:
    """Let somebody who wants to into a locked club; their row is locked. FullClub, TooManyClubs."""
    check_room(club)
    check_belongs_to_fewer(user)
    row = found or Membership(club=club, user=user)
    row.state, row.role, row.since = State.IN, Role.MEMBER, clock.now()
    row.seen = ChatLine.objects.filter(club=club).aggregate(last=Max("pk"))["last"] or 0  # what was said before is read
    row.save()
    _count(club, 1)
    notices.forget(club, user.pk, Kind.INVITED, Kind.REFUSED, Kind.REMOVED)
    return row


def _count(club: Club, more: int) -> None:
    Club.objects.filter(pk=club.pk).update(size=F("size") + more)
    club.size += more


def withdraw(*, club_id: int, user: User) -> None:
    """Ask no more to join a club, or decline its invitation. NoClub."""
    with transaction.atomic():
        club = lock(club_id)
        Membership.objects.filter(club=club, user=user, state__in=(State.ASKED, State.INVITED)).delete()
        notices.forget(club, user.pk, Kind.INVITED)


def leave(*, club_id: int, user: User) -> Club:
    """Leave a club. NoClub, NotOfClub, OwnsIt."""
    with transaction.atomic():
        club = lock(club_id)
        found = member(club, user)
        if found.role == Role.OWNER:
            raise OwnsIt
        let_go(club, found)
    return club


def let_go(club: Club, found: Membership) -> None:
    """Delete what somebody is to a locked club, whose size says so."""
    was_in, user_id = found.is_in, found.user_id
    found.delete()
    if was_in:
        _gone(club, user_id)


def keep_out(club: Club, found: Membership) -> None:
    """Have somebody who belongs to a locked club belong to it no longer, nor join it again by themselves."""
    found.state, found.role, found.since = State.OUT, Role.MEMBER, clock.now()
    found.save(update_fields=["state", "role", "since"])
    _gone(club, found.user_id)


def _gone(club: Club, user_id: int) -> None:
    """Have a locked club, and what hangs on belonging to it, know that somebody belongs to it no longer."""
    _count(club, -1)
    notices.forget(club, user_id, Kind.MENTIONED)
    for path in settings.ON_LEAVING_CLUB:
        import_string(path)(club.pk, user_id)


def invite(*, club_id: int, user: User, name: str) -> User:
    """Invite the member of that name; who has asked to join is let in. Return them.

    NoClub, NotOfClub, OrganisersOnly, UnconfirmedMember, CannotWrite, FullClub, TooManyClubs, HasBlocked,
    BlockedByOther, NotAsked; Invalid when there is nobody of that name, or they belong to it or are kept out.
    """
    guest = member_named(name.strip())
    if guest is None:
        raise Invalid(_("There is no member named %(names)s.") % {"names": name.strip()[:40]})
    check_person(user)
    with transaction.atomic():
        club = lock(club_id, [user, guest])
        organiser(club, user)
        found = of(club, guest.pk)
        names = {"name": guest.username}
        if found is not None and found.is_in:
            raise Invalid(_("%(name)s belongs to this club already.") % names)
        if found is not None and found.state == State.OUT:
            raise Invalid(_("%(name)s is kept out of this club. Lift that first.") % names)
        if found is not None and found.state == State.ASKED:
            _let_in(club, found)
            return guest
        _check_invitable(club, user, guest)
        if found is None:
            Membership.objects.create(club=club, user=guest, state=State.INVITED)
            notices.note(club, Kind.INVITED, [guest.pk], by=user)
    return guest


def _check_invitable(club: Club, user: User, guest: User) -> None:
    """Refuse who is parted from the host or the owner by a block, takes no invitations, or one too many."""
    names = {"name": guest.username}
    owners = Membership.objects.filter(club=club, role=Role.OWNER).values_list("user", flat=True)
    between = blocks_between(guest.pk, [user.pk, *owners])
    if (user.pk, guest.pk) in between:
        raise HasBlocked(_("You have blocked %(name)s. Unblock them to play with them.") % {"name": guest})
    if between:
        raise BlockedByOther(_("%(name)s cannot be invited to this club.") % names)
    if guest.is_bot:
        raise NotAsked(_("%(name)s is a bot: clubs are for people.") % names)
    if why := unwished(user, guest):
        raise NotAsked(why)
    check_room(club)
    if Membership.objects.filter(club=club, state=State.INVITED).count() >= MOST_WAITING:
        raise FullClub(_("Many people have not answered their invitations yet. Withdraw some first."))


def let_in(*, club_id: int, user: User, asker_id: int) -> Membership:
    """Let somebody in who asked to join. NoClub, NotOfClub, OrganisersOnly, NotThere, FullClub, TooManyClubs."""
    with transaction.atomic():
        club = lock(club_id, User.objects.filter(pk=asker_id))
        organiser(club, user)
        return _let_in(club, in_state(club, asker_id, State.ASKED))


def _let_in(club: Club, found: Membership) -> Membership:
    owners = Membership.objects.filter(club=club, role=Role.OWNER).values_list("user", flat=True)
    if blocks_between(found.user_id, owners):  # set since they asked
        raise NotThere(_("%(name)s cannot join this club.") % {"name": found.user.username})
    words = _("%(name)s belongs to %(most)d clubs already.") % {"name": found.user.username, "most": MOST_JOINED}
    check_belongs_to_fewer(found.user, words)
    row = admit(club, found.user, found)
    notices.note(club, Kind.LET_IN, [found.user_id])
    return row


def refuse(*, club_id: int, user: User, asker_id: int) -> None:
    """Do not let somebody in who asked to join; they are told. NoClub, NotOfClub, OrganisersOnly, NotThere."""
    with transaction.atomic():
        club = lock(club_id)
        organiser(club, user)
        in_state(club, asker_id, State.ASKED).delete()
        notices.note(club, Kind.REFUSED, [asker_id])


def take_back(*, club_id: int, user: User, guest_id: int) -> None:
    """Withdraw an invitation. NoClub, NotOfClub, OrganisersOnly, NotThere."""
    with transaction.atomic():
        club = lock(club_id)
        organiser(club, user)
        in_state(club, guest_id, State.INVITED).delete()
        notices.forget(club, guest_id, Kind.INVITED)
