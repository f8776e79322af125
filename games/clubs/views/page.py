"""The page of one club: what it is, who belongs to it, and what one may do there."""

from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.module_loading import import_string
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import member_of
from accounts.models import User
from config.lib import sql
from games.clubs import queries
from games.clubs.services import joining
from games.clubs.views.finding import find, member, to_club, within
from games.models import Club, Membership
from games.queries import people
from games.queries.clubs import membership, with_news
from games.services.refusals import Refused
from games.views.once import once
from games.views.responses import to_sign_up, with_refusals

State, Role = Membership.State, Membership.Role
PER_PAGE, WAITING_SHOWN, KNOWN_SHOWN = 25, 25, 30
LISTS = {State.ASKED: "asking", State.INVITED: "invited", State.OUT: "out"}  # whose page the address names


@require_safe
@sql.snapshot()
def page(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show a club."""
    club, me = find(request, club_id)
    return shown(request, club, me)


def shown(request: HttpRequest, club: Club, me: Membership | None, refusal: Refused | None = None) -> HttpResponse:
    """Return the page of a club, with a refusal's sentence and status if there is one."""
    user = member(request)
    organises = me is not None and me.organises
    context = {
        "club": club,
        "me": me,
        "refusal": refusal,
        "is_member": user is not None,
        "organises": organises,
        "owns": me is not None and me.role == Role.OWNER,
        "page": Paginator(queries.members(club), PER_PAGE).get_page(request.GET.get("page")),
        "has_news": user is not None and with_news(user).filter(club=club).exists(),
        "panels": [import_string(path)(request, club, me) for path in settings.CLUB_PANELS],
        **(_of_organisers(request, club, user) if organises and user is not None else {}),
    }
    return render(request, "games/clubs/club.html", context, status=refusal.status if refusal else 200)


def _of_organisers(request: HttpRequest, club: Club, user: User) -> dict[str, Any]:
    """Return what the page shows to the owner and the organisers alone."""
    waiting = {
        state: Paginator(queries.in_state(club, state), WAITING_SHOWN).get_page(request.GET.get(name))
        for state, name in LISTS.items()
    }
    return {
        "asked": waiting[State.ASKED],
        "invited": waiting[State.INVITED],
        "kept_out": waiting[State.OUT],
        "link": link_of(club),
        "known": people.known_names(user)[:KNOWN_SHOWN],
    }


def link_of(club: Club) -> str:
    """Return the link by which anybody may join a club: for who organises it alone."""
    return urljoin(settings.SITE_URL, reverse("club-link", args=[club.token]))


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the club of a link, and let in who wants to join by it; a visitor signs up or logs in first."""
    club = get_object_or_404(Club, token=token.replace("\0", ""))
    if request.method == "POST":
        if not request.user.is_authenticated or member_of(request).is_guest:
            return to_sign_up(request.path)
        return _joined(request, club, token)
    found = membership(club.pk, request.user)
    if found is not None and found.is_in:
        return to_club(club.pk)
    context = {"club": club, "token": token, "is_member": member(request) is not None}
    return render(request, "games/clubs/link.html", context)


@once
def _joined(request: HttpRequest, club: Club, token: str) -> HttpResponse:
    within(request, "join_club")
    joining.join(club_id=club.pk, user=member_of(request), token=token)
    return to_club(club.pk)
