"""Standing challenges of one's own by programs: refusals first, then whole; and the stream's address, asked plainly."""

import pytest

from accounts.models import User
from games.api import openapi
from games.models import StandingChallenge
from games.services.lobby import challenges
from tests.api.calling import Program, problem
from tests.factories import member

pytestmark = pytest.mark.django_db
OFFER = {"game": "yay", "pace": "3d", "most": 2, "rated": True}


def test_refusals(ann: User, settings) -> None:
    program = Program(ann)
    problem(program.post("/me/challenges", OFFER | {"game": "nothing"}), 400, "invalid")
    told = problem(program.post("/me/challenges", OFFER | {"pace": "zorro"}), 400, "invalid")
    assert "zorro" not in told["detail"]
    problem(program.post("/me/challenges", OFFER | {"most": 99}), 422, "invalid_request")
    problem(program.post("/me/challenges", OFFER | {"size": 2}), 422, "invalid_request")
    problem(Program(ann, ["read"]).post("/me/challenges", OFFER), 403, "scope_missing")
    User.objects.filter(pk=ann.pk).update(email="")
    problem(program.post("/me/challenges", OFFER), 403, "unconfirmed_host")
    assert not StandingChallenge.objects.exists()
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"table": "1/h/user"}
    program.post("/tables", {"game": "yay", "size": 2})
    problem(program.post("/me/challenges", OFFER), 429, "too_often")


def test_no_bot_and_no_other(ann: User, bob: User) -> None:
    bot = User.objects.create_user("Robo-bot", "", None, owner=ann)
    problem(Program(bot, ["bot"]).post("/me/challenges", OFFER), 403, "bots_cannot")
    theirs = challenges.offer(
        member=bob, game_slug="yay", size=2, pace="3d", most=3, rated=False, options={}, takes_bots=False
    )
    program = Program(ann)
    assert program.get("/me/challenges").json()["items"] == []
    problem(program.post(f"/me/challenges/{theirs.pk}/change", {"wish": "pause"}), 409, "not_offered")
    assert program.post(f"/me/challenges/{theirs.pk}/change", {"wish": "withdraw"}).status_code == 204
    theirs.refresh_from_db()
    assert not theirs.paused


def test_offered_accepted_rested_and_withdrawn(ann: User) -> None:
    program, other = Program(ann), Program(member("fay"))
    made = program.post("/me/challenges", OFFER)
    assert made.status_code == 201
    number = made.json()["id"]
    assert [one["id"] for one in other.get("/lobby/challenges").json()["items"]] == [number]
    assert other.post(f"/lobby/challenges/{number}/accept").status_code == 201
    shown = program.get("/me/challenges").json()["items"]
    assert [(one["id"], one["under_way"], one["most"], one["rated"]) for one in shown] == [(number, 1, 2, True)]
    for wish, paused in (("pause", [True]), ("resume", [False]), ("withdraw", [])):
        assert program.post(f"/me/challenges/{number}/change", {"wish": wish}).status_code == 204
        assert [one["paused"] for one in program.get("/me/challenges").json()["items"]] == paused


def test_the_address_of_the_stream(ann: User) -> None:
    for program in (Program(ann), Program()):
        answer = program.get("/stream")
        problem(answer, 426, "upgrade_required")
        assert answer["Upgrade"] == "websocket"
    problem(Program(ann).post("/stream"), 405, "wrong_method")
    for language in ("en", "fr"):
        about = openapi.schema(language)
        assert "/api/v1/stream" in about["info"]["description"]
        assert about["x-stream"]["url"].startswith("ws") and len(about["x-stream"]["parameters"]) == 3
