"""The boards for programs: a page of a game's board, one's own place, a member's ratings."""

from typing import Annotated, Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext_noop as _
from ninja import Query

from accounts.access import member_of
from accounts.queries import member_named
from games.api.kit import Routes, cursor_of, number_in
from games.api.shapes.parts import At, GameSlug, Listed, MemberName, Moment, Name, Shape, said
from games.api.shapes.people import RatingListed
from games.rules import games
from leaderboards import queries, rating
from leaderboards.models import Standing
from leaderboards.ranks import Board
from leaderboards.seasons import ALL_TIME

routes = Routes("boards")
LAST_PAGE = 100_000
Season = Annotated[
    str, Query(description=_("A season, as 2026-Q4; all time without it."), examples=["2026-Q4"], max_length=20)
]
Followed = Annotated[
    bool, Query(description=_("Only you and those whom you follow, ranked among themselves."), examples=[False])
]


class RowShape(Shape):
    """A line of a board."""

    rank: int = said(_("The rank: equal ratings share one."), 12)
    name: Name
    badge: str = said(_("What staff is called; empty for others."), "")
    you: bool = said(_("Whether it is you."), False)
    rating: int = said(_("The rating, in whole points."), 1612)
    provisional: bool = said(_("Whether it rests on few matches."), False)
    matches: int = said(_("How many rated matches were played."), 41)
    wins: int = said(_("How many of them were won."), 17)
    last_active: Moment


class BoardShape(Listed):
    """A part of a board."""

    items: list[RowShape] = said(_("The lines, the best first."), [])
    seasons: list[str] = said(_("The seasons of the game, the latest first."), ["2026-Q4"])
    place: int | None = said(_("Your own rank; null if you are not on the board, or it is not known now."), 12)


@routes.reads("/boards/{slug}", BoardShape, page="leaderboard", words=_("The board of a game"))
def board(
    request: HttpRequest, slug: GameSlug, season: Season = ALL_TIME, followed: Followed = False, cursor: At = ""
) -> dict[str, Any]:
    """A part of one game's board."""
    if slug not in games() or (season and season not in queries.seasons_of(slug)):
        raise Http404
    found, number, me = Board(slug, season), number_in(cursor, 1, LAST_PAGE), member_of(request)
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
