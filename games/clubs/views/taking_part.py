"""Joining a club, asking to, declining, and leaving."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.access import member_of
from config.lib import rate_limits
from games.clubs.services import joining
from games.clubs.views.finding import deed, find, to_club, within
from games.models import Membership
from games.queries.clubs import membership
from games.services.refusals import TooOften


@deed
def join(request: HttpRequest, club_id: int) -> HttpResponse:
    """Join a club, accept its invitation, or ask to join it."""
    now = joined(request, club_id)
    words = _("You belong to the club now.") if now.is_in else _("You have asked to join. You will be told the answer.")
    messages.success(request, words)
    return to_club(club_id)


def joined(request: HttpRequest, club_id: int) -> Membership:
    """Return what this person is to the club now that they join, or ask to. TooOften, or what the service refuses."""
    within(request, "join_club")
    user = member_of(request)
    with transaction.atomic():
        before = membership(club_id, user)
        now = joining.join(club_id=club_id, user=user)
        asks = before is None and not now.is_in
        if asks and not rate_limits.allows_reader(request, "ask_again", f"{club_id}:{user.pk}"):
            raise TooOften(_("You have asked to join this club twice within the last 24 hours."))
    return now


@deed
def withdraw(request: HttpRequest, club_id: int) -> HttpResponse:
    """Ask no more to join a club, or decline its invitation."""
    club, _found = find(request, club_id)
    joining.withdraw(club_id=club_id, user=member_of(request))
    return to_club(club_id) if club.is_listed else redirect("clubs")


@deed
def leave(request: HttpRequest, club_id: int) -> HttpResponse:
    """Leave a club."""
    club = joining.leave(club_id=club_id, user=member_of(request))
    messages.success(request, _("You have left the club."))
    return to_club(club_id) if club.is_listed else redirect("clubs")
