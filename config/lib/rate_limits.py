"""How often one may do something: most of it counted by allauth, under the names of ACCOUNT_RATE_LIMITS."""

from allauth.core import ratelimit
from django.http import HttpRequest

from config.lib import clock

A_MINUTE = 60_000  # milliseconds
POSTS_A_MINUTE = 600


def allows(request: HttpRequest, action: str) -> bool:
    """Count this attempt; return whether it is within the limit of the person, or of a visitor's address.

    One who is not logged in does nothing that is counted by person: the view turns them away itself.
    """
    if not request.user.is_authenticated:
        return True
    return bool(ratelimit.consume(request, action=action))


_sent: dict[tuple[int, int], int] = {}  # by member and minute; that of nobody marks the present minute


def allows_post(request: HttpRequest) -> bool:
    """Count what somebody sends by a button; return whether that is no more than hands can in this minute.

    On the path of every move, so each web server counts for itself: nothing is asked of Redis.
    """
    if not request.user.is_authenticated:
        return True
    minute = clock.now_ms() // A_MINUTE
    if (0, minute) not in _sent:
        _sent.clear()
        _sent[0, minute] = 0
    member = (request.user.pk, minute)
    count = _sent[member] = _sent.get(member, 0) + 1
    return count <= POSTS_A_MINUTE
