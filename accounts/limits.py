"""How often one may do something, counted by allauth in the cache under the names of ACCOUNT_RATE_LIMITS."""

from allauth.core import ratelimit
from django.core.cache import cache
from django.http import HttpRequest

from config import clock

A_MINUTE = 60_000  # milliseconds
POSTS_A_MINUTE = 600


def allows(request: HttpRequest, action: str) -> bool:
    """Count this attempt; return whether it is within the limit of the person, or of a visitor's address.

    One who is not logged in does nothing that is counted by person: the view turns them away itself.
    """
    if not request.user.is_authenticated:
        return True
    return bool(ratelimit.consume(request, action=action))


def allows_post(request: HttpRequest) -> bool:
    """Count what somebody sends by a button; return whether that is no more than hands can in this minute.

    On the path of every move, so it is one look at the cache, where allauth's counting takes several.
    """
    if not request.user.is_authenticated:
        return True
    name = f"posts:{request.user.pk}:{clock.now_ms() // A_MINUTE}"
    try:
        count = cache.incr(name)
    except ValueError:
        cache.add(name, 1, 2 * A_MINUTE // 1000)
        count = 1
    return bool(count <= POSTS_A_MINUTE)
