"""The pages around matches: home, lobby, one's own matches, rules, colours."""

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.http import urlencode
from django.utils.module_loading import import_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.access import person_of
from accounts.queries import followed_ids
from config.lib import sql
from config.lib.formats import about_people
from games import catalogue
from games.catalogue import games_shown, lobby_words
from games.clocks import when
from games.examples import example_shown
from games.forms.play import read_number
from games.models import Match
from games.offers import AWAITED, named, offered
from games.queries import play, puzzles, substitutes
from games.queries.challenges import standing
from games.queries.play import Person
from games.queries.readable import each
from games.rules import games, get_game, lesson, template_of, versions
from games.services.chat import mentions
from games.services.hooks import host_of
from games.services.lobby import joining
from games.services.play import returning
from games.table import seat_label, seat_name, seat_of_viewer
from games.time_controls import TIME_CONTROLS
from games.views import chat
from games.views.challenges import lines as challenge_lines
from games.views.links import rating_range
from games.views.waiting import (
    NO_STORE,
    line_of,
    lines_of,
    mark_series,
    mark_talk,
    more_cards,
    waiting_cards,
    waits_headline,
)

PER_PAGE = 20
TABLES_SHOWN = 50
OTHERS_SHOWN = 20
WATCHED_SHOWN = 10
FOR_GOOD = 60 * 60 * 24 * 365  # seconds


@require_safe
@sql.snapshot()
def home(request: HttpRequest) -> HttpResponse:
    """Show what the site is to visitors, and what waits to members; that alone for the page's own script."""
    if request.GET.get("fragment"):
        return HttpResponse(_waits(request, play.waiting_ids(request.user))["html"], headers=NO_STORE)
    user = request.user
    person = person_of(request)
    is_member = person is not None and (not person.is_guest or play.waiting_count(person) > 0)
    waiting = play.waiting_ids(user)
    context = {
        "games": games_shown(),
        "is_member": is_member,
        "waits": _waits(request, waiting) if is_member else None,
        "calls": mentions.unread(user, chat.CALLS_SHOWN),
        "puzzle": puzzles.card_of(user),
        "panels": [import_string(path)(request) for path in settings.HOME_PANELS] if is_member else [],
        "tables_html": _tables(request, waiting),
        "deserted": _deserted(person, followed=True) if person and is_member and followed_ids(person).exists() else [],
    }
    return render(request, "games/lobby/home.html", context)


def _waits(request: HttpRequest, waiting: list[int]) -> dict[str, str]:
    cards = waiting_cards(request.user)
    left = play.seats_to_take_back(request.user)[:OTHERS_SHOWN]
    seen = {*waiting, *(match.pk for match in left)}
    running = play.my_running(request.user).order_by("-moved_at")
    others = running.exclude(pk__in=seen)[:OTHERS_SHOWN]
    asked = [import_string(path)(request) for path in settings.HOME_QUESTIONS]
    said = waits_headline(len(waiting), sum(many for many, _html in asked))
    lists = {
        "cards": cards,
        "left": lines_of(left, request.user),
        "others": lines_of(others, request.user),
    }
    mark_talk(request.user, *lists.values())
    mark_series(request.user, *lists.values())
    questions = [html for many, html in asked if many]
    context = lists | {"said": said, "questions": questions, "more": more_cards(len(waiting), cards)}
    return {"said": said, "html": render_to_string("parts/home_waits.html", context, request)}


