"""The description of the API: what ninja says of it, in our languages, with what all addresses have in common."""

from functools import cache
from typing import Any

import msgspec
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
TOKEN = gettext_noop("A token from your settings, sent as “Authorization: Bearer …”. Cookies are not taken.")
PROBLEM = gettext_noop("Refused, and nothing was changed. `code` says why to a program, `detail` to a person.")
KEY = gettext_noop(
    "A text of your own, 1 to 40 letters, digits, - or _. The same request with the same key is done once within a day."
)
WORDS = ("description", "summary")


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
    with translation.override(language):
        return _translated(made)


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
