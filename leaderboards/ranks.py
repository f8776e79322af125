"""Ranks in Redis: a sorted set for each board, rebuilt from the database when missing or stale.

A set's members are member numbers, their scores ratings below zero: so the best come first, and equal ones
by number. A set counts only while its mark says that it is whole, and for which day: who has not played
for 90 days leaves the board of all time, and that is decided by the day. What is not in Redis, or while
Redis is away, is asked of the database (`queries`).
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, time, timedelta
from functools import cache, wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from config import clock
from leaderboards.models import Settlement, Standing
from leaderboards.seasons import ALL_TIME

log = logging.getLogger(__name__)

INACTIVE_AFTER = timedelta(days=90)
KEPT = timedelta(days=2)  # a board that nobody looks at leaves Redis
BUILDING = 900  # seconds that a rebuild may take before another may begin
BATCH = 5_000
LOOKED_BACK = 200  # settlements looked at again: numbers are not committed in their order
WANTED, SYNCED = "ranks:wanted", "ranks:synced"

P = ParamSpec("P")
R = TypeVar("R")


class Board(NamedTuple):
    """A leaderboard: a game, of all time (season "") or in one season."""

    game_slug: str
    season: str

    @property
    def key(self) -> str:
        return f"ranks:{self.game_slug}:{self.season or 'all'}"

    @property
    def mark(self) -> str:
        return f"{self.key}:whole"


class Place(NamedTuple):
    """Where a member stands: rank shared by equal ratings, and position (from 0) in the list."""

    rank: int
    position: int


class Slice(NamedTuple):
    """Part of a board: members with their ranks, in order; whether more follow; of how many, if known."""

    ranked: list[tuple[int, int]]
    has_next: bool
    total: int | None = None


@cache
def redis() -> Any:
    """Return the connections to Redis of this process."""
    return Redis.from_url(
        settings.RANKS_URL, socket_timeout=0.5, socket_connect_timeout=0.5, retry=Retry(NoBackoff(), 0)
    )


def _patient(call: Callable[P, R]) -> Callable[P, R | None]:
    """Let a call give None while Redis is away."""

    @wraps(call)
    def patient(*args: P.args, **kwargs: P.kwargs) -> R | None:
        try:
            return call(*args, **kwargs)
        except RedisError:
            log.warning("ranks away", extra={"operation": call.__name__})
            return None

    return patient


def active_since() -> datetime:
    """Return since when one must have played to be on the boards of all time; the same all day long (UTC)."""
    today = datetime.combine(clock.now().date(), time.min, clock.now().tzinfo)
    return today - INACTIVE_AFTER


def listed(board: Board) -> QuerySet[Standing]:
    """Return the standings that belong on a board, in no order."""
    found = Standing.objects.filter(game_slug=board.game_slug, season=board.season, matches__gt=0)
    return found if board.season else found.filter(last_active__gte=active_since())


@_patient
def page(board: Board, start: int, count: int) -> Slice | None:
    """Return so many members of a board from a position on; None where Redis does not know."""
    pipe = redis().pipeline()
    pipe.get(board.mark)
    pipe.zrange(board.key, start, start + count - 1, withscores=True)
    pipe.zcard(board.key)
    mark, found, total = pipe.execute()
    if not _is_fresh(board, mark):
        return None
    better = redis().zcount(board.key, "-inf", f"({found[0][1]:.0f}") if found else 0
    members = [(int(member), -int(score)) for member, score in found]
    return Slice(ranked(members, better + 1, start), start + count < total, total)


def ranked(found: Sequence[tuple[int, int]], first: int, start: int) -> list[tuple[int, int]]:
    """Return members, given with their ratings, with ranks: the first one's is known, equals share theirs."""
    ranks: list[int] = []
    for index, (_member, rating) in enumerate(found):
        if index == 0:
            ranks.append(first)
        else:
            ranks.append(ranks[-1] if rating == found[index - 1][1] else start + index + 1)
    return [(member, rank) for (member, _rating), rank in zip(found, ranks, strict=True)]


class Found(NamedTuple):
    """What Redis says of a member on a board that it knows: their place, None when they are not on it."""

    place: Place | None


