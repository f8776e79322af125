"""What a program is told when something is refused: problem+json, with a stable code and the site's own words."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from accounts.services.relationships import NotRelated
from games.api.coding import encoded
from games.services.refusals import Advised, Illegal, NotSure, Refused

MEDIA_TYPE = "application/problem+json"
MOST_ERRORS = 20
ILLEGAL = "illegal"
_WORDS = re.compile(r"(?<!^)(?=[A-Z])")

TITLES: dict[int, str | Promise] = {
    400: gettext_lazy("This cannot be read"),
    401: gettext_lazy("Who are you?"),
    403: gettext_lazy("You may not do that"),
    404: gettext_lazy("Nothing is here"),
    405: gettext_lazy("Not by this method"),
    409: gettext_lazy("Not possible now"),
    410: gettext_lazy("The account was closed"),
    413: gettext_lazy("Too large"),
    415: gettext_lazy("Not in this form"),
    422: gettext_lazy("This does not fit"),
    426: gettext_lazy("Over a WebSocket"),
    429: gettext_lazy("Too fast"),
    500: gettext_lazy("Our fault"),
    503: gettext_lazy("Not at the moment"),
}


CODES: dict[str, str] = {  # of the API itself; those of refusals are the names of their classes
    "token_missing": gettext_noop("No token was sent."),
    "token_unknown": gettext_noop("There is no such token, or not any more."),
    "token_ended": gettext_noop("The token has ended: by its time, or by a new password."),
    "scope_missing": gettext_noop("The token is not for that: `scope` says what it lacks."),
    "not_found": gettext_noop("There is nothing at this address, or nothing that you may see."),
    "wrong_method": gettext_noop("The address takes other methods: the header Allow names them."),
    "upgrade_required": gettext_noop("The stream is a WebSocket: it is not read by a plain GET."),
    "unreadable": gettext_noop("The request cannot be read."),
    "bad_json": gettext_noop("The body is not JSON that this site can read."),
    "not_json": gettext_noop("The body is not sent as JSON."),
    "invalid_request": gettext_noop("Something sent does not fit the schema: `errors` says what, and where."),
    "bad_cursor": gettext_noop("There is no such place in the list."),
    "bad_key": gettext_noop("The Idempotency-Key has other letters than it may."),
    "forbidden": gettext_noop("You may not do that."),
    "account_closed": gettext_noop("The account was closed meanwhile."),
    "unreadable_match": gettext_noop("The match cannot be shown at the moment; nothing of it is lost."),
    "too_large": gettext_noop("What was sent is too large."),
    "unavailable": gettext_noop("The site cannot do that at the moment: try again after Retry-After."),
    "our_fault": gettext_noop("Something broke on our side; `number` helps whoever looks for it."),
}


class Problem(Exception):
    """A request that the API itself refuses; `code` is what programs go by, and lasts."""

    def __init__(self, status: int, code: str, detail: str | Promise, **more: Any) -> None:
        super().__init__(code)
        self.headers: dict[str, str] = more.pop("headers", {})
        self.status, self.code, self.detail, self.more = status, code, detail, more


def not_found() -> Problem:
    """Return what is said of an address where nothing is, or nothing that this person may know of."""
    return Problem(404, "not_found", _("There is nothing at this address, or nothing that you may see."))


def code_of(refusal: Refused) -> str:
    """Return the code of a refusal: the name of its class, or the engine's own code of an illegal move."""
    if isinstance(refusal, Illegal):
        return f"{ILLEGAL}.{refusal.code}"
    return name_of_class(type(refusal))


def name_of_class(kind: type[Exception]) -> str:
    """Return the name of an exception's class as a code."""
    return _WORDS.sub("_", kind.__name__).lower()


