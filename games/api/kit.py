"""What routes are made of: reads and deeds behind the gate, deeds done once for a key, lists by cursor."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from functools import wraps
from hashlib import blake2b
from typing import Any

import msgspec
from django import forms
from django.conf import settings
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from ninja import Router, Status
from ninja.parser import Parser
from ninja.renderers import BaseRenderer

from config.lib import rate_limits, sql
from games.api.coding import encoded
from games.api.gate import JSON, Gate
from games.api.models import Scope
from games.api.problems import Problem
from games.forms.play import KEY
from games.services import posts
from games.services.refusals import Invalid, TooOften

FURTHEST = 100_000  # into a list that is read by place
DONE = "done"
Deed = Callable[..., int | None]
"""Does something; returns the number of what the answer shows, or None."""


class Sent(Parser):
    """Gives ninja what the gate has read."""

    def parse_body(self, request: HttpRequest) -> Any:
        return request.sent  # type: ignore[attr-defined]


class Rendered(BaseRenderer):
    """JSON by msgspec."""

    media_type = JSON

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> bytes:
        return b"" if data is None else encoded(data)


class Routes(Router):
    """Addresses that are about one thing."""

    def __init__(self, about: str) -> None:
        super().__init__(tags=[about])

    def reads(
        self, path: str, answers: Any, *, page: str, words: str, more: str = "", scope: Scope = Scope.READ
    ) -> Callable[[Any], Any]:
        """Register a read: what it reads is of one moment. `page` is the page that shows the same.

        `words` say in a line what is read, `more` what else there is to know; both are translated when shown.
        """
        gate = Gate(scope, page, acts=False)
        operation = self.api_operation(["GET"], path, response=answers, auth=gate, **_said(words, more, scope))
        return lambda view: operation(sql.snapshot()(view))

    def posts(
        self,
        path: str,
        answers: Any,
        *,
        page: str,
        words: str,
        more: str = "",
        scope: Scope = Scope.PLAY,
        method: str = "POST",
    ) -> Callable[[Any], Any]:
        """Register a deed that is harmless when it is done again, or has a key of its own, and makes its own answer."""
        gate = Gate(scope, page, acts=True)
        return self.api_operation([method], path, response=answers, auth=gate, **_said(words, more, scope))

    def acts(
        self,
        path: str,
        answers: Any,
        *,
        page: str,
        words: str,
        more: str = "",
        then: Callable[[HttpRequest, int], Any] | None = None,
        scope: Scope = Scope.PLAY,
        method: str = "POST",
        status: int = 200,
    ) -> Callable[[Deed], Any]:
        """Register a deed that is done once for each Idempotency-Key; what it made is then shown by `then`."""
        gate = Gate(scope, page, acts=True)
        response = {status: answers, 204: None} if then is not None else {204: None}

        def registered(deed: Deed) -> Any:
            @wraps(deed)
            def view(request: HttpRequest, **given: Any) -> Any:
                made = _once(request, lambda: deed(request, **given))
                for hook in settings.ON_API_DEED:
                    import_string(hook)(request, page)
                if then is None or made is None:
                    return HttpResponse(status=204)
                shown = then(request, made)
                if isinstance(shown, HttpResponse):
                    shown.status_code = status if shown.status_code == 200 else shown.status_code
                    return shown
                return Status(status, shown)

            about = _said(words, more, scope)
            about["openapi_extra"]["x-once"] = True
            return self.api_operation([method], path, response=response, auth=gate, **about)(view)

        return registered


def _said(words: str, more: str, scope: Scope) -> dict[str, Any]:
    """Return what the schema says of an operation, the last dropped by games.api.openapi once it is put elsewhere."""
    return {"summary": words, "description": more or words, "openapi_extra": {"x-scope": scope.value}}


def _once(request: HttpRequest, deed: Callable[[], int | None]) -> int | None:
    """Do it; with a header Idempotency-Key once, however often the same request arrives within a day."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return deed()
    if not KEY.fullmatch(key):
        raise Problem(400, "bad_key", _("A key has 1 to 40 letters, digits, - or _."))
    if not rate_limits.allows(request, "kept_post"):
        raise TooOften
    sent = [request.user.pk, request.method, request.get_full_path(), key]
    mark = blake2b(json.dumps(sent).encode() + request.body, digest_size=32).hexdigest()
    with posts.claimed(mark) as post:
        if not post.answer:
            made = deed()
            post.answer = DONE if made is None else str(made)
        answer = post.answer
    return None if answer == DONE else int(answer)


def checked(form: forms.BaseForm) -> dict[str, Any]:
    """Return the data of a page's form that is well. Invalid, with its first error, which repeats nothing typed."""
    if not form.is_valid():
        error = next(iter(form.errors.as_data().values()))[0]
        raise Invalid(_("This choice is not offered.") if error.code == "invalid_choice" else error.messages[0])
    return form.cleaned_data


def within(request: HttpRequest, action: str, *, times: int = 1) -> None:
    """Refuse (TooOften) what this person has done too often lately, by pages or programs."""
    if not rate_limits.allows(request, action, times=times):
        raise TooOften


def page_of(
    rows: QuerySet[Any], cursor: str, *, by: Sequence[str] = ("-pk",), most: int = 20
) -> tuple[list[Any], str | None]:
    """Return the rows after a cursor, the first of them without one, and the cursor of those that follow.

    `by` is the order: whole numbers that are never null, the last of them unique; all descend.
    """
    names = [name.removeprefix("-") for name in by]
    rows = rows.order_by(*by)
    if cursor:
        rows = rows.filter(_after(names, _values(cursor, len(names))))
    found = list(rows[: most + 1])
    if len(found) <= most:
        return found, None
    last = found[most - 1]
    return found[:most], cursor_of([getattr(last, name) for name in names])


def part_of(rows: Any, cursor: str, most: int) -> tuple[list[Any], str | None]:
    """Return the part of a list, or of rows in their order, after a cursor, and the cursor of what follows."""
    start = number_in(cursor, 0, FURTHEST)
    found = list(rows[start : start + most + 1])
    return found[:most], cursor_of([start + most]) if len(found) > most else None


def number_in(cursor: str, first: int, last: int) -> int:
    """Return the number that a cursor stands for, the first without one."""
    number = _values(cursor, 1)[0] if cursor else first
    if not first <= number <= last:
        raise _no_place()
    return number


def cursor_of(values: Sequence[Any]) -> str:
    """Return the cursor that stands for the row of these values."""
    return urlsafe_b64encode(encoded(list(values))).decode().rstrip("=")


def _values(cursor: str, count: int) -> list[int]:
    """Return what a cursor stands for; Problem for what is none."""
    try:
        found = msgspec.json.decode(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)), type=list[int])
    except (ValueError, msgspec.MsgspecError):
        found = []
    if len(found) != count or any(abs(value) >= 2**63 for value in found):
        raise _no_place()
    return found


def _no_place() -> Problem:
    return Problem(422, "bad_cursor", _("There is no such place in this list: begin again without a cursor."))


def _after(names: Sequence[str], values: Sequence[Any]) -> Q:
    """Return the condition that a row comes after these values."""
    name, value = names[0], values[0]
    here = Q(**{f"{name}__lt": value})
    return here | (Q(**{name: value}) & _after(names[1:], values[1:])) if len(names) > 1 else here
