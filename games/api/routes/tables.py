"""Open tables: the lobby, opening one, and all that is done at it until it starts; rematches and substitutes."""

from typing import Annotated, Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_noop as _
from ninja import Path

from accounts.access import member_of
from accounts.models import User
from config.lib import rate_limits
from games.api.kit import Routes, part_of
from games.api.models import Scope
from games.api.shapes.given import Inviting, Joining, NewTable, Nonced, QuickStart, Starting
from games.api.shapes.lobby import PromiseShape, StandingListed
from games.api.shapes.parts import At, GameSlug, MatchId, Number, OfGame, OfPace
from games.api.shapes.table import MatchListed, TableShape
from games.api.shown import as_json, find, lines, table_answer, table_of
from games.forms.options import usual_options
from games.forms.people import members_named, names_in
from games.models import Match
from games.offers import AWAITED
from games.queries import challenges as standing_reads
from games.queries import clubs, play, substitutes
from games.rules import catalogue, games, get_game, lesson
from games.services.lobby import challenges, closing, lessons, opening, promises, readiness
from games.services.play import returning
from games.services.refusals import Invalid, NotOfClub, TooOften
from games.time_controls import PATIENT, TIME_CONTROLS, pace_of
from games.viewing import Viewing
from games.views.refusals import too_late

routes = Routes("lobby")
LinkToken = Annotated[
    str, Path(description=_("The token of the link, its last part."), examples=["Zk3"], max_length=64)
]
SHOWN = 50


@routes.reads(
    "/lobby",
    MatchListed,
    page="lobby",
    words=_("Open tables"),
    more=_("The open tables that you may join or have joined, the newest first."),
)
def lobby(request: HttpRequest, game: OfGame = "", pace: OfPace = "", cursor: At = "") -> dict[str, Any]:
    """The open tables."""
    slug = game if game in games() else ""
    tables = play.open_tables(member_of(request), slug, pace).select_related("club").prefetch_related(AWAITED)
    rows, following = part_of(tables, cursor, SHOWN)
    return {"items": lines(request, rows), "next": following}


@routes.reads(
    "/lobby/substitutes",
    MatchListed,
    page="lobby",
    words=_("Seats for substitutes"),
    more=_("Running matches with a seat that you may take over, as its person ran out of time."),
)
def deserted(request: HttpRequest, game: OfGame = "") -> dict[str, Any]:
    """The matches with a seat for a substitute."""
    user = member_of(request)
    found = substitutes.matches_to_take_over(user, game if game in games() else "")
    offered = [match for match in found if returning.offered(match, list(match.seats.all()), user)]
    return {"items": lines(request, offered), "next": None}


@routes.reads(
    "/lobby/challenges",
    StandingListed,
    page="lobby",
    words=_("Standing challenges"),
    more=_("Challenges of members that you may accept at any time."),
)
def standing(request: HttpRequest, game: OfGame = "", pace: OfPace = "") -> dict[str, Any]:
    """The standing challenges of others."""
    slug = game if game in games() else ""
    found = standing_reads.standing(member_of(request), game_slug=slug, pace=pace if pace in TIME_CONTROLS else "")
    items = [
        {
            "id": one.pk,
            "member": one.member.username,
            "game": one.game_slug,
            "pace": one.pace_slug,
            "pace_name": str(pace_of(one.pace_slug).label),
            "rated": one.rated,
            "takes_bots": one.takes_bots,
            "size": one.size,
        }
        for one in found
    ]
    return {"items": items, "next": None}


@routes.reads(
    "/dice/promise",
    PromiseShape,
    page="new-match",
    scope=Scope.PLAY,
    words=_("Promised dice"),
    more=_(
        "To whoever opens a table, asks for a rematch or accepts a challenge: what the site commits itself to before "
        "it knows your part of the dice. Draw that part, and send it together with `promise`. Each answer is another."
    ),
)
def promised(request: HttpRequest) -> dict[str, Any]:
    """Dice for a table that is to be made."""
    made = promises.promise()
    return {"promise": made.token, "commitment": made.commitment, "until": made.until}


@routes.acts(
    "/lobby/challenges/{challenge_id}/accept",
    TableShape,
    page="accept-challenge",
    words=_("Accept a standing challenge"),
    then=table_answer,
    status=201,
)
def accept(request: HttpRequest, challenge_id: Number, given: Nonced) -> int:
    """Accept a standing challenge."""
    _within(request, "join")
    match = challenges.accept(challenge_id=challenge_id, user=member_of(request), **_part(given))
    return match.pk


@routes.acts("/tables", TableShape, page="new-match", words=_("Open a table"), then=table_answer, status=201)
def new(request: HttpRequest, given: NewTable) -> int:
    """Open a table; if bots fill it, it starts."""
    if given.game not in games():
        raise Http404
    user = member_of(request)
    invited = _members(given.invited)
    club = next((one for one in clubs.clubs_of(user) if one.pk == given.club), None)
    if given.club is not None and club is None:
        raise NotOfClub
    _within(request, "table")
    _within(request, "invite", times=len(invited))
    match = opening.create_match(
        creator=user,
        game_slug=given.game,
        size=given.size,
        options=given.options,
        bots=given.bots,
        access=given.access,
        club=club,
        pace=given.pace,
        automatic_days_off=given.automatic_days_off,
        invited=invited,
        rated=given.rated,
        guests=given.guests,
        takes_bots=given.takes_bots,
        rating_range=(given.lowest_rating, given.highest_rating),
        **_part(given),
    )
    return match.pk


def _part(given: NewTable | QuickStart | Nonced) -> dict[str, Any]:
    """Return the part of the dice of who opens a table, and the promise for which it was drawn."""
    return {"nonce": given.nonce, "seal": given.seal, "promise": given.promise}