@require_safe
@sql.snapshot()
def lobby_page(request: HttpRequest) -> HttpResponse:
    """Show the open tables; the list alone for the page's own script."""
    if request.GET.get("fragment") == "standing":
        return HttpResponse(_standing(request), headers=NO_STORE)
    if request.GET.get("fragment"):
        waiting = play.waiting_ids(request.user) if "home" in request.GET else []
        return HttpResponse(_tables(request, waiting), headers=NO_STORE)
    slug, pace = request.GET.get("game", ""), request.GET.get("pace", "")
    watchable = play.running_in_public(request.user, slug if slug in games() else "")[:WATCHED_SHOWN]
    watched = lines_of(watchable, request.user)
    mark_series(request.user, watched)
    context = {
        "games": games_shown(),
        "game_slug": slug,
        "paces": TIME_CONTROLS.values(),
        "pace_slug": pace if pace in TIME_CONTROLS else "",
        "tables_html": _tables(request),
        "deserted": _deserted(request.user, slug if slug in games() else ""),
        "challenges_html": _standing(request),
        "watchable": watched,
    }
    return render(request, "games/lobby/lobby.html", context)


def _standing(request: HttpRequest) -> str:
    slug, pace = request.GET.get("game", ""), request.GET.get("pace", "")
    found = standing(
        request.user, game_slug=slug if slug in games() else "", pace=pace if pace in TIME_CONTROLS else ""
    )
    return render_to_string("games/lobby/challenges.html", {"challenges": challenge_lines(found)}, request)


def _deserted(user: Person, slug: str = "", *, followed: bool = False) -> list[dict[str, Any]]:
    """Return the matches with a seat for a substitute; `followed`: of people whom this member follows."""
    matches = substitutes.matches_to_take_over(user, slug, followed=followed)
    return [line for line in each(matches, lambda match: _deserted_line(match, user)) if line is not None]


def _deserted_line(match: Match, user: Person) -> dict[str, Any] | None:
    seat = returning.offered(match, list(match.seats.all()), user)
    said = _("%(name)s ran out of time")
    return line_of(match, user) | {"headline": about_people(said, [seat_name(seat)])} if seat else None


def _tables(request: HttpRequest, waiting: Collection[int] = ()) -> str:
    """Return the open tables but those that wait for the reader, who finds them elsewhere on the page."""
    slug, pace = request.GET.get("game", ""), request.GET.get("pace", "")
    slug = slug if slug in games() else ""
    tables = play.open_tables(request.user, slug, pace).select_related("club").prefetch_related(AWAITED)
    if waiting:
        tables = tables.exclude(pk__in=waiting)
    why_not = joining.why_not_each(request.user)
    page = Paginator(tables, TABLES_SHOWN).get_page(request.GET.get("page"))
    context = {
        "tables": each(page, lambda match: _open_table(match, request, why_not)),
        "page": page,
        "query": urlencode({name: value for name, value in (("game", slug), ("pace", pace)) if value}),
        "first_game": get_game(slug or games()[0]),
    }
    return render_to_string("games/lobby/open_matches.html", context, request)


def _open_table(match: Match, request: HttpRequest, why_not: joining.WhyNot) -> dict[str, Any]:
    seats = list(match.seats.all())
    seated = seat_of_viewer(seats, request.user.pk) is not None
    return {
        "id": match.pk,
        "game": match.game_slug,
        "name": match.title,
        "badges": [*lobby_words(match.game, match.options), *_without_days_off(match), *_with_bots(match)],
        "rated": match.rated,
        "range": rating_range(match),
        "creator": next((seat_name(s) for s in seats if s.user_id == match.creator_id and s.user_id), ""),
        "host": host_of(match) if match.creator_id is None else "",
        "seats": named(
            [seat_label(seat) | {"free": seat.is_free} for seat in seats], offered(match, seats, request.user)
        ),
        "free": sum(seat.is_free for seat in seats),
        "seated": seated,
        "why_not": "" if seated else why_not(match, ()),  # nobody blocked sits there
        "invited": not match.has_watchers and not seated,
        "club": match.club.name if match.club else "",
        "rematch": match.rematch_of_id is not None,
        "pace": match.pace.label,
        "commitment": match.commitment,
        "when": when(match.created_at),
    }


def _with_bots(match: Match) -> list[str]:
    return [_("takes bots of members")] if match.takes_bots else []


