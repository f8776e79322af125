"""Known devices: browsers in which a member has logged in, so that strangers' attempts cannot lock the member out.

A signed cookie holds a random number and whom it is good for. It opens nothing: it only says whose attempts are
counted apart.
"""

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

SALT = "accounts.devices"
AGE = 60 * 60 * 24 * 400  # seconds; browsers keep no cookie longer
MOST = 5  # members who are remembered in one browser


def _read(request: HttpRequest) -> tuple[str, list[int]]:
    """Return the browser's number and its members; a new number when the cookie is missing, old or forged."""
    try:
        number, members = signing.loads(request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt=SALT, max_age=AGE)
    except signing.BadSignature:
        return secrets.token_urlsafe(12), []
    return number, members


def known(request: HttpRequest, user_id: int | None) -> str:
    """Return the number of this browser if that member has logged in here; else an empty text."""
    number, members = _read(request)
    return number if user_id in members else ""


def remember(request: HttpRequest, response: HttpResponse, user_id: int) -> None:
    """Remember that this member has logged in here."""
    number, members = _read(request)
    members = [user_id, *(other for other in members if other != user_id)][:MOST]
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps([number, members], salt=SALT),
        max_age=AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
