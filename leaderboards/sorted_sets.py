"""Boards as sorted sets in Redis, each with a mark among its members that says that it is complete.

Members are user ids of fixed width and scores are negated ratings, so that the best come first, and equals by
id. The mark, which names the day, has an infinite score and comes last; as a member it is evicted with the
set. Only `begin` creates a set. What reads a set twice is one script, so that it does not change in between.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import cache
from typing import Any, NamedTuple

from config.lib.redis import RANKS, address, client

KEPT = timedelta(days=2)  # expiry of a set
BYTES = 100  # per member: 90 were measured
ROOM = 0.75  # share of Redis' memory up to which sets are built; the rest is for tasks, sessions and limits
FULL = 0.9  # share from which on all sets are deleted, before Redis starts evicting

_PAGE = """
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return false end
local found = redis.call('ZRANGE', KEYS[1], ARGV[2], ARGV[3], 'WITHSCORES')
local better = found[2] and redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. found[2]) or 0
return {redis.call('ZCARD', KEYS[1]) - 1, better, found}
"""
_PLACE = """
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return false end
local score = redis.call('ZSCORE', KEYS[1], ARGV[2])
if not score then return {} end
return {redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. score), redis.call('ZRANK', KEYS[1], ARGV[2])}
"""
_MOVE = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for i = 1, #ARGV, 2 do
  redis.call('ZREM', KEYS[1], ARGV[i])
  if ARGV[i + 1] ~= '' then redis.call('ZADD', KEYS[1], ARGV[i + 1], ARGV[i]) end
end
return 1
"""
_FILL = """
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
for i = 2, #ARGV, 2 do redis.call('ZADD', KEYS[1], 'NX', ARGV[i + 1], ARGV[i]) end
return 1
"""
_FINISH = """
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('ZADD', KEYS[1], '+inf', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
"""


def redis() -> Any:
    """Return the connections to Redis of this process."""
    return client(address(RANKS))


@cache
def _script(text: str) -> Callable[..., Any]:
    return redis().register_script(text)  # type: ignore[no-any-return]


class Part(NamedTuple):
    """Members of a set with their ratings, in order; how many are better than the first; the total."""

    members: list[tuple[int, int]]
    better: int
    total: int


def page(key: str, mark: str, start: int, count: int) -> Part | None:
    """Return `count` members from a position on; None unless the set is complete with this mark."""
    answer = _script(_PAGE)([key], [mark, start, start + count - 1])
    if answer is None:
        return None
    total, better, flat = answer
    pairs = zip(flat[::2], flat[1::2], strict=True)
    return Part([(int(who), -int(score)) for who, score in pairs if who != mark.encode()], better, total)


def place(key: str, mark: str, user_id: int) -> tuple[int, int] | tuple[()] | None:
    """Return how many are better than a member and the member's position, () for one who is not in the set;
    None unless the set is complete with this mark.
    """
    answer = _script(_PLACE)([key], [mark, _member(user_id)])
    return None if answer is None else tuple(answer)


def move(key: str, ratings: Mapping[int, int | None]) -> None:
    """Set the ratings of members and remove those without one, if the set exists.

    Removing comes first: with no memory left, Redis only lets a script write that has written already.
    """
    flat = [part for who, rating in ratings.items() for part in (_member(who), _score(rating))]
    _script(_MOVE)([key], flat)


def begin(key: str, token: str) -> None:
    """Create the set anew with nothing but the builder's token, so not complete."""
    pipe = redis().pipeline()
    pipe.unlink(key)
    pipe.zadd(key, {token: "+inf"})
    pipe.expire(key, KEPT)
    pipe.execute()


def fill(key: str, token: str, ratings: Sequence[tuple[int, int]]) -> bool:
    """Add members who are missing; return False when the set is no longer this builder's."""
    flat = [part for who, rating in ratings for part in (_member(who), _score(rating))]
    return bool(_script(_FILL)([key], [token, *flat]))


def finish(key: str, token: str, mark: str) -> bool:
    """Mark the set as complete; return False when it is no longer this builder's.

    It expires anew: one without members is gone with the token for a moment.
    """
    return bool(_script(_FINISH)([key], [token, mark, int(KEPT.total_seconds())]))


def forget_all() -> None:
    """Delete all sets; pages read the database until they are built again."""
    if keys := list(redis().scan_iter("ranks:*", _type="zset")):
        redis().unlink(*keys)


def has_room(members: int) -> bool:
    """Return whether Redis has room for a set of so many members."""
    used, most = _memory()
    return not most or used + members * BYTES < most * ROOM


def is_full() -> bool:
    """Return whether Redis is about to evict."""
    used, most = _memory()
    return most > 0 and used > most * FULL


def _memory() -> tuple[int, int]:
    memory = redis().info("memory")
    return memory["used_memory"], memory.get("maxmemory", 0)


def _member(user_id: int) -> str:
    return f"{user_id:012d}"


def _score(rating: int | None) -> str:
    return "" if rating is None else str(-rating)
