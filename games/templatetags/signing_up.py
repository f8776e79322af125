"""Template tag of the pages for sign-up and log-in: what for, read from the address that follows."""

from typing import Any
from urllib.parse import urlsplit

from django import template
from django.http import QueryDict
from django.template.context import Context
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from games.models import Match
from games.rules import games, get_game
from games.views.responses import LARGEST

register = template.Library()


@register.simple_tag(takes_context=True)
def reason_to_sign_up(context: Context) -> str:
    """Return in a sentence what this visitor would do; empty if the next address does not tell."""
    request = context["request"]
    try:
        target = urlsplit((request.POST.get("next") or request.GET.get("next", ""))[:200].replace("\0", ""))
        found = resolve(target.path)
    except (ValueError, Resolver404):  # "http://[" is no address at all
        return ""
    if found.url_name == "new-match":
        slug = QueryDict(target.query).get("game")
        name = get_game(slug).name if slug in games() else ""
        return _("To open a table of %(game)s, sign up or log in.") % {"game": name} if name else ""
    match = _table(found.url_name or "", found.kwargs)
    if match is None:
        return ""
    names = {"game": match.game_name, "name": match.creator.username if match.creator else _("former member")}
    return _("To sit down at the table of %(game)s that %(name)s has opened, sign up or log in.") % names


def _table(page: str, named: dict[str, Any]) -> Match | None:
    """Return the open table that this page shows to visitors."""
    tables = Match.objects.filter(status=Match.Status.OPEN).select_related("creator")
    if page == "match":
        number = named["match_id"]
        return tables.filter(access=Match.Access.OPEN, pk=number if number < LARGEST else 0).first()
    if page == "join-link":
        return tables.filter(access=Match.Access.LINK, token=named["token"]).first()
    return None
