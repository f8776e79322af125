"""The boards for programs: a page of a game's board, one's own place, a member's ratings."""

from typing import Annotated, Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext_noop as _
from ninja import Query

from accounts.access import member_of
from accounts.queries import member_named
from config.lib import clock
from games.api.kit import Routes, cursor_of, number_in
from games.api.shapes.parts import At, GameSlug, MemberName, Number, OfGame
from games.api.shapes.people import RatingListed
from games.rules import games, get_game
from games.table import seat_name
from leaderboards import queries, rating
from leaderboards.api_shapes import BoardShape, ChampionsListed, ClubBoardShape, TeamListed
from leaderboards.clubs import board_of, club_of_board
from leaderboards.models import Standing
from leaderboards.ranks import Board
from leaderboards.seasons import ALL_TIME, season_of

routes = Routes("boards")
LAST_PAGE = 100_000
Season = Annotated[
    str, Query(description=_("A season, as 2026-Q4; all time without it."), examples=["2026-Q4"], max_length=20)
]
Followed = Annotated[
    bool, Query(description=_("Only you and those whom you follow, ranked among themselves."), examples=[False])
]

OfBots = Annotated[bool, Query(description=_("The board of members’ bots, not that of people."), examples=[False])]


@routes.reads("/boards/{slug}", BoardShape, page="leaderboard", words=_("The board of a game"))
def board(
    request: HttpRequest,
    slug: GameSlug,
    *,
    season: Season = ALL_TIME,
    followed: Followed = False,
    bots: OfBots = False,
    cursor: At = "",
) -> dict[str, Any]:
    """A part of one game's board."""
    if slug not in games() or (season and season not in queries.seasons_of(slug)):
        raise Http404
    found, number, me = Board(slug, season, bots), number_in(cursor, 1, LAST_PAGE), member_of(request)
    if followed:
        page, place = queries.followed_page(found, me, number), queries.place_among_followed(found, me)
    else:
        page, (_is_ranked, place) = queries.board_page(found, number), queries.quick_place(found, me.pk)
    return {
        "items": [_line(row, me.pk) for row in page.rows],
        "next": cursor_of([number + 1]) if page.has_next and number < LAST_PAGE else None,
        "seasons": queries.seasons_of(slug),
        "place": place.rank if place else None,
    }


def _line(row: queries.Row, me: int) -> dict[str, Any]:
    standing = row.standing
    return {
        "rank": row.rank,
        "name": standing.user.username,
        "badge": str(standing.user.badge),
        "you": standing.user_id == me,
        "rating": standing.shown,
        "provisional": row.is_provisional,
        "matches": standing.matches,
        "wins": standing.wins,
        "last_active": standing.last_active.isoformat(timespec="seconds"),
    }


@routes.reads("/people/{name}/ratings", RatingListed, page="profile", words=_("A member’s ratings"))
def ratings(request: HttpRequest, name: MemberName) -> dict[str, Any]:
    """The ratings of a member, of all time."""
    member = member_named(name)
    if member is None:
        raise Http404
    rows = {row.game_slug: row for row in Standing.objects.filter(user=member, season=ALL_TIME)}
    items = [
        {
            "game": slug,
            "rating": rows[slug].shown,
            "provisional": rating.is_provisional(rows[slug].matches),
            "matches": rows[slug].matches,
            "wins": rows[slug].wins,
        }
        for slug in games()
        if slug in rows
    ]
    return {"items": items, "next": None}


@routes.reads(
    "/boards/{slug}/teams",
    TeamListed,
    page="leaderboard-teams",
    words=_("The best teams of a game"),
    more=_("Of a game that can be played together."),
)
def teams(request: HttpRequest, slug: GameSlug, cursor: At = "") -> dict[str, Any]:
    """The best teams of a game that can be played together."""
    if slug not in games() or not get_game(slug).together:
        raise Http404
    number = number_in(cursor, 1, LAST_PAGE)
    ranked, has_next = queries.team_page(slug, number)
    items = [
        {
            "rank": rank,
            "score": result.score,
            "members": [seat_name(seat) for seat in result.match.seats.all()],
            "match": result.match_id if result.match.is_public else None,
            "at": result.at.isoformat(timespec="seconds"),
        }
        for rank, result in ranked
    ]
    return {"items": items, "next": cursor_of([number + 1]) if has_next and number < LAST_PAGE else None}


@routes.reads("/boards/{slug}/champions", ChampionsListed, page="champions", words=_("The champions of a game"))
def champions(request: HttpRequest, slug: GameSlug) -> dict[str, Any]:
    """Who has won a game's championships."""
    if slug not in games():
        raise Http404
    items = []
    for one in queries.hall_of_fame(slug):
        medals = {medal.place: medal.user.username if medal.user else "" for medal in one.medals.all()}  # type: ignore[attr-defined]
        places = {name: medals.get(place) for place, name in enumerate(("first", "second", "third"), 1)}
        items.append({"season": one.season, "tournament": one.tournament_id} | places)
    return {"items": items, "next": None}


@routes.reads(
    "/clubs/{number}/board",
    ClubBoardShape,
    page="club-board",
    words=_("The board of a club"),
    more=_("Of a season; of the game that most of the club play, if none is named."),
)
def club_board(
    request: HttpRequest, number: Number, game: OfGame = "", season: Season = "", cursor: At = ""
) -> dict[str, Any]:
    """A part of a club's board."""
    club = club_of_board(request, number)
    found, part = board_of(club, game, season or season_of(clock.now())), number_in(cursor, 1, LAST_PAGE)
    page = queries.club_page(found, club.pk, part)
    return {
        "items": [_line(row, member_of(request).pk) for row in page.rows],
        "next": cursor_of([part + 1]) if page.has_next and part < LAST_PAGE else None,
        "game": found.game_slug,
        "season": found.season,
    }
