"""The cast of the games' tests, rated matches to be had quickly, and boards that start empty."""

from collections.abc import Sequence
from datetime import datetime

import pytest
from django.core.cache import cache
from django.db import transaction

from accounts.models import User
from config import clock
from config.celery import app  # noqa: F401 (so that the worker's rings go to the Redis of the tests)
from games.models import Match, Seat, Turn
from games.queries import seats_of
from games.services.locking import lock_match
from games.services.playing import finish
from leaderboards import ranks
from leaderboards.models import RatingChange, Standing
from tests.games.conftest import ann, bob, cem, eve, gus, member  # noqa: F401
from tests.games.playing import fresh, seated


@pytest.fixture(autouse=True)
def _no_ranks_left():
    cache.clear()
    ranks.redis().flushdb()


def rated(*people: User, moves: int = 2, **wishes) -> Match:
    """Return a running rated match of these people, in which the first seat has made so many moves.

    Their rows are all there is of these moves; the match's own count passes over them.
    """
    match = seated(*people, rated=True, **wishes)
    Turn.objects.bulk_create(
        Turn(match=match, number=n, seat=0, by="person", move={}, draws=[], events=[], at=0)
        for n in range(1, moves + 1)
    )
    return fresh(match)


def end(match: Match, places: Sequence[int], at: datetime | None = None) -> Match:
    """End a running match with these ranks by the game's outcome, as the last move would."""
    with transaction.atomic():
        match, seats = lock_match(match.pk)
        match.outcome = {"ranks": list(places), "scores": [9 - place for place in places], "winners": []}
        finish(match, seats, Match.Ending.PLAYED)
        match.save()
        Seat.objects.bulk_update(seats, ["rank", "score", "ask", "asked_at"])
    return fresh(match)


def played(*people: User, places: Sequence[int] | None = None, **wishes) -> Match:
    """Return a rated match that has ended; in the order of its seats unless `places` says otherwise."""
    return end(rated(*people, **wishes), places or range(1, len(people) + 1))


def standing(user: User, season: str = "", game_slug: str = "yum-extra") -> Standing:
    return Standing.objects.get(user=user, game_slug=game_slug, season=season)


def placed(user: User, points: int, *, matches: int = 30, game_slug: str = "yum-extra", **more) -> Standing:
    """Give a member a rating of all time, without a match."""
    return Standing.objects.create(
        user=user,
        game_slug=game_slug,
        rating=points * 100,
        matches=matches,
        **{"last_active": clock.now()} | more,
    )


def chain_problems() -> list[str]:
    """Return where a member's change does not begin with what the one before left."""
    now: dict[tuple[int, str], int] = {}
    found = []
    for row in RatingChange.objects.select_related("settlement").order_by("settlement_id", "seat"):
        key = row.player, row.settlement.game_slug
        if row.before != now.get(key, 1500_00):
            found.append(f"{row} after {now.get(key)}")
        now[key] = row.after
    for row in Standing.objects.filter(season=""):
        if row.rating != now.get((row.user_id, row.game_slug)):
            found.append(f"{row} stands elsewhere than the chain ends")
    return found


def seats(match: Match) -> list[Seat]:
    return seats_of(match)
