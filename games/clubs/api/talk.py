"""The chats of clubs for programs: read, write, mute."""

from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_noop as _

from accounts.access import member_of
from games.api.kit import Routes, page_of, within
from games.api.models import Scope
from games.api.routes.talk import LINES
from games.api.routes.talk import told as lines_told
from games.api.shapes.parts import At, Number
from games.api.shapes.talk import ChatShape, LineShape, Muting, Reading, Saying
from games.clubs.services import talking
from games.clubs.views.chat import silent_words
from games.clubs.views.finding import of_members
from games.models import ChatLine
from games.queries.clubs import lines_of, membership
from games.services.chat import lines

routes = Routes("clubs")


@routes.reads("/clubs/{number}/chat", ChatShape, page="club-chat", words=_("The chat of a club"))
def chat(request: HttpRequest, number: Number, cursor: At = "") -> dict[str, Any]:
    """The chat of a club, the latest lines first, for who belongs to it."""
    club, me = of_members(request, number)
    user = member_of(request)
    found = lines_of(user).filter(club=club).select_related("user")
    rows, following = page_of(found, cursor, most=LINES)
    return {
        "items": lines_told(user, rows, {}, me.seen),
        "next": following,
        "channel": ChatLine.Channel.CLUB.value,
        "silent": silent_words(club, user),
    }


def _line(request: HttpRequest, number: int) -> dict[str, Any]:
    """Return a line that was just written, as its writer sees it."""
    user = member_of(request)
    found = lines_of(user).filter(user=user).select_related("user")
    line = get_object_or_404(found, pk=number)
    me = membership(line.club_id, user)
    return lines_told(user, [line], {}, me.seen if me is not None else None)[0]


@routes.acts(
    "/clubs/{number}/chat",
    LineShape,
    page="club-say",
    scope=Scope.MESSAGE,
    words=_("Write in the chat of a club"),
    then=_line,
    status=201,
)
def say(request: HttpRequest, number: Number, given: Saying) -> int:
    """Write a line."""
    club, _me = of_members(request, number)
    within(request, "chat")
    return talking.say(club=club, user=member_of(request), text=given.text).pk


@routes.acts(
    "/clubs/{number}/chat/read", None, page="club-read", words=_("Say how far you have read the chat of a club")
)
def read(request: HttpRequest, number: Number, given: Reading) -> None:
    """Mark the chat of a club as read, up to a line."""
    of_members(request, number)
    talking.mark_read(club_id=number, user=member_of(request), last=given.line)


@routes.acts(
    "/clubs/{number}/chat/mute",
    None,
    page="club-mute",
    scope=Scope.MESSAGE,
    words=_("Do not hear somebody of a club"),
)
def mute(request: HttpRequest, number: Number, given: Muting) -> None:
    """Mute a person, or undo that, by one of their lines."""
    club, _me = of_members(request, number)
    line = get_object_or_404(lines_of(request.user).filter(club=club), pk=given.line)
    lines.mute(user=member_of(request), line=line, wish=given.mute)
