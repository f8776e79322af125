"""Settings, days off, people and sandboxes by programs."""

import json
from datetime import timedelta
from random import Random

import pytest

from accounts.models import User
from accounts.services import days_off
from games.models import Match
from games.models.chat import Muted
from tests.api.calling import Program, problem
from tests.factories import browser_of, fresh, member, played_on, seated

pytestmark = pytest.mark.django_db


def patch(program: Program, address: str, **body):
    return program.call("PATCH", address, json.dumps(body))


def test_settings(ann: User) -> None:
    program, reader = Program(ann), Program(ann, ["read"])
    before = program.get("/settings").json()
    for wrong in ({"language": "xx"}, {"time_zone": "Mars/Base"}, {"colours": "x"}, {"invitations_from": "x"}):
        problem(patch(program, "/settings", **wrong), 400, "invalid")
    for wrong in ({"email": "x@example.org"}, {"password": "x"}, {"username": "x"}, {"is_staff": True}):
        problem(patch(program, "/settings", **wrong), 422, "invalid_request")
    problem(patch(reader, "/settings", language="fr"), 403, "scope_missing")
    assert program.get("/settings").json() == before
    changed = patch(program, "/settings", language="fr", invitations_from="none", named_in_records=False).json()
    assert changed == before | {"language": "fr", "invitations_from": "none", "named_in_records": False}
    bot = Program(User.objects.create_user("Robo-bot", "", None, owner=ann), ["bot"])
    problem(patch(bot, "/settings", language="en"), 403, "bots_cannot")
    problem(patch(bot, "/settings/days-off", by_itself=False), 403, "bots_cannot")


def test_days_off(ann: User) -> None:
    program, today = Program(ann), days_off.today(ann)
    first, last = ((today + timedelta(days=n)).isoformat() for n in (3, 4))
    problem(patch(program, "/settings/days-off", first=first), 400, "invalid")
    problem(patch(program, "/settings/days-off", first=today.isoformat(), last=last), 400, "invalid")
    left = program.get("/settings/days-off").json()["left"]
    told = patch(program, "/settings/days-off", first=first, last=last, by_itself=False).json()
    assert [day["day"] for day in told["days"]] == [first, last] and not told["by_itself"]
    assert told["left"] == left - 2
    assert patch(program, "/settings/days-off", give_back=[first]).json()["left"] == left - 1


def test_people(ann: User, bob: User, cem: User, eve: User) -> None:
    program = Program(ann)
    program.post("/people/bob/follow", {"wish": True})
    program.post("/people/cem/block", {"wish": True})
    Muted.objects.create(user=ann, person=eve)
    lists = [program.get(f"/me/{name}").json()["items"] for name in ("followed", "blocked", "muted")]
    assert lists == [["bob"], ["cem"], ["eve"]]
    assert [Program(eve).get(f"/me/{name}").json()["items"] for name in ("followed", "blocked", "muted")] == [[]] * 3
    problem(Program(ann, ["play"]).post("/people/eve/hear"), 403, "scope_missing")
    assert program.post("/people/eve/hear").status_code == 204
    assert program.get("/me/muted").json()["items"] == []


def test_sandboxes(ann: User, bob: User, settings) -> None:
    program, stranger = Program(ann), Program(member("eve"))
    match = seated(ann, bob, access=Match.Access.LINK)
    problem(program.post("/sandboxes", {"match": match.pk}), 400, "invalid")
    played_on(match, Random(1))
    problem(stranger.post("/sandboxes", {"match": match.pk}), 404, "not_found")
    problem(program.post("/sandboxes", {"match": match.pk, "step": 99999}), 400, "invalid")
    problem(program.post("/sandboxes", {"match": match.pk, "seat": 7}), 400, "invalid")
    problem(program.post("/sandboxes", {"match": match.pk, "level": "zorro"}), 404, "not_found")
    made = program.post("/sandboxes", {"match": match.pk, "step": 3})
    assert made.status_code == 201, made.content
    assert not made.json()["rated"] and fresh(match).status == "ended"
    problem(stranger.get(f"/matches/{made.json()['id']}"), 404, "not_found")
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"sandbox": "1/h/user"}
    browser_of(ann).post("/sandbox/", {"match": str(match.pk), "step": "0", "kind": "bots", "level": "easy"})
    problem(program.post("/sandboxes", {"match": match.pk}), 429, "too_often")
