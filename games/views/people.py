"""The profile of a member: matches, record, manners, and the relation to the viewer."""

from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import is_valid_path
from django.utils.http import urlencode
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts.models import Block, Follow, User
from config.lib import sql
from games.catalogue import games_shown
from games.models import Match, Seat
from games.queries import people as reads
from games.queries.challenges import standing
from games.queries.dice import Luck, luck_of
from games.queries.readable import each
from games.rules import games, name_of
from games.table import headline_named, match_line, seat_of_viewer, table_for
from games.views.challenges import lines as challenge_lines
from games.views.dice import luck_words
from games.views.members import of_member

PER_PAGE = 20


@require_safe
@sql.snapshot()
@of_member
def profile(request: HttpRequest, member: User) -> HttpResponse:
    """Show a member's profile."""
    me = request.user if isinstance(request.user, User) and not request.user.is_guest else None
    wanted = _filters(request.GET)
    pages = Paginator(reads.matches_of(member, request.user, **wanted), PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "member": member,
        "bots": member.bots.filter(is_active=True).order_by("pk"),
        "is_me": me is not None and me.pk == member.pk,
        "panels": [import_string(path)(member) for path in settings.PROFILE_PANELS],
        "challenges": challenge_lines(standing(request.user, of=member)) if me is None or me.pk != member.pk else [],
        "filters": wanted,
        "games": games_shown(),
        "page": page,
        "lines": each(page, lambda match: _line(match, member, request)),
        "query": urlencode({name.removesuffix("_slug"): value for name, value in wanted.items() if value}),
        "report_url": is_valid_path("/report/"),  # of another app, which may be absent
        **_manners(member),
        **_bonds(me, member),
    }
    return render(request, "games/people/profile.html", context)


def _filters(sent: QueryDict) -> dict[str, str]:
    game, result, state = sent.get("game", ""), sent.get("result", ""), sent.get("state", "")
    return {
        "game_slug": game if game in games() else "",
        "result": result if result in reads.RESULTS else "",
        "state": state if state in reads.STATES else "",
    }


def _manners(member: User) -> dict[str, Any]:
    quartiles = reads.reply_quartiles(member) or ()
    return {
        "replies": dict(zip(("quarter", "half", "most"), map(rough_duration, quartiles), strict=False)),
        "reliability": reads.reliability(member),
        "luck": luck_words(luck) if (luck := luck_of(member)) else None,
    }


def rough_duration(ms: int) -> str:
    """Return a duration rounded to the minute, hour or day."""
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
    if me is None or me.pk == member.pk:
        return {"duels": [], "can_bind": False}
    duels = reads.record_between(me, member)
    return {
        "duels": [{"duel": duel, "name": name_of(duel.game_slug)} for duel in duels],
        "can_bind": True,
        "is_own": member.owner_id == me.pk,
        "follows": Follow.objects.filter(follower=me, followed=member).exists(),
        "has_blocked": Block.objects.filter(blocker=me, blocked=member).exists(),
    }


def _line(match: Match, member: User, request: HttpRequest) -> dict[str, Any]:
    seats = list(match.seats.all())
    own, viewer = seat_of_viewer(seats, member.pk), seat_of_viewer(seats, request.user.pk)
    ended = match.status == Match.Status.ENDED
    rank = own.rank if own else None
    return match_line(match, seats, own) | {
        "title": _result(match, rank) if ended else headline_named(table_for(match, seats, viewer)),
        "rated": match.rated and match.voided_at is None,
        "score": own.score if own and ended else None,
        "dice": _dice(match, own),
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
    tally = getattr(match, "tally", None) if match.status == Match.Status.ENDED else None
    counts = tally.seats.get(str(own.number)) if tally and own else None
    return Luck.of(counts).average if counts else None
