"""What pages show of a refusal: its sentence alone, or in the table, with what was typed."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.access import member_of
from accounts.models import User
from config.lib import rate_limits
from games.models import Match
from games.services.refusals import Full, NotOpen, Refused, TooOften


def refused_page(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Return a page that says why something was refused, and nothing else."""
    return render(request, "games/play/refused.html", {"refusal": refusal}, status=refusal.status)


def too_late(match: Match) -> Refused:
    """Return what an invitation to a table that is no longer open says."""
    is_closed = match.ending in (Match.Ending.CLOSED, Match.Ending.LAPSED)
    return NotOpen(_("This table has been closed.")) if is_closed else Full()


def refuse_asking_again(request: HttpRequest, guest: User) -> None:
    """Refuse (TooOften) to ask somebody, by mail, whom this member has asked to clubs or tournaments all day."""
    if not rate_limits.allows_reader(request, "asked_by", f"{member_of(request).pk}:{guest.pk}"):
        words = _("You have asked %(name)s three times within the last 24 hours. Wait a day before you ask again.")
        raise TooOften(words % {"name": guest.username})
