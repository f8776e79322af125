"""Tournaments for programs: which there are, how they stand, signing up and withdrawing."""

from typing import Annotated, Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_noop as _
from ninja import Path, Query

from accounts.access import member_of
from games.api.kit import Routes, part_of
from games.api.shapes.parts import LARGEST, At, Number, OfGame
from games.competitions import queries, rows
from games.competitions.api.shapes import (
    Entering,
    OfferListed,
    PlaceAnswer,
    Readiness,
    TablesListed,
    TournamentListed,
    TournamentRecord,
    TournamentShape,
    Which,
)
from games.competitions.models import Offer, Tournament
from games.competitions.record import is_opened, record_of
from games.competitions.rows import corrections_of
from games.competitions.services import entering
from games.competitions.services.correcting import may_correct
from games.competitions.services.entering import open_to, why_not
from games.competitions.services.refusals import NotOver
from games.competitions.telling import correction_words, line_of
from games.competitions.views.finding import find, within
from games.competitions.views.managing import deeds_for
from games.competitions.views.page import link_for
from games.competitions.views.standing import Standing
from games.queries.clubs import belongs
from games.rules import games

routes = Routes("tournaments")
STATE = Tournament.State
MOST = 20
TABLES = 100
LinkToken = Annotated[
    str, Path(description=_("The token of the link, its last part."), examples=["Zk3"], max_length=64)
]
OfRound = Annotated[int | None, Query(description=_("Those of one round alone."), examples=[2], ge=1, le=LARGEST)]


@routes.reads("/tournaments", TournamentListed, page="tournaments", words=_("Tournaments"))
def listed(request: HttpRequest, state: Which = "open", game: OfGame = "", cursor: At = "") -> dict[str, Any]:
    """The tournaments that one may see."""
    user, slug = member_of(request), game if game in games() else ""
    found = queries.under_way_of(user) if state == "mine" else queries.visible(user).filter(state=state)
    found = found.filter(game_slug=slug) if slug else found
    order = {"mine": "-state", "open": "begins_at", "running": "-began_at", "over": "-ended_at"}[state]
    found_part, following = part_of(queries.listed(found).order_by(order, "pk"), cursor, MOST)
    opened = [one for one in found_part if one.state == STATE.OPEN]
    opens, enters = open_to(opened, user), queries.entered_by(user, found_part)
    items = [_line(one, opens=one.pk in opens, enters=one.pk in enters) for one in found_part]
    return {"items": items, "next": following}


def _line(one: Tournament, *, opens: bool, enters: bool) -> dict[str, Any]:
    line = line_of(one, opens=opens, enters=enters)
    return {
        "id": one.pk,
        "name": one.name,
        "game": one.game_slug,
        "format": one.format,
        "state": one.state,
        "pace": one.pace_slug,
        "rated": one.rated,
        "organiser": one.organiser.username if one.organiser else "",
        "entered": line["entered"],
        "most": one.most,
        "begins_at": (one.began_at or one.begins_at).isoformat(timespec="seconds"),
        "opens": line["opens"],
        "enters": line["enters"],
    }


@routes.reads("/tournaments/{number}", TournamentShape, page="tournament", words=_("A tournament"))
def whole(request: HttpRequest, number: Number) -> dict[str, Any]:
    """A tournament, who takes part, how they stand, and the tables of its latest round."""
    return told(request, number)


def told(request: HttpRequest, number: int, token: str = "") -> dict[str, Any]:
    """Return what a tournament is to who asks, also by the secret of its link."""
    one, user = find(request, number, token), member_of(request)
    inside = one.access == Tournament.Access.CLUB and belongs(one.club_id, user)
    standing = Standing(one, user.pk, sees_tables=inside)
    me = next((player for player in standing.players.values() if player.user_id == user.pk), None)
    is_in, takes = me is not None and me.is_in, one.state == STATE.OPEN or (one.state == STATE.RUNNING and one.is_arena)
    reason = why_not(one, user, token) if takes and not is_in else ""
    rounds = queries.rounds_of(one)
    tables = standing.tables(rows.tables_of(one, rounds[-1].number)) if rounds else []
    corrections = correction_words(corrections_of(one), standing.by_id)
    return _line(one, opens=takes and not is_in and not reason, enters=is_in) | {
        "entered": standing.entered,
        "words": one.words,
        "why_not": reason,
        "rounds": standing.rounds,
        "entrants": _entrants(standing),
        "tables": [_table(table) for table in tables],
        "corrections": [str(correction["words"]) for correction in corrections],
        "ready": me.ready_at is not None if me is not None and is_in and one.is_arena else None,
        "offer": _offer_in(one, request),
        "deeds": deeds_for(one, user) if may_correct(one, user) else [],
        "link": link_for(one, user, me),
    }


