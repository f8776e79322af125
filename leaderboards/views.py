"""The pages of the leaderboards."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template import engines
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.access import member_of
from accounts.models import User
from config.lib import clock
from games.catalogue import games_shown
from games.ladders.queries import has_ladder
from games.models import Seat
from games.rules import games, get_game
from games.table import profile_address, profile_of, seat_name
from leaderboards import queries
from leaderboards.ranks import Board
from leaderboards.season_names import season_words
from leaderboards.seasons import ALL_TIME, season_of

LAST_PAGE = 100_000


@require_safe
def first_board(request: HttpRequest) -> HttpResponse:
    """Redirect to the leaderboard of the first game."""
    return redirect("leaderboard", slug=games()[0])


@require_safe
def board_page(request: HttpRequest, slug: str, *, bots: bool = False) -> HttpResponse:
    """A page of one game's board: of all time or a season, of everybody or of those followed; or of members' bots."""
    board = _board(request, slug, bots=bots)
    number = page_number(request)
    me = request.user if isinstance(request.user, User) and not bots else None
    followed = request.GET.get("who") == "followed" and me is not None
    if followed and me is not None:
        page = queries.followed_page(board, me, number)
        place = queries.place_among_followed(board, me)
        is_ranked = place is not None
    else:
        page = queries.board_page(board, number)
        is_ranked, place = queries.quick_place(board, me.pk) if me else (False, None)
    rows = [board_line(row, me) for row in page.rows]
    template = engines["jinja"].get_template("leaderboards/rows.jinja")
    context = {
        **_frame(board, followed=followed),
        "rows": rows,
        "rows_html": SafeString(template.render({"rows": rows})),
        "page": page,
        "place": place,
        "elsewhere": is_ranked and not any(row["you"] for row in rows),
        "followed": followed,
        "query": _query(board, followed=followed),
        **around(_address(board), _query(board, followed=followed), page),
    }
    return render(request, "leaderboards/board.html", context)


def board_line(row: queries.Row, me: User | None) -> dict[str, Any]:
    """Return what a board shows of a member; `me` is its reader."""
    standing = row.standing
    return {
        "rank": row.rank,
        "name": standing.user.username,
        "profile": profile_address(standing.user.username) if standing.user.is_active else "",
        "badge": str(standing.user.badge),
        "you": me is not None and standing.user_id == me.pk,
        "rating": standing.shown,
        "provisional": row.is_provisional,
        "matches": standing.matches,
        "wins": standing.wins,
        "when": day(standing.last_active),
        "iso": standing.last_active.isoformat(timespec="seconds"),
    }


def day(at: datetime) -> str:
    """Return the day of an instant in the active time zone: "18 Nov.", after 300 days with the year."""
    local = timezone.localtime(at)
    return date_format(local, "j N" if clock.now() - at < timedelta(days=300) else "j N Y")


@login_required
@require_safe
def my_place(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the member's own page of the board, or to the first."""
    board = _board(request, slug)
    me, followed = member_of(request), request.GET.get("who") == "followed"
    mine = queries.place_among_followed(board, me) if followed else queries.place_of(board, me.pk)
    page = mine.position // queries.PER_PAGE + 1 if mine else 1
    return redirect(_address(board, _query(board, followed=followed, page=page)) + ("#me" if mine else ""))


@require_safe
def teams(request: HttpRequest, slug: str) -> HttpResponse:
    """The best teams of a game that can be played together."""
    board = Board(slug if slug in games() else "", ALL_TIME)
    if not board.game_slug or not get_game(slug).together:
        raise Http404
    number = page_number(request)
    ranked, has_next = queries.team_page(slug, number)
    lines = [
        {
            "rank": rank,
            "score": result.score,
            "members": [
                {"number": s.number, "name": seat_name(s), "profile": _profile(s), "badge": s.badge}
                for s in result.match.seats.all()
            ],
            "match": result.match_id if result.match.is_public else None,
            "when": day(result.at),
            "iso": result.at.isoformat(timespec="seconds"),
        }
        for rank, result in ranked
    ]
    page = queries.Page([], number, has_next)
    ways = around(reverse("leaderboard-teams", args=[slug]), "", page)
    context = {**_frame(board), "lines": lines, "page": page, "teams": True, "aside": True, **ways}
    return render(request, "leaderboards/teams.html", context)


