"""Matches: one's own and those to be watched, the table, its log, its replay, its record."""

from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_noop as _
from ninja import Query

from accounts.access import member_of
from games.api.kit import Routes, part_of
from games.api.shapes.parts import LARGEST, At, MatchId, OfGame
from games.api.shapes.table import LogShape, MatchListed, PromptShape, RecordShape, TableShape
from games.api.shown import as_json, dice_of, entries, find, lines, table_of, tag_of, tagged, told
from games.engine import few_moves, json_schema
from games.models import Match
from games.offers import AWAITED
from games.queries import play
from games.queries.turns import all_turns
from games.record import public_record, state_at
from games.rules import games
from games.services.refusals import NotEnded
from games.table import table_for

routes = Routes("matches")
MOST = 20
FEW = 64
State = Annotated[
    Literal["waiting", "running", "open", "ended"],
    Query(description=_("waiting: those that wait for you, the most urgent first."), examples=["waiting"]),
]
Since = Annotated[
    int | None,
    Query(
        description=_("The last turn that you know: later ones are marked new."), examples=[11], ge=0, le=999_999_999
    ),
]


@routes.reads(
    "/matches", MatchListed, page="my-matches", words=_("My matches"), more=_("Your matches, by what they wait for.")
)
def mine(request: HttpRequest, state: State = "waiting", cursor: At = "") -> dict[str, Any]:
    """One's own matches, by their state."""
    user = member_of(request)
    waiting = play.waiting_ids(user)
    if state == "waiting":
        numbers, following = part_of(waiting, cursor, MOST)
        found = play.listed(Match.objects.all()).in_bulk(numbers)
        return {"items": lines(request, [found[one] for one in numbers if one in found]), "next": following}
    matches = _of_state(request, state).exclude(pk__in=waiting if state == "open" else [])
    rows, following = part_of(matches, cursor, MOST)
    return {"items": lines(request, rows), "next": following}


def _of_state(request: HttpRequest, state: str) -> QuerySet[Match]:
    user = member_of(request)
    if state == "running":
        return play.my_running(user).order_by("-moved_at", "-pk")
    matches = play.my_matches(user).filter(status=state)
    if state == "open":
        return matches.prefetch_related(AWAITED).order_by("-joined_at", "-pk")
    return matches.order_by("-ended_at", "-pk")


@routes.reads(
    "/watchable",
    MatchListed,
    page="lobby",
    words=_("Matches to watch"),
    more=_("Running matches of others that everybody may watch."),
)
def watchable(request: HttpRequest, game: OfGame = "", cursor: At = "") -> dict[str, Any]:
    """The public running matches of others, the latest move first."""
    slug = game if game in games() else ""
    rows, following = part_of(play.running_in_public(member_of(request), slug), cursor, MOST)
    return {"items": lines(request, rows), "next": following}


@routes.reads(
    "/matches/{match_id}",
    TableShape,
    page="match",
    words=_("A table"),
    more=_("A match as you see it. With If-None-Match, nothing (304) as long as it is the same."),
)
def table(request: HttpRequest, match_id: MatchId, since: Since = None) -> HttpResponse:
    """The table as one's own seat sees it."""
    shown = find(request, match_id)
    return tagged(request, tag_of(shown, since), lambda: table_of(shown, since))


@routes.reads(
    "/matches/{match_id}/prompt",
    PromptShape,
    page="match",
    words=_("Legal moves"),
    more=_("What you may do now, as the prompt of your seat, and as the JSON Schema of the moves that it allows."),
)
def prompt(request: HttpRequest, match_id: MatchId) -> HttpResponse:
    """What one may do now."""
    shown = find(request, match_id)

    def made() -> dict[str, Any]:
        now = shown.table()
        asked = now["view"]["prompt"] if now["view"] is not None and now["ask"] is not None else None
        if asked is None:
            return {"ask": None, "prompt": None, "moves": {"not": {}}, "few": []}
        few = few_moves(asked, FEW)
        return {"ask": now["ask"], "prompt": asked, "moves": json_schema.of_prompt(asked), "few": few}

    return tagged(request, tag_of(shown, "prompt"), made)


@routes.reads(
    "/matches/{match_id}/log", LogShape, page="log", words=_("The log"), more=_("All turns, as they are told to you.")
)
def log(request: HttpRequest, match_id: MatchId, cursor: At = "") -> HttpResponse:
    """The log, part by part."""
    shown = find(request, match_id)
    turns = all_turns(shown.match)
    told_of = table_for(shown.match, shown.seats, shown.viewer, turns)
    items, following = part_of(entries(told_of), cursor, 200)
    return as_json({"items": items, "next": following, "unveiled": {} if cursor else told_of["unveiled"]})


Step = Annotated[int, Query(description=_("After which turn; 0 is the start."), examples=[3], ge=0, le=LARGEST)]


@routes.reads(
    "/matches/{match_id}/replay",
    TableShape,
    page="replay",
    words=_("A step of the replay"),
    more=_("The table after a turn, as you may see it."),
)
def replay(request: HttpRequest, match_id: MatchId, step: Step = 0) -> HttpResponse:
    """The table after a turn."""
    shown = find(request, match_id)
    match = shown.match
    if match.status == Match.Status.OPEN or not match.state or step > match.turns:
        raise Http404
    turns, state = all_turns(match), state_at(match, shown.seats, step)
    seen = [turn for turn in turns if turn.number == step]
    then = told(table_for(match, shown.seats, shown.viewer, seen, state=state, step=step))
    blank: dict[str, Any] = {"orders_mark": "", "notices": "", "coach": "", "invited": [], "declined": [], "link": ""}
    return as_json(then | blank | _about(match) | {"dice": dice_of(shown)})


def _about(match: Match) -> dict[str, Any]:
    return {"rated": match.rated, "takes_bots": match.takes_bots, "access": match.access, "rematch": None}


@routes.reads(
    "/matches/{match_id}/record",
    RecordShape,
    page="record",
    words=_("The record"),
    more=_("The record of a match that has ended, with the secrets of its dice."),
)
def record(request: HttpRequest, match_id: MatchId) -> HttpResponse:
    """The record of a match that has ended."""
    shown = find(request, match_id)
    if shown.match.status != Match.Status.ENDED or not shown.match.state:
        raise NotEnded
    return as_json({"record": public_record(shown.match, shown.seats)})
