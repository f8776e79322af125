"""The pages around matches: home, lobby, one's own matches, rules, colours."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import catalogue
from games.catalogue import games_shown
from games.clocks import time_left, to_ms, until, when
from games.forms.options import lobby_words
from games.forms.play import read_number
from games.models import Match, Seat
from games.queries import play
from games.rules import games
from games.services.chat import mentions
from games.services.play import returning
from games.table import (
    headline,
    match_line,
    rating_range,
    seat_label,
    seat_name,
    seat_of_viewer,
    table_for,
)
from games.time_controls import TIME_CONTROLS
from games.views import chat

ENDED_PER_PAGE = 20
TABLES_SHOWN = 100
OTHERS_SHOWN = 20
WATCHED_SHOWN = 10
FOR_GOOD = 60 * 60 * 24 * 365  # seconds


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what the site is to visitors, and the waiting matches to members."""
    waiting = play.matches_to_move(request.user)
    others = play.my_matches(request.user).filter(status=Match.Status.RUNNING).order_by("-moved_at")
    left = play.seats_to_take_back(request.user)
    seen = {match.pk for match in (*waiting, *left)}
    context = {
        "games": games_shown(),
        "waiting_matches": [_line(match, request) for match in waiting],
        "left_matches": [_line(match, request) for match in left],
        "calls": mentions.unread(request.user, chat.CALLS_SHOWN),
        "invited_matches": [_line(match, request) for match in play.invited_to(request.user)],
        "other_matches": [_line(match, request) for match in others[:OTHERS_SHOWN] if match.pk not in seen],
        "tables_html": _tables(request),
    }
    return render(request, "games/lobby/home.html", context)


@require_safe
def lobby_page(request: HttpRequest) -> HttpResponse:
    """Show the open tables; the list alone for the page's own script."""
    if request.GET.get("fragment"):
        return HttpResponse(_tables(request), headers={"Cache-Control": "no-store"})
    slug, pace = request.GET.get("game", ""), request.GET.get("pace", "")
    watchable = play.running_in_public(slug if slug in games() else "")[:WATCHED_SHOWN]
    context = {
        "games": games_shown(),
        "game_slug": slug,
        "paces": TIME_CONTROLS.values(),
        "pace_slug": pace if pace in TIME_CONTROLS else "",
        "tables_html": _tables(request),
        "deserted": [
            _line(match, request)
            for match in play.matches_to_take_over(request.user, slug if slug in games() else "")
            if returning.offered(match, list(match.seats.all()))
        ],
        "watchable": [_line(match, request) for match in watchable],
    }
    return render(request, "games/lobby/lobby.html", context)


def _tables(request: HttpRequest) -> str:
    slug = request.GET.get("game", "")
    tables = play.open_tables(request.user, slug if slug in games() else "", request.GET.get("pace", ""))
    items = [_open_table(match, request) for match in tables[:TABLES_SHOWN]]
    context = {"tables": items, "first_game": games()[0]}
    return render_to_string("games/lobby/open_matches.html", context, request)


def _open_table(match: Match, request: HttpRequest) -> dict[str, Any]:
    seats = list(match.seats.all())
    return {
        "match": match,
        "id": match.pk,
        "game": match.game_slug,
        "name": match.game.name,
        "badges": lobby_words(match.game, match.options),
        "rated": match.rated,
        "range": rating_range(match),
        "creator": next((seat_name(s) for s in seats if s.user_id == match.creator_id and s.user_id), ""),
        "seats": [seat_label(seat) | {"free": seat.is_free} for seat in seats],
        "free": sum(seat.is_free for seat in seats),
        "seated": seat_of_viewer(seats, request.user.pk) is not None,
        "pace": match.pace.label,
        "when": when(match.created_at),
    }


@login_required
@require_safe
def my_matches(request: HttpRequest) -> HttpResponse:
    """Show one's own matches, by what they wait for."""
    matches = play.my_matches(request.user)
    running = [_line(match, request) for match in matches.filter(status=Match.Status.RUNNING)]
    opened = [_line(match, request) for match in matches.filter(status=Match.Status.OPEN)]
    ended = Paginator(matches.filter(status=Match.Status.ENDED).order_by("-ended_at", "-pk"), ENDED_PER_PAGE)
    page = ended.get_page(request.GET.get("page"))
    sections = {
        "turn": sorted((line for line in running if line["asked_at"]), key=lambda line: line["asked_at"]),
        "waiting": [line for line in running if not line["asked_at"]],
        "open": [line for line in opened if line["seated"]],
        "invited": [line for line in opened if not line["seated"]],
        "ended": [_line(match, request) for match in page],
    }
    return render(request, "games/lobby/my_matches.html", {"sections": sections, "page": page})


def _line(match: Match, request: HttpRequest) -> dict[str, Any]:
    seats = list(match.seats.all())
    mine = seat_of_viewer(seats, request.user.pk)
    return match_line(match, seats, mine) | {
        "id": match.pk,
        "headline": headline(table_for(match, seats, mine)),
        "you": mine.number if mine else None,
        "seated": mine is not None,
        "asked_at": mine.asked_at if mine and mine.is_in else None,
        "due": due_words(mine),
        "ending": match.ending,
        "rank": mine.rank if mine else None,
        "score": mine.score if mine else None,
    }


def due_words(mine: Seat | None) -> str:
    """Return until when this person's clock runs, in words; empty if it does not."""
    if mine is None or mine.deadline is None:
        return ""
    end = to_ms(mine.deadline)
    return _("%(left)s left, %(until)s") % {"left": time_left(end), "until": until(end)}


@require_safe
def next_match(request: HttpRequest) -> HttpResponse:
    """Go to the longest waiting match, after the one being looked at (`after`)."""
    waiting = list(play.my_turns(request.user).values_list("match_id", flat=True))
    after = read_number(request.GET.get("after"))
    if after in waiting:
        place = waiting.index(after) + 1
        waiting = waiting[place:] + waiting[:place]
    return redirect("match", match_id=waiting[0]) if waiting else redirect("my-matches")


@require_safe
def game_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's rules and makers, and how to start."""
    game = next((game for game in games_shown() if game["slug"] == slug), None)
    if game is None:
        raise Http404
    body = f"games/{slug}/rules.{get_language()}.html"
    return render(request, "games/lobby/rules.html", {"game": game, "body_template": body})


@require_safe
def game_colours(request: HttpRequest, digest: str) -> HttpResponse:
    """Return the style sheet of all games' colours; cached for good under its current address."""
    response = HttpResponse(catalogue.style_sheet(), content_type="text/css; charset=utf-8")
    if digest == catalogue.digest():
        patch_cache_control(response, public=True, max_age=FOR_GOOD, immutable=True)
    return response
