"""The chat of a club: read, write, mute."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.access import member_of
from accounts.models import User
from config.lib import sql
from games.clubs.services import talking
from games.clubs.services.refusals import NotOfClub
from games.clubs.views.finding import deed, of_members, within
from games.forms.play import read_number
from games.models import LONGEST_LINE, ChatLine, Club, Membership
from games.queries.clubs import lines_of
from games.services.chat import lines
from games.services.refusals import CannotWrite
from games.views.chat_rendering import LINES, drawn_lines
from games.views.responses import posted, with_refusals


@require_safe
@sql.snapshot()
def chat(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the last lines of a club's chat, or those before the line that `?before=` names."""
    club, me = of_members(request, club_id)
    return render(request, "games/clubs/chat.html", _shown(request, club, me))


def _shown(request: HttpRequest, club: Club, me: Membership) -> dict[str, Any]:
    user, before = member_of(request), read_number(request.GET.get("before"))
    found = lines_of(user).filter(club=club).select_related("user").order_by("-pk")
    rows = list((found.filter(pk__lt=before) if before is not None else found)[: LINES + 1])
    shown = rows[:LINES][::-1]
    called = talking.called_among(club, "\n".join(line.text for line in shown if not line.hidden))
    drawn = drawn_lines(request, shown, names=[row.user.username for row in called], seen=me.seen)
    return {
        "club": club,
        "lines": drawn,
        "news": sum(line["new"] for line in drawn),
        "newest": shown[-1].pk if shown else 0,
        "earlier": shown[0].pk if len(rows) > LINES else None,
        "before": before,
        "channel": ChatLine.Channel.CLUB,
        "is_member": True,
        "longest": LONGEST_LINE,
        "silent": silent_words(club, user),
    }


def silent_words(club: Club, user: User) -> str:
    """Return in a sentence why somebody cannot write here; empty if they can."""
    try:
        talking.check_writer(club, user)
    except (CannotWrite, NotOfClub) as refusal:
        return str(refusal)
    return ""


@deed
def say(request: HttpRequest, club_id: int) -> HttpResponse:
    """Write a line."""
    club, _me = of_members(request, club_id)
    within(request, "chat")
    talking.say(club=club, user=member_of(request), text=request.POST.get("text", ""))
    return _back(club_id)


@posted
@with_refusals
def read(request: HttpRequest, club_id: int) -> HttpResponse:
    """Mark the chat of a club as read, up to the posted line."""
    of_members(request, club_id)
    last = read_number(request.POST.get("line", "")) or 0
    talking.mark_read(club_id=club_id, user=member_of(request), last=last)
    return _back(club_id)


@posted
@with_refusals
def mute(request: HttpRequest, club_id: int) -> HttpResponse:
    """Mute a person, or undo that, by one of their lines."""
    club, _me = of_members(request, club_id)
    wish, line = ("mute" in request.POST), request.POST.get("mute") or request.POST.get("hear") or ""
    found = get_object_or_404(lines_of(request.user).filter(club=club), pk=read_number(line) or 0)
    lines.mute(user=member_of(request), line=found, wish=wish)
    return _back(club_id)


def _back(club_id: int) -> HttpResponse:
    return redirect(reverse("club-chat", args=[club_id]) + "#last")
