"""Clubs by the services that members use, and what is read of them."""

from accounts.models import User
from games.clubs.services import joining, making, talking
from games.models import ChatLine, Club, Membership

OPEN, REQUEST, INVITATION = Club.Access.OPEN, Club.Access.REQUEST, Club.Access.INVITATION


def made(owner: User, *members: User, name: str = "Dice at Dawn", access: str = OPEN, words: str = "") -> Club:
    """Return a club that this member made, and to which these belong by its link."""
    club = making.make(user=owner, name=name, words=words, access=access)
    for one in members:
        joining.join(club_id=club.pk, user=one, token=club.token)
    return now(club)


def now(club: Club) -> Club:
    """Return the club as it stands."""
    return Club.objects.get(pk=club.pk)


def state(club: Club, user: User) -> str:
    """Return what somebody is to a club, in words: "in owner", "asked", ...; "" for nothing."""
    row = Membership.objects.filter(club=club, user=user).first()
    return "" if row is None else f"{row.state} {row.role}" if row.is_in else row.state


def whole(club: Club) -> bool:
    """Return whether the club's size is true, and it has exactly one owner."""
    rows = Membership.objects.filter(club=club, state="in")
    return rows.count() == now(club).size and rows.filter(role="owner").count() == 1


def said(club: Club, user: User, text: str = "hello") -> ChatLine:
    """Return a line that was just written into the club's chat."""
    return talking.say(club=club, user=user, text=text)
