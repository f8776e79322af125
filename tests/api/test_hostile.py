"""Whatever is sent, the answer is a problem in words, never a page and never an error of ours."""

import json

import pytest
from django.test import Client

from accounts.models import User
from games.api.problems import Problem, read_json
from games.models import Match
from tests.api.calling import Program, problem

pytestmark = pytest.mark.django_db
JSON = "application/json"
BODIES = {
    "nothing": (b"", 422),
    "no JSON": (b"{", 400),
    "no UTF-8": (b'{"game": "\xff"}', 400),
    "a lone surrogate": (b'{"game": "\\ud800", "size": 2}', 400),
    "a NUL": (b'{"game": "a\\u0000", "size": 2}', 400),
    "a NUL as a name": (b'{"\\u0000": 1}', 400),
    "deep": (b'{"options": ' + b"[" * 50_000 + b"]" * 50_000 + b"}", 400),
    "deep enough to pass": (b'{"game": "yay", "size": 2, "options": {"x": ' + b"[" * 200 + b"]" * 200 + b"}}", 400),
    "a list": (b"[]", 422),
    "a number": (b"1", 422),
    "null": (b"null", 422),
    "a text": (b'"x"', 422),
    "a huge int": (b'{"game": "yay", "size": ' + b"9" * 4000 + b"}", (400, 422)),
    "a large int": (b'{"game": "yay", "size": 99999999999999999999}', 422),
    "a float": (b'{"game": "yay", "size": 2.0}', 422),
    "true for a number": (b'{"game": "yay", "size": true}', 422),
    "not a number": (b'{"game": "yay", "size": NaN}', 400),
    "infinity": (b'{"game": "yay", "size": 1e999}', 400),
    "options of another kind": (b'{"game": "yay", "size": 2, "options": []}', 422),
    "an option that is huge": (b'{"game": "yay", "size": 2, "options": {"size": 1e300}}', 400),
    "an unknown option": (b'{"game": "yay", "size": 2, "options": {"\\u2603": {"a": 1}}}', 400),
    "a long name": (b'{"game": "' + b"a" * 1000 + b'", "size": 2}', 422),
    "a club of others": (b'{"game": "yay", "size": 2, "access": "club", "club": 1}', 403),
    "no such pace": (b'{"game": "yay", "size": 2, "pace": "9d"}', 400),
    "no such bot": (b'{"game": "yay", "size": 2, "bots": ["x"]}', 400),
    "more bots than seats": (b'{"game": "yay", "size": 2, "bots": ["easy", "easy", "easy"]}', 400),
}


@pytest.mark.thin(7)
@pytest.mark.parametrize("name", BODIES)
def test_a_body(ann: User, name: str) -> None:
    body, status = BODIES[name]
    program = Program(ann)
    answer = program.client.post("/api/v1/tables", data=body, content_type=JSON, headers=program.headers)
    assert answer["Content-Type"] == "application/problem+json", answer.content[:200]
    assert answer.status_code in (status if isinstance(status, tuple) else (status,)), answer.content
    assert not Match.objects.exists()


def test_a_body_of_any_depth_is_read_or_refused() -> None:
    for depth in range(700, 1000):  # about as deep as Python goes: somewhere there, one reader gives up before another
        body = b"[" * depth + b'"\\u0000"' + b"]" * depth
        with pytest.raises(Problem, match="bad_json"):
            read_json(body)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json", "x"]
)
def test_a_body_of_another_type(ann: User, kind: str) -> None:
    program = Program(ann)
    answer = program.client.generic("POST", "/api/v1/tables", b"a=b", content_type=kind, headers=program.headers)
    problem(answer, 415, "not_json")


def test_a_body_of_utf_8_by_name(ann: User) -> None:
    program = Program(ann)
    answer = program.client.generic(
        "POST",
        "/api/v1/tables",
        json.dumps({"game": "yay", "size": 2}).encode(),
        content_type="application/json; charset=utf-8",
        headers=program.headers,
    )
    assert answer.status_code == 201


@pytest.mark.parametrize(
    "address",
    [
        *("/matches/0", "/matches/-1", "/matches/1.0", "/matches/9223372036854775808", "/matches/" + "9" * 400),
        *("/matches/x", "/matches/%00", "/matches/1?since=x", "/matches/1?since=%00", "/matches?cursor=%ff"),
        *("/matches?state=x", "/people/%ED%A0%80", "/people/" + "a" * 300, "/people/%00", "/games/%2e%2e"),
        *("/boards/yay?season=%27", "/boards/yay?followed=perhaps", "/clubs?search=%00", "/links/" + "x" * 100),
        *("/matches/1/replay?step=99999999999999999999", "/matches/1/replay?step=-1", "/tournaments/0"),
    ],
)
def test_an_address(ann: User, address: str) -> None:
    answer = Program(ann).get(address)
    assert answer["Content-Type"] == "application/problem+json", answer.content[:200]
    assert 400 <= answer.status_code < 500


def test_many_fields_and_errors(ann: User) -> None:
    body = {f"f{number}": 1 for number in range(500)}
    told = problem(Program(ann).post("/tables", body), 422, "invalid_request")
    assert len(told["errors"]) <= 20


def test_a_host_that_is_not_ours() -> None:
    answer = Client(headers={"host": "evil.example"}, raise_request_exception=False).get("/api/v1/me")
    problem(answer, 400, "unreadable")


def test_what_is_typed_is_not_said_again(ann: User) -> None:
    answer = Program(ann).post("/tables", {"game": "<script>alert(1)</script>", "size": "<b>", "<i>": 1})
    assert b"<b>" not in answer.content
    assert b"alert" not in answer.content


def test_chat_texts(ann: User, bob: User) -> None:
    program = Program(ann)
    number = program.post("/tables", {"game": "yay", "size": 2}).json()["id"]
    for text in ("\u202e", "\u200b", " ", "x" * 3000, "a\nb", "é" * 400, "\U0001f600" * 100):
        answer = program.post(f"/matches/{number}/chat", {"text": text})
        assert answer.status_code in (201, 400), answer.content
    assert (
        program.client.post(
            f"/api/v1/matches/{number}/chat",
            data=b'{"text": "\\ud83d"}',
            content_type=JSON,
            headers=program.headers,
        ).status_code
        == 400
    )


def test_limits_of_deeds_are_those_of_pages(ann: User, settings) -> None:
    program = Program(ann)
    codes = [program.post("/tables", {"game": "yay", "size": 2, "invited": ["ann"] * 3}).status_code for _n in range(3)]
    assert set(codes) <= {201, 400, 403}
    number = (
        Match.objects.order_by("pk").values_list("pk", flat=True).first()
        or program.post("/tables", {"game": "yay", "size": 2}).json()["id"]
    )
    said = [program.post(f"/matches/{number}/chat", {"text": f"hello {n}"}).status_code for n in range(14)]
    assert said.count(201) == 12
    assert said[-1] == 429
