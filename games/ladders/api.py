"""Ladders for programs: how they stand, joining, leaving, challenging and answering."""

from typing import Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext_noop as _

from accounts.access import member_of
from config.lib import rate_limits
from games.api.kit import Routes, part_of
from games.api.shapes.given import Whole
from games.api.shapes.parts import LARGEST, At, GameSlug, Given, Listed, Moment, Number, Shape, Slug, said
from games.api.shapes.table import TableShape
from games.api.shown import table_answer
from games.ladders import queries
from games.ladders.models import MOST_AT_ONCE, Challenge, Ladder
from games.ladders.services import challenging, standing
from games.rules import games, name_of
from games.services.refusals import TooOften

routes = Routes("ladders")


class LadderLine(Shape):
    """A ladder in the list."""

    game: Slug
    name: str = said(_("The name of the game."), "YAY!")
    climbers: int = said(_("How many stand on it."), 31)
    place: int | None = said(_("Your own place; null if you are not on it."), 12)


class LadderListed(Listed):
    """All ladders."""

    items: list[LadderLine] = said(_("The ladders, in the order of the games."), [])


class ClimberShape(Shape):
    """A place of a ladder."""

    id: int = said(_("The number by which one challenges who stands here."), 77)
    place: int = said(_("The place, from 1 on."), 12)
    name: str = said(_("Who stands here."), "Ann")
    you: bool = said(_("Whether it is you."), False)


class ChallengeShape(Shape):
    """An open challenge to you, or of you."""

    id: int = said(_("Its number."), 501)
    by: str = said(_("Who challenges."), "Bob")
    to: str = said(_("Who is challenged."), "Ann")
    answer_by: Moment = said(_("Until when it is to be answered."), "2026-12-03T18:00:00+00:00")


class LadderShape(Listed):
    """A part of a ladder."""

    items: list[ClimberShape] = said(_("The places, from the top."), [])
    place: int | None = said(_("Your own place; null if you are not on it."), 12)
    challenges: list[ChallengeShape] = said(_("Open challenges to you and of you, the most urgent first."), [])


class JoiningLadder(Given):
    """Joining a ladder."""

    at_once: Whole = said(_("At most so many ladder matches at once."), 2, default=2, ge=1, le=MOST_AT_ONCE)


class Challenging(Given):
    """Challenging somebody."""

    climber: Whole = said(_("The number of who is challenged, as the ladder says it."), 77, ge=1, le=LARGEST)


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
    items = [
        {"id": one.pk, "place": one.place, "name": queries.called(one), "you": one.user_id == user.pk} for one in found
    ]
    return {
        "items": items,
        "next": following,
        "place": mine.place if mine else None,
        "challenges": [_challenge(one) for one in opened],
    }


def _challenge(one: Challenge) -> dict[str, Any]:
    return {
        "id": one.pk,
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
def decline(request: HttpRequest, number: Number) -> None:
    """Decline a challenge."""
    challenging.decline(challenge_id=number, user=member_of(request), free=False)
