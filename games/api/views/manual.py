"""The page on which the API is read and tried: drawn from its own description."""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_noop
from django.views.decorators.http import require_safe

from games.api import openapi, problems

REF = "#/components/schemas/"
SUBJECTS = {
    "me": gettext_noop("You"),
    "games": gettext_noop("Games"),
    "lobby": gettext_noop("Tables"),
    "matches": gettext_noop("Matches"),
    "playing": gettext_noop("Playing"),
    "talk": gettext_noop("Chats"),
    "people": gettext_noop("Members"),
    "boards": gettext_noop("Leaderboards"),
    "tournaments": gettext_noop("Tournaments"),
    "ladders": gettext_noop("Ladders"),
    "clubs": gettext_noop("Clubs"),
    "circles": gettext_noop("Circles of friends"),
    "puzzles": gettext_noop("Puzzles"),
    "notices": gettext_noop("Notices"),
}


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show all that the API offers, each with a form to try it."""
    language = get_language() or settings.LANGUAGE_CODE
    stream = f"{settings.SITE_URL.replace('http', 'ws', 1)}/api/v1/stream"
    context = {"manual": _drawn(language), "site_url": settings.SITE_URL, "stream_url": stream}
    return render(request, "games/api/manual.html", context)


@cache
def _drawn(language: str) -> SafeString:
    """Return the whole manual as HTML, which is the same for everybody who reads this language."""
    whole = openapi.schema(language)
    context = {"subjects": _subjects(whole), "parts": _parts(whole), "codes": problems.all_codes()}
    return render_to_string("games/api/operations.html", context)


def _subjects(whole: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the operations by what they are about, in the order in which they were registered."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path, operations in whole["paths"].items():
        for method, operation in operations.items():
            found.setdefault(operation["tags"][0], []).append(_operation(whole, path, method, operation))
    return [
        {"id": name, "words": gettext(SUBJECTS[name]) if name in SUBJECTS else name, "operations": rows}
        for name, rows in found.items()
    ]


def _operation(whole: dict[str, Any], path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    good = next(answer for status, answer in operation["responses"].items() if status[0] == "2")
    answer = good.get("content", {}).get("application/json", {}).get("schema")
    more = operation["description"]
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "words": operation["summary"],
        "more": more if more != operation["summary"] else "",
        "scope": operation["security"][0]["token"][0],
        "parameters": [_parameter(one) for one in operation.get("parameters", ())],
        "fields": list(_fields(whole, body)),
        "body": json.dumps(_example(whole, body), indent=2, ensure_ascii=False) if body else "",
        "answer": list(_fields(whole, answer)),
    }


def _parts(whole: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the shapes that stand inside of others, by name: what is in them is told once, for all operations."""
    shapes = whole["components"]["schemas"]
    inner = {_inner(about) for shape in shapes.values() for about in shape.get("properties", {}).values()} - {""}
    return [{"name": _said(name), "fields": list(_fields(whole, shapes[name]))} for name in sorted(inner)]


def _inner(about: dict[str, Any]) -> str:
    """Return the name of the shape that a field has, or a list or a choice of them; "" of none."""
    if "$ref" in about:
        name: str = about["$ref"].removeprefix(REF)
        return name
    inside = [about["items"]] if "items" in about else about.get("anyOf", [])
    return next((name for one in inside if (name := _inner(one))), "")


def _said(shape: str) -> str:
    return shape.removesuffix("Shape")


def _parameter(one: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": one["name"],
        "where": one["in"],
        "required": one.get("required", False),
        "words": one["description"],
        "example": one["example"],
    }


def _fields(whole: dict[str, Any], schema: dict[str, Any] | None) -> Iterable[dict[str, Any]]:
    """Yield the fields of a shape, each with its type in a word, its words and its example."""
    shape = _shape(whole, schema)
    for name, about in shape.get("properties", {}).items():
        yield {
            "name": name,
            "type": _type(about),
            "part": _said(_inner(about)),
            "required": name in shape.get("required", ()),
            "words": about["description"],
            "example": json.dumps(about["examples"][0], ensure_ascii=False),
        }


def _shape(whole: dict[str, Any], schema: dict[str, Any] | None) -> dict[str, Any]:
    if schema and "$ref" in schema:
        found: dict[str, Any] = whole["components"]["schemas"][schema["$ref"].removeprefix(REF)]
        return found
    return schema or {}


def _type(about: dict[str, Any]) -> str:
    if "anyOf" in about:
        return " | ".join(map(_type, about["anyOf"]))
    if "$ref" in about:
        return _said(about["$ref"].removeprefix(REF))
    if about.get("type") == "array":
        return f"[{_type(about.get('items', {}))}]"
    if "enum" in about:
        return " | ".join(map(str, about["enum"]))
    return str(about.get("type", "any"))


def _example(whole: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return a body that could be sent: the example of each field."""
    shape = _shape(whole, schema)
    return {name: about["examples"][0] for name, about in shape.get("properties", {}).items()}
