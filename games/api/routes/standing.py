"""Standing challenges of one's own: made, let rest, taken back."""

from typing import Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext_noop as _

from accounts.access import member_of
from games.api.kit import Routes, checked, within
from games.api.shapes.parts import Number
from games.api.shapes.standing import OwnChallenge, OwnChallengeChange, OwnChallengeGiven, OwnChallengeListed
from games.forms.challenges import ChallengeForm
from games.models import StandingChallenge
from games.queries import challenges as reads
from games.services.lobby import challenges
from games.time_controls import pace_of

routes = Routes("lobby")


@routes.reads(
    "/me/challenges",
    OwnChallengeListed,
    page="standing",
    words=_("Your standing challenges"),
    more=_("What you offer to play with whoever accepts, the newest first."),
)
def own(request: HttpRequest) -> dict[str, Any]:
    """One's own standing challenges."""
    return {"items": [_told(one) for one in reads.own(member_of(request))], "next": None}


def _told(one: StandingChallenge) -> dict[str, Any]:
    return {
        "id": one.pk,
        "game": one.game_slug,
        "pace": one.pace_slug,
        "pace_name": str(pace_of(one.pace_slug).label),
        "rated": one.rated,
        "takes_bots": one.takes_bots,
        "size": one.size,
        "most": one.most,
        "under_way": getattr(one, "under_way", 0),
        "paused": one.paused,
    }


def _one(request: HttpRequest, number: int) -> dict[str, Any]:
    found = reads.own(member_of(request)).filter(pk=number).first()
    if found is None:
        raise Http404
    return _told(found)


@routes.acts(
    "/me/challenges",
    OwnChallenge,
    page="standing",
    words=_("Offer a standing challenge"),
    more=_("In place of the one that you have of this game and time control, if any."),
    then=_one,
    status=201,
)
def offer(request: HttpRequest, given: OwnChallengeGiven) -> int:
    """Offer to play whoever accepts."""
    form = ChallengeForm(given.model_dump())
    checked(form)
    within(request, "table")
    return challenges.offer(member=member_of(request), **form.wishes()).pk


@routes.acts(
    "/me/challenges/{number}/change",
    None,
    page="change-challenge",
    words=_("Let your standing challenge rest, go on, or end"),
    more=_("Its matches go on."),
)
def change(request: HttpRequest, number: Number, given: OwnChallengeChange) -> None:
    """Pause, resume or withdraw one's own standing challenge."""
    member = member_of(request)
    if given.wish == "withdraw":
        challenges.withdraw(challenge_id=number, member=member)
    else:
        challenges.pause(challenge_id=number, member=member, paused=given.wish == "pause")
