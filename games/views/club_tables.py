"""The tables of a club, on its page: those that wait for players, and those that are played."""

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.models import Club, Match, Membership
from games.offers import AWAITED
from games.queries import play
from games.views.waiting import lines_of

SHOWN = 10  # of each kind, the latest


def tables_panel(request: HttpRequest, club: Club, me: Membership | None) -> SafeString:
    """Return the tables of a club as HTML, for its members; empty for others. A hook (CLUB_PANELS)."""
    if me is None or not me.is_in:
        return SafeString()
    user = request.user
    of_club = {"club": club, "access": Match.Access.CLUB}
    waiting = play.open_tables(user).filter(**of_club).order_by("-pk").prefetch_related(AWAITED)
    waiting = waiting.defer(None).defer("setup_draws", "server_seed")  # a line asks for the state
    running = play.listed(Match.objects.filter(**of_club, status=Match.Status.RUNNING)).order_by("-pk")
    context = {
        "club": club,
        "waiting": lines_of(waiting[:SHOWN], user),
        "running": lines_of(running[:SHOWN], user),
    }
    return render_to_string("games/lobby/club_tables.html", context, request)
