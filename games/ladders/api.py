"""Ladders for programs: how they stand, joining, pausing, leaving, challenging and answering."""

from typing import Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext_noop as _

from accounts.access import member_of
from config.lib import rate_limits
from games.api.kit import Routes, part_of
from games.api.shapes.parts import At, GameSlug, Number
from games.api.shapes.table import TableShape
from games.api.shown import table_answer
from games.ladders import queries
from games.ladders.api_shapes import (
    ChallengeListed,
    Challenging,
    Declining,
    JoiningLadder,
    LadderListed,
    LadderShape,
    Pausing,
)
from games.ladders.models import Challenge, Change, Climber, Ladder
from games.ladders.panels import challenge_line
from games.ladders.services import challenging, standing
from games.ladders.views import lines_of
from games.rules import games, name_of
from games.services.refusals import TooOften

routes = Routes("ladders")


def _ladder(slug: str) -> Ladder | None:
    """Return a game's ladder; None while nobody has joined it, Http404 if the game has none."""
    if not queries.has_ladder(slug):
        raise Http404
    return queries.ladder_of(slug)


def _there(slug: str) -> Ladder:
    ladder = _ladder(slug)
    if ladder is None:
        raise Http404
    return ladder


def _often(request: HttpRequest, action: str) -> None:
    if not rate_limits.allows(request, action):
        raise TooOften


@routes.reads("/ladders", LadderListed, page="ladders", words=_("Ladders"))
def listed(request: HttpRequest) -> dict[str, Any]:
    """All ladders, and one's places."""
    own = {row.ladder.game_slug: row.place for row in queries.places_of(member_of(request))}
    items = [
        {
            "game": slug,
            "name": name_of(slug),
            "climbers": queries.standing(queries.ladder_of(slug)).count(),
            "place": own.get(slug),
        }
        for slug in filter(queries.has_ladder, games())
    ]
    return {"items": items, "next": None}


@routes.reads("/ladders/{slug}", LadderShape, page="ladder", words=_("A ladder"))
def whole(request: HttpRequest, slug: GameSlug, cursor: At = "") -> dict[str, Any]:
    """A part of a ladder, and the challenges that are open between others and oneself."""
    ladder, user = _ladder(slug), member_of(request)
    found, following = part_of(queries.standing(ladder), cursor, queries.PER_PAGE)
    me = queries.climber_of(ladder, user)
    mine = me if me is not None and me.place is not None else None
    opened = queries.open_challenges(ladder, mine) if ladder is not None and mine is not None else []
    return {
        "items": [_climber(line) for line in lines_of(slug, found, mine)],
        "next": following,
        "place": mine.place if mine else None,
        "me": _own(mine) if mine else None,
        "changes": [_change(one) for one in queries.history(ladder)],
        "challenges": [_challenge(one, user.pk) for one in opened],
    }


def _climber(line: dict[str, Any]) -> dict[str, Any]:
    one = line["climber"]
    return {
        "id": one.pk,
        "place": one.place,
        "name": queries.called(one),
        "you": line["is_me"],
        "rating": line["rating"],
        "paused": one.is_paused,
        "matches": line["matches"],
        "near": line["is_near"],
        "why_not": line["why_not"],
    }


def _own(me: Climber) -> dict[str, Any]:
    until = me.paused_until.isoformat(timespec="seconds") if me.is_paused and me.paused_until else None
    return {"place": me.place, "at_once": me.at_once, "paused_until": until}


def _change(one: Change) -> dict[str, Any]:
    return {
        "at": one.at.isoformat(timespec="seconds"),
        "kind": one.kind,
        "name": queries.called(one.climber),
        "other": queries.called(one.other) if one.other else "",
        "before": one.before,
        "after": one.after,
    }


def _challenge(one: Challenge, reader: int) -> dict[str, Any]:
    return {
        "id": one.pk,
        "game": one.ladder.game_slug,
        "free": challenge_line(one, reader)["free"],
        "by": queries.called(one.challenger),
        "to": queries.called(one.challenged),
        "answer_by": one.answer_by.isoformat(timespec="seconds"),
    }


@routes.acts("/ladders/{slug}/join", None, page="ladder-join", words=_("Join a ladder"))
def join(request: HttpRequest, slug: GameSlug, given: JoiningLadder) -> None:
    """Join a ladder, or say how many matches at once one wants from now on."""
    _ladder(slug)
    _often(request, "ladder")
    standing.join(game_slug=slug, user=member_of(request), at_once=given.at_once)


@routes.acts("/ladders/{slug}/leave", None, page="ladder-leave", words=_("Leave a ladder"))
def leave(request: HttpRequest, slug: GameSlug) -> None:
    """Leave a ladder."""
    _often(request, "ladder")
    standing.leave(ladder_id=_there(slug).pk, user=member_of(request))


@routes.acts("/ladders/{slug}/challenge", None, page="ladder-challenge", words=_("Challenge somebody who stands above"))
def challenge(request: HttpRequest, slug: GameSlug, given: Challenging) -> None:
    """Challenge somebody who stands above."""
    _often(request, "invite")
    challenging.challenge(ladder_id=_there(slug).pk, user=member_of(request), climber_id=given.climber)


@routes.acts(
    "/ladders/challenges/{number}/accept",
    TableShape,
    page="ladder-accept",
    words=_("Accept a challenge on a ladder"),
    then=table_answer,
    status=201,
)
def accept(request: HttpRequest, number: Number) -> int:
    """Accept a challenge: its match begins."""
    _often(request, "join")
    return challenging.accept(challenge_id=number, user=member_of(request)).pk


@routes.acts(
    "/ladders/challenges/{number}/decline", None, page="ladder-decline", words=_("Decline a challenge on a ladder")
)
def decline(request: HttpRequest, number: Number, given: Declining) -> None:
    """Decline a challenge."""
    challenging.decline(challenge_id=number, user=member_of(request), free=given.free)


@routes.acts("/ladders/challenges/{number}/withdraw", None, page="ladder-withdraw", words=_("Take your challenge back"))
def withdraw(request: HttpRequest, number: Number) -> None:
    """Withdraw one's own challenge."""
    challenging.withdraw(challenge_id=number, user=member_of(request))


@routes.acts("/ladders/{slug}/pause", None, page="ladder-pause", words=_("Pause on a ladder, or resume"))
def pause(request: HttpRequest, slug: GameSlug, given: Pausing) -> None:
    """Pause for some days, or resume."""
    _often(request, "ladder")
    ladder, user = _there(slug), member_of(request)
    if given.wish == "resume":
        standing.resume(ladder_id=ladder.pk, user=user)
    else:
        standing.pause(ladder_id=ladder.pk, user=user, days=given.days)


@routes.reads("/me/ladders/challenges", ChallengeListed, page="ladders", words=_("Challenges to you on all ladders"))
def to_answer(request: HttpRequest) -> dict[str, Any]:
    """The open challenges to one, on all ladders."""
    user = member_of(request)
    return {"items": [_challenge(one, user.pk) for one in queries.challenges_to(user)], "next": None}
