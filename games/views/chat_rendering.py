"""The chat of a match as HTML, as one person may read it, and the lines of any chat."""

import json
import re
from collections.abc import Callable, Container, Iterable, Mapping
from functools import partial
from hashlib import blake2b
from typing import Any
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import Block, User
from games.clocks import when
from games.models import LONGEST_LINE, ChatLine, Match, Muted, Seat
from games.queries.play import Person, sees
from games.services.chat.lines import CALL, called_in, channel_of, check_writer, parts_of
from games.services.refusals import CannotWrite
from games.table import seat_of_viewer

LINES = 50


def has_chat(match: Match, seats: list[Seat], viewer: Seat | None) -> bool:
    """Return whether there is a chat: not at a private table of one person and bots."""
    return match.has_watchers or sum(seat.user_id is not None for seat in seats) > 1 or viewer is None


def lines_for(match: Match, seats: list[Seat], reader: Person) -> QuerySet[ChatLine]:
    """Return the lines a person may read: their channel, at the end all; none after the writer's block."""
    channels = [channel_of(match, seats, reader.pk)]
    if channels == [ChatLine.Channel.PLAYERS] and match.status == Match.Status.ENDED:
        channels.append(ChatLine.Channel.WATCHERS)
    found = ChatLine.objects.filter(match=match, channel__in=channels).select_related("user")
    if reader.pk is None:
        return found
    apart = Block.objects.filter(blocker=OuterRef("user"), blocked_id=reader.pk, at__lt=OuterRef("at"))
    return found.exclude(Exists(apart))


def render_chat(
    request: HttpRequest, match: Match, seats: list[Seat], *, before: int | None = None, draft: str = ""
) -> SafeString:
    """Return the last lines (those before id `before`, if given), and the form to write one."""
    user = request.user
    viewer = seat_of_viewer(seats, user.pk)
    found = lines_for(match, seats, user).order_by("-pk")
    if before is not None:
        found = found.filter(pk__lt=before)
    rows = list(found[: LINES + 1])
    shown = rows[:LINES][::-1]
    numbers = {seat.user_id: seat.number for seat in seats if seat.user_id}
    names = {seat.username for seat in seats if seat.username}
    drawn = drawn_lines(request, shown, names=names, numbers=numbers, seen=viewer.chat_seen if viewer else None)
    context = {
        "match": match,
        "viewer": viewer,
        "is_member": isinstance(user, User) and not user.is_guest,
        "channel": channel_of(match, seats, user.pk),
        "lines": drawn,
        "news": sum(line["new"] for line in drawn),
        "last": last_of(rows),
        "newest": shown[-1].pk if shown else 0,
        "earlier": shown[0].pk if len(rows) > LINES else None,
        "before": before,
        "longest": LONGEST_LINE,
        "draft": draft,
        "silent": silent_words(match, seats, user),
    }
    return render_to_string("games/chat/panel.html", context, request)


def drawn_lines(
    request: HttpRequest,
    shown: list[ChatLine],
    *,
    names: Iterable[str],
    numbers: Mapping[int, int] | None = None,
    seen: int | None = None,
) -> list[dict[str, Any]]:
    """Return what the page shows of these lines to whom it is for: calls of these names, and of writers, are marked.

    `numbers` are seats by their people's ids; lines above `seen` are new.
    """
    user = request.user
    muted, blocked = muted_among(user, shown)
    known = {name.casefold() for name in names} | {line.user.username.casefold() for line in shown if line.user}
    own = user.username.casefold() if isinstance(user, User) else ""
    hosts = {request.get_host().lower(), _host(settings.SITE_URL)}
    to_html = partial(line_html, names=known, own=own, hosts=hosts)
    drawn = [
        _line(line, numbers or {}, muted | blocked, own, to_html) | {"blocked": line.user_id in blocked}
        for line in shown
    ]
    for each in drawn:
        each["new"] = seen is not None and each["id"] > seen and not each["mine"] and each["html"] != ""
    return drawn


def last_of(rows: list[ChatLine]) -> str:
    """Return a digest of the visible lines, by which a page detects a change."""
    shown = [(line.pk, line.user_id, "" if line.hidden else line.text, line.hidden) for line in rows]
    return blake2b(json.dumps(shown).encode(), digest_size=8).hexdigest()


def silent_words(match: Match, seats: list[Seat], user: Person) -> str:
    """Return why this person may not write in the chat, in words; empty if they may."""
    if not isinstance(user, User) or user.is_guest:
        return ""
    if not sees(match, seat_of_viewer(seats, user.pk), user):
        return _("You look at this match as a moderator: you can only read.")
    try:
        check_writer(match=match, seats=seats, user=user)
    except CannotWrite as refusal:
        return str(refusal)
    return ""


def muted_among(user: Person, lines: list[ChatLine]) -> tuple[set[int], set[int]]:
    """Return the ids of those who wrote these lines whom this person has muted, and whom they have blocked."""
    others = {line.user_id for line in lines if line.user_id and line.user_id != user.pk}
    if not others or user.pk is None:
        return set(), set()
    muted = Muted.objects.filter(user_id=user.pk, person__in=others).values_list("person_id", flat=True)
    blocked = Block.objects.filter(blocker_id=user.pk, blocked__in=others)
    return set(muted), set(blocked.values_list("blocked_id", flat=True))


def _line(
    line: ChatLine, numbers: Mapping[int, int], muted: set[int], own: str, to_html: Callable[[str], SafeString]
) -> dict[str, Any]:
    mine = line.user is not None and line.user.username.casefold() == own
    is_muted = line.user_id in muted
    readable = not line.hidden and not is_muted
    return {
        "id": line.pk,
        "name": line.user.username if line.user else "",
        "badge": line.user.badge if line.user else "",
        "seat": numbers.get(line.user_id or 0),
        "channel": line.channel,
        "mine": mine,
        "hidden": line.hidden,
        "muted": is_muted,
        "for_me": readable and not mine and own in called_in(line.text),
        "html": to_html(line.text) if readable else "",
        "when": when(line.at),
        "iso": line.at.isoformat(timespec="seconds"),
    }


def line_html(text: str, names: set[str], own: str = "", hosts: Container[str] = ()) -> SafeString:
    """Return a line as HTML, names marked; links lead to `hosts` directly, elsewhere by a page that asks."""
    return SafeString(
        "".join(_link(part, hosts) if is_link else _named(part, names, own) for part, is_link in parts_of(text))
    )


def _link(address: str, hosts: Container[str]) -> str:
    host = _host(address)
    if host and host in hosts:
        return f'<a href="{escape(address)}">{escape(address)}</a>'
    where = f"{reverse('leaving')}?to={quote(address, safe='')}"
    return f'<a href="{escape(where)}" rel="nofollow">{escape(address)}</a>'


def _host(address: str) -> str:
    """Return the host with port and user name, in lower case; a user name makes it a different host."""
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return ""


def _named(text: str, names: set[str], own: str) -> str:
    def marked(found: re.Match[str]) -> str:
        name = found.group(1).casefold()
        if name not in names:
            return found.group()
        return f'<mark class="{"me" if name == own else "name"}" translate="no">{found.group()}</mark>'

    return CALL.sub(marked, str(escape(text)))
