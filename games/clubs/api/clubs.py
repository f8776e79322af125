"""Clubs for programs: which there are, who belongs to them, making, joining and leaving them."""

from typing import Annotated, Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_noop as _
from ninja import Path

from accounts.access import member_of
from games.api.kit import Routes, checked, part_of, within
from games.api.shapes.parts import At, Number
from games.clubs import queries
from games.clubs.api.shapes import (
    AwaitingClubListed,
    ClubChange,
    ClubListed,
    ClubShape,
    ClubWords,
    LinkedClub,
    Mine,
    Search,
)
from games.clubs.forms.making import ClubForm
from games.clubs.services import joining, making
from games.clubs.services.locking import check_person
from games.clubs.services.refusals import OrganisersOnly
from games.clubs.views.finding import find, of_members
from games.clubs.views.page import link_of
from games.clubs.views.taking_part import joined
from games.models import Club, Membership
from games.queries.clubs import membership, with_news
from games.services.refusals import Invalid

routes = Routes("clubs")
MOST = 20
Token = Annotated[str, Path(description=_("The token of the link, its last part."), examples=["Zk3"], max_length=64)]


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


@routes.reads(
    "/me/clubs/waiting",
    AwaitingClubListed,
    page="clubs",
    words=_("Clubs that invite you, and that you have asked"),
)
def waiting(request: HttpRequest) -> dict[str, Any]:
    """The clubs between which and oneself an answer is open."""
    user = member_of(request)
    rows = [*queries.invitations(user), *queries.asked(user)]
    return {"items": [_line(row.club) | {"me": row.state} for row in rows], "next": None}


@routes.reads("/clubs/{number}", ClubShape, page="club", words=_("A club"))
def whole(request: HttpRequest, number: Number, cursor: At = "") -> dict[str, Any]:
    """A club, and who belongs to it."""
    return told(request, number, cursor)


def told(request: HttpRequest, number: int, cursor: str = "") -> dict[str, Any]:
    """Return what a club is to who asks: its link if they organise it, and whether they have not read its chat."""
    club, me = find(request, number)
    members, following = part_of(queries.members(club), cursor, 25)
    state = me.state if me is not None and me.state != Membership.State.OUT else ""
    is_in = me is not None and me.is_in
    return _line(club) | {
        "me": state,
        "role": me.role if me is not None and is_in else "",
        "talk": is_in and with_news(member_of(request)).filter(club=club).exists(),
        "link": link_of(club) if me is not None and me.organises else "",
        "members": [{"name": one.user.username, "role": one.role} for one in members],
        "next": following,
    }


@routes.acts("/clubs", ClubShape, page="new-club", words=_("Found a club"), then=told, status=201)
def new(request: HttpRequest, given: ClubWords) -> int:
    """Make a club, which one then owns."""
    user = member_of(request)
    check_person(user)
    data = checked(ClubForm(given.model_dump()))
    within(request, "club")
    try:
        return making.make(user=user, **data).pk
    except ValidationError as error:
        raise Invalid(error.messages[0]) from error


@routes.acts(
    "/clubs/{number}",
    ClubShape,
    page="club-edit",
    method="PATCH",
    words=_("Change what a club says of itself"),
    more=_("For its owner and its organisers; the name for its owner. What is left out stays as it is."),
    then=told,
)
def change(request: HttpRequest, number: Number, given: ClubChange) -> int:
    """Change what a club says of itself, and who may join it."""
    club, me = of_members(request, number)
    if not me.organises:
        raise OrganisersOnly
    sent = {name: value for name, value in given.model_dump().items() if value is not None}
    renames = "name" in sent
    data = checked(ClubForm({"words": club.words, "access": club.access} | sent, renames=renames))
    within(request, "manage_club")
    try:
        making.change(club_id=number, user=member_of(request), **data)
    except ValidationError as error:
        raise Invalid(error.messages[0]) from error
    return number


@routes.acts(
    "/clubs/{number}/join",
    ClubShape,
    page="club-join",
    words=_("Join a club"),
    more=_("Or accept its invitation, or ask to join it."),
    then=told,
)
def join(request: HttpRequest, number: Number) -> int:
    """Join a club, accept its invitation, or ask to join it."""
    find(request, number)
    joined(request, number)
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


@routes.acts("/clubs/{number}/dissolve", None, page="club-dissolve", words=_("Dissolve a club"))
def dissolve(request: HttpRequest, number: Number) -> None:
    """Dissolve one's club: its chat goes, its matches and tournaments stay."""
    find(request, number)
    making.dissolve(club_id=number, user=member_of(request))


@routes.reads(
    "/club-links/{token}",
    LinkedClub,
    page="club-link",
    words=_("The club of a link"),
    more=_("The club to which the link of an invitation leads."),
)
def by_link(request: HttpRequest, token: Token) -> dict[str, Any]:
    """The club of a link, also one that nobody may find."""
    club = get_object_or_404(Club, token=token)
    found = membership(club.pk, member_of(request))
    state = found.state if found is not None and found.state != Membership.State.OUT else ""
    return _line(club) | {"me": state}


@routes.acts("/club-links/{token}/join", ClubShape, page="club-link", words=_("Join a club by its link"), then=told)
def join_by_link(request: HttpRequest, token: Token) -> int:
    """Join the club of a link."""
    club = get_object_or_404(Club, token=token)
    within(request, "join_club")
    joining.join(club_id=club.pk, user=member_of(request), token=token)
    return club.pk
