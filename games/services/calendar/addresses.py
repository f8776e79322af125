"""The secret address of a member's calendar feed: made, renewed, taken back, and found again."""

import secrets
from hashlib import sha256

from django.db import transaction

from accounts.models import User
from accounts.services import sealing
from config.lib import clock
from games.models import CalendarFeed


def turn_on(*, user_id: int) -> None:
    """Give the member's feed an address; if there is one already, a new one takes its place at once."""
    token = secrets.token_urlsafe(24)
    drawn = {"digest": _digest(token), "sealed": sealing.encrypt(token), "created_at": clock.now()}
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user_id)
        CalendarFeed.objects.update_or_create(user=user, defaults=drawn)


def turn_off(*, user_id: int) -> None:
    """Take the feed's address back: nobody reads the calendar any more."""
    CalendarFeed.objects.filter(user_id=user_id).delete()


def token_of(user: User) -> str | None:
    """Return the token of the member's feed; None without a feed, or without the key that sealed it."""
    feed = CalendarFeed.objects.filter(user=user).first()
    return sealing.opened(feed.sealed) if feed else None


def read(token: str) -> User | None:
    """Return whose calendar this token opens; None for every other, and of an account that is closed or banned."""
    feed = CalendarFeed.objects.filter(digest=_digest(token), user__is_active=True).select_related("user").first()
    return feed.user if feed else None


def _digest(token: str) -> str:
    return sha256(token.encode(errors="replace")).hexdigest()
