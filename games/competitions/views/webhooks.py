"""The page on which the organiser of a tournament keeps its webhooks."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.access import member_of, members_only
from games.competitions.services.calls import OVER, group_of
from games.competitions.services.locking import lock
from games.competitions.services.refusals import Closed, OrganisersOnly
from games.competitions.views.finding import find, refusals_shown
from games.competitions.views.page import shown
from games.views.webhooks import of_group


@members_only
@require_http_methods(["GET", "HEAD", "POST"])
@refusals_shown(shown)
def webhooks(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show and keep the webhooks of a tournament that is not over, for its organiser alone."""
    tournament = find(request, tournament_id)
    if tournament.organiser_id != member_of(request).pk:
        raise OrganisersOnly

    def guard() -> None:
        now = lock(tournament_id)
        if now.organiser_id != member_of(request).pk:
            raise OrganisersOnly
        if now.state in OVER and request.POST.get("act") != "remove":
            raise Closed

    back = reverse("tournament", args=[tournament_id])
    return of_group(request, group_of(tournament_id), guard, name=tournament.name, back=back)
