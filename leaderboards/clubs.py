"""The board of the season of a club: its members, ranked by their rated results in all matches of a game."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import engines
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts.access import Hidden
from accounts.models import User
from config.lib import clock, sql
from games.catalogue import games_shown
from games.models import Club, Membership
from games.queries.clubs import belongs
from games.rules import games, get_game
from leaderboards import queries
from leaderboards.ranks import Board
from leaderboards.season_names import season_words
from leaderboards.seasons import season_of
from leaderboards.views import around, board_line, page_number

SHOWN = 5  # on the club's page
LARGEST = 2**63  # ids are smaller


@require_safe
@sql.snapshot()
def club_board(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show a page of a club's board: of one game, in one season; of a club by invitation to its members alone."""
    club = club_of_board(request, club_id)
    board, number = _board(request, club), page_number(request)
    me = request.user if isinstance(request.user, User) else None
    page = queries.club_page(board, club.pk, number)
    rows = [board_line(row, me) for row in page.rows]
    html = engines["jinja"].get_template("leaderboards/rows.jinja")
    present = season_of(clock.now())
    context = {
        "club": club,
        "board": board,
        "game": get_game(board.game_slug),
        "games": [one | {"url": _address(club, Board(one["slug"], board.season))} for one in games_shown()],
        "seasons": [
            {"season": name, "words": season_words(name), "url": _address(club, Board(board.game_slug, name))}
            for name in queries.seasons_of(board.game_slug)
        ],
        "present": present,
        "season_words": season_words(board.season),
        "rows": rows,
        "rows_html": SafeString(html.render({"rows": rows})),
        "page": page,
        "total": queries.club_size(board, club.pk) if rows else 0,
        **around(reverse("club-board", args=[club.pk]), _query(board), page),
    }
    return render(request, "leaderboards/club.html", context)


def club_panel(request: HttpRequest, club: Club, me: Membership | None) -> SafeString:
    """Return the first five of a club's board as HTML, for whoever may see it; a hook (CLUB_PANELS)."""
    if not (club.is_listed or (me is not None and me.is_in)):
        return SafeString()
    board = _usual_board(club)
    reader = request.user if isinstance(request.user, User) else None
    rows = queries.club_page(board, club.pk, 1, SHOWN).rows
    context: dict[str, Any] = {
        "game": get_game(board.game_slug),
        "season_words": season_words(board.season),
        "lines": [board_line(row, reader) for row in rows],
        "url": reverse("club-board", args=[club.pk]),
    }
    return render_to_string("leaderboards/club_panel.html", context, request)


def club_of_board(request: HttpRequest, club_id: int) -> Club:
    """Return the club for a person who may see its board; Hidden for others."""
    club = Club.objects.filter(pk=club_id).first() if club_id < LARGEST else None
    if club is None or not (club.is_listed or belongs(club.pk, request.user)):
        raise Hidden(reverse("club-board", args=[club_id]))
    return club


def _board(request: HttpRequest, club: Club) -> Board:
    return board_of(club, request.GET.get("game", ""), request.GET.get("season", season_of(clock.now())))


def board_of(club: Club, slug: str, season: str) -> Board:
    """Return a club's board of a game, "" for the one that most of it play, in a season. Http404."""
    if not slug:
        slug = queries.club_game(club.pk, season) or games()[0]
    if slug not in games() or season not in queries.seasons_of(slug):
        raise Http404
    return Board(slug, season)


def _usual_board(club: Club) -> Board:
    """Return the board that is shown first: of the present season, of the game that most of the club play."""
    season = season_of(clock.now())
    return Board(queries.club_game(club.pk, season) or games()[0], season)


def _query(board: Board) -> str:
    return urlencode({"game": board.game_slug, "season": board.season})


def _address(club: Club, board: Board) -> str:
    return f"{reverse('club-board', args=[club.pk])}?{_query(board)}"
