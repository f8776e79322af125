"""Who is asking: the person behind a request, and which views they may reach; who is kept apart from whom."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.models import Block, User

View = Callable[..., HttpResponse]


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


def member_of(request: HttpRequest) -> User:
    """Return who is logged in; for views behind `login_required`."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def members_only(view: View) -> View:
    """Lead a visitor to log-in, and a guest, who has none of this yet, to sign-up."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if member_of(request).is_guest:
            return redirect("account_signup")
        return view(request, *args, **kwargs)

    return login_required(wrapped)


def blocks_between(user_id: int, others: Iterable[int | None]) -> set[tuple[int, int]]:
    """Return who has blocked whom between a person and these others, as pairs (blocker, blocked).

    Empty, thus false, when nothing keeps them apart.
    """
    numbers = [other for other in others if other is not None and other != user_id]
    if not numbers:
        return set()
    either = Q(blocker_id=user_id, blocked_id__in=numbers) | Q(blocker_id__in=numbers, blocked_id=user_id)
    return set(Block.objects.filter(either).values_list("blocker_id", "blocked_id"))


def kept_from(user_id: int, others: Iterable[int | None]) -> set[int]:
    """Return those of the others between whom and this person there is a block, whoever made it."""
    return {number for pair in blocks_between(user_id, others) for number in pair} - {user_id}
