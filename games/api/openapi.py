"""The description of the API: what ninja says of it, in our languages, with what all addresses have in common."""

from functools import cache
from typing import Any

import msgspec
from django.conf import settings
from django.utils import translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext, gettext_noop

from games.api.coding import encoded
from games.api.models import Scope
from games.api.problems import MEDIA_TYPE

ABOUT = gettext_noop(
    "All that a member can do on the pages of this site, for programs. Nothing is shown here that a page would not "
    "show, and the same rules, limits and courtesies hold."
)
STREAM = gettext_noop(
    "What concerns the member is told over one WebSocket at /api/v1/stream, without asking: `x-stream` says how to "
    "come in."
)
COMING_IN = gettext_noop(
    'A WebSocket, with the same header Authorization, or {"token": "cy_…"} as the first frame. It tells of turns, '
    "matches, invitations and chats, each event as JSON with a type and a number. A plain GET is answered 426."
)
AFTER = gettext_noop("The number of the last event that you have dealt with: it goes on after it, for 24 hours.")
TABLES = gettext_noop("1: the table comes with each event about a match.")
LANG = gettext_noop("The language: en or fr.")
TOKEN = gettext_noop("A token from your settings, sent as “Authorization: Bearer …”. Cookies are not taken.")
PROBLEM = gettext_noop("Refused, and nothing was changed. `code` says why to a program, `detail` to a person.")
KEY = gettext_noop(
    "A text of your own, 1 to 40 letters, digits, - or _. The same request with the same key is done once within a day."
)
WORDS = ("description", "summary")
STRING = {"type": "string"}


@cache
def schema(language: str) -> dict[str, Any]:
    """Return the description of the API as data, in a language."""
    api: Any = import_string("games.api.build.api")
    made = msgspec.json.decode(encoded(api.get_openapi_schema(path_prefix="/api/v1/")))
    for path, operations in made["paths"].items():
        for method, operation in operations.items():
            _complete(path, method, operation)
    shape_of_problem: Any = import_string("games.api.shapes.parts.ProblemShape")  # not before it is asked for
    problem = shape_of_problem.model_json_schema(ref_template="#/components/schemas/{model}")
    made["components"]["schemas"] |= problem.pop("$defs") | {"ProblemShape": problem}
    for shape in made["components"]["schemas"].values():
        shape.pop("description", None)  # the docstring of a class, which is for who reads the code
    made["components"]["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": TOKEN},
    }
    made["x-stream"] = _stream()
    with translation.override(language):
        made["info"]["description"] = f"{gettext(ABOUT)}\n\n{gettext(STREAM)}"
        return _translated(made)


def _stream() -> dict[str, Any]:
    """Return what is said of the stream, for which OpenAPI has no form: by the same words as of an operation."""
    address = f"{settings.SITE_URL.rstrip('/').replace('http', 'ws', 1)}/api/v1/stream"
    query = {"after": (AFTER, "42"), "tables": (TABLES, "1"), "lang": (LANG, "fr")}
    parameters = [
        {"in": "query", "name": name, "required": False, "description": words, "schema": STRING, "example": example}
        for name, (words, example) in query.items()
    ]
    security = [{"token": [Scope.READ.value]}]
    return {"url": address, "description": COMING_IN, "security": security, "parameters": parameters}


@cache
def document(language: str) -> bytes:
    """Return the description of the API as JSON, in a language."""
    return encoded(schema(language))


def _complete(path: str, method: str, operation: dict[str, Any]) -> None:
    """Add to an operation what ninja does not know: its scope, its key, how it refuses."""
    found = operation.pop("x-scope", Scope.READ.value)
    operation["security"] = [{"token": [found]}]
    operation["operationId"] = operation["operationId"].removeprefix("games_api_routes_")
    for parameter in operation.get("parameters", ()):
        for sample in parameter.pop("examples", ())[:1]:
            parameter["example"] = sample
    if operation.pop("x-once", False):
        operation.setdefault("parameters", []).append(
            {
                "in": "header",
                "name": "Idempotency-Key",
                "required": False,
                "description": KEY,
                "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,40}$"},
                "example": "join-4711-a",
            }
        )
    for status, answer in operation["responses"].items():
        answer["description"] = _of_status(int(status))
    problem = {"$ref": "#/components/schemas/ProblemShape"}
    operation["responses"]["default"] = {"description": PROBLEM, "content": {MEDIA_TYPE: {"schema": problem}}}


def _of_status(status: int) -> str:
    if status == 204:
        return gettext_noop("Done; there is nothing to show.")
    return gettext_noop("Made.") if status == 201 else gettext_noop("As it is now.")


def _translated(part: Any) -> Any:
    """Return a part of the description with its words in the active language, without the titles that ninja makes."""
    if isinstance(part, list):
        return [_translated(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        name: gettext(value) if name in WORDS and isinstance(value, str) and value else _translated(value)
        for name, value in part.items()
        if not (name == "title" and isinstance(value, str) and "version" not in part)
    }
