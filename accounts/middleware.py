"""Middleware for language, time zone and visits, for sessions, guests, stale pages and accounts closed meanwhile."""

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts.access import Hidden, forget_pages, page_of, person_of
from accounts.models import User
from accounts.services import second_factor, sessions, visits
from config.lib import clock, present, rate_limits, time_zones
from config.lib.texts import LONGEST_SHOWN, written

ENTRANCE = frozenset(  # names of the views for log-in and sign-up
    {"account_login", "account_signup", "account_request_login_code", "account_confirm_login_code"}
    | {"account_reset_password", "account_confirm_password_reset_code", "account_complete_password_reset"}
    | {"account_password_reset_completed", "account_confirm_email", "account_email_verification_sent"}
    | {"account_inactive", "mfa_authenticate", "mfa_login_webauthn"}
)
SECRETS = frozenset({"token", "key"})  # parts of addresses
EXITS = frozenset({"account_logout", "usersessions_list"})


class Preferences:
    """Activate the person's language and time zone; a visitor's language is the cookie's or browser's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        person = person_of(request)
        if person is not None and "X-Unasked" not in request.headers:  # by which an open page asks by itself
            visits.note_soon(person.pk)
        language, depends = language_of(request, person)
        request.LANGUAGE_CODE = language
        zone = time_zones.zone(person.time_zone) if person else None
        with translation.override(language), timezone.override(zone):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        if person is not None or request.path_info.startswith("/accounts/") or _carries_secret(request):
            response.headers.setdefault("Cache-Control", "no-store")  # kept by no browser, nor shown after log-out
        patch_vary_headers(response, depends)
        return response


def _carries_secret(request: HttpRequest) -> bool:
    """Return whether a part of the address opens something to whoever has it."""
    match = request.resolver_match
    return match is not None and not SECRETS.isdisjoint(match.kwargs)


def language_of(request: HttpRequest, person: User | None) -> tuple[str, tuple[str, ...]]:
    """Return the language of the response, and the request headers it depends on."""
    supported = dict(settings.LANGUAGES)
    if person is not None and person.language in supported:
        return person.language, ("Cookie",)
    language = translation.get_language_from_request(request)
    if request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) in supported:
        return language, ("Cookie",)
    return language, ("Cookie", "Accept-Language")


class Sessions:
    """Keep the session of who is here going; have staff log in again after 12 hours."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        person = person_of(request)
        if person is not None and sessions.is_over(request.session, person):
            get_adapter().logout(request)
            messages.info(request, _("Moderators and admins log in again after 12 hours."))
            return forget_pages(redirect_to_login(request.get_full_path() if request.method == "GET" else "/"))
        if person is not None:
            sessions.keep_on(request.session, person)
        return self.get_response(request)


class ClosedMeanwhile(MiddlewareMixin):
    """Answer in words a request during which the person's account was closed."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return a page when a row is missing because its person is."""
        if not isinstance(exception, (DatabaseError, ObjectDoesNotExist)):
            return None
        user = request.user
        if not isinstance(user, User) or User.objects.filter(pk=user.pk).exists():
            return None
        was_guest = user.is_guest
        request.session.flush()
        request.user = AnonymousUser()
        return render(request, "accounts/meanwhile.html", {"was_guest": was_guest}, status=410)


class LogInFirst(MiddlewareMixin):
    """Lead visitors and guests, who may be members on another machine, to log-in before what is hidden from them.

    And visitors whom allauth asks to show once more who they are: before it does (it is further out), as it would keep
    all that they posted in a session for each, and whoever logs in there would send it.
    """

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Redirect to log-in, whether or not anything is there; members get the 404."""
        user = request.user
        if isinstance(exception, ReauthenticationRequired) and not isinstance(user, User):
            return redirect_to_login(request.get_full_path())
        if not isinstance(exception, Hidden) or (isinstance(user, User) and not user.is_guest):
            return None
        return redirect_to_login(request.get_full_path() if request.method == "GET" else exception.back)


class TextsWait(MiddlewareMixin):
    """Show what somebody wrote, whose session had ended when they sent it, at the log-in to which they are led."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Leave a message with the text, unless the post was to log-in itself."""
        doors, target = (reverse("account_login"), reverse("admin:login")), response.headers.get("Location", "")
        is_led = request.method == "POST" and target.partition("?")[0] in doors and request.path not in doors
        text = written(request.POST)[:LONGEST_SHOWN] if is_led and not request.user.is_authenticated else ""
        if text and ratelimit.consume(request, action="text_waits"):  # it makes a session, as often as anybody posts
            messages.warning(request, _("You are logged out, so this was not sent: %(text)s") % {"text": text})
        return response


