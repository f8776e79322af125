"""Each request in its person's language and zone, and noted as a visit; the doors open to guests; what is
told to somebody whose account is closed meanwhile.
"""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode

from accounts.access import person_of
from accounts.models import User
from accounts.services import visits
from config.lib import time_zones

ENTRANCE = frozenset(
    {
        "account_login",
        "account_signup",
        "account_request_login_code",
        "account_confirm_login_code",
        "account_reset_password",
        "account_confirm_password_reset_code",
        "account_complete_password_reset",
        "account_password_reset_completed",
        "account_confirm_email",
        "account_email_verification_sent",
        "account_inactive",
        "mfa_authenticate",
        "mfa_login_webauthn",
    }
)


class Preferences:
    """Activate the person's language and zone; a visitor's language is the cookie's, else the browser's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        person = person_of(request)
        if person is not None:
            visits.note_soon(person.pk)
        language, depends = language_of(request, person)
        request.LANGUAGE_CODE = language
        with (
            translation.override(language),
            timezone.override(time_zones.zone(person.time_zone) if person else None),
        ):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, depends)
        return response


def language_of(request: HttpRequest, person: User | None) -> tuple[str, tuple[str, ...]]:
    """Return the language to answer in, and the request headers that this depended on."""
    supported = dict(settings.LANGUAGES)
    if person is not None and person.language in supported:
        return person.language, ("Cookie",)
    language = translation.get_language_from_request(request)
    if request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) in supported:
        return language, ("Cookie",)
    return language, ("Cookie", "Accept-Language")


class ClosedMeanwhile:
    """Tell in words whose account was closed while their request was under way: nothing of it was done."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page that says so, when a row is missing because its person is."""
        if not isinstance(exception, (DatabaseError, ObjectDoesNotExist)):
            return None
        user = request.user
        if not isinstance(user, User) or User.objects.filter(pk=user.pk).exists():
            return None
        was_guest = user.is_guest
        request.session.flush()
        request.user = AnonymousUser()
        return render(request, "accounts/meanwhile.html", {"was_guest": was_guest}, status=410)


class GuestDoor:
    """Let a guest into log-in and sign-up as a visitor, and lead them to sign-up from members' own pages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Set `request.guest` on the ways in; allauth would turn away whoever has logged in."""
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


def preferences(request: HttpRequest) -> dict[str, dict[str, object]]:
    """Return how the page is to look, whether a guest looks, and whether an address waits to be confirmed."""
    person = person_of(request)
    reduced = person is not None and person.reduced_motion
    return {
        "preferences": {
            "colours": person.colours if person else User.Colours.SYSTEM.value,
            "reduced_motion": reduced,
            "motion": "reduced" if reduced else "",
            "is_guest": person is not None and person.is_guest,
            "unconfirmed": person is not None and not person.is_guest and not person.email,
            "mail_broken": person.email if person is not None and person.mail_broken_at else "",
        }
    }
