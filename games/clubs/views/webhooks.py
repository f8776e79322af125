"""The page on which the organisers of a club keep its webhooks."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.access import member_of, members_only
from games.clubs.services.locking import lock, organiser
from games.clubs.services.refusals import OrganisersOnly
from games.clubs.views.finding import of_members
from games.models import Webhook
from games.services.webhooks.groups import Group
from games.views.responses import with_refusals
from games.views.webhooks import of_group


@members_only
@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
def webhooks(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show and keep the webhooks of a club, for its owner and its organisers."""
    club, me = of_members(request, club_id)
    if not me.organises:
        raise OrganisersOnly

    def guard() -> None:
        organiser(lock(club_id), member_of(request))

    back = reverse("club", args=[club_id])
    return of_group(request, Group(Webhook.Of.CLUB, club_id), guard, name=club.name, back=back)