def of_refusal(refusal: Refused) -> Problem:
    """Return a refusal of a service as a problem; of a question, how to send again what it asks about."""
    more: dict[str, Any] = {}
    if isinstance(refusal, NotSure):
        more["again"] = {"advised": True, "confirmed": True}
    elif isinstance(refusal, Advised):
        more["again"] = {"advised": True}
    if refusal.status == 429:
        more["headers"] = {"Retry-After": "60"}
    return Problem(refusal.status, code_of(refusal), str(refusal), **more)


def of_errors(errors: Iterable[dict[str, Any]]) -> Problem:
    """Return what does not fit the schema, each with its place and a code."""
    found = [_error(error) for error in errors][:MOST_ERRORS]
    return Problem(
        422, "invalid_request", _("Something sent does not fit: `errors` says what, and where."), errors=found
    )


def _error(error: dict[str, Any]) -> dict[str, Any]:
    place = [str(part) for part in error["loc"] if part not in ("sent", "given")]
    limits = {name: value for name, value in error.get("ctx", {}).items() if isinstance(value, int | float | str)}
    return {"at": ".".join(place), "code": error["type"], "limits": limits}


def answer(problem: Problem) -> HttpResponse:
    """Return the answer that tells a problem, in the active language."""
    body = {
        "type": f"{settings.SITE_URL.rstrip('/')}/api/#{problem.code.partition('.')[0]}",
        "title": str(TITLES.get(problem.status, TITLES[409])),
        "status": problem.status,
        "detail": str(problem.detail),
        "code": problem.code,
        **problem.more,
    }
    response = HttpResponse(encoded(body), status=problem.status, content_type=MEDIA_TYPE)
    for name, value in problem.headers.items():
        response.headers[name] = value
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = f'Bearer error="{problem.code}"'
    return response


def told(error: BaseException) -> Problem | None:
    """Return an exception as a problem; None for an error of ours."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, Refused):
        return of_refusal(error)
    if isinstance(error, NotRelated):
        return Problem(409, name_of_class(type(error)), str(error))
    if isinstance(error, Http404):
        return not_found()
    if isinstance(error, PermissionDenied):
        return Problem(403, "forbidden", _("You may not do that."))
    if isinstance(error, BadRequest | SuspiciousOperation):
        return unreadable()
    return None


def unreadable() -> Problem:
    """Return what is said of a request that is none."""
    return Problem(400, "unreadable", _("This site cannot read that. Nothing was done."))


def read_json(body: bytes) -> Any:
    """Return what a body says; Problem if it is no JSON, too deep, or holds what no text of ours may."""
    try:
        found = msgspec.json.decode(body or b"{}")
        has_nul = b"\\u0000" in body and "\\u0000" in json.dumps(found)  # which may be too deep for this one alone
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Problem(400, "bad_json", _("The body is not JSON that this site can read. Nothing was done.")) from None
    if has_nul:
        raise Problem(400, "bad_json", _("The body is not JSON that this site can read. Nothing was done."))
    return found


def ours(reason: tuple[str | Promise, int] | None, number: str) -> Problem:
    """Return what is said of an error of ours: why the database cannot, if that is it, and when to try again."""
    if reason is not None:
        sentence, seconds = reason
        return Problem(503, "unavailable", sentence, headers={"Retry-After": str(seconds)})
    return Problem(500, "our_fault", _("Something broke on our side. Please try again in a moment."), number=number)


def all_codes() -> list[tuple[str, str]]:
    """Return every code with its words, in the active language: the API's own, then those of refusals by name."""
    refusals = {name_of_class(kind): str(kind.sentence) for kind in _kinds(Refused) if kind is not Illegal}
    illegal = (ILLEGAL, _("The rules refuse the move; what follows the point is their own code."))
    own = [(code, _(words)) for code, words in CODES.items()]
    return [*own, illegal, *sorted(refusals.items())]


def _kinds(kind: type[Refused]) -> Iterator[type[Refused]]:
    for one in kind.__subclasses__():
        yield one
        yield from _kinds(one)
