"""The tables of a club, on its page: those that wait for players, and those that are played."""

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.models import Club, Match
from games.offers import AWAITED
from games.queries import clubs, play
from games.queries.play import Person
from games.views.waiting import lines_of

SHOWN = 10  # of each kind, the latest


def tables_panel(club: Club, viewer: Person) -> SafeString:
    """Return the tables of a club as HTML, for its members; empty for others. A hook (CLUB_PANELS)."""
    if not clubs.belongs(club.pk, viewer):
        return SafeString()
    own = play.visible_to(viewer).filter(club=club, access=Match.Access.CLUB).order_by("-pk")
    waiting = play.open_tables(viewer).filter(club=club).order_by("-pk").prefetch_related(AWAITED)
    context = {
        "club": club,
        "waiting": lines_of(waiting[:SHOWN], viewer),
        "running": lines_of(play.listed(own.filter(status=Match.Status.RUNNING))[:SHOWN], viewer),
    }
    return render_to_string("games/lobby/club_tables.html", context)
