"""Ranks in Redis: a sorted set for each board, rebuilt from the database when missing or stale.

A set is used only while it is complete and of today, as members who have not played for 90 days leave the
board of all time. Without it, or without Redis, `queries` reads the database.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, time, timedelta
from functools import wraps
from itertools import islice
from typing import NamedTuple, ParamSpec, TypeVar

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from config.lib import clock
from config.lib.redis import AWAY
from games.moderation.models import Sanction
from leaderboards import sorted_sets
from leaderboards.models import Settlement, Standing
from leaderboards.seasons import ALL_TIME
from leaderboards.sorted_sets import redis

log = logging.getLogger(__name__)

INACTIVE_AFTER = timedelta(days=90)
BUILDING = 900  # seconds after which another rebuild may begin
BATCH = 5_000
LOOKED_BACK = 200  # settlements read again: ids are not committed in order
WANTED, SYNCED, LEFT_OUT = "ranks:wanted", "ranks:synced", "ranks:left-out"

P = ParamSpec("P")
R = TypeVar("R")


class Board(NamedTuple):
    """A leaderboard: a game, of all time (season "") or in one season; of people, or of members' bots."""

    game_slug: str
    season: str
    bots: bool = False

    @property
    def key(self) -> str:
        return f"ranks:{self.game_slug}:{self.season or 'all'}{':bots' if self.bots else ''}"

    @property
    def mark(self) -> str:
        """The mark of its set when complete and of today."""
        return "whole" if self.season else f"whole:{active_since().isoformat()}"


class Place(NamedTuple):
    """Where a member stands: rank shared by equal ratings, and position (from 0) in the list."""

    rank: int
    position: int


class Slice(NamedTuple):
    """Part of a board: members with their ranks, in order; whether more follow; the total, if known."""

    ranked: list[tuple[int, int]]
    has_next: bool
    total: int | None = None


def _none_while_away(call: Callable[P, R]) -> Callable[P, R | None]:
    @wraps(call)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | None:
        try:
            return call(*args, **kwargs)
        except AWAY:
            log.warning("ranks away", extra={"operation": call.__name__})
            return None

    return guarded


def active_since() -> datetime:
    """Return since when members on the boards of all time have played; constant for a day (UTC)."""
    today = datetime.combine(clock.now().date(), time.min, clock.now().tzinfo)
    return today - INACTIVE_AFTER


def listed(board: Board) -> QuerySet[Standing]:
    """Return the standings of a board, without banned members and their bots, unordered."""
    found = Standing.objects.filter(game_slug=board.game_slug, season=board.season, matches__gt=0)
    bots = User.objects.filter(owner__isnull=False)
    if board.bots:
        found = found.filter(user_id__in=bots.exclude(owner_id__in=_banned()).values("pk"))
    else:
        found = found.exclude(user_id__in=bots.values("pk"))
    found = found.exclude(user_id__in=_banned())
    return found if board.season else found.filter(last_active__gte=active_since())


def _banned() -> QuerySet[Sanction, int | None]:
    bans = Sanction.objects.filter(kind=Sanction.Kind.BAN, ended_at__isnull=True, member__isnull=False)
    return bans.values_list("member_id", flat=True)


@_none_while_away
def page(board: Board, start: int, count: int) -> Slice | None:
    """Return `count` members of a board from a position on; None when Redis does not have it."""
    part = sorted_sets.page(board.key, board.mark, start, count)
    if part is None:
        _want(board)
        return None
    return Slice(ranked(part.members, part.better + 1, start), start + count < part.total, part.total)


def ranked(found: Sequence[tuple[int, int]], first: int, start: int) -> list[tuple[int, int]]:
    """Return members with ranks from members with ratings; equals share a rank, the first one has `first`."""
    ranks: list[int] = []
    for index, (_member, rating) in enumerate(found):
        if index == 0:
            ranks.append(first)
        else:
            ranks.append(ranks[-1] if rating == found[index - 1][1] else start + index + 1)
    return [(member, rank) for (member, _rating), rank in zip(found, ranks, strict=True)]


