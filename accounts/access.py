"""The person behind a request, views for members only, and safe redirects."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
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


def forget_pages(response: HttpResponse) -> HttpResponse:
    """Have the browser forget what it keeps of this site's pages, at log-out; cookies of language and device stay."""
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def members_only(view: View) -> View:
    """Redirect a visitor to log-in and a guest to sign-up."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if member_of(request).is_guest:
            return redirect("account_signup")
        return view(request, *args, **kwargs)

    return login_required(wrapped)


def page_of(request: HttpRequest) -> str:
    """Return the address of the page that is shown: of a refused post, the page on which its form stood."""
    if request.method != "POST":
        return request.get_full_path()
    came, is_page = urlsplit(_came_from(request)), not _is_post_only(request.path)
    if came.path and (came.path == request.path if is_page else not _is_post_only(came.path)):
        return f"{came.path}?{came.query}" if came.query else came.path
    if is_page:
        return request.get_full_path()
    page = request.path
    while _is_post_only(page):
        page = page.rstrip("/").rpartition("/")[0] + "/"
    return page


def _came_from(request: HttpRequest) -> str:
    """Return the address of this site's page that sent the request; "" for another or none."""
    came = request.headers.get("Referer", "")
    return came if url_has_allowed_host_and_scheme(came, {request.get_host()}, request.is_secure()) else ""


def _is_post_only(path: str) -> bool:
    """Return whether there is no page at this path: it takes posts alone, or is none at all."""
    try:
        return bool(getattr(resolve(path).func, "post_only", False))
    except Resolver404:
        return path != "/"


def redirect_back(request: HttpRequest, otherwise: str) -> HttpResponseRedirect:
    """Redirect to the posted `next` if it is an address of this site, else to the view named `otherwise`.

    Django's `redirect` would take an address without a slash for a view's name.
    """
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(target if safe else reverse(otherwise))
