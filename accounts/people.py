"""Who is asking: the member or guest behind a request."""

from django.conf import settings
from django.http import HttpRequest

from accounts.models import User


def guest_of(request: HttpRequest) -> User | None:
    """Return the guest whom GuestDoor let in as a visitor, so that log-in and sign-up are open to them."""
    return getattr(request, "guest", None)


def person_of(request: HttpRequest) -> User | None:
    """Return the member or guest who asks, or None for a visitor, whose session is then left untouched."""
    guest = guest_of(request)
    if guest is not None:
        return guest
    session = getattr(request, "session", None)
    if session is None or not (settings.SESSION_COOKIE_NAME in request.COOKIES or session.modified):
        return None
    user = request.user
    return user if isinstance(user, User) or user.is_authenticated else None