def _table(table: dict[str, Any]) -> dict[str, Any]:
    return {name: table[name] for name in ("id", "round", "number", "state", "match", "seats")}


def _offer_in(one: Tournament, request: HttpRequest) -> dict[str, Any] | None:
    found = queries.offers_to(member_of(request)).filter(tournament=one).first()
    return _offer(found) if found is not None and one.state == STATE.RUNNING else None


def _offer(one: Offer) -> dict[str, Any]:
    gone = one.entrant.user
    return {
        "tournament": one.tournament_id,
        "name": one.tournament.name,
        "by": one.by.username if one.by else "",
        "gone": gone.username if gone else "",
        "reason": one.reason,
    }


def _entrants(standing: Standing) -> list[dict[str, Any]]:
    """Return everybody, the best first once anything has been counted."""
    names = ("number", "name", "you", "left")
    if standing.counted:
        told = standing.shown(standing.lines)
        return [
            {name: line[name] for name in names}
            | {"line": {key: value for key, value in line.items() if key not in (*names, "profile", "badge")}}
            for line in told
        ]
    return [{name: one[name] for name in names} | {"line": {}} for one in standing.people()]


@routes.acts("/tournaments/{number}/enter", TournamentShape, page="tournament-enter", words=_("Sign up"), then=told)
def enter(request: HttpRequest, number: Number, given: Entering) -> int:
    """Sign up for a tournament."""
    tournament = find(request, number, given.token)
    within(request, "entry")
    entering.enter(tournament_id=tournament.pk, user=member_of(request), token=given.token)
    return tournament.pk


@routes.acts("/tournaments/{number}/withdraw", None, page="tournament-withdraw", words=_("Withdraw"))
def withdraw(request: HttpRequest, number: Number) -> None:
    """Withdraw; what one has reached stands."""
    entering.withdraw(tournament_id=find(request, number).pk, user=member_of(request))


@routes.acts("/tournaments/{number}/ready", None, page="tournament-ready", words=_("Wait for a table"))
def ready(request: HttpRequest, number: Number, given: Readiness) -> None:
    """Wait for a table of a tournament in one evening, or pause."""
    tournament = find(request, number)
    within(request, "ready")
    entering.be_ready(tournament_id=tournament.pk, user=member_of(request), ready=given.wish)


@routes.reads(
    "/tournament-links/{token}",
    TournamentShape,
    page="tournament-link",
    words=_("The tournament of a link"),
    more=_("The tournament to which its link leads; to sign up, send the token with it."),
)
def by_link(request: HttpRequest, token: LinkToken) -> dict[str, Any]:
    """The tournament of a link."""
    found = get_object_or_404(Tournament, token=token, access=Tournament.Access.LINK)
    return told(request, found.pk, token)


@routes.reads(
    "/tournaments/{number}/tables",
    TablesListed,
    page="tournament",
    words=_("The tables of a tournament"),
    more=_("Of all rounds, or of one."),
)
def tables(request: HttpRequest, number: Number, round: OfRound = None, cursor: At = "") -> dict[str, Any]:
    """The tables of a tournament, the latest round first."""
    one = find(request, number)
    inside = one.access == Tournament.Access.CLUB and belongs(one.club_id, member_of(request))
    standing = Standing(one, member_of(request).pk, sees_tables=inside)
    found, following = part_of(rows.tables_of(one, round), cursor, TABLES)
    return {"items": [_table(table) for table in standing.tables(found)], "next": following}


@routes.reads(
    "/tournaments/{number}/record",
    TournamentRecord,
    page="tournament-record",
    words=_("The record of a tournament"),
    more=_("By which anybody may check its draws and standings, once it is over."),
)
def record(request: HttpRequest, number: Number) -> dict[str, Any]:
    """The record of a tournament that is over."""
    one = find(request, number)
    if not is_opened(one):
        raise NotOver
    return {"record": record_of(one)}


@routes.reads("/me/places", OfferListed, page="tournament", words=_("Places that you are asked to take"))
def places(request: HttpRequest) -> dict[str, Any]:
    """The places in tournaments that one is asked to take."""
    return {"items": [_offer(one) for one in queries.offers_to(member_of(request))], "next": None}


@routes.acts(
    "/tournaments/{number}/place",
    None,
    page="tournament-place",
    words=_("Take a place, or decline it"),
    more=_("That of somebody else, which you are asked to take."),
)
def place(request: HttpRequest, number: Number, given: PlaceAnswer) -> None:
    """Answer whether one takes the place that one is asked to take."""
    one = find(request, number)
    act = entering.take_place if given.accepts else entering.decline_place
    act(tournament_id=one.pk, user=member_of(request))
