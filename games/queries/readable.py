"""Matches that cannot be read: which they are, and how everything else goes on without them.

A match cannot be read when its game, its version of the rules or its pace is not known here (a package of EXTRA_GAMES
was removed, a release taken back), or when its options or its state make no sense to them. Whatever shows several
matches makes each by `each`; a sweep asks for those by `known` and sets aside what fails; a page of the match itself
says so (games.views.unreadable). Nothing of such a match is changed.
"""

import json
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, TypeVar, cast

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError
from django.db.models import Q, QuerySet

from config.lib import clock, redis
from config.lib.error_counts import kind_of
from games.engine import UnknownRules
from games.models import Match
from games.rules import games, versions
from games.time_controls import TIME_CONTROLS, UnknownPace

log = structlog.get_logger(__name__)

MET = "club-y:unreadable"
AGAIN = timedelta(hours=1)  # before the same match is reported once more
REMEMBERED = timedelta(days=1)
UNKNOWN, LOOKED_FOR, MOST_UNKNOWN = "unknown-matches", 600, 100
IN_WORDS = (UnknownRules, UnknownPace)  # errors whose text tells what is wrong, and nothing of the match

T = TypeVar("T")


def known(path: str = "") -> Q:
    """Return the condition that game, rules and pace are known here, for rows that lead to a match by this path."""
    rules = Q(**{f"{path}pk": None})
    for slug in games():
        rules |= Q(**{f"{path}game_slug": slug, f"{path}rules_version__in": versions(slug)})
    return rules & Q(**{f"{path}pace_slug__in": list(TIME_CONTROLS)})


def why_unreadable(match: Match) -> str:
    """Return in a few words why this match cannot be read; empty when it can. Nothing in it is secret."""
    try:
        game, _pace = match.game, match.pace
        game.full_options(match.size, match.options)
        if match.state or match.status == Match.Status.RUNNING:
            state = game.load(bytes(match.state or b""))
            game.view(state, None)
            game.outcome(state)
    except DatabaseError:
        raise
    except Exception as error:
        return _named(error)
    return ""


def _named(error: Exception) -> str:
    return str(error) if isinstance(error, IN_WORDS) else type(error).__name__  # others may quote what is secret


def each(matches: Iterable[Match], show: Callable[[Match], T]) -> list[T]:
    """Return what `show` makes of each match, without those that cannot be shown, which are reported."""
    shown = []
    for match in matches:
        try:
            shown.append(show(match))
        except DatabaseError:
            raise
        except Exception as error:
            report(match.pk, error)
    return shown


def report(match_id: int, error: Exception) -> None:
    """Log that a match cannot be shown, once an hour, and remember it for a day for the operation page."""
    why, now = _named(error), clock.now()
    try:
        before = _met().get(match_id)
        if before is not None and timedelta() <= now - before[1] < AGAIN:
            return
        _redis().hset(MET, str(match_id), json.dumps([why, now.isoformat()]))
        _redis().expire(MET, REMEMBERED)
    except redis.AWAY:
        pass
    log.error("match cannot be read", match=match_id, why=why, at=kind_of(error))  # its text may quote a secret


def met() -> dict[int, str]:
    """Return why the matches could not be shown that were reported within a day, by number."""
    try:
        return {number: why for number, (why, at) in _met().items() if clock.now() - at < REMEMBERED}
    except redis.AWAY:
        return {}


def _met() -> dict[int, tuple[str, datetime]]:
    found = cast(dict[bytes, bytes], _redis().hgetall(MET))
    rows = {int(number): json.loads(told) for number, told in found.items()}
    return {number: (why, datetime.fromisoformat(at)) for number, (why, at) in rows.items()}


def _unknown() -> list[int]:
    """Return the first matches that are unknown here; looked for each ten minutes, as that reads all that run."""
    found = cache.get(UNKNOWN)
    if found is None:
        found = list(unknown_matches().values_list("pk", flat=True)[:MOST_UNKNOWN])
        cache.set(UNKNOWN, found, LOOKED_FOR)
    return list(found)


def _redis() -> Any:
    return redis.client(settings.CACHES["default"]["LOCATION"])


def unknown_matches() -> QuerySet[Match]:
    """Return the matches, open or running, whose game, rules or pace is not known here."""
    return Match.objects.filter(status__in=[Match.Status.OPEN, Match.Status.RUNNING]).exclude(known()).order_by("pk")


def unreadable_matches(most: int) -> list[dict[str, Any]]:
    """Return the open and running matches that are unknown here, and others that could not be shown lately."""
    reasons = met()
    numbers = list(dict.fromkeys([*_unknown(), *reasons]))[:most]
    found = Match.objects.defer("setup_draws", "server_seed").in_bulk(numbers)
    matches = [found[number] for number in numbers if number in found]
    rows = [{"match": match, "why": why_unreadable(match) or reasons.get(match.pk, "")} for match in matches]
    return [row for row in rows if row["why"]]
