"""Clubs with their members as rows, for tests of what clubs play: how members come and go is tested elsewhere."""

from django.db import transaction
from django.utils.module_loading import import_string

from accounts.models import User
from config import hooks
from games.models import Club, Match, Membership
from tests.factories import opened, seated

IN, OUT, ROLE = Membership.State.IN, Membership.State.OUT, Membership.Role


def club_of(owner: User, *members: User, name: str = "Dice at Dawn", access: str = Club.Access.OPEN) -> Club:
    """Return a club of these people, the first its owner."""
    club = Club.objects.create(name=name, skeleton=name.casefold(), access=access, size=1 + len(members))
    Membership.objects.create(club=club, user=owner, role=ROLE.OWNER)
    Membership.objects.bulk_create(Membership(club=club, user=one) for one in members)
    return club


def organises(club: Club, member: User) -> None:
    """Make somebody an organiser of the club."""
    Membership.objects.filter(club=club, user=member).update(role=ROLE.ORGANISER)


def removed(club: Club, member: User) -> None:
    """Keep somebody out of the club, with all that this does."""
    with transaction.atomic():
        Membership.objects.filter(club=club, user=member).update(state=OUT, role=ROLE.MEMBER)
        for path in hooks.ON_LEAVING_CLUB:
            import_string(path)(club.pk, member.pk)


def club_table(club: Club, creator: User, **wishes) -> Match:
    """Return an open table for members of the club."""
    return opened(creator, access=Match.Access.CLUB, club=club, **wishes)


def club_match(club: Club, *people: User, **wishes) -> Match:
    """Return a running match of members of the club, which is theirs to watch."""
    return seated(*people, access=Match.Access.CLUB, club=club, **wishes)
