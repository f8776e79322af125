"""The chats of matches: read, write, mute."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_noop as _

from accounts.access import member_of
from accounts.models import User
from config.lib import rate_limits
from games.api.kit import Routes, page_of
from games.api.models import Scope
from games.api.shapes.parts import At, MatchId
from games.api.shapes.talk import ChatShape, LineShape, MentionListed, Muting, Reading, Saying
from games.api.shown import find
from games.models import ChatLine
from games.services.chat import lines, mentions
from games.services.refusals import TooOften
from games.viewing import Viewing
from games.views.chat_rendering import has_chat, lines_for, muted_among, silent_words

routes = Routes("talk")
LINES = 50
CALLS = 20


@routes.reads("/matches/{match_id}/chat", ChatShape, page="chat", words=_("The chat of a match"))
def chat(request: HttpRequest, match_id: MatchId, cursor: At = "") -> dict[str, Any]:
    """The chat of a match, the latest lines first."""
    shown, user = _talking(request, match_id), member_of(request)
    rows, following = page_of(_readable(shown), cursor, most=LINES)
    return {
        "items": _told(shown, user, rows),
        "next": following,
        "channel": lines.channel_of(shown.match, shown.seats, user.pk),
        "silent": silent_words(shown.match, shown.seats, user),
    }


def _talking(request: HttpRequest, match_id: int) -> Viewing:
    shown = find(request, match_id)
    if not has_chat(shown.match, shown.seats, shown.viewer):
        raise Http404
    return shown


def _readable(shown: Viewing) -> QuerySet[ChatLine]:
    return lines_for(shown.match, shown.seats, shown.user)


def told(user: User, rows: Sequence[ChatLine], numbers: Mapping[int, int], seen: int | None) -> list[dict[str, Any]]:
    """Return what is told of lines that this person may read: nothing of what a page would not show.

    `numbers` are seats by their people's ids; lines above `seen` are new, none are without it.
    """
    muted = set().union(*muted_among(user, list(rows)))
    own = user.username.casefold()
    found = []
    for line in rows:
        mine, is_heard = line.user_id == user.pk, not line.hidden and line.user_id not in muted
        found.append(
            {
                "id": line.pk,
                "name": line.user.username if line.user else "",
                "badge": str(line.user.badge) if line.user else "",
                "seat": numbers.get(line.user_id or 0),
                "channel": line.channel,
                "mine": mine,
                "text": line.text if is_heard else "",
                "hidden": line.hidden,
                "muted": line.user_id in muted,
                "for_me": is_heard and not mine and own in lines.called_in(line.text),
                "new": seen is not None and line.pk > seen and not mine and is_heard,
                "at": line.at.isoformat(timespec="seconds"),
            }
        )
    return found


def _told(shown: Viewing, user: User, rows: list[ChatLine]) -> list[dict[str, Any]]:
    numbers = {seat.user_id: seat.number for seat in shown.seats if seat.user_id}
    return told(user, rows, numbers, shown.viewer.chat_seen if shown.viewer else None)


def _line(request: HttpRequest, number: int) -> dict[str, Any]:
    """Return a line that was just written, as its writer sees it."""
    user = member_of(request)
    line = get_object_or_404(ChatLine.objects.select_related("user"), pk=number, user_id=user.pk)
    return _told(find(request, line.match_id or 0), user, [line])[0]


@routes.acts(
    "/matches/{match_id}/chat",
    LineShape,
    page="say",
    scope=Scope.MESSAGE,
    words=_("Write in the chat of a match"),
    then=_line,
    status=201,
)
def say(request: HttpRequest, match_id: MatchId, given: Saying) -> int:
    """Write a line."""
    shown = _talking(request, match_id)
    if not rate_limits.allows(request, "chat"):
        raise TooOften
    return lines.say(match=shown.match, seats=shown.seats, user=member_of(request), text=given.text).pk


@routes.acts("/matches/{match_id}/chat/read", None, page="read-calls", words=_("Say how far you have read a chat"))
def read(request: HttpRequest, match_id: MatchId, given: Reading) -> None:
    """Mark the chat of a match as read, up to a line."""
    find(request, match_id)
    mentions.mark_read(user_id=member_of(request).pk, match_id=match_id, last=given.line)


@routes.acts("/matches/{match_id}/chat/mute", None, page="mute", scope=Scope.MESSAGE, words=_("Do not hear somebody"))
def mute(request: HttpRequest, match_id: MatchId, given: Muting) -> None:
    """Mute a person, or undo that, by one of their lines."""
    line = get_object_or_404(_readable(_talking(request, match_id)), pk=given.line)
    lines.mute(user=member_of(request), line=line, wish=given.mute)


@routes.reads("/mentions", MentionListed, page="mentions", words=_("Who calls you"))
def called(request: HttpRequest) -> dict[str, Any]:
    """The unread mentions of one."""
    found = mentions.unread(member_of(request), CALLS)
    items = [{"line": one.line, "name": one.name, "match": one.match_id, "game": one.game} for one in found]
    return {"items": items, "next": None}