class GuestDoor(MiddlewareMixin):
    """Treat a guest as a visitor at log-in and sign-up, and redirect them to sign-up from members' pages."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Set `request.guest` at log-in and sign-up, where allauth redirects who is logged in."""
        match = request.resolver_match
        if match is None or not match.route.startswith("accounts/") or match.url_name == "account_logout":
            return None
        person = person_of(request)
        if person is None or not person.is_guest:
            return None
        if match.url_name not in ENTRANCE:
            return redirect(f"{reverse('account_signup')}?{urlencode({'next': request.path})}")
        request.guest = person  # type: ignore[attr-defined]
        request.user = AnonymousUser()
        return None


class StaffDoor(MiddlewareMixin):
    """Let staff into the admin with a second factor only, shown in this session."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Redirect to where a second factor is set up, or asked for."""
        match, person = request.resolver_match, person_of(request)
        if match is None or not match.route.startswith("admin/") or person is None or not person.is_staff:
            return None
        if match.route == "admin/logout/" or second_factor.opens_rights(request.session, person):
            return None
        if not second_factor.has_one(person):
            words = _("Moderators and admins need a second factor. Set one up, then go on to the admin.")
            messages.info(request, words)
            return redirect("mfa_index")
        back = request.get_full_path() if request.method == "GET" else reverse("admin:index")
        ways = [way["url"] for way in get_adapter().get_reauthentication_methods(person) if "mfa" in way["id"]]
        return redirect_to_login(back, ways[0])


class CountedDoors(MiddlewareMixin):
    """Refuse log-in, sign-up and mails while attempts cannot be counted; log-out is always possible."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Return a page that says so when a form under accounts/ is posted without Redis."""
        match = request.resolver_match
        if request.method != "POST" or match is None or not match.route.startswith("accounts/"):
            return None
        if match.url_name in EXITS or rate_limits.can_count():
            return None
        answer = render(request, "accounts/uncounted.html", status=503)
        answer.headers["Retry-After"] = "60"
        return answer


class CountedPosts(MiddlewareMixin):
    """Refuse what somebody posts faster than hands can; log-out is always possible."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Return a page that says so, unless the view does (`says_too_often`), by `is_too_fast` of the request."""
        match, person = request.resolver_match, person_of(request)
        if request.method != "POST" or person is None or (match is not None and match.url_name in EXITS):
            return None
        too_fast = not rate_limits.allows_post_of(person.pk)
        request.is_too_fast = too_fast  # type: ignore[attr-defined]
        if too_fast and not getattr(view, "says_too_often", False):
            return render(request, "429.html", status=429)
        return None


class Present(MiddlewareMixin):
    """Say with each answer what time it is, which build answers and to whom: an open page learns that it is stale."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Set the headers of an answer, unless it is the same for everybody and kept."""
        if "public" not in response.headers.get("Cache-Control", ""):
            response.headers["X-Now"] = str(clock.now_ms())
            response.headers["X-Build"] = present.build()
            response.headers["X-Who"] = present.mark(_id_of(request))
        return response


def _id_of(request: HttpRequest) -> int | None:
    person = person_of(request)
    return person.pk if person is not None else None


def marks(request: HttpRequest) -> dict[str, str]:
    """Return the marks that a page bears."""
    return {"build": present.build(), "who": present.mark(_id_of(request))}


def preferences(request: HttpRequest) -> dict[str, dict[str, object]]:
    """Return address, colours, motion and keys of the page, whether it is a guest's, and the state of their address."""
    person = person_of(request)
    reduced = person is not None and person.reduced_motion
    return {
        "preferences": {
            "page": page_of(request),
            "colours": person.colours if person else User.Colours.SYSTEM.value,
            "reduced_motion": reduced,
            "motion": "reduced" if reduced else "",
            "keys_off": person is not None and not person.single_keys,
            "is_guest": person is not None and person.is_guest,
            "unconfirmed": person is not None and not person.is_guest and not person.email,
            "mail_broken": person.email if person is not None and person.mail_broken_at else "",
        }
    }