@_patient
def place(board: Board, user_id: int) -> Found | None:
    """Return where a member stands; None where Redis does not know."""
    pipe = redis().pipeline()
    pipe.get(board.mark)
    pipe.zscore(board.key, _member(user_id))
    pipe.zrank(board.key, _member(user_id))
    mark, score, position = pipe.execute()
    if not _is_fresh(board, mark):
        return None
    if score is None or position is None:
        return Found(None)
    better = redis().zcount(board.key, "-inf", f"({score:.0f}")
    return Found(Place(better + 1, position))


def _is_fresh(board: Board, mark: bytes | None) -> bool:
    """Return whether the set is whole and of today; ask for it to be rebuilt otherwise."""
    if mark is not None and mark.decode() == _mark_now(board):
        return True
    redis().sadd(WANTED, f"{board.game_slug}|{board.season}")
    return False


def _mark_now(board: Board) -> str:
    return "whole" if board.season else active_since().isoformat()


def _member(user_id: int) -> str:
    return f"{user_id:012d}"


def reflect(standings: Iterable[Standing]) -> None:
    """Have, after commit, the boards show how these standings are now."""
    by_board: dict[Board, list[int]] = {}
    for standing in standings:
        by_board.setdefault(Board(standing.game_slug, standing.season), []).append(standing.user_id)
    transaction.on_commit(lambda: _write_all(by_board), robust=True)


@_patient
def _write_all(by_board: dict[Board, list[int]]) -> None:
    for board, members in by_board.items():
        write(board, members)


def write(board: Board, members: Sequence[int]) -> None:
    """Put these members where the database has them now.

    It looks again after it has written, until nothing changed meanwhile: so of two who write the same
    member, the later one leaves what is true.
    """
    written: dict[int, int] | None = None
    while written != (
        now := dict(listed(board).filter(user_id__in=members).values_list("user_id", "rating"))
    ):
        pipe = redis().pipeline()
        gone = [_member(member) for member in members if member not in now]
        if gone:
            pipe.zrem(board.key, *gone)
        if now:
            pipe.zadd(board.key, {_member(member): -rating for member, rating in now.items()})
        pipe.expire(board.key, KEPT)
        pipe.execute()
        written = now


@_patient
def refresh() -> int:
    """Write what Redis missed while it was away, build the boards that were asked for; return how many."""
    _catch_up()
    built = 0
    for name in redis().smembers(WANTED):
        game_slug, _bar, season = name.decode().partition("|")
        built += build(Board(game_slug, season))
        redis().srem(WANTED, name)
    return built


def _catch_up() -> None:
    """Write the members of all settlements since the last time; a Redis without its place starts anew."""
    synced = redis().get(SYNCED)
    last = Settlement.objects.order_by("pk").values_list("pk", flat=True).last() or 0
    if synced is None:
        marks = list(redis().scan_iter("ranks:*:whole"))
        if marks:
            redis().delete(*marks)
    else:
        _write_since(int(synced) - LOOKED_BACK)
    redis().set(SYNCED, last)


def _write_since(number: int) -> None:
    touched: dict[Board, set[int]] = {}
    recent = Settlement.objects.filter(pk__gt=number)
    for slug, season, user in recent.values_list("game_slug", "season", "changes__user"):
        if user is not None:
            touched.setdefault(Board(slug, ALL_TIME), set()).add(user)
            touched.setdefault(Board(slug, season), set()).add(user)
    for board, members in touched.items():
        write(board, sorted(members))


def build(board: Board) -> bool:
    """Make a board's set anew; return False when somebody else is at it.

    The set is not used until it is whole. Changes that are committed meanwhile are written to it as ever, and
    what the build read earlier never overwrites them.
    """
    lock = f"{board.key}:building"
    if not redis().set(lock, 1, nx=True, ex=BUILDING):
        return False
    try:
        mark = _mark_now(board)
        redis().delete(board.mark, board.key)
        batch: dict[str, int] = {}
        for member, rating in listed(board).values_list("user_id", "rating").iterator(BATCH):
            batch[_member(member)] = -rating
            if len(batch) == BATCH:
                redis().zadd(board.key, batch, nx=True)
                batch = {}
        if batch:
            redis().zadd(board.key, batch, nx=True)
        redis().expire(board.key, KEPT)
        redis().set(board.mark, mark, ex=KEPT - timedelta(hours=1))
    finally:
        redis().delete(lock)
    return True