class Found(NamedTuple):
    """A member's place on a board in Redis, None when they are not on it."""

    place: Place | None


@_none_while_away
def place(board: Board, user_id: int) -> Found | None:
    """Return a member's place; None when Redis does not have the board."""
    answer = sorted_sets.place(board.key, board.mark, user_id)
    if answer is None:
        _want(board)
        return None
    return Found(Place(answer[0] + 1, answer[1]) if answer else None)


def _want(board: Board) -> None:
    redis().sadd(WANTED, f"{board.game_slug}|{board.season}|{'bots' if board.bots else ''}")


def reflect(standings: Iterable[Standing]) -> None:
    """Update these standings on the boards after commit."""
    rows = [(standing.game_slug, standing.season, standing.user_id) for standing in standings]
    transaction.on_commit(lambda: _none_while_away(_write_all)(rows), robust=True)


def _write_all(rows: Iterable[tuple[str, str, int]]) -> None:
    """Write members on boards, each given as (game, season, member)."""
    rows = list(rows)
    by_board: dict[Board, list[int]] = {}
    bots = set(User.objects.filter(pk__in={row[2] for row in rows}, owner__isnull=False).values_list("pk", flat=True))
    for game_slug, season, member in rows:
        by_board.setdefault(Board(game_slug, season, member in bots), []).append(member)
    for board, members in by_board.items():
        write(board, members)


def write(board: Board, members: Sequence[int]) -> None:
    """Write these members' present ratings to Redis, if it has the board.

    It reads again after writing until nothing changed, so that of two concurrent writers the later is right.
    """
    standings = listed(board).filter(user_id__in=members).values_list("user_id", "rating")
    written: dict[int, int] | None = None
    while written != (now := dict(standings.all())):
        sorted_sets.move(board.key, {member: now.get(member) for member in members})
        written = now


@_none_while_away
def refresh() -> int:
    """Write what Redis missed, and build the boards that were asked for; return how many."""
    if sorted_sets.is_full():
        log.warning("ranks give way: Redis is full")
        sorted_sets.forget_all()
    _catch_up()
    built = 0
    for name in redis().smembers(WANTED):
        game_slug, season, kind = (name.decode() + "||").split("|")[:3]
        built += build(Board(game_slug, season, kind == "bots"))
        redis().srem(WANTED, name)
    return built


def _catch_up() -> None:
    """Write the members of all settlements since the last run; start anew when Redis has lost its place."""
    synced = redis().get(SYNCED)
    last = Settlement.objects.order_by("pk").values_list("pk", flat=True).last() or 0
    if synced is None:
        sorted_sets.forget_all()
    else:
        _write_since(int(synced) - LOOKED_BACK)
    _write_banned()
    redis().set(SYNCED, last)


def _write_banned() -> None:
    """Remove members banned since the last run from all boards, and restore those whose ban was lifted."""
    known = {int(member) for member in redis().smembers(LEFT_OUT)}
    banned = {member for member in _banned() if member is not None}
    if known == banned:
        return
    changed = known ^ banned
    theirs = Standing.objects.filter(Q(user_id__in=changed) | Q(user__owner__in=changed))
    _write_all(theirs.values_list("game_slug", "season", "user_id"))
    pipe = redis().pipeline()
    pipe.delete(LEFT_OUT)
    if banned:
        pipe.sadd(LEFT_OUT, *banned)
    pipe.execute()


def _write_since(number: int) -> None:
    recent = Settlement.objects.filter(pk__gt=number, changes__user__isnull=False)
    rows = set(recent.values_list("game_slug", "season", "changes__user"))
    _write_all(sorted(rows | {(slug, ALL_TIME, user) for slug, _season, user in rows}))


def build(board: Board) -> bool:
    """Rebuild a board's set; return False when another process does so, or Redis has no room for it.

    The set is not used until it is complete. Changes committed meanwhile are written to it, and the build
    never overwrites them with what it read earlier.
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
