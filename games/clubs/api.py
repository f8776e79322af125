"""Clubs for programs: which there are, who belongs to them, joining and leaving."""

from typing import Annotated, Any

from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as now_
from django.utils.translation import gettext_noop as _
from ninja import Query

from accounts.access import member_of
from config.lib import rate_limits
from games.api.kit import Routes, part_of
from games.api.shapes.parts import At, Listed, Number, Shape, said
from games.clubs import queries
from games.clubs.services import joining
from games.clubs.views.finding import find, within
from games.models import LONGEST_CLUB_NAME, Club, Membership
from games.queries.clubs import membership
from games.services.refusals import TooOften

routes = Routes("clubs")
MOST = 20
Search = Annotated[str, Query(description=_("A part of the name."), examples=["dice"], max_length=LONGEST_CLUB_NAME)]
Mine = Annotated[bool, Query(description=_("Only those to which you belong."), examples=[False])]


class ClubLine(Shape):
    """A club in a list."""

    id: int = said(_("Its number."), 8)
    name: str = said(_("Its name."), "The dice of Lyon")
    words: str = said(_("What it says of itself."), "We play on Thursdays.")
    access: str = said(_("Who may join: open, request or invitation."), "open")
    size: int = said(_("How many belong to it."), 23)


class ClubListed(Listed):
    """A list of clubs."""

    items: list[ClubLine] = said(_("The clubs of this part of the list."), [])


class ClubMember(Shape):
    """Who belongs to a club."""

    name: str = said(_("Their name."), "Ann")
    role: str = said(_("owner, organiser or member."), "owner")


class ClubShape(ClubLine):
    """A club and who belongs to it."""

    me: str = said(_("What you are to it: in, asked, invited; empty: nothing."), "in")
    members: list[ClubMember] = said(_("Its members: the owner, the organisers, then those who came first."), [])
    next: str | None = said(_("The cursor of what follows; null at the end."), "WzI1XQ")


@routes.reads(
    "/clubs", ClubListed, page="clubs", words=_("Clubs"), more=_("The clubs that everybody may find, or your own.")
)
def listed(request: HttpRequest, search: Search = "", mine: Mine = False, cursor: At = "") -> dict[str, Any]:
    """The clubs that everybody may find, the largest first; or one's own."""
    if mine:
        own, following = part_of(queries.own(member_of(request)), cursor, MOST)
        return {"items": [_line(one.club) for one in own], "next": following}
    found, following = part_of(queries.listed(search.strip()), cursor, MOST)
    return {"items": [_line(one) for one in found], "next": following}


def _line(club: Club) -> dict[str, Any]:
    return {"id": club.pk, "name": club.name, "words": club.words, "access": club.access, "size": club.size}


@routes.reads("/clubs/{number}", ClubShape, page="club", words=_("A club"))
def whole(request: HttpRequest, number: Number, cursor: At = "") -> dict[str, Any]:
    """A club, and who belongs to it."""
    return _told(request, number, cursor)


def _told(request: HttpRequest, number: int, cursor: str = "") -> dict[str, Any]:
    club, me = find(request, number)
    members, following = part_of(queries.members(club), cursor, 25)
    state = me.state if me is not None and me.state != Membership.State.OUT else ""
    told = [{"name": one.user.username, "role": one.role} for one in members]
    return _line(club) | {"me": state, "members": told, "next": following}


@routes.acts(
    "/clubs/{number}/join",
    ClubShape,
    page="club-join",
    words=_("Join a club"),
    more=_("Or accept its invitation, or ask to join it."),
    then=_told,
)
def join(request: HttpRequest, number: Number) -> int:
    """Join a club, accept its invitation, or ask to join it."""
    find(request, number)
    within(request, "join_club")
    user = member_of(request)
    with transaction.atomic():
        before = membership(number, user)
        made = joining.join(club_id=number, user=user)
        asks = before is None and not made.is_in
        if asks and not rate_limits.allows_reader(request, "ask_again", f"{number}:{user.pk}"):
            raise TooOften(now_("You have asked to join this club twice within the last 24 hours."))
    return number


@routes.acts("/clubs/{number}/withdraw", None, page="club-withdraw", words=_("Decline, or ask no more"))
def withdraw(request: HttpRequest, number: Number) -> None:
    """Ask no more to join a club, or decline its invitation."""
    find(request, number)
    joining.withdraw(club_id=number, user=member_of(request))


@routes.acts("/clubs/{number}/leave", None, page="club-leave", words=_("Leave a club"))
def leave(request: HttpRequest, number: Number) -> None:
    """Leave a club."""
    find(request, number)
    joining.leave(club_id=number, user=member_of(request))
