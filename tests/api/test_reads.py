"""Every read answers what its schema says, for a member who has a little of everything."""

import re

import pytest

from accounts.models import User
from config.lib import clock
from games.api import openapi
from games.models import Match
from games.moderation import matches
from tests import factories
from tests.api.calling import Program, problem
from tests.api.fitting import fits

pytestmark = pytest.mark.django_db


@pytest.fixture
def program(ann: User, bob: User) -> Program:
    return Program(ann)


def reads() -> list[str]:
    return [path.removeprefix("/api/v1") for path, found in openapi.schema("en")["paths"].items() if "get" in found]


@pytest.mark.thin(8)
@pytest.mark.parametrize("path", reads())
def test_a_read(program: Program, ann: User, bob: User, path: str) -> None:
    other = Program(bob)
    number = program.post("/tables", {"game": "yay", "size": 2}).json()["id"]
    other.post(f"/matches/{number}/join")
    other.post(f"/matches/{number}/chat", {"text": "hello @ann"})
    program.post("/games/yes/start", {})
    program.post("/tables", {"game": "yay", "size": 3, "access": "link"})
    known = {"match_id": str(number), "slug": "yay", "name": bob.username}
    address = re.sub(r"{(\w+)}", lambda found: known.get(found.group(1), "9"), path)
    for one in (program, other):
        answer = one.get(address)
        assert answer.status_code in (200, 404, 409), answer.content
        fits("get", f"/api/v1{path}", answer)
        if set(known) >= set(re.findall(r"{(\w+)}", path)) and not path.endswith(("/record", "/review")):
            assert answer.status_code == 200, answer.content
    for cursor in ("WzBd", "WzFd", "e30", "WyJ4Il0", "Ww", "\u2603", "WzkyMjMzNzIwMzY4NTQ3NzU4MDhd"):
        assert program.get(f"{address}?cursor={cursor}").status_code < 500


def test_settings_of_notices(program: Program) -> None:
    now = program.get("/settings/notices").json()
    changed = program.call("PATCH", "/settings/notices", '{"rhythm": "visit", "mail_place": 2}').json()
    assert changed == now | {"rhythm": "visit", "mail_place": 2}
    quiet = program.call("PATCH", "/settings/notices", '{"quiet_from": "22:00", "quiet_until": "07:00"}').json()
    assert (quiet["quiet_from"], quiet["quiet_until"]) == ("22:00", "07:00")
    problem(program.call("PATCH", "/settings/notices", '{"quiet_from": null}'), 400, "invalid")
    loud = program.call("PATCH", "/settings/notices", '{"quiet_from": null, "quiet_until": null}').json()
    assert loud == now | {"rhythm": "visit", "mail_place": 2}
    assert program.call("PATCH", "/settings/notices", '{"replies": false, "topics": []}').json()["topics"] == []


def test_talk(program: Program, ann: User, bob: User, cem: User) -> None:
    number = program.post("/tables", {"game": "yay", "size": 2}).json()["id"]
    other = Program(bob)
    other.post(f"/matches/{number}/join")
    said = other.post(f"/matches/{number}/chat", {"text": f"hello @{ann.username}"}, **{"Idempotency-Key": "a"})
    again = other.post(f"/matches/{number}/chat", {"text": f"hello @{ann.username}"}, **{"Idempotency-Key": "a"})
    assert (said.status_code, said.json()) == (again.status_code, again.json())
    chat = program.get(f"/matches/{number}/chat").json()
    assert [(line["text"], line["for_me"], line["new"]) for line in chat["items"]] == [("hello @ann", True, True)]
    assert [one["line"] for one in program.get("/mentions").json()["items"]] == [chat["items"][0]["id"]]
    assert program.post(f"/matches/{number}/chat/read", {"line": chat["items"][0]["id"]}).status_code == 204
    assert program.get("/mentions").json()["items"] == []
    assert program.post(f"/matches/{number}/chat/mute", {"line": chat["items"][0]["id"]}).status_code == 422
    muted = program.post(f"/matches/{number}/chat/mute", {"line": chat["items"][0]["id"], "mute": True})
    assert muted.status_code == 204
    assert program.get(f"/matches/{number}/chat").json()["items"][0]["text"] == ""
    assert Program(cem).get(f"/matches/{number}/chat").json()["items"] == []
    problem(Program(ann, ["play"]).post(f"/matches/{number}/chat", {"text": "x"}), 403, "scope_missing")
    problem(program.post(f"/matches/{number}/chat", {"text": " "}), 400, "invalid")


def test_people(program: Program, bob: User) -> None:
    assert program.post(f"/people/{bob.username}/follow", {"wish": True}).status_code == 204
    assert program.get(f"/people/{bob.username}").json()["follows"]
    problem(program.post("/people/ann/follow", {"wish": True}), 409, "oneself")
    problem(program.post("/people/nobody/block", {"wish": True}), 404, "not_found")
    assert program.post(f"/people/{bob.username}/block", {"wish": True}).status_code == 204
    assert program.get(f"/people/{bob.username}").json()["blocked"]


def test_what_pages_mark_as_html_is_text_to_programs(program: Program, ann: User, bob: User) -> None:
    """The headline of a voided match is made of marked parts."""
    match = factories.seated(ann, bob)
    mo = factories.moderator()
    matches.end_match(moderator=mo, match=match, reason="thrown")
    Match.objects.filter(pk=match.pk).update(voided_at=clock.now())
    answer = program.get("/matches?state=ended")
    assert answer.status_code == 200, answer.content
    [line] = answer.json()["items"]
    assert line["voided"] and line["headline"]
    assert program.get(f"/matches/{match.pk}").status_code == 200