@require_safe
def champions(request: HttpRequest, slug: str) -> HttpResponse:
    """Who has won a game's championships."""
    board = Board(slug if slug in games() else "", ALL_TIME)
    if not board.game_slug:
        raise Http404
    hall = [
        {
            "season": season_words(one.season),
            "tournament": one.tournament_id,
            "medals": _three([(medal.place, medal.user) for medal in one.medals.all()]),  # type: ignore[attr-defined]
        }
        for one in queries.hall_of_fame(slug)
    ]
    return render(request, "leaderboards/champions.html", {**_frame(board), "hall": hall, "aside": True})


def _three(medals: Iterable[tuple[int, User | None]]) -> list[User | dict[str, str] | None]:
    """Return who came first, second and third, as lists of members show them; None where nobody did."""
    former = {"name": _("former member"), "profile": "", "badge": ""}
    by_place = {place: user or former for place, user in medals}
    return [by_place.get(place) for place in (1, 2, 3)]


def _profile(seat: Seat) -> str:
    return profile_of(seat) if seat.user is not None and seat.user.is_active else ""


def _board(request: HttpRequest, slug: str, *, bots: bool = False) -> Board:
    season = request.GET.get("season", ALL_TIME)
    if slug not in games() or (season and season not in queries.seasons_of(slug)):
        raise Http404
    return Board(slug, season, bots)


def page_number(request: HttpRequest) -> int:
    """Return the page of a list that the address asks for; Http404 for what is none."""
    text = request.GET.get("page", "1")
    if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) <= LAST_PAGE and len(text) <= 9):
        raise Http404
    return int(text)


def _query(board: Board, *, followed: bool = False, page: int = 1) -> str:
    wanted: dict[str, Any] = {"season": board.season, "who": "followed" if followed else "", "page": page}
    return urlencode({name: value for name, value in wanted.items() if value and value != 1})


def _address(board: Board, query: str = "") -> str:
    name = "leaderboard-bots" if board.bots else "leaderboard"
    return reverse(name, args=[board.game_slug]) + (f"?{query}" if query else "")


def around(address: str, query: str, page: queries.Page) -> dict[str, str]:
    """Return the addresses of the first, previous and next page, "" where there is none."""

    def at(number: int) -> str:
        return f"{address}?{query and f'{query}&'}page={number}"

    return {
        "first_url": at(1),
        "prev_url": at(page.number - 1) if page.number > 1 else "",
        "next_url": at(page.number + 1) if page.has_next else "",
    }


def _frame(board: Board, *, followed: bool = False) -> dict[str, Any]:
    """Return the navigation around a board: games, seasons and whom to see, with addresses."""
    slug, present = board.game_slug, season_of(clock.now())

    def url(season: str, *, followed: bool) -> str:
        other = Board(slug, season, board.bots)
        return _address(other, _query(other, followed=followed))

    past = [season for season in queries.seasons_of(slug) if season != present]
    championship = queries.coming_championship(slug)
    return {
        "championship": championship,
        "championship_words": season_words(championship.season) if championship else "",
        "board": board,
        "game": get_game(slug),
        "games": games_shown(),
        "has_ladder": has_ladder(slug),
        "has_teams": bool(get_game(slug).together),
        "present": present,
        "past": [{"season": name, "words": season_words(name), "url": url(name, followed=followed)} for name in past],
        "is_past": board.season not in (ALL_TIME, present),
        "season_words": season_words(board.season) if board.season else "",
        "all_time_url": url(ALL_TIME, followed=followed),
        "season_url": url(present, followed=followed),
        "everybody": url(board.season, followed=False),
        "followed_url": url(board.season, followed=True),
    }
