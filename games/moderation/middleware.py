"""What a suspended member may still do, and the traces that are kept of where members come from."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject

from accounts.access import person_of
from games.moderation import hints
from games.moderation.models import Sanction
from games.moderation.sanctions import READ, in_force, sentence

GetResponse = Callable[[HttpRequest], HttpResponse]

# Others wait for the moves of a suspended member, and one's account remains one's own: all else is refused.
STILL = frozenset(
    {"move", "resign", "call-off", "pause", "notes", "orders", "decline", "leave", "settings", "days-off"}
    | {
        "set-language",
        "send-confirmation",
        "read-warning",
        "mute",
        "mail-settings",
        "mail-again",
        "mails-off",
    }
    | {"block", "hear", "my-data-file", "read-calls", "close-account"}
)
TRACED = frozenset(
    {"account_login", "account_signup", "account_confirm_login_code", "mfa_authenticate", "join", "new-match"}
    | {"say", "quick-match", "start"}
)


class Suspended:
    """Refuse in words what a suspended member posts, but for what others wait for and what is their own."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Return the refusal, None when there is none."""
        name = (request.resolver_match and request.resolver_match.url_name) or ""
        in_admin = request.resolver_match is not None and request.resolver_match.app_name == "admin"
        if (
            not (request.method == "POST" or in_admin)
            or name in STILL
            or name.startswith(("account_", "mfa_", "usersessions"))
        ):
            return None
        person = person_of(request)
        if person is None or person.is_guest:
            return None
        for sanction in in_force(person, [Sanction.Kind.SUSPENSION]):
            return render(request, "moderation/suspended.html", {"sentence": sentence(sanction)}, status=403)
        return None


class Traces:
    """Remember, hashed and for a week, where a member who logs in or sits down comes from."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if request.method == "POST" and match is not None and match.url_name in TRACED:
            person = person_of(request)
            if person is not None and not person.is_guest and response.status_code < 400:
                hints.remember(person, request)
        return response


def sanctions(request: HttpRequest) -> dict[str, object]:
    """Return the sentences for the person who looks, found if the page shows them."""
    return {"sanctions": SimpleLazyObject(lambda: _told(request))}


def _told(request: HttpRequest) -> list[dict[str, object]]:
    person = person_of(request)
    if person is None or person.is_guest:
        return []
    return [
        {"id": one.pk, "warning": one.kind in READ, "sentence": sentence(one)} for one in in_force(person)
    ]
