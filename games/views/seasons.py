"""A member's season in pictures: what they played in a calendar quarter, with whom, and how it went."""

import time
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from config.lib import sql
from games.models import Match
from games.queries import seasons as reads
from games.queries.play import Person, seats_of
from games.queries.puzzles import today
from games.queries.readable import each
from games.queries.seasons import Own, Season
from games.rules import name_of
from games.story import story_of, turning_of
from games.views.dice import luck_words
from games.views.members import of_member

AT_ONCE = 0.5  # seconds in which best turns are looked for; further ones come with the next look
WIDTH, HEIGHT = 600, 190
LEFT, RIGHT, TOP, BOTTOM = 10, 10, 24, 30  # around the bars: their numbers, and the months
GAP = 6  # between two bars


@require_safe
@sql.snapshot()
@of_member
def season(request: HttpRequest, member: User) -> HttpResponse:
    """Show a season of a member, the present one unless `from` names a day of another."""
    shown, present = Season.of(_day(request.GET.get("from", ""))), Season.of(today())
    seats = reads.shown_to(request.user, member)
    own, first = reads.matches_of(seats, shown), reads.first_of(seats) or present
    context = {
        "member": member,
        "is_me": request.user.pk == member.pk,
        "words": words_of(shown),
        "before": _way(member, shown.before) if shown > first else None,
        "after": _way(member, shown.after) if shown < present else None,
        "matches": len(own),
        "is_cut": len(own) == reads.MOST,
    }
    if own:
        context |= _told(own, member, request.user, shown)
    return render(request, "games/people/season.html", context)


def _day(text: str) -> date:
    """Return the day that is asked for, at most the present one; the present one for what is no day."""
    try:
        return min(date.fromisoformat(text), today())
    except ValueError:
        return today()


def words_of(season: Season) -> str:
    """Return "October to December 2026": quarters have no names that fit both halves of the earth."""
    months = {"first": date_format(season.first, "F"), "last": date_format(season.last, "F")}
    return _("%(first)s to %(last)s %(year)d") % (months | {"year": season.first.year})


def _way(member: User, season: Season) -> dict[str, str]:
    address = reverse("season", args=[member.username])
    return {"words": words_of(season), "url": f"{address}?{urlencode({'from': season.first.isoformat()})}"}


def _told(own: Sequence[Own], member: User, viewer: Person, season: Season) -> dict[str, Any]:
    results = [one.result for one in own]
    luck, games = reads.season_luck(own), reads.by_game(own)
    most = games[0][1]
    return {
        "results": {result: results.count(result) for result in reads.RESULTS},
        "row": reads.longest_row(own),
        "weeks": bars_of(reads.by_week(own, season), season),
        "by_game": [
            {"slug": slug, "name": name_of(slug), "number": number, "won": won, "width": round(100 * number / most)}
            for slug, number, won in games
        ],
        "partners": [{"who": person, "times": times} for person, times in reads.partners_of(own, member, viewer)],
        "luck": luck_words(luck) if luck else None,
        "highest": _highest(own),
        "panels": [import_string(path)(member, season.start, season.end) for path in settings.SEASON_PANELS],
    }


def bars_of(counts: Sequence[int], season: Season) -> dict[str, Any]:
    """Return a bar for each week in the units of its picture, and where each month begins."""
    most, inner = max(counts), HEIGHT - TOP - BOTTOM
    apart = (WIDTH - LEFT - RIGHT) / len(counts)
    width = round(apart - GAP, 1)
    bars, months = [], dict[int, dict[str, Any]]()
    for index, (count, day) in enumerate(zip(counts, season.weeks, strict=True)):
        height = round(inner * count / most, 1)
        x = round(LEFT + apart * index, 1)
        bar = {"x": x, "middle": round(x + width / 2, 1), "y": HEIGHT - BOTTOM - height, "height": height}
        bars.append(bar | {"width": width, "count": count, "from": day})
        months.setdefault(day.month, {"x": x, "words": date_format(day, "F")})
    picture = {"width": WIDTH, "height": HEIGHT, "base": HEIGHT - BOTTOM, "label": HEIGHT - 8, "right": WIDTH - RIGHT}
    return picture | {"bars": bars, "months": list(months.values()), "most": most, "left": LEFT}


def _highest(own: Sequence[Own]) -> list[dict[str, Any]]:
    """Return the match with the highest score in each game, with its best turn where that is known in time."""
    best, until = reads.highest(own), time.monotonic() + AT_ONCE
    found = reads.in_bulk(best)
    by_id = {one.match_id: one for one in best}

    def told(match: Match) -> dict[str, Any]:
        one = by_id[match.pk]
        turn = _best_turn(match, one) if time.monotonic() < until else None
        return {"match": match, "score": one.score, "turn": turn}

    return each([found[one.match_id] for one in best if one.match_id in found], told)


def _best_turn(match: Match, own: Own) -> dict[str, int] | None:
    """Return the member's turn that gained most on the best of the others, and its last move; None without one."""
    if not own.is_contest or match.size < 2:
        return None
    name = f"best-turn:{match.pk}:{match.history}:{own.number}"
    known: dict[str, int] | None = cache.get(name)
    if known is None:
        points = story_of(match, seats_of(match)).points
        if len(points) < 2 or len(points[0][1]) < 2:
            return None
        turning = turning_of(points, own.number)
        known = {"move": turning.best, "gain": turning.gain}
        cache.set(name, known, 86_400)
    return known if known["gain"] > 0 else None
