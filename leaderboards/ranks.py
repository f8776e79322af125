"""Ranks in Redis: a sorted set for each board, rebuilt from the database when missing or stale.

A set counts only while it is whole, and of today: who has not played for 90 days leaves the board of all
time, and that is decided by the day. What is not in Redis, or while Redis is away, is asked of the database
(`queries`).
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, time, timedelta
from functools import wraps
from itertools import islice
from typing import NamedTuple, ParamSpec, TypeVar

from django.db import transaction
from django.db.models import QuerySet

from config.lib import clock
from config.lib.redis import AWAY
from games.moderation.models import Sanction
from leaderboards import sorted_sets
from leaderboards.models import Settlement, Standing
from leaderboards.seasons import ALL_TIME
from leaderboards.sorted_sets import redis

log = logging.getLogger(__name__)

INACTIVE_AFTER = timedelta(days=90)
BUILDING = 900  # seconds that a rebuild may take before another may begin
BATCH = 5_000
LOOKED_BACK = 200  # settlements looked at again: numbers are not committed in their order
WANTED, SYNCED, LEFT_OUT = "ranks:wanted", "ranks:synced", "ranks:left-out"

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
        """What its set is marked with when it is whole and of today."""
        return "whole" if self.season else f"whole:{active_since().isoformat()}"


class Place(NamedTuple):
    """Where a member stands: rank shared by equal ratings, and position (from 0) in the list."""

    rank: int
    position: int


class Slice(NamedTuple):
    """Part of a board: members with their ranks, in order; whether more follow; of how many, if known."""

    ranked: list[tuple[int, int]]
    has_next: bool
    total: int | None = None


def _patient(call: Callable[P, R]) -> Callable[P, R | None]:
    """Let a call give None while Redis is away."""

    @wraps(call)
    def patient(*args: P.args, **kwargs: P.kwargs) -> R | None:
        try:
            return call(*args, **kwargs)
        except AWAY:
            log.warning("ranks away", extra={"operation": call.__name__})
            return None

    return patient


def active_since() -> datetime:
    """Return since when one must have played to be on the boards of all time; the same all day long (UTC)."""
    today = datetime.combine(clock.now().date(), time.min, clock.now().tzinfo)
    return today - INACTIVE_AFTER


def listed(board: Board) -> QuerySet[Standing]:
    """Return the standings that belong on a board, in no order; who is banned is on none."""
    found = Standing.objects.filter(game_slug=board.game_slug, season=board.season, matches__gt=0)
    found = found.exclude(user_id__in=_banned())
    return found if board.season else found.filter(last_active__gte=active_since())


def _banned() -> QuerySet[Sanction, int | None]:
    """Return the numbers of all members who are banned: few, and found by the index of what is in force."""
    bans = Sanction.objects.filter(kind=Sanction.Kind.BAN, ended_at__isnull=True, member__isnull=False)
    return bans.values_list("member_id", flat=True)


@_patient
def page(board: Board, start: int, count: int) -> Slice | None:
    """Return so many members of a board from a position on; None where Redis does not know."""
    part = sorted_sets.page(board.key, board.mark, start, count)
    if part is None:
        _want(board)
        return None
    return Slice(ranked(part.members, part.better + 1, start), start + count < part.total, part.total)


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
    answer = sorted_sets.place(board.key, board.mark, user_id)
    if answer is None:
        _want(board)
        return None
    return Found(Place(answer[0] + 1, answer[1]) if answer else None)


def _want(board: Board) -> None:
    """Ask the next sweep to build a board."""
    redis().sadd(WANTED, f"{board.game_slug}|{board.season}")


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
    """Put these members where the database has them now, if Redis has the board or is about to.

    It looks again after it has written, until nothing changed meanwhile: so of two who write the same
    member, the later one leaves what is true.
    """
    written: dict[int, int] | None = None
    while written != (
        now := dict(listed(board).filter(user_id__in=members).values_list("user_id", "rating"))
    ):
        sorted_sets.move(board.key, {member: now.get(member) for member in members})
        written = now


@_patient
def refresh() -> int:
    """Write what Redis missed while it was away, build the boards that were asked for; return how many."""
    if sorted_sets.is_full():
        log.warning("ranks give way: Redis is full")
        sorted_sets.forget_all()
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
        sorted_sets.forget_all()
    else:
        _write_since(int(synced) - LOOKED_BACK)
    _write_banned()
    redis().set(SYNCED, last)


def _write_banned() -> None:
    """Take off all boards who was banned since the last time, and put back whose ban was lifted."""
    known = {int(member) for member in redis().smembers(LEFT_OUT)}
    banned = {member for member in _banned() if member is not None}
    if known == banned:
        return
    touched: dict[Board, list[int]] = {}
    theirs = Standing.objects.filter(user_id__in=known ^ banned)
    for slug, season, user in theirs.values_list("game_slug", "season", "user_id"):
        touched.setdefault(Board(slug, season), []).append(user)
    for board, members in touched.items():
        write(board, members)
    pipe = redis().pipeline()
    pipe.delete(LEFT_OUT)
    if banned:
        pipe.sadd(LEFT_OUT, *banned)
    pipe.execute()


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
    """Make a board's set anew; return False when somebody else is at it, or Redis has no room for it.

    The set is not used until it is whole. Changes that are committed meanwhile are written to it as ever, and
    what the build read earlier never overwrites them.
    """
    everybody = Standing.objects.filter(game_slug=board.game_slug, season=board.season)
    if not sorted_sets.has_room(everybody.count() - redis().zcard(board.key)):
        log.warning("no room for ranks", extra={"board": board.key})
        return False
    lock = f"{board.key}:building"
    if not redis().set(lock, 1, nx=True, ex=BUILDING):
        return False
    try:
        return _build(board)
    finally:
        redis().delete(lock)


def _build(board: Board) -> bool:
    token, mark = f"building:{secrets.token_hex(8)}", board.mark
    sorted_sets.begin(board.key, token)
    rows = listed(board).values_list("user_id", "rating").iterator(BATCH)
    while batch := list(islice(rows, BATCH)):
        if not sorted_sets.fill(board.key, token, batch):
            return False
    return sorted_sets.finish(board.key, token, mark)
