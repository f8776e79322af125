"""Sixty hostile texts in every text that programs send: bodies, addresses and headers; and what they read of them."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from accounts.models import User
from config.lib import rate_limits
from games.api import openapi
from games.api.models import ApiToken
from tests.api.calling import Program
from tests.hostile import TEXTS, tried
from tests.hostile_site import staged
from tests.test_hostile_groups import assert_kept_well, last_rows

pytestmark = pytest.mark.walk

REF = "#/components/schemas/"
NAMED = {  # numbers in addresses, by how these begin
    "/matches/": "match", "/tournaments/": "contest", "/clubs/": "club", "/club-matches/": "accepted",
    "/circles/": "circle",
}  # fmt: skip
FATAL = ("/dissolve", "/leave", "/resign")  # after which there would be nothing more to try
ANSWERS = {200, 201, 204, 400, 401, 403, 404, 409, 413, 415, 422, 426}


@pytest.fixture
def stage(transactional_db, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The numbers of what the hostile texts stand in; limits are not what is tried."""
    monkeypatch.setattr(rate_limits, "REQUESTS", 10**9)
    for name in ("allows", "allows_post_of", "allows_reader", "allows_of", "allows_from"):
        monkeypatch.setattr(rate_limits, name, lambda *args, **named: True)
    return staged()


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield method, path within the API, and description of all that it offers."""
    for path, found in openapi.schema("en")["paths"].items():
        for method, operation in found.items():
            yield method.upper(), path.removeprefix("/api/v1"), operation


def shape_of(about: dict[str, Any]) -> dict[str, Any]:
    """Return the shape of a body, without the reference to it."""
    name = about.get("$ref", "").removeprefix(REF)
    shape: dict[str, Any] = openapi.schema("en")["components"]["schemas"][name] if name else about
    return shape


def takes_text(about: dict[str, Any]) -> bool:
    """Return whether a field may be, or hold, a free text."""
    inner = [about, *about.get("anyOf", ()), *([about["items"]] if "items" in about else [])]
    return any(one.get("type") in ("string", "object") and "enum" not in one for one in inner)


def filled(about: dict[str, Any], text: str) -> Any:
    """Return a text as a field of this kind has it: alone, in a list, or as name and value."""
    if about.get("type") == "array":
        return [text]
    kinds = {one.get("type") for one in (about, *about.get("anyOf", ()))}
    return {text: text, "x": [text]} if "object" in kinds else text


def bodies(operation: dict[str, Any], text: str) -> Iterator[dict[str, Any]]:
    """Yield what an operation takes with this text in one field after the other, in all, and in one more."""
    about = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if about is None:
        return
    fields = shape_of(about).get("properties", {})
    usual = {name: field["examples"][0] for name, field in fields.items()}
    texts = [name for name, field in fields.items() if takes_text(field)]
    for name in texts:
        yield usual | {name: filled(fields[name], text)}
    if len(texts) > 1:
        yield usual | {name: filled(fields[name], text) for name in texts}
    yield dict.fromkeys(fields, text) | {text: text}


def address_of(path: str, stage: dict[str, int], text: str | None = None) -> str:
    """Return an address where something is, with this text for what is a text in it."""
    number = next((stage[name] for start, name in NAMED.items() if path.startswith(start)), 1)
    for name in ("match_id", "number", "challenge_id"):
        path = path.replace(f"{{{name}}}", str(number))
    for name, usual in {"slug": "yum-extra", "name": "ann", "token": "x", "day": "2026-11-30"}.items():
        path = path.replace(f"{{{name}}}", usual if text is None else quote(text[:300], safe=""))
    return path


def as_header(text: str) -> str:
    """Return a text as a server hands over what was sent in a header: bytes without controls, as Latin-1."""
    return "".join(one for one in text.encode().decode("latin-1") if one >= " " and one != "\x7f")


def assert_well_formed(answer: Any, *about: Any) -> None:
    """An answer in words, as JSON, under headers of one line each that say nothing of what was sent."""
    assert answer.status_code in ANSWERS, (about, answer.status_code, answer.content[:300])
    assert not [value for _name, value in answer.items() if set(value) & set("\r\n\0")], about
    assert "window.ran" not in "".join(value for _name, value in answer.items()), about
    if answer.status_code != 204:  # whatever is said again in it, no browser takes it for a page
        assert answer["X-Content-Type-Options"] == "nosniff", about
        assert answer["Content-Type"].partition(";")[0] in ("application/json", "application/problem+json"), about
        json.loads(answer.content.decode())


def test_every_text_of_a_body_answers_in_words(stage):
    ann = Program(User.objects.get(pk=stage["ann"]))
    host = Program(User.objects.get(pk=stage["host"]))
    before = last_rows()
    deeds = [one for one in operations() if one[0] != "GET" and not one[1].endswith(FATAL)]
    assert len(deeds) > 60
    for text in TEXTS:
        for method, path, place in tried(text, places(deeds)):
            operation = next(one for kind, where, one in deeds if (kind, where) == (method, path))
            body = list(bodies(operation, text))[place]
            for program in (ann, host) if path.startswith("/tournaments/") else (ann,):
                answer = program.call(method, address_of(path, stage), json.dumps(body))
                assert_well_formed(answer, method, path, body)
    assert_kept_well(before, set())


def places(deeds: list[tuple[str, str, dict[str, Any]]]) -> list[tuple[str, str, int]]:
    """Return each body that each deed is sent, by its place among them."""
    return [(method, path, place) for method, path, one in deeds for place in range(len(list(bodies(one, "x"))))]


def test_every_text_of_an_address_or_header_answers_in_words(stage):
    ann = Program(User.objects.get(pk=stage["ann"]))
    asked: list[tuple[str, str, str]] = []
    for method, path, operation in operations():
        if not path.endswith(FATAL):
            asked += [(method, path, one["name"]) for one in operation.get("parameters", ()) if is_text(one)]
    headers = ("Authorization", "Accept-Language", "If-None-Match", "Idempotency-Key", "Origin", "Accept")
    for text in TEXTS:
        for method, path, name in tried(text, asked):
            in_path = f"{{{name}}}" in path
            query = "" if in_path or name == "Idempotency-Key" else "?" + urlencode({name: text})
            more = {name: as_header(text)} if name == "Idempotency-Key" else {}
            where = address_of(path, stage, text if in_path else None) + query
            assert_well_formed(ann.call(method, where, "{}", **more), method, path, name, text)
        sent = as_header(text)
        for name in tried(text, headers):
            for value in (sent, f"Bearer {sent}", f"fr;q={sent}, {sent};q=1, en"):
                assert_well_formed(ann.get("/me", **{name: value}), name, value)


def is_text(parameter: dict[str, Any]) -> bool:
    return takes_text(parameter["schema"])


def test_what_is_read_of_hostile_texts_is_well_formed(stage):
    """All that the site has of them, by each who may read it: JSON."""
    ApiToken.objects.all().delete()  # as many as there are, no further one would be made
    people = {name: Program(User.objects.get(pk=stage[name])) for name in ("ann", "kim", "host")}
    full = set()
    for _method, path, _operation in (one for one in operations() if one[0] == "GET"):
        for program in people.values():
            answer = program.get(address_of(path, stage))
            assert_well_formed(answer, path)
            if "window.ran" in str(json.loads(answer.content)):
                full.add(path)
    expected = {"/clubs", "/clubs/{number}", "/clubs/{number}/chat", "/circles", "/circles/{number}"}
    expected |= {"/club-matches/{number}", "/clubs/{number}/matches", "/tournaments/{number}", "/ladders/{slug}"}
    assert full >= expected
