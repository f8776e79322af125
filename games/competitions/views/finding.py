"""Which tournament an address names, for whom, and how a refusal is shown on its page."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from accounts.access import Hidden, View
from config.lib import rate_limits
from games.competitions import queries
from games.competitions.models import Tournament
from games.services.refusals import GuestsCannot, Refused, TooOften
from games.views.responses import to_sign_up

LARGEST = 2**63  # ids are smaller
Show = Callable[[HttpRequest, Tournament, Refused, str], HttpResponse]


def find(request: HttpRequest, tournament_id: int, token: str = "") -> Tournament:
    """Return the tournament for a person who may see it, also by its link; Hidden for others."""
    found = by_number(tournament_id)
    if found is not None and (queries.may_see(found, request.user) or opens(found, token)):
        return found
    raise Hidden(reverse("tournament", args=[tournament_id]))


def reported(request: HttpRequest, tournament_id: int) -> Tournament:
    """Return the tournament that somebody reports, also by its link; Hidden for whoever may not see it. A hook."""
    return find(request, tournament_id, request.GET.get("token", "")[:64])


def by_number(tournament_id: int) -> Tournament | None:
    """Return the tournament of this number, with its organiser."""
    if tournament_id >= LARGEST:
        return None
    return Tournament.objects.select_related("organiser", "club").filter(pk=tournament_id).first()


def opens(tournament: Tournament, token: str) -> bool:
    """Return whether this is the secret of the tournament's link."""
    by_link = tournament.access != Tournament.Access.CLUB  # which belonging to it opens, and nothing else
    return by_link and bool(token) and constant_time_compare(token, tournament.token)


def token_in(request: HttpRequest) -> str:
    """Return the secret of a link that a form carries."""
    return request.POST.get("token", "")[:64]


def within(request: HttpRequest, action: str) -> None:
    """Refuse (TooOften) what this person has done too often lately."""
    if not rate_limits.allows(request, action):
        raise TooOften


def refusals_shown(show: Show) -> Callable[[View], View]:
    """Return a decorator that shows what a view of one tournament refuses on a page of it; guests go to sign-up.

    Whoever may not see the tournament is refused alike, whether it exists or not.
    """

    def decorated(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, tournament_id: int, **kwargs: Any) -> HttpResponse:
            try:
                if getattr(request, "is_too_fast", False):
                    raise TooOften
                return view(request, tournament_id=tournament_id, **kwargs)
            except Tournament.DoesNotExist:
                raise Hidden(reverse("tournament", args=[tournament_id])) from None
            except GuestsCannot as refusal:
                messages.info(request, str(refusal))
                return to_sign_up(_page(tournament_id, token_in(request)))
            except Refused as refusal:
                token = token_in(request)
                return show(request, find(request, tournament_id, token), refusal, token)

        wrapped.says_too_often = True  # type: ignore[attr-defined]
        return wrapped

    return decorated


def _page(tournament_id: int, token: str) -> str:
    found = by_number(tournament_id)
    by_link = found is not None and opens(found, token)
    return reverse("tournament-link", args=[token]) if by_link else reverse("tournament", args=[tournament_id])


def to_page(tournament: Tournament) -> HttpResponse:
    """Return to a tournament's page."""
    return redirect("tournament", tournament_id=tournament.pk)
