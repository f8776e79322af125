"""The person behind a request, views for members only, and safe redirects."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.models import User

View = Callable[..., HttpResponse]


class Hidden(Http404):
    """What is asked for is for some people alone, or does not exist: nobody else learns which.

    Who is not logged in is led to log-in, and to `back` after it (accounts.middleware).
    """

    def __init__(self, back: str = "") -> None:
        super().__init__()
        self.back = back


def guest_of(request: HttpRequest) -> User | None:
    """Return the guest whom GuestDoor treats as a visitor, for log-in and sign-up."""
    return getattr(request, "guest", None)


def person_of(request: HttpRequest) -> User | None:
    """Return the member or guest of this request, or None for a visitor, whose session is not read."""
    if (guest := guest_of(request)) is not None:
        return guest
    session = getattr(request, "session", None)
    if session is None or not (settings.SESSION_COOKIE_NAME in request.COOKIES or session.modified):
        return None
    user = request.user
    return user if isinstance(user, User) or user.is_authenticated else None


def member_of(request: HttpRequest) -> User:
    """Return who is logged in; PermissionDenied for nobody."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def members_only(view: View) -> View:
    """Redirect a visitor to log-in and a guest to sign-up."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if member_of(request).is_guest:
            return redirect("account_signup")
        return view(request, *args, **kwargs)

    return login_required(wrapped)


def redirect_back(request: HttpRequest, otherwise: str) -> HttpResponseRedirect:
    """Redirect to the posted `next` if it is an address of this site, else to the view named `otherwise`.

    Django's `redirect` would take an address without a slash for a view's name.
    """
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(target if safe else reverse(otherwise))
