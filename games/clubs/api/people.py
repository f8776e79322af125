"""What the owner and the organisers of a club do about people, for programs."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_noop as _

from accounts.access import member_of
from games.api.kit import Routes, part_of, within
from games.api.shapes.parts import At, Number
from games.clubs import queries
from games.clubs.api.clubs import told
from games.clubs.api.shapes import ClubDeed, ClubPersonListed, ClubShape, InvitedToClub, Waiting
from games.clubs.services import making
from games.clubs.services.refusals import OrganisersOnly
from games.clubs.views import managing
from games.clubs.views.finding import find, of_members
from games.models import Membership

routes = Routes("clubs")
MOST = 25


@routes.reads(
    "/clubs/{number}/people",
    ClubPersonListed,
    page="club",
    words=_("Who waits at a club"),
    more=_("Who asks to join it, is invited, or is kept out: for its owner and its organisers."),
)
def waiting(request: HttpRequest, number: Number, state: Waiting = "asked", cursor: At = "") -> dict[str, Any]:
    """Who asks to join a club, is invited to it, or is kept out of it."""
    club, me = of_members(request, number)
    if not me.organises:
        raise OrganisersOnly
    rows, following = part_of(queries.in_state(club, state), cursor, MOST)
    items = [{"name": row.user.username, "since": row.since.isoformat(timespec="seconds")} for row in rows]
    return {"items": items, "next": following}


@routes.acts(
    "/clubs/{number}/people",
    ClubShape,
    page="club-people",
    words=_("Let somebody in, remove them, give them a role"),
    more=_("For the owner and the organisers of a club; roles, and the club itself, for its owner."),
    then=told,
)
def people(request: HttpRequest, number: Number, given: ClubDeed) -> int:
    """Do to somebody of a club what `deed` says."""
    find(request, number)
    named = Membership.objects.filter(club=number, user__username=given.name).values_list("user", flat=True).first()
    managing.act_on(request, number, given.deed, named or 0)
    return number


@routes.acts(
    "/clubs/{number}/invite",
    ClubShape,
    page="club-invite",
    words=_("Invite somebody to a club"),
    more=_("Who has asked to join it is let in."),
    then=told,
)
def invite(request: HttpRequest, number: Number, given: InvitedToClub) -> int:
    """Invite a member by name; the same person once a day."""
    find(request, number)
    managing.invited(request, number, given.name)
    return number


@routes.acts(
    "/clubs/{number}/link",
    ClubShape,
    page="club-renew",
    words=_("Replace the link of a club"),
    more=_("The old one opens nothing any more."),
    then=told,
)
def renew(request: HttpRequest, number: Number) -> int:
    """Make the link that invites anew."""
    find(request, number)
    within(request, "manage_club")
    making.renew_link(club_id=number, user=member_of(request))
    return number
