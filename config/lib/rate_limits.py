"""Rate limits: by allauth, under the names in ACCOUNT_RATE_LIMITS, and of posts in this process."""

from typing import Any, NamedTuple

from allauth.core import ratelimit
from allauth.core.internal import ratelimit as internal
from django.conf import settings
from django.http import HttpRequest

from config.lib import clock
from config.lib.redis import AWAY, client

A_MINUTE = 60_000  # milliseconds
REQUESTS, WINDOW = 1200, 60  # of a person's programs, in so many seconds, at all web servers

_sent: dict[tuple[int, int], int] = {}  # by user id and minute; id 0 marks the present minute


def allows(request: HttpRequest, action: str, *, times: int = 1) -> bool:
    """Count this attempt, or so many; return whether it is within the person's limit. Visitors have none."""
    if not request.user.is_authenticated:
        return True
    return all(ratelimit.consume(request, action=action) for _time in range(times))


def allows_from(request: HttpRequest, action: str) -> bool:
    """Count an attempt from this network address, by whatever method; return whether it is within its limit."""
    return bool(internal.consume(request, app="allauth.account", action=action, limit_get=True))


def allows_of(request: HttpRequest, action: str, user: Any) -> bool:
    """Count an attempt of this person, who need not be logged in, by whatever method; return whether it is allowed."""
    return bool(internal.consume(request, app="allauth.account", action=action, user=user, limit_get=True))


def allows_reader(request: HttpRequest, action: str, key: str) -> bool:
    """Count this request, a GET too, which allauth's own limits pass over; return whether it is within the key's."""
    rates = settings.ACCOUNT_RATE_LIMITS
    return internal.consume(request, app="account", action=action, config=rates, key=key, limit_get=True) is not None


def can_count() -> bool:
    """Return whether limits are kept at present: while Redis takes no writes, allauth's let everything pass."""
    try:
        return bool(client(settings.CACHES["default"]["LOCATION"]).set("counting", 1, ex=60))
    except AWAY:
        return False


def allows_post_of(user_id: int | None) -> bool:
    """Count a post of this person; return whether it is within their limit for this minute. Visitors have none.

    Every move calls this, so each web server counts for itself, without Redis.
    """
    if user_id is None:
        return True
    minute = clock.now_ms() // A_MINUTE
    if (0, minute) not in _sent:
        _sent.clear()
        _sent[0, minute] = 0
    member = (user_id, minute)
    count = _sent[member] = _sent.get(member, 0) + 1
    return count <= settings.POSTS_A_MINUTE


class Left(NamedTuple):
    """How many requests a person's programs may still send (negative when they may not), and for how many seconds."""

    requests: int
    seconds: int


def left_of(user_id: int) -> Left | None:
    """Count a request of a person's program; None while Redis is away: programs wait for nobody then."""
    now = clock.now_ms() // 1000
    window, gone = divmod(now, WINDOW)
    key = f"club-y:api:{user_id}:{window}"
    try:
        counter = client(settings.CACHES["default"]["LOCATION"])
        if (count := int(counter.incr(key))) == 1:  # type: ignore[arg-type]
            counter.expire(key, 2 * WINDOW)
    except AWAY:
        return None
    return Left(REQUESTS - count, WINDOW - gone)
