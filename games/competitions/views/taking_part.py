"""Signing up for a tournament, withdrawing, and saying that one is ready."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.access import member_of
from games.competitions import queries
from games.competitions.services import entering
from games.competitions.views.finding import find, opens, refusals_shown, to_page, token_in, within
from games.competitions.views.page import shown
from games.services.refusals import GuestsCannot
from games.views.once import once
from games.views.responses import posted, to_sign_up


@posted
@refusals_shown(shown)
def enter(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Sign up; a visitor is led to sign up for an account first, and back."""
    token = token_in(request)
    tournament = find(request, tournament_id, token)
    if not request.user.is_authenticated:
        by_link = opens(tournament, token)
        page = reverse("tournament-link", args=[token]) if by_link else reverse("tournament", args=[tournament_id])
        return to_sign_up(page)
    return _enter(request, tournament_id)


@once
def _enter(request: HttpRequest, tournament_id: int) -> HttpResponse:
    token, user = token_in(request), member_of(request)
    tournament = find(request, tournament_id, token)
    within(request, "entry")
    entering.enter(tournament_id=tournament.pk, user=user, token=token)
    messages.success(request, _("You have signed up. You may withdraw at any time."))
    return to_page(tournament)


@posted
@refusals_shown(shown)
@once
def withdraw(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = find(request, tournament_id)
    if not request.user.is_authenticated or member_of(request).is_guest:
        raise GuestsCannot
    entering.withdraw(tournament_id=tournament.pk, user=member_of(request))
    messages.success(request, _("You have withdrawn. What you have reached stands."))
    return to_page(tournament)


@posted
@refusals_shown(shown)
@once
def ready(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Wait for a table of a tournament in one evening, or pause, as `wish` says."""
    tournament = find(request, tournament_id)
    if not request.user.is_authenticated or member_of(request).is_guest:
        raise GuestsCannot
    within(request, "ready")
    entering.be_ready(tournament_id=tournament.pk, user=member_of(request), ready=request.POST.get("wish") == "1")
    return to_page(tournament)


@posted
@refusals_shown(shown)
@once
def place(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Answer whether one takes the place that one is asked to take, as `wish` says."""
    tournament = find(request, tournament_id)
    if not request.user.is_authenticated or member_of(request).is_guest:
        raise GuestsCannot
    user = member_of(request)
    if request.POST.get("wish") == "1":
        entering.take_place(tournament_id=tournament.pk, user=user)
        messages.success(request, _("You take part. You are seated when the next round is drawn."))
        return to_page(tournament)
    entering.decline_place(tournament_id=tournament.pk, user=user)
    messages.success(request, _("You have declined. Nothing changes for you."))
    return to_page(tournament) if queries.may_see(tournament, user) else redirect("tournaments")
