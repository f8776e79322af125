"""How often one may do something, counted by allauth in the cache under the names of ACCOUNT_RATE_LIMITS."""

from allauth.core import ratelimit
from django.http import HttpRequest


def allows(request: HttpRequest, action: str) -> bool:
    """Count this attempt; return whether it is within the limit of the person, or of a visitor's address.

    One who is not logged in does nothing that is counted by person: the view turns them away itself.
    """
    if not request.user.is_authenticated:
        return True
    return bool(ratelimit.consume(request, action=action))
