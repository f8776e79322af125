"""The description of the API: whole, in two languages, and true."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.urls import get_resolver
from django.utils.module_loading import import_string

from games.api import openapi
from games.api.door import resolver
from games.api.gate import Gate
from games.api.models import Scope


def operations(language: str = "en") -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, found in openapi.schema(language)["paths"].items():
        for method, operation in found.items():
            yield path, method, operation


def fields(language: str = "en") -> Iterator[tuple[str, dict[str, Any]]]:
    for name, shape in openapi.schema(language)["components"]["schemas"].items():
        for field, about in shape.get("properties", {}).items():
            yield f"{name}.{field}", about


def gates() -> list[tuple[str, Gate]]:
    found = []
    for path in settings.API_ROUTES:
        for place, view in import_string(path).path_operations.items():
            for operation in view.operations:
                found += [(f"{operation.methods[0]} {place}", gate) for gate in operation.auth_callbacks]
    return found


def test_every_field_has_words_and_an_example() -> None:
    bare = [name for name, about in fields() if not about.get("description") or "examples" not in about]
    assert not bare


def test_every_parameter_has_words_and_an_example() -> None:
    bare = [
        f"{method} {path} {parameter['name']}"
        for path, method, operation in operations()
        for parameter in operation.get("parameters", ())
        if not parameter.get("description") or "example" not in parameter
    ]
    assert not bare


def test_every_operation_has_words_a_scope_and_refusals() -> None:
    for path, method, operation in operations():
        assert operation["summary"], path
        assert operation["security"][0]["token"][0] in Scope.values, path
        assert "default" in operation["responses"], (path, method)
        assert any(status.startswith("2") for status in operation["responses"])


def test_names_of_operations_are_different() -> None:
    names = [operation["operationId"] for _path, _method, operation in operations()]
    assert len(set(names)) == len(names)


def test_everything_is_said_in_french() -> None:
    same = {
        words
        for (_one, _m, english), (_two, _n, french) in zip(operations(), operations("fr"), strict=True)
        for key in ("summary", "description")
        if (words := english[key]) == french[key]
    }
    same |= {
        one["description"]
        for (_name, one), (_other, two) in zip(fields(), fields("fr"), strict=True)
        if one["description"] == two["description"]
    }
    assert same <= {"Clubs"}  # which is French as well


def test_every_operation_stands_for_a_page() -> None:
    """The bars of a suspended member and the traces go by the name of the page."""
    known = _page_names()
    assert [(place, gate.page) for place, gate in gates() if gate.page not in known] == []


def _page_names() -> set[str]:
    found: set[str] = set()

    def look(patterns: list[Any]) -> None:
        for pattern in patterns:
            if hasattr(pattern, "url_patterns"):
                look(pattern.url_patterns)
            elif pattern.name:
                found.add(pattern.name)

    look(get_resolver().url_patterns)
    return found


def test_reads_need_read_and_deeds_more() -> None:
    for place, gate in gates():
        assert gate.acts == (not place.startswith("GET")), place
        is_for_deeds = place == "GET /dice/promise"  # of no use to who only reads
        assert (gate.scope == Scope.READ) == (place.startswith("GET") and not is_for_deeds), place


def test_pages_and_the_worker_load_nothing_of_it() -> None:
    program = (
        "import django, sys; django.setup(); import config.urls, config.celery, games.tasks; "
        "sys.exit(bool({'ninja', 'pydantic'} & set(sys.modules)))"
    )
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    assert subprocess.run([sys.executable, "-c", program], env=environment, check=False).returncode == 0


@pytest.mark.django_db
def test_each_address_is_found() -> None:
    for path, _method, operation in operations():
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", str(parameter["example"]))  # noqa: PLW2901
        assert resolver().resolve(path)


def test_the_page_says_what_is_inside_of_answers(client, db):
    page = client.get("/api/").content.decode()
    named = set(re.findall(r'href="#part-(\w+)"', page))
    assert "Seat" in named
    assert named <= set(re.findall(r'id="part-(\w+)"', page))
    assert "/api/v1/stream" in page
