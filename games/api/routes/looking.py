"""Looking closer: why one is asked, the look back at one's decisions, how a game's dice have fallen."""

from typing import Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext_noop as _

from games.api.kit import Routes
from games.api.shapes.parts import GameSlug, MatchId
from games.api.shapes.puzzles import DiceListed, ReasonsShape, ReviewShape
from games.api.shown import find
from games.models import Match
from games.plain_text import plain_lines
from games.queries import dice
from games.questions import is_explained, reasons_of
from games.review import Decision
from games.rules import games
from games.services.refusals import NotEnded
from games.views.dice import verdict
from games.views.review import looked_back

routes = Routes("matches")


@routes.reads(
    "/matches/{match_id}/why",
    ReasonsShape,
    page="why",
    words=_("Why you are asked"),
    more=_("The reasons of the question that you are asked, in games that explain them."),
)
def why(request: HttpRequest, match_id: MatchId) -> dict[str, Any]:
    """Why one is asked what one is asked."""
    table = find(request, match_id).table(turns=[])
    if not is_explained(table):
        return {"ask": None, "lines": []}
    return {"ask": table["ask"], "lines": plain_lines(str(reasons_of(table, is_part=False)))}


@routes.reads(
    "/matches/{match_id}/review",
    ReviewShape,
    page="review",
    words=_("The look back at your decisions"),
    more=_("What the strongest bot would have done in an ended match; of a long one part by part."),
)
def review(request: HttpRequest, match_id: MatchId) -> dict[str, Any]:
    """The decisions of one's own seat in a match that has ended."""
    shown = find(request, match_id)
    if shown.viewer is None:
        raise Http404
    if shown.match.status != Match.Status.ENDED or not shown.match.state:
        raise NotEnded
    found = looked_back(request, shown)
    return {
        "decisions": len(found.decisions),
        "left": found.left,
        "others": [_decision(one) for one in found.others],
        "best": _decision(found.best) if found.best else None,
        "worst": _decision(found.worst) if found.worst else None,
    }


def _decision(one: Decision) -> dict[str, Any]:
    return one._asdict()


@routes.reads("/games/{slug}/statistics", DiceListed, page="statistics", words=_("How the dice of a game have fallen"))
def statistics(request: HttpRequest, slug: GameSlug) -> dict[str, Any]:
    """The counts of each kind of dice of a game."""
    if slug not in games():
        raise Http404
    items = [
        {
            "sides": one.sides,
            "counts": one.counts,
            "expected": one.expected,
            "band": one.band,
            "verdict": verdict(one) if one.is_telling else "",
        }
        for one in dice.fairness_of(slug)
    ]
    return {"matches": dice.counted_matches(slug), "items": items, "next": None}
