"""The chat of a match: read, write, mute; and the page shown before a link in a chat is followed."""

import re
from urllib.parse import urlsplit, urlunsplit

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.encoding import iri_to_uri
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.access import member_of, members_only
from accounts.models import User
from accounts.views.relationships import page_of
from config.lib import rate_limits
from games.forms.play import read_number
from games.models import ChatLine
from games.queries import clubs
from games.services.chat import lines, mentions
from games.services.refusals import TooOften
from games.views.chat_rendering import LINES, has_chat, last_of, lines_for, render_chat
from games.views.once import once
from games.views.responses import ViewedMatch, find, player_action, posted, with_refusals

LONGEST_ADDRESS = 2000
CALLS_SHOWN = 5
HOST = re.compile(r"[\w.:-]+", re.ASCII)


@require_safe
def chat(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the chat, page by page; the match's page gets the chat alone, or nothing (204) if it has it."""
    shown = _talking(request, match_id)
    if not request.headers.get("X-Live"):
        before = read_number(request.GET.get("before"))
        html = render_chat(request, shown.match, shown.seats, before=before)
        return render(request, "games/chat/page.html", {"match": shown.match, "chat_html": html})
    have = request.GET.get("have")
    if have and have == last_of(list(_readable(shown).order_by("-pk")[: LINES + 1])):
        return HttpResponse(status=204, headers={"Cache-Control": "no-store"})
    return _fragment(shown)


@player_action
def say(request: HttpRequest, match_id: int) -> HttpResponse:
    """Write a line; the answer is the chat with it."""
    shown = _talking(request, match_id)
    answer = _said(request, shown)
    return _fragment(shown) if request.headers.get("X-Live") else answer


@once
def _said(request: HttpRequest, shown: ViewedMatch) -> HttpResponse:
    if not rate_limits.allows(request, "chat"):
        raise TooOften
    text = request.POST.get("text", "")
    lines.say(match=shown.match, seats=shown.seats, user=member_of(request), text=text)
    return _back(shown.match.pk)


@player_action
def read(request: HttpRequest, match_id: int) -> HttpResponse:
    """Mark the chat of a match as read, up to the posted line; `back` leads to it, else home."""
    find(request, match_id)
    last = read_number(request.POST.get("line") or "") or 0
    mentions.mark_read(user_id=member_of(request).pk, match_id=match_id, last=last)
    return _back(match_id) if "back" in request.POST else redirect("home")


@require_safe
def mentioned(request: HttpRequest) -> HttpResponse:
    """Return the note of unread mentions, for a page that was told of one."""
    calls = mentions.unread(request.user, CALLS_SHOWN)
    html = render_to_string("games/chat/mentions.html", {"calls": calls}, request)
    return HttpResponse(html, headers={"Cache-Control": "no-store"})


@player_action
def mute(request: HttpRequest, match_id: int) -> HttpResponse:
    """Mute a person, or undo that, by one of their lines."""
    shown = _talking(request, match_id)
    wish, line = ("mute" in request.POST), request.POST.get("mute") or request.POST.get("hear") or ""
    found = get_object_or_404(_readable(shown), pk=read_number(line) or 0)
    lines.mute(user=member_of(request), line=found, wish=wish)
    return _fragment(shown) if request.headers.get("X-Live") else _back(match_id)


@require_safe
def leaving(request: HttpRequest) -> HttpResponse:
    """Show the address of a link in a chat, and ask whether to go there."""
    try:
        parts = urlsplit(request.GET.get("to", "")[:LONGEST_ADDRESS].strip())
        host = (parts.hostname or "").encode("idna").decode("ascii")
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        raise Http404 from None
    if parts.scheme not in ("http", "https") or not HOST.fullmatch(host):
        raise Http404
    where = f"[{host}]{port}" if ":" in host else f"{host}{port}"  # no user name before @, which deceives
    address = iri_to_uri(urlunsplit(parts._replace(netloc=where)))
    return render(request, "games/chat/leaving_site.html", {"address": address, "host": host})


def _talking(request: HttpRequest, match_id: int) -> ViewedMatch:
    shown = find(request, match_id)
    if not has_chat(shown.match, shown.seats, shown.viewer):
        raise Http404
    return shown


def _readable(shown: ViewedMatch) -> QuerySet[ChatLine]:
    return lines_for(shown.match, shown.seats, shown.request.user)


def _fragment(shown: ViewedMatch) -> HttpResponse:
    html = render_chat(shown.request, shown.match, shown.seats)
    return HttpResponse(html, headers={"Cache-Control": "no-store"})


def _back(match_id: int) -> HttpResponse:
    return redirect(reverse("match", args=[match_id]) + "#chat")


def line_for(request: HttpRequest, number: int) -> ChatLine:
    """Return a line that this person may read, of a match or of a club; Http404 for others."""
    line = get_object_or_404(ChatLine, pk=number)
    if line.match_id is None:
        return get_object_or_404(clubs.lines_of(request.user), pk=number)
    return get_object_or_404(_readable(find(request, line.match_id)), pk=number)


def muted_panel(request: HttpRequest, member: User) -> SafeString:
    """Return the list of muted people as HTML; a hook of accounts (CIRCLE_PANELS)."""
    muted = page_of(request, "muted", lines.muted_by(member))
    return render_to_string("games/people/muted.html", {"muted": muted}, request)


@posted
@with_refusals
@members_only
@once
def hear(request: HttpRequest, name: str) -> HttpResponse:
    """Unmute a person by name."""
    if lines.unmute(user=member_of(request), name=name):
        messages.success(request, _("You have unmuted %(name)s.") % {"name": name})
    else:
        messages.info(request, _("You have not muted anybody of that name."))
    return redirect("circle")
