"""What pages show of a refusal: its sentence alone, or in the table, with what was typed."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.models import Match
from games.services.refusals import Full, NotOpen, Refused


def refused_page(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Return a page that says why something was refused, and nothing else."""
    return render(request, "games/play/refused.html", {"refusal": refusal}, status=refusal.status)


def too_late(match: Match) -> Refused:
    """Return what an invitation to a table that is no longer open says."""
    is_closed = match.ending in (Match.Ending.CLOSED, Match.Ending.LAPSED)
    return NotOpen(_("This table has been closed.")) if is_closed else Full()
