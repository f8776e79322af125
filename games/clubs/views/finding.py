"""Which club an address names, for whom, and what its views share."""

from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.access import Hidden, View, members_only
from accounts.models import User
from config.lib import rate_limits
from games.models import Club, Membership
from games.queries import clubs
from games.services.refusals import TooOften
from games.views.once import once
from games.views.responses import LARGEST, posted, with_refusals


def find(request: HttpRequest, club_id: int) -> tuple[Club, Membership | None]:
    """Return a club and what this person is to it; Hidden when they may not see it, or it does not exist."""
    club = Club.objects.filter(pk=club_id).first() if club_id < LARGEST else None
    found = clubs.membership(club.pk, request.user) if club is not None else None
    if club is None or not clubs.may_see(club, found):
        raise Hidden(reverse("club", args=[club_id]))
    return club, found


def of_members(request: HttpRequest, club_id: int) -> tuple[Club, Membership]:
    """Return a club and the membership of who belongs to it; Hidden for everybody else."""
    club, found = find(request, club_id)
    if found is None or not found.is_in:
        raise Hidden(reverse("club", args=[club_id]))
    return club, found


def deed(view: View) -> View:
    """Make a view a deed at a club that its person may see: by POST, once for each key, with refusals shown."""

    @wraps(view)
    def seen(request: HttpRequest, club_id: int, **kwargs: Any) -> HttpResponse:
        find(request, club_id)
        return view(request, club_id=club_id, **kwargs)

    return posted(with_refusals(members_only(once(seen))))


def within(request: HttpRequest, action: str) -> None:
    """Refuse (TooOften) what this person has done too often lately."""
    if not rate_limits.allows(request, action):
        raise TooOften


def to_club(club_id: int, anchor: str = "") -> HttpResponse:
    """Return to the page of a club."""
    return redirect(reverse("club", args=[club_id]) + anchor)


def member(request: HttpRequest) -> User | None:
    """Return the member of this request; None for visitors and guests."""
    return request.user if isinstance(request.user, User) and not request.user.is_guest else None
