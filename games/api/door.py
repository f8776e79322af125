"""The door of programs: a request under /api/v1/ is answered here, and nothing of a session is looked at."""

import contextlib
from collections.abc import Callable, Iterator
from functools import cache

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, URLResolver, include, path
from django.urls.resolvers import RegexPattern
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation.trans_real import parse_accept_lang_header

from accounts.models import User
from config.lib import rate_limits, time_zones
from games.api import problems, unreadable
from games.api.models import ApiToken
from games.api.problems import Problem
from games.api.services import tokens
from games.models import Match

PREFIX = "/api/v1"
DEEDS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
POLICY = f'"member";q={rate_limits.REQUESTS};w={rate_limits.WINDOW}'
OPEN = {  # to scripts of any page, as no cookie counts here
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, RateLimit, RateLimit-Policy, Retry-After, Location, Content-Language",
}
ASKED_BEFORE = {
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Accept-Language, If-None-Match, Idempotency-Key",
    "Access-Control-Max-Age": "86400",
}


class Door:
    """Middleware that answers requests of programs itself, before a session is read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return answered(request) if is_programs(request) else self.get_response(request)


def is_programs(request: HttpRequest) -> bool:
    """Return whether a request is to the API."""
    return request.path_info == PREFIX or request.path_info.startswith(PREFIX + "/")


def answered(request: HttpRequest) -> HttpResponseBase:
    """Return the answer to a program; errors of ours are raised (config.errors tells them in the same form)."""
    request.COOKIES = {}
    request.session = {}  # type: ignore[assignment]
    request.user = AnonymousUser()
    _come_in(request)
    with _manner_of(request) as language:
        response = _counted(request)
        response.headers["Content-Language"] = language
    response.headers.setdefault("Cache-Control", "no-store")
    patch_vary_headers(response, ("Authorization", "Accept-Language"))
    for name, value in OPEN.items():
        response.headers[name] = value
    return response


def _come_in(request: HttpRequest) -> None:
    """Set whose the request is, by its token; otherwise what to say to whoever needs one."""
    request.api_token, request.api_refusal = None, None  # type: ignore[attr-defined]
    kind, _space, secret = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not secret:
        words = _("Send a token, with the header “Authorization: Bearer …”. Cookies are not taken here.")
        request.api_refusal = Problem(401, "token_missing", words)  # type: ignore[attr-defined]
        return
    token = tokens.found(secret.strip())
    if token is None:
        words = _("There is no such token, or not any more.")
        request.api_refusal = Problem(401, "token_unknown", words)  # type: ignore[attr-defined]
    elif tokens.is_over(token):
        request.api_refusal = Problem(401, "token_ended", _("This token has ended."))  # type: ignore[attr-defined]
    else:
        tokens.note_use(token)
        token.user.has_perm = _no_right  # type: ignore[method-assign]
        request.api_token, request.user = token, token.user  # type: ignore[attr-defined]


def _no_right(perm: str, obj: object = None) -> bool:
    """Say that a program has no right of a moderator: those are for pages, behind a second factor."""
    return False


@contextlib.contextmanager
def _manner_of(request: HttpRequest) -> Iterator[str]:
    """Speak, within, the language that the program asks for, else its person's; in their time zone."""
    user = request.user
    language = language_asked(request.headers.get("Accept-Language", ""))
    if not language:
        language = user.language if isinstance(user, User) else settings.LANGUAGE_CODE
    zone = time_zones.zone(user.time_zone) if isinstance(user, User) else None
    request.LANGUAGE_CODE = language
    with translation.override(language), timezone.override(zone):
        yield language


def language_asked(header: str) -> str:
    """Return the first language of a header Accept-Language that the site speaks; empty if there is none."""
    known = dict(settings.LANGUAGES)
    for wanted, _weight in parse_accept_lang_header(header[:500]):
        if (short := wanted.partition("-")[0]) in known:
            return short
    return ""


def _counted(request: HttpRequest) -> HttpResponseBase:
    """Return the answer, with how much of the person's limit is left."""
    token: ApiToken | None = request.api_token  # type: ignore[attr-defined]
    left = rate_limits.left_of(token.user_id) if token is not None else None
    if left is not None and left.requests < 0:
        words = _("That was a little fast. Nothing was done; please wait a moment and try again.")
        response: HttpResponseBase = problems.answer(
            Problem(429, "too_often", words, headers={"Retry-After": str(left.seconds)})
        )
    else:
        response = _told(request)
    if left is not None:
        response.headers["RateLimit-Policy"] = POLICY
        response.headers["RateLimit"] = f'"member";r={max(left.requests, 0)};t={left.seconds}'
    return response


def _told(request: HttpRequest) -> HttpResponseBase:
    try:
        return _led(request)
    except Exception as error:
        if (problem := _explained(request, error)) is None:
            raise
        return problems.answer(problem)


def _explained(request: HttpRequest, error: Exception) -> Problem | None:
    """Return what an exception tells the program; None for an error of ours."""
    if (problem := problems.told(error)) is not None:
        return problem
    if isinstance(error, Match.DoesNotExist):
        return problems.not_found()
    user = request.user
    is_lost = isinstance(error, DatabaseError | ObjectDoesNotExist) and isinstance(user, User)
    if is_lost and not User.objects.filter(pk=user.pk or 0).exists():
        return Problem(410, "account_closed", _("This account was closed meanwhile."))
    found = request.resolver_match
    return unreadable.explained(error, found.kwargs if found else {}, user)


def _led(request: HttpRequest) -> HttpResponseBase:
    """Call what stands at the address, by its method; HEAD is a GET whose body is not sent."""
    if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
        raise problems.unreadable()
    try:
        found = resolver().resolve(request.path_info)
    except Resolver404:
        raise problems.not_found() from None
    request.resolver_match = found
    method = request.method
    request.method = "GET" if method == "HEAD" else method
    response: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
    request.method = method
    return _of_method(request, response) if response.status_code == 405 else response


def _of_method(request: HttpRequest, response: HttpResponseBase) -> HttpResponse:
    """Return what an address says to OPTIONS, and to a method that it does not take."""
    taken = set(response.headers["Allow"].split(", "))
    allowed = ", ".join(sorted({*taken, "OPTIONS", *(["HEAD"] if "GET" in taken else [])}))
    if request.method == "OPTIONS":
        return HttpResponse(
            status=204, headers={"Allow": allowed, "Access-Control-Allow-Methods": allowed, **ASKED_BEFORE}
        )
    words = _("This address takes %(methods)s.") % {"methods": allowed}
    return problems.answer(Problem(405, "wrong_method", words, headers={"Allow": allowed}))


@cache
def resolver() -> URLResolver:
    """Return the addresses of the API; made when it is first asked, as their schemas take a second."""
    api = import_string("games.api.build.api")
    return URLResolver(RegexPattern(r"^/"), [path(f"{PREFIX[1:]}/", include(api.urls[0]))])
