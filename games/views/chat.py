"""Talking at a match: read, write, mute; and the page that asks before a link of a chat is followed."""

import re
from urllib.parse import urlsplit, urlunsplit

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.encoding import iri_to_uri
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.access import member_of, members_only
from accounts.models import User
from config.lib import rate_limits
from games.forms.play import read_number
from games.models import ChatLine
from games.services.chat import lines, mentions
from games.services.chat import lines as service
from games.services.refusals import TooOften
from games.views.chat_rendering import LINES, has_chat, last_of, lines_for, render_chat
from games.views.responses import Shown, find, players_only, posted, with_refusals

LONGEST_ADDRESS = 2000
HOST = re.compile(r"[\w.:-]+", re.ASCII)


@require_safe
def chat(request: HttpRequest, match_id: int) -> HttpResponse:
    """What was said, page by page; for the match's page the chat alone, or nothing (204) when it has it."""
    shown = _talking(request, match_id)
    if not request.headers.get("X-Live"):
        html = render_chat(
            request, shown.match, shown.seats, before=read_number(request.GET.get("before") or "")
        )
        return render(request, "games/chat/page.html", {"match": shown.match, "chat_html": html})
    have = request.GET.get("have")
    if have and have == last_of(list(_readable(shown).order_by("-pk")[: LINES + 1])):
        return HttpResponse(status=204, headers={"Cache-Control": "no-store"})
    return _fragment(shown)


@posted
@with_refusals
@players_only
def say(request: HttpRequest, match_id: int) -> HttpResponse:
    """Write a line; the answer is the chat with it."""
    shown = _talking(request, match_id)
    if not rate_limits.allows(request, "chat"):
        raise TooOften
    text = request.POST.get("text", "")
    service.say(match=shown.match, seats=shown.seats, user=member_of(request), text=text)
    return _fragment(shown) if request.headers.get("X-Live") else _back(match_id)


@posted
@with_refusals
@players_only
def read(request: HttpRequest, match_id: int) -> HttpResponse:
    """Take from one's home page what calls one at a match, up to the posted line."""
    find(request, match_id)
    last = read_number(request.POST.get("line") or "") or 0
    mentions.read(user_id=member_of(request).pk, match_id=match_id, last=last)
    return redirect("home")


@posted
@with_refusals
@players_only
def mute(request: HttpRequest, match_id: int) -> HttpResponse:
    """Mute a person for oneself, or hear them again, by one of their lines."""
    shown = _talking(request, match_id)
    wish, line = ("mute" in request.POST), request.POST.get("mute") or request.POST.get("hear") or ""
    found = _readable(shown).filter(pk=read_number(line) or 0).first()
    if found is None:
        raise Http404
    service.mute(user=member_of(request), line=found, wish=wish)
    return _fragment(shown) if request.headers.get("X-Live") else _back(match_id)


@require_safe
def leaving(request: HttpRequest) -> HttpResponse:
    """Show where a link of a chat leads, spelt out, and ask whether to go there."""
    try:
        parts = urlsplit(request.GET.get("to", "")[:LONGEST_ADDRESS].strip())
        host = (parts.hostname or "").encode("idna").decode("ascii")
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        raise Http404 from None
    if parts.scheme not in ("http", "https") or not HOST.fullmatch(host):
        raise Http404
    where = (
        f"[{host}]{port}" if ":" in host else f"{host}{port}"
    )  # without a name before @, which only deceives
    address = iri_to_uri(urlunsplit(parts._replace(netloc=where)))
    return render(request, "games/chat/leaving_site.html", {"address": address, "host": host})


def _talking(request: HttpRequest, match_id: int) -> Shown:
    shown = find(request, match_id)
    if not has_chat(shown.match, shown.seats, shown.viewer):
        raise Http404
    return shown


def _readable(shown: Shown) -> QuerySet[ChatLine]:
    return lines_for(shown.match, shown.viewer, shown.request.user)


def _fragment(shown: Shown) -> HttpResponse:
    html = render_chat(shown.request, shown.match, shown.seats)
    return HttpResponse(html, headers={"Cache-Control": "no-store"})


def _back(match_id: int) -> HttpResponse:
    return redirect(reverse("match", args=[match_id]) + "#chat")


def line_for(request: HttpRequest, number: int) -> ChatLine:
    """Return a line that this person may read; Http404 for everybody else."""
    line = ChatLine.objects.filter(pk=number).first()
    if line is None:
        raise Http404
    shown = find(request, line.match_id)
    found = _readable(shown).filter(pk=number).first()
    if found is None:
        raise Http404
    return found


def muted_panel(request: HttpRequest, member: User) -> SafeString:
    """Return the list as HTML; a hook of accounts (CIRCLE_PANELS)."""
    people = [row.person for row in lines.muted_by(member)]
    return render_to_string("games/people/muted.html", {"muted": people}, request)


@posted
@members_only
def hear(request: HttpRequest, name: str) -> HttpResponse:
    """Read again what somebody writes whom one had muted."""
    if lines.hear(user=member_of(request), name=name):
        messages.success(request, _("You hear %(name)s again.") % {"name": name})
    else:
        messages.info(request, _("You have muted nobody of that name."))
    return redirect("circle")
