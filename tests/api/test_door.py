"""The door of the API: who is let in, and how everybody else is told."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from config.lib import clock as site_clock
from config.lib import rate_limits
from games.api.models import ApiToken
from games.api.services import tokens
from games.moderation.models import Sanction
from tests.api.calling import Program, problem
from tests.factories import browser_of

pytestmark = pytest.mark.django_db


def test_nobody_is_let_in_without_a_token() -> None:
    told = problem(Program().get("/me"), 401, "token_missing")
    assert "Authorization" in told["detail"]


def test_a_cookie_is_no_token(ann: User) -> None:
    browser = browser_of(ann)
    assert browser.get("/settings/").status_code == 200
    problem(browser.get("/api/v1/me"), 401, "token_missing")
    answer = browser.get("/api/v1/me")
    assert not answer.cookies
    assert answer["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "sent", ["Bearer", "Bearer ", "Basic QW5u", "Bearer cy_nonsense", "Bearer é", "cy_", "Bearer " + "x" * 5000]
)
def test_what_is_no_token(ann: User, sent: str) -> None:
    answer = Client().get("/api/v1/me", headers={"Authorization": sent})
    assert answer.status_code == 401
    assert answer.json()["code"] in ("token_missing", "token_unknown")


def test_a_token_opens_no_page(ann: User) -> None:
    program = Program(ann)
    assert program.client.get("/settings/", headers=program.headers).status_code == 302
    assert program.get("/me").json()["name"] == ann.username


def test_a_token_that_has_ended(ann: User, clock) -> None:
    _token, secret = tokens.issue(
        user=ann, name="short", scopes=["read"], ends_at=site_clock.now() + timedelta(hours=1)
    )
    program = Program(Authorization=f"Bearer {secret}")
    assert program.get("/me").status_code == 200
    clock.forward(3601)
    problem(program.get("/me"), 401, "token_ended")


def test_a_token_that_was_taken_away(ann: User) -> None:
    program = Program(ann)
    tokens.end_all(ann)
    problem(program.get("/me"), 401, "token_unknown")


def test_a_banned_member(ann: User) -> None:
    program = Program(ann)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    problem(program.get("/me"), 401, "token_unknown")


def test_a_scope_that_is_missing(ann: User) -> None:
    told = problem(Program(ann, ["message"]).get("/me"), 403, "scope_missing")
    assert told["scope"] == "read"


def test_the_scope_of_bots_lets_play() -> None:
    bot = User.objects.create_user("Robo", "", None)
    assert Program(bot, ["bot"]).get("/me").status_code == 200


@pytest.mark.parametrize("address", ["", "/", "/nothing", "/me/", "/me/../me", "/matches/x/y/z", "/%00", "/\u2603"])
def test_an_address_where_nothing_is(ann: User, address: str) -> None:
    for program in (Program(ann), Program()):
        answer = program.get(address)
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.status_code in (400, 404)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_a_method_that_is_not_taken(ann: User, method: str) -> None:
    answer = Program(ann).call(method, "/me")
    problem(answer, 405, "wrong_method")
    assert answer["Allow"] == "GET, HEAD, OPTIONS"


def test_head_and_options(ann: User) -> None:
    program = Program(ann)
    head = program.call("HEAD", "/me")
    assert (head.status_code, head.content) == (200, b"")
    options = Program().call("OPTIONS", "/me")
    assert (options.status_code, options["Allow"]) == (204, "GET, HEAD, OPTIONS")
    assert options["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in options


def test_the_language_is_asked_for_or_the_members(ann: User) -> None:
    User.objects.filter(pk=ann.pk).update(language="fr")
    program = Program(ann, ["message"])
    mine, asked = program.get("/me"), program.get("/me", **{"Accept-Language": "de, en;q=0.5"})
    assert (mine["Content-Language"], asked["Content-Language"]) == ("fr", "en")
    assert mine.json()["detail"] != asked.json()["detail"]
    assert mine.json()["code"] == asked.json()["code"]


def test_limits_are_told_and_kept(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "REQUESTS", 2)
    program = Program(ann)
    answers = [program.get("/me") for _time in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[0]["RateLimit"].startswith('"member";r=1;t=')
    problem(answers[2], 429, "too_often")
    assert 0 < int(answers[2]["Retry-After"]) <= 60


def test_use_is_noted_once_a_minute(ann: User, clock) -> None:
    program = Program(ann)
    program.get("/me")
    first = ApiToken.objects.get().used_at
    assert first is not None
    clock.forward(20)
    program.get("/me")
    assert ApiToken.objects.get().used_at == first
    clock.forward(60)
    program.get("/me")
    assert ApiToken.objects.get().used_at > first


def test_a_token_is_kept_as_its_hash_alone(ann: User) -> None:
    secret = Program(ann).secret
    assert secret.startswith("cy_")
    assert len(secret) == 46
    row = ApiToken.objects.values().get()
    assert secret not in repr(row)
    assert row["digest"] == tokens.digest_of(secret)


def test_an_error_of_ours_is_told_as_a_problem(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr("games.queries.play.waiting_count", broken)
    answer = Program(ann).get("/me")
    problem(answer, 500, "our_fault")
    assert b"secret" not in answer.content


def test_the_description_is_for_everybody() -> None:
    english, french = Program().get("/openapi.json"), Program().get("/openapi.json", **{"Accept-Language": "fr"})
    assert english.json()["openapi"].startswith("3.1")
    assert english.json()["info"]["description"] != french.json()["info"]["description"]


def test_a_suspended_member_reads(ann: User, mo: User) -> None:
    Sanction.objects.create(member=ann, by=mo, kind=Sanction.Kind.SUSPENSION, reason="x")
    assert Program(ann).get("/me").status_code == 200
