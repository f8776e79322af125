"""The look back at one's own decisions in a match that has ended: what the strongest bot would have done."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.lib import rate_limits, sql
from games.engine import RecordError
from games.models import Match
from games.review import Review, known_review, review_of
from games.services.refusals import NotEnded, TooOften
from games.viewing import Viewing
from games.views.responses import find, players_only, with_refusals


@require_safe
@sql.snapshot()
@with_refusals
@players_only
def review(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the decisions of who asks, in whose seat they sat; of a long match part by part."""
    shown = find(request, match_id)
    if shown.viewer is None:
        raise Http404
    if shown.match.status != Match.Status.ENDED or not shown.match.state:
        raise NotEnded
    return render(request, "games/play/review.html", {"match": shown.match, "review": looked_back(request, shown)})


def looked_back(request: HttpRequest, shown: Viewing) -> Review:
    """Return the review, worked out further if anything is left of it: that takes time, hence seldom."""
    seat = shown.viewer
    assert seat is not None
    known = known_review(shown.match, seat)
    if known and not known.left:
        return known
    if not rate_limits.allows_reader(request, "review", str(request.user.pk)):
        raise TooOften
    try:
        return review_of(shown.match, shown.seats, seat)
    except RecordError:
        raise Http404 from None