def _members(names: list[str]) -> list[User]:
    try:
        return members_named(" ".join(names_in(names)))
    except ValidationError as error:
        raise Invalid(" ".join(error.messages)) from error


@routes.acts(
    "/games/{slug}/start",
    TableShape,
    page="quick-match",
    words=_("Play against bots now"),
    then=table_answer,
    status=201,
)
def quick(request: HttpRequest, slug: GameSlug, given: QuickStart) -> int:
    """Start a match against bots, strong and easy in turn."""
    if slug not in games() or (given.lesson and lesson(slug) is None):
        raise Http404
    _within(request, "table")
    user, options = member_of(request), usual_options(get_game(slug))
    if given.lesson:
        return lessons.start_lesson(user=user, game_slug=slug, pace=PATIENT, options=options, **_part(given)).pk
    seats = catalogue(slug).quick_seats
    match = opening.create_match(
        creator=user,
        game_slug=slug,
        size=seats,
        options=options,
        bots=(["strong", "easy"] * seats)[: seats - 1],
        access=Match.Access.INVITATION,
        pace=PATIENT,
        **_part(given),
    )
    return match.pk


@routes.reads(
    "/links/{token}",
    TableShape,
    page="join-link",
    words=_("The table of a link"),
    more=_("The open table to which the link of an invitation leads."),
)
def by_link(request: HttpRequest, token: LinkToken) -> HttpResponse:
    """The open table of an invitation's link."""
    match = get_object_or_404(Match, token=token[:64], access=Match.Access.LINK)
    shown = Viewing(request.user, *play.match_and_seats(match.pk))
    if shown.viewer is None and shown.match.status != Match.Status.OPEN:
        raise too_late(shown.match)
    return as_json(table_of(shown))


@routes.acts("/matches/{match_id}/join", TableShape, page="join", words=_("Sit down"), then=table_answer)
def join(request: HttpRequest, match_id: MatchId, given: Joining) -> int:
    """Sit down at an open table."""
    _within(request, "join")
    if not (play.opens(given.token, match_id) or play.late_invitation(match_id, request.user)):
        find(request, match_id)
    user = member_of(request)
    opening.join(match_id=match_id, user=user, nonce=given.nonce, seal=given.seal, token=given.token)
    return match_id


@routes.acts(
    "/matches/{match_id}/leave", TableShape, page="leave", words=_("Get up from an open table"), then=table_answer
)
def leave(request: HttpRequest, match_id: MatchId) -> int:
    """Leave a table that has not started."""
    find(request, match_id)
    closing.leave(match_id=match_id, user=member_of(request))
    return match_id


@routes.acts(
    "/matches/{match_id}/here",
    TableShape,
    page="here",
    words=_("Say that you are here"),
    then=table_answer,
    more=_("Before a live match starts, all who sit there are asked."),
)
def here(request: HttpRequest, match_id: MatchId) -> int:
    """Say that one is here."""
    find(request, match_id)
    readiness.say_here(match_id=match_id, user=member_of(request))
    return match_id


@routes.acts(
    "/matches/{match_id}/start",
    TableShape,
    page="start",
    words=_("Start with bots in the free seats"),
    then=table_answer,
)
def start(request: HttpRequest, match_id: MatchId, given: Starting) -> int:
    """Start now, with bots in the free seats."""
    find(request, match_id)
    level = given.level if given.level is not None else opening.FILLING_BOT
    opening.start_with_bots(match_id=match_id, user=member_of(request), level=level)
    return match_id


@routes.acts("/matches/{match_id}/invite", TableShape, page="invite", words=_("Invite members"), then=table_answer)
def invite(request: HttpRequest, match_id: MatchId, given: Inviting) -> int:
    """Invite members to one's table: all or nobody."""
    find(request, match_id)
    asked = _members(given.names)
    _within(request, "invite", times=len(asked))
    opening.invite(match_id=match_id, user=member_of(request), guests=asked)
    return match_id


@routes.acts(
    "/matches/{match_id}/decline", TableShape, page="decline", words=_("Decline an invitation"), then=table_answer
)
def decline(request: HttpRequest, match_id: MatchId) -> int:
    """Decline an invitation; those at the table are told."""
    find(request, match_id)
    closing.decline(match_id=match_id, user=member_of(request))
    return match_id


@routes.acts(
    "/matches/{match_id}/rematch",
    TableShape,
    page="rematch",
    words=_("Ask for a rematch"),
    then=table_answer,
    more=_("Or come to the one that another asks for. The answer is its table."),
)
def rematch(request: HttpRequest, match_id: MatchId, given: Nonced) -> int:
    """Ask for a rematch, or come to it."""
    shown, user = find(request, match_id), member_of(request)
    if Match.objects.filter(rematch_of=shown.match).exists():
        _within(request, "join")
    else:
        others = [seat for seat in shown.seats if seat.user_id not in (None, user.pk)]
        _within(request, "table")
        _within(request, "invite", times=len(others))
    return opening.rematch(match_id=match_id, user=user, **_part(given)).pk


@routes.acts(
    "/matches/{match_id}/substitute",
    TableShape,
    page="take-over",
    words=_("Take over a seat"),
    then=table_answer,
    more=_("The seat of somebody who ran out of time, as a substitute."),
)
def take_over(request: HttpRequest, match_id: MatchId) -> int:
    """Take over the seat of somebody who is gone."""
    find(request, match_id)
    _within(request, "join")
    returning.take_over(match_id=match_id, user=member_of(request))
    return match_id


def _within(request: HttpRequest, action: str, *, times: int = 1) -> None:
    """Refuse (TooOften) what this person has done too often lately, by pages or programs."""
    if not rate_limits.allows(request, action, times=times):
        raise TooOften
