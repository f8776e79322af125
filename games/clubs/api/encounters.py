"""Matches of clubs against clubs for programs: challenges, answers, line-ups, tables."""

from typing import Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext_noop as _

from accounts.access import member_of
from config.lib.texts import clean_text
from games.api.kit import Routes, part_of
from games.api.shapes.parts import At, Number
from games.clubs import encounters, telling
from games.clubs.api.encounter_shapes import (
    Answering,
    EncounterGiven,
    EncounterListed,
    EncounterShape,
    LineupOrder,
    PlayingFor,
)
from games.clubs.models import LONGEST_MESSAGE, Board, Encounter
from games.clubs.services.encounters import challenging, lining_up
from games.clubs.services.encounters.refusals import NotForOrganisers
from games.clubs.views.encounters import (
    challenged,
    club_of,
    clubs_to_challenge_with,
    encounter_of,
    for_reader,
    lineups,
)
from games.queries.clubs import belongs, visible_club
from games.rules import games
from games.services.refusals import Invalid

routes = Routes("clubs")
MOST = 25
STATE = Encounter.State


@routes.reads("/clubs/{number}/matches", EncounterListed, page="club-matches", words=_("The matches of a club"))
def of_club(request: HttpRequest, number: Number, cursor: At = "") -> dict[str, Any]:
    """The matches of a club against others, those that one may see."""
    club, user = club_of(request, number), member_of(request)
    is_in = belongs(club.pk, user)
    found = encounters.of_club(club) if is_in else encounters.of_club(club).filter(public=True)
    rows, following = part_of(found, cursor, MOST)
    return {"items": [_line(one) for one in rows if is_in or encounters.may_see(one, user)], "next": following}


def _line(one: Encounter) -> dict[str, Any]:
    sums = encounters.final(one) if one.state == STATE.OVER else None
    return {
        "id": one.pk,
        "names": list(encounters.names(one)),
        "game": one.game_slug,
        "state": one.state,
        "begins_at": one.begins_at.isoformat(timespec="seconds"),
        "score": [float(part) for part in sums] if sums is not None else None,
    }


@routes.reads("/club-matches/{number}", EncounterShape, page="club-match", words=_("A club match"))
def whole(request: HttpRequest, number: Number) -> dict[str, Any]:
    """A club match: both line-ups, its tables, the sums, and what is asked of who reads."""
    return _told(request, number)


def _told(request: HttpRequest, number: int) -> dict[str, Any]:
    one, user = encounter_of(request, number), member_of(request)
    asked, boards = for_reader(one, user), encounters.boards_of(one)
    sums, own = encounters.points_of(boards).sums, asked["said"]
    sides = [telling.side(one, side, user) for side in encounters.SIDES]
    if one.state == STATE.ACCEPTED:
        lineups(one, sides, user)
    return _line(one) | {
        "options": one.options,
        "seats": one.seats,
        "most_tables": one.most_tables,
        "pace": one.pace_slug,
        "rated": one.rated,
        "words": one.words,
        "answer_by": one.answer_by.isoformat(timespec="seconds"),
        "sides": [_side(one, side, float(sums[side["side"]]), request) for side in sides],
        "tables": [_table(one, board, request) for board in boards],
        "answers": asked["answers"],
        "withdraws": asked["withdraws"] or asked["calls_off"],
        "plays_for": [side for side, _name in asked["plays_for"]],
        "orders": asked["orders"],
        "own_word": {"side": own.side, "plays": own.plays} if own is not None else None,
        "seed": bytes(one.server_seed).hex() if one.state == STATE.OVER else "",
    }


def _side(one: Encounter, side: dict[str, Any], points: float, request: HttpRequest) -> dict[str, Any]:
    names = ("id", "name", "you", "place", "rating", "left_over")
    club = encounters.clubs(one)[side["side"]]
    return {
        "side": side["side"],
        "name": side["name"],
        "club": club.pk if club is not None and visible_club(club.pk, member_of(request)) is not None else None,
        "lineup": [{name: row[name] for name in names} for row in side.get("line", ())],
        "points": points,
    }


def _table(one: Encounter, board: Board, request: HttpRequest) -> dict[str, Any]:
    shown, given = telling.board(one, board, member_of(request)), encounters.table_points(board)
    names = ("name", "you", "side", "rank", "away")
    return {
        **{name: shown[name] for name in ("number", "state", "match")},
        "seats": [{name: seat[name] for name in names} for seat in shown["seats"]],
        "points": [float(part) for part in given] if given is not None else None,
    }


@routes.acts(
    "/clubs/{number}/matches",
    EncounterShape,
    page="club-challenge",
    words=_("Challenge a club"),
    more=_("In the name of another, which you organise."),
    then=_told,
    status=201,
)
def challenge(request: HttpRequest, number: Number, given: EncounterGiven) -> int:
    """Challenge a club in the name of one that one organises."""
    club = club_of(request, number)
    if given.game not in games() or not challenging.sizes(given.game):
        raise Http404
    if not clubs_to_challenge_with(member_of(request), club):
        raise NotForOrganisers
    words = clean_text(given.words)
    if len(words) > LONGEST_MESSAGE:
        raise Invalid
    wishes = {
        "own_id": given.own,
        "game_slug": given.game,
        "options": given.options,
        "seats": given.seats,
        "most_tables": given.most_tables,
        "pace_slug": given.pace,
        "begins_at": given.begins_at,
        "rated": given.rated,
        "words": words,
    }
    return challenged(request, club, wishes).pk


@routes.acts(
    "/club-matches/{number}/answer",
    EncounterShape,
    page="club-match-answer",
    words=_("Answer the challenge of a club"),
    then=_told,
)
def answer(request: HttpRequest, number: Number, given: Answering) -> int:
    """Accept or decline a challenge, as an organiser of the club that got it."""
    encounter_of(request, number)
    challenging.answer(encounter_id=number, user=member_of(request), accepts=given.accepts)
    return number


@routes.acts(
    "/club-matches/{number}/withdraw",
    EncounterShape,
    page="club-match-withdraw",
    words=_("Take a challenge back, or call a club match off"),
    then=_told,
)
def withdraw(request: HttpRequest, number: Number) -> int:
    """Take a challenge back, or call the club match off before it begins."""
    encounter_of(request, number)
    challenging.withdraw(encounter_id=number, user=member_of(request))
    return number


@routes.acts(
    "/club-matches/{number}/play",
    EncounterShape,
    page="club-match-play",
    words=_("Say whether you play for your club"),
    then=_told,
)
def play(request: HttpRequest, number: Number, given: PlayingFor) -> int:
    """Say that one plays, or not."""
    encounter_of(request, number)
    lining_up.say(encounter_id=number, user=member_of(request), plays=given.plays, side=given.side)
    return number


@routes.acts(
    "/club-matches/{number}/line-up",
    EncounterShape,
    page="club-match-line-up",
    words=_("Put the line-up of your club into order"),
    then=_told,
)
def line_up(request: HttpRequest, number: Number, given: LineupOrder) -> int:
    """Put a line-up into an order, or by rating."""
    encounter_of(request, number)
    places = None if given.order is None else {row: place for place, row in enumerate(given.order, 1)}
    lining_up.order(encounter_id=number, user=member_of(request), side=given.side, numbers=places)
    return number
