"""The form of a new tournament."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import member_of
from games.catalogue import games_shown
from games.clocks import when
from games.competitions import queries
from games.competitions.forms.announcing import TournamentForm
from games.competitions.services import announcing
from games.competitions.services.refusals import NotOrganiser
from games.competitions.views.finding import within
from games.rules import games
from games.services.refusals import Invalid, Refused
from games.views.once import once
from games.views.responses import to_sign_up, with_refusals


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
def new_tournament(request: HttpRequest) -> HttpResponse:
    """Show the form of a new tournament, and announce it; a visitor or guest is led to sign-up, and back."""
    slug = request.POST.get("game") or request.GET.get("game") or games()[0]
    if slug not in games():
        raise Http404
    if not request.user.is_authenticated or member_of(request).is_guest:
        return to_sign_up(f"{request.path}?{urlencode({**request.GET.dict(), 'game': slug})}")
    missing = announcing.missing_to_organise(member_of(request))
    clubs = queries.clubs_organised(request.user) if member_of(request).is_confirmed else []
    if missing and not clubs:
        context = {"missing": missing, "refusal": NotOrganiser()}
        return render(request, "competitions/not_organiser.html", context, status=403)
    post = request.POST if request.method == "POST" else None
    form = TournamentForm(
        post, game_slug=slug, clubs=clubs, of_clubs_alone=bool(missing), club=request.GET.get("club", "")
    )
    status = 400 if form.is_bound else 200
    if form.is_valid():
        try:
            return _announce(request, form.wishes())
        except Refused as refusal:  # the form keeps what was chosen
            form.add_error(None, str(refusal))
            status = 400 if isinstance(refusal, Invalid) else refusal.status
    context = {"form": form, "game": form.game, "games": games_shown(), "missing": missing}
    return render(request, "competitions/new.html", context, status=status)


@once
def _announce(request: HttpRequest, wishes: dict[str, Any]) -> HttpResponse:
    within(request, "tournament")
    tournament = announcing.announce(organiser=member_of(request), **wishes)
    words = {"name": tournament.name, "until": when(tournament.begins_at)}
    messages.success(request, _("Announced: %(name)s. Sign-up is open until %(until)s.") % words)
    return redirect("tournament", tournament_id=tournament.pk)
