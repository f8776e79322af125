"""Tournaments on other pages: the line of a match that belongs to one, and what a member takes part in, at home."""

from collections.abc import Sequence

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from accounts.models import User
from config.lib import sql
from games.competitions import queries
from games.competitions.models import Entrant, Table, Tournament
from games.competitions.telling import address, line_of
from games.models import Match, Seat

SHOWN = 5  # at home
_OF_MATCH = "SELECT id FROM competitions_table WHERE match_id = %s ORDER BY id"


def match_panel(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> SafeString:
    """Return to which tournament, round and table a match belongs as HTML, empty without one; a hook (MATCH_PANELS).

    Whoever may not see a tournament learns neither its name nor its address.
    """
    found = sql.read(Table, _OF_MATCH, [match.pk])
    if not found:  # as of most matches
        return SafeString()
    table = Table.objects.select_related("round__tournament").get(pk=found[0].pk)
    tournament = table.round.tournament
    named = tournament.access == Tournament.Access.PUBLIC or _knows(tournament, viewer)
    context = {
        "name": tournament.name if named else "",
        "url": address(tournament) if named else "",
        "round": table.round.number,
        "table": table.number,
        "decided": table.state == Table.State.JUDGED,
        "void": table.state == Table.State.VOID,
        "goes_on": match.status == Match.Status.RUNNING,
        "rated": match.rated,
    }
    return render_to_string("competitions/match_panel.html", context)


def _knows(tournament: Tournament, viewer: Seat | None) -> bool:
    """Return whether the person in this seat takes part in the tournament, or organises it."""
    if viewer is None or viewer.user_id is None:
        return False
    if tournament.organiser_id == viewer.user_id:
        return True
    return Entrant.objects.filter(tournament=tournament, user=viewer.user_id).exists()


def home_panel(request: HttpRequest) -> SafeString:
    """Return the tournaments that a member takes part in or organises as HTML, if any; a hook (HOME_PANELS)."""
    user = request.user
    if not isinstance(user, User) or user.is_guest:
        return SafeString()
    found = queries.listed(queries.under_way_of(user)).order_by("-state", "begins_at", "pk")[:SHOWN]
    lines = [line_of(one, own=one.organiser_id == user.pk) for one in found]
    return render_to_string("competitions/home_panel.html", {"lines": lines}) if lines else SafeString()
