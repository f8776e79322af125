"""Who is asking: the person behind a request, and which views they may reach; who is kept apart from whom."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.models import User

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


def redirect_back(request: HttpRequest, otherwise: str) -> HttpResponseRedirect:
    """Return the way to the posted `next` if it is an address of this site, else to the view of that name.

    Django's `redirect` would take an address without a slash for a view's name, and fail.
    """
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(target if safe else reverse(otherwise))
