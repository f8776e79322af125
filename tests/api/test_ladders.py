"""Ladders by programs: refusals, limits, and what the pages of ladders do and tell."""

import pytest

from accounts.models import User
from tests.api.calling import Program, problem
from tests.factories import browser_of
from tests.ladders.arranged import GAME, challenged, climber, joined, names, people, place

pytestmark = pytest.mark.django_db


def test_refusals(eve: User, settings) -> None:
    first, second, third = people(3)
    joined([first, second, third])
    challenge = challenged(second, first)
    other = Program(third)
    problem(other.post(f"/ladders/challenges/{challenge.pk}/withdraw"), 403, "not_your_challenge")
    problem(other.post(f"/ladders/challenges/{challenge.pk}/decline"), 403, "not_your_challenge")
    problem(Program(eve).post(f"/ladders/{GAME}/pause", {"days": 3}), 403, "not_on_ladder")
    problem(other.post(f"/ladders/{GAME}/pause", {"days": 999}), 422, "invalid_request")
    problem(other.post("/ladders/nothing/pause", {"days": 3}), 404, "not_found")
    bot = User.objects.create_user("Robo-bot", "", None, owner=eve)
    problem(Program(bot, ["bot"]).post(f"/ladders/{GAME}/pause"), 403, "bots_cannot")
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"ladder": "1/h/user"}
    browser_of(third).post(f"/ladders/{GAME}/pause/", {"wish": "pause", "days": "3"})
    problem(other.post(f"/ladders/{GAME}/pause", {"wish": "resume"}), 429, "too_often")
    assert climber(third).is_paused


def test_what_is_told_and_done() -> None:
    first, second, third = people(3)
    joined([first, second, third])
    program, above = Program(second), Program(first)
    told = program.get(f"/ladders/{GAME}").json()
    assert [(one["name"], one["near"], one["why_not"]) for one in told["items"]] == [
        ("p001", True, ""),
        ("p002", False, ""),
        ("p003", False, ""),
    ]
    assert told["me"] == {"place": 2, "at_once": 3, "paused_until": None}
    assert [one["kind"] for one in told["changes"]] == ["joined"] * 3
    assert program.post(f"/ladders/{GAME}/challenge", {"climber": told["items"][0]["id"]}).status_code == 204
    waiting = above.get("/me/ladders/challenges").json()["items"]
    assert [(one["game"], one["by"], one["free"]) for one in waiting] == [(GAME, "p002", True)]
    assert program.get("/me/ladders/challenges").json()["items"] == []
    assert program.post(f"/ladders/challenges/{waiting[0]['id']}/withdraw").status_code == 204
    assert above.get("/me/ladders/challenges").json()["items"] == []
    assert program.post(f"/ladders/{GAME}/pause", {"days": 3}).status_code == 204
    assert program.get(f"/ladders/{GAME}").json()["me"]["paused_until"]
    assert [one["paused"] for one in above.get(f"/ladders/{GAME}").json()["items"]] == [False, True, False]
    assert program.post(f"/ladders/{GAME}/pause", {"wish": "resume"}).status_code == 204


def test_a_place_is_not_lost_by_mistake() -> None:
    first, second, third = people(3)
    joined([first, second, third])
    program = Program(first)
    one = challenged(second, first)
    assert program.post(f"/ladders/challenges/{one.pk}/decline", {"free": True}).status_code == 204
    another = challenged(third, first)
    assert not program.get("/me/ladders/challenges").json()["items"][0]["free"]
    problem(program.post(f"/ladders/challenges/{another.pk}/decline", {"free": True}), 409, "not_free")
    assert names() == ["p001", "p002", "p003"]
    assert program.post(f"/ladders/challenges/{another.pk}/decline").status_code == 204
    assert place(third) == 1
