"""The profile of a member: what they play, how they fare, and what one may do about them."""

from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import is_valid_path
from django.utils.http import urlencode
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts.models import Block, Follow, User
from accounts.queries import member_named
from games.catalogue import games_shown
from games.models import Match, Seat
from games.queries import people as reads
from games.queries.dice import Luck, luck_of
from games.rules import games, get_game
from games.table import headline, profile_of, seat_name, seat_of_viewer, table_for, when
from games.views.dice import luck_words

PER_PAGE = 20


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """A member as anybody may know them; for who has no profile, a page that says so."""
    member = member_named(name)
    if member is None:
        return render(request, "games/people/nobody.html", {"name": name[:40]}, status=404)
    if member.username != name:
        return redirect("profile", name=member.username)
    me = request.user if isinstance(request.user, User) and not request.user.is_guest else None
    wanted = _filters(request.GET)
    page = Paginator(reads.matches_of(member, request.user, **wanted), PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "member": member,
        "is_me": me is not None and me.pk == member.pk,
        "panels": [import_string(path)(member) for path in settings.PROFILE_PANELS],
        "filters": wanted,
        "games": games_shown(),
        "page": page,
        "lines": [_line(match, member, request) for match in page],
        "query": urlencode({name: value for name, value in _asked(wanted).items() if value}),
        "report_url": is_valid_path("/report/"),  # the address of another app, which may not be there
        **_manners(member),
        **_bonds(me, member),
    }
    return render(request, "games/people/profile.html", context)


def _filters(sent: QueryDict) -> dict[str, str]:
    """Return what the list of matches is to show; what makes no sense is left out."""
    game, result, state = sent.get("game", ""), sent.get("result", ""), sent.get("state", "")
    return {
        "game_slug": game if game in games() else "",
        "result": result if result in reads.RESULTS else "",
        "state": state if state in reads.STATES else "",
    }


def _asked(wanted: dict[str, str]) -> dict[str, str]:
    return {"game": wanted["game_slug"], "result": wanted["result"], "state": wanted["state"]}


def _manners(member: User) -> dict[str, Any]:
    """Return how soon and how reliably the member answers."""
    quartiles = reads.reply_quartiles(member) or ()
    return {
        "replies": dict(zip(("quarter", "half", "most"), map(about, quartiles), strict=False)),
        "reliability": reads.reliability(member),
        "luck": luck_words(luck) if (luck := luck_of(member)) else None,
    }


def about(ms: int) -> str:
    """Return how long something took, as one says it: to the minute, hour or day, whichever is near."""
    minutes = max(1, round(ms / 60_000))
    if minutes == 1:
        return _("a minute")
    if minutes < 60:
        return _("%(num)d min") % {"num": minutes}
    hours = round(minutes / 60)
    if hours < 48:
        return _("%(num)d h") % {"num": hours}
    days = round(hours / 24)
    return ngettext("%(num)d day", "%(num)d days", days) % {"num": days}


def _bonds(me: User | None, member: User) -> dict[str, Any]:
    """Return what is between the member who looks and the one looked at."""
    if me is None or me.pk == member.pk:
        return {"duels": [], "can_bind": False}
    duels = reads.record_between(me, member)
    return {
        "duels": [{"duel": duel, "name": get_game(duel.game_slug).name} for duel in duels],
        "can_bind": True,
        "follows": Follow.objects.filter(follower=me, followed=member).exists(),
        "has_blocked": Block.objects.filter(blocker=me, blocked=member).exists(),
    }


def _line(match: Match, member: User, request: HttpRequest) -> dict[str, Any]:
    """Return a match as a line of the list: whom the member plays there, and how it stands or ended."""
    seats = list(match.seats.all())
    own = seat_of_viewer(seats, member.pk)
    at = match.ended_at or match.moved_at or match.created_at
    ended = match.status == Match.Status.ENDED
    return {
        "url": f"/matches/{match.pk}/",
        "game": match.game_slug,
        "name": match.game.name,
        "title": _result(match, own.rank if own else None)
        if ended
        else headline(table_for(match, seats, seat_of_viewer(seats, request.user.pk))),
        "opponents": [
            {"number": s.number, "name": seat_name(s), "profile": profile_of(s)}
            for s in seats
            if s is not own
        ],
        "rated": match.rated and match.voided_at is None,
        "score": own.score if own and ended else None,
        "dice": _dice(match, own),
        "when": when(at),
        "iso": at.isoformat(timespec="seconds"),
    }


def _result(match: Match, rank: int | None) -> str:
    if match.voided_at is not None:
        return _("Voided")
    if match.ending == Match.Ending.CALLED_OFF or rank is None:
        return _("Called off")
    if match.game.is_cooperative(match.options):
        return _("Played together")
    return _("Won") if rank == 1 else _("Rank %(rank)d") % {"rank": rank}


def _dice(match: Match, own: Seat | None) -> float | None:
    """Return the average of the member's dice in a match that was counted."""
    tally = getattr(match, "tally", None)
    counts = (
        tally.seats.get(str(own.number)) if tally and own and match.status == Match.Status.ENDED else None
    )
    return Luck.of(counts).average if counts else None
