"""Middleware that limits suspended members and records traces; the context processor of sanctions."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject

from accounts.access import person_of
from accounts.models import User
from games.moderation import hints
from games.moderation.models import Sanction
from games.moderation.sanctions import READ, held_by, in_force, sentence
from games.services.refusals import Refused

# URL names a suspended member may still post to: others wait for their moves, and the account stays theirs.
ALLOWED = frozenset(
    {
        "move",
        "open-dice",
        "answer",
        "resign",
        "call-off",
        "pause",
        "notes",
        "orders",
        "decline",
        "leave",
        "settings",
        "days-off",
    }
    | {"set-language", "send-confirmation", "read-warning", "mute", "mail-settings", "mail-again"}
    | {"notices", "devices", "device-add", "device-offer", "device-change", "calendar-settings", "webhooks"}
    | {"mails-off", "block", "hear", "my-data-file", "read-calls", "close-account", "sanction"}
    | {"tournament-withdraw", "tournament-place", "club-withdraw", "club-leave", "club-read", "club-mute"}
)
TRACED = frozenset(
    {"account_login", "account_signup", "account_confirm_login_code", "mfa_authenticate", "join", "new-match"}
    | {"accept-challenge", "say", "quick-match", "start", "rematch", "take-over", "mfa_login_webauthn"}
    | {
        "tournament-enter",
        "club-join",
        "club-link",
        "club-say",
        "account_confirm_password_reset_code",
        "account_complete_password_reset",
    }
)


# Pages that are nothing but a form which they may not send.
FORMS = frozenset({"new-match", "new-tournament", "new-club", "report"})


# Where those views of one's account are that allauth names: a route, as its names begin like pages of the admin.
ACCOUNT, ADMIN = "accounts/", "admin/"


class Suspended(MiddlewareMixin):
    """Refuse what a suspended member posts, except to the views in ALLOWED and those of their account; pages of FORMS.

    Staff who are suspended open no page of the admin.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Return the refusal, or None."""
        resolved = request.resolver_match
        route = resolved.route if resolved is not None else ""
        in_admin = route.startswith(ADMIN)
        is_own = resolved is not None and (resolved.url_name in ALLOWED or route.startswith(ACCOUNT))
        is_form = resolved is not None and resolved.url_name in FORMS
        if not in_admin and (is_own or (request.method != "POST" and not is_form)):
            return None
        person = person_of(request)
        if person is None:
            return None
        for sanction in in_force(person, [Sanction.Kind.SUSPENSION]):
            context = {"sentence": sentence(sanction), "sanction_url": reverse("sanction", args=[sanction.pk])}
            return render(request, "moderation/suspended.html", context, status=403)
        return None


class SuspendedProgram(Refused):
    """The member is suspended, and so is what a program does in their name."""

    status = 403


def check_program(user: User, page: str) -> None:
    """Refuse what a program does for who may not do it on that page; a hook of the API (API_CHECKS)."""
    if page not in ALLOWED:
        for sanction in held_by(user, [Sanction.Kind.SUSPENSION]):
            raise SuspendedProgram(sentence(sanction))


def note_program(request: HttpRequest, page: str) -> None:
    """Record a trace of who takes a seat by a program; a hook of the API (ON_API_DEED)."""
    is_person = isinstance(request.user, User) and not request.user.is_bot  # whose bot it is, everybody knows
    if page in TRACED and is_person:
        hints.remember(request.user, request)  # type: ignore[arg-type]


class Traces(MiddlewareMixin):
    """Record a hashed trace, kept for a week, of where a member who logs in or takes a seat comes from."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        match = request.resolver_match
        if request.method == "POST" and match is not None and match.url_name in TRACED:
            person = person_of(request)
            sits = person is not None and (not person.is_guest or match.url_name == "join")
            if person is not None and sits and response.status_code < 400:
                hints.remember(person, request)
        return response


def sanctions(request: HttpRequest) -> dict[str, object]:
    """Return the reader's sanctions and whether they are suspended, queried once and only if the page asks."""
    return {
        "sanctions": SimpleLazyObject(lambda: list(map(_shown, _in_force(request)))),
        "suspended": SimpleLazyObject(lambda: any(one.kind == Sanction.Kind.SUSPENSION for one in _in_force(request))),
    }


def _in_force(request: HttpRequest) -> list[Sanction]:
    """Return all that is in force against the reader, as it was when the request first asked."""
    if not hasattr(request, "_sanctions"):
        person = person_of(request)
        request._sanctions = [] if person is None else in_force(person)  # type: ignore[attr-defined]
    found: list[Sanction] = request._sanctions  # type: ignore[attr-defined]
    return found


def _shown(sanction: Sanction) -> dict[str, object]:
    return {
        "id": sanction.pk,
        "url": reverse("sanction", args=[sanction.pk]),
        "warning": sanction.kind in READ,
        "sentence": sentence(sanction),
    }