def _without_days_off(match: Match) -> list[str]:
    return [] if match.automatic_days_off or match.pace.is_live else [_("no automatic days off")]


@login_required
@require_safe
@sql.snapshot()
def my_matches(request: HttpRequest) -> HttpResponse:
    """Show one's own matches, by what they wait for; the lists alone for the page's own script."""
    user = request.user
    cards, waiting = waiting_cards(user), play.waiting_ids(user)
    matches = play.my_matches(user)
    quiet = matches.exclude(pk__in=waiting)
    pages = {
        "waiting": _page(request, "waiting", play.my_running(user).exclude(pk__in=waiting), "-moved_at"),
        "open": _page(request, "open", quiet.filter(status=Match.Status.OPEN).prefetch_related(AWAITED), "-joined_at"),
        "ended": _page(request, "page", matches.filter(status=Match.Status.ENDED), "-ended_at"),
    }
    sections = {
        "turn": [card for card in cards if card["is_asked"]],
        "asked": [card for card in cards if not card["is_asked"]],
        **{name: lines_of(page, user) for name, page in pages.items()},
    }
    mark_talk(user, *sections.values())
    mark_series(user, *sections.values())
    template = "games/lobby/my_lists.html" if request.GET.get("fragment") else "games/lobby/my_matches.html"
    context = {"sections": sections, "pages": pages, "more": more_cards(len(waiting), cards)}
    return render(request, template, context)


def _page(request: HttpRequest, name: str, matches: QuerySet[Match], order: str) -> Page[Match]:
    """Return the page of a list that the address asks for under this name; each list turns by itself."""
    return Paginator(matches.order_by(order, "-pk"), PER_PAGE).get_page(request.GET.get(name))


@require_safe
def next_match(request: HttpRequest) -> HttpResponse:
    """Go to the most urgent match that waits, after the one being looked at (`after`)."""
    waiting = play.waiting_ids(request.user)
    after = read_number(request.GET.get("after"))
    if after in waiting:
        place = waiting.index(after) + 1
        waiting = waiting[place:] + waiting[:place]
    return redirect("match", match_id=waiting[0]) if waiting else redirect("my-matches")


@require_safe
def game_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's rules and makers, an example of a turn, and how to start; `version`: rules of older matches."""
    context = _rules_of(slug, read_number(request.GET.get("version")))
    context["example"] = None if context["older"] else example_shown(slug, request.GET.dict())
    context["links"] = [found for path in settings.GAME_LINKS if (found := import_string(path)(slug))]
    return render(request, "games/lobby/rules.html", context)


@require_safe
def rules_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's rules as a sheet to be printed, with what one needs beside a table and nothing else."""
    return render(request, "games/lobby/sheet.html", _rules_of(slug) | {"sheet": True})


def _rules_of(slug: str, wanted: int | None = None) -> dict[str, Any]:
    """Return a game as pages show it, and the templates of its rules by a version, else by the current one."""
    game = next((game for game in games_shown() if game["slug"] == slug), None)
    if game is None:
        raise Http404
    current = get_game(slug).rules_version
    version = wanted if wanted in versions(slug) else current
    parts = {name: template_of(slug, version, f"{name}.{get_language()}.html") for name in ("rules", "brief")}
    return {"game": game, "parts": parts, "older": version if version != current else None}


@require_safe
def lesson_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer the first match with a coach, and one without."""
    found = lesson(slug) if slug in games() else None
    if found is None:
        raise Http404
    return render(request, "games/lobby/lesson.html", {"game": get_game(slug), "minutes": found.minutes})


@require_safe
def game_colours(request: HttpRequest, digest: str) -> HttpResponse:
    """Return the style sheet of all games' colours; cached for good under its current address."""
    response = HttpResponse(catalogue.style_sheet(), content_type="text/css; charset=utf-8")
    if digest == catalogue.digest():
        patch_cache_control(response, public=True, max_age=FOR_GOOD, immutable=True)
    return response
