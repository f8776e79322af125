"""The list of tournaments, and the page of how they work."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from accounts.models import User
from config.lib import sql
from games.catalogue import games_shown
from games.competitions import queries
from games.competitions.models import Tournament
from games.competitions.services.announcing import missing_to_organise
from games.competitions.services.entering import open_to
from games.competitions.telling import line_of
from games.rules import games

STATE = Tournament.State
PER_PAGE = 10


@require_safe
@sql.snapshot()
def tournaments(request: HttpRequest) -> HttpResponse:
    """Show the tournaments that one may see: one's own, open ones, running ones, past ones; of one game, or all."""
    slug = request.GET.get("game", "")
    slug = slug if slug in games() else ""
    user = request.user if isinstance(request.user, User) and not request.user.is_guest else None
    mine = _mine(user, slug) if user is not None else []
    found = queries.visible(request.user) if user is not None else Tournament.objects.filter(access="public")
    found = found.filter(game_slug=slug) if slug else found
    others = found.exclude(pk__in=[one.pk for one in mine])
    lists = {
        "open": others.filter(state=STATE.OPEN).order_by("begins_at", "pk"),
        "running": others.filter(state=STATE.RUNNING).order_by("-began_at", "pk"),
        "past": found.filter(state=STATE.OVER).order_by("-ended_at", "pk"),
    }
    missing = missing_to_organise(user) if user is not None else []
    pages = {name: _page(request, name, rows) for name, rows in lists.items()}
    context = {
        "games": games_shown(),
        "game_slug": slug,
        "mine": [line_of(one, own=one.organiser_id == user.pk) for one in mine] if user is not None else [],
        "lists": {name: _lines(list(page), user) for name, page in pages.items()},
        "pages": pages,
        "query": urlencode({"game": slug}) if slug else "",
        "is_member": user is not None,
        "missing": missing,
        "announces": not missing or bool(queries.clubs_organised(request.user)),
    }
    return render(request, "competitions/list.html", context)


def _mine(user: User, slug: str) -> list[Tournament]:
    found = queries.under_way_of(user)
    found = found.filter(game_slug=slug) if slug else found
    return list(queries.listed(found).order_by("-state", "begins_at", "pk")[:PER_PAGE])


def _page(request: HttpRequest, name: str, found: QuerySet[Tournament]) -> Any:
    return Paginator(queries.listed(found), PER_PAGE).get_page(request.GET.get(name))


def _lines(found: list[Tournament], user: User | None) -> list[dict[str, Any]]:
    opened = [one for one in found if one.state == STATE.OPEN]
    opens = open_to(opened, user) if user is not None and opened else set()
    enters = queries.entered_by(user, found) if user is not None else set()
    return [line_of(one, opens=one.pk in opens, enters=one.pk in enters) for one in found]


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show how tournaments work, in simple words."""
    return render(request, "competitions/rules.html")
