"""Club matches and circles of friends by programs: the doors of the pages, what is hidden, then whole."""

import json
from datetime import timedelta

import pytest
from django.db import transaction

from accounts.models import User
from config.lib import clock, rate_limits
from games.clubs.models import Circle, Encounter
from games.clubs.services.circles import keeping
from games.models import Club
from tests.api.calling import Program, problem
from tests.clubs.encounters import accepted, begun, challenged, end_board, lined_up, owner, two_clubs
from tests.factories import browser_of, member, played, seated

pytestmark = pytest.mark.django_db
DEEDS = {
    "answer": ({"accepts": True}, {"wish": "accept"}),
    "withdraw": ({}, {}),
    "play": ({"plays": True}, {"wish": "play"}),
    "line-up": ({"side": 0}, {"side": "0", "wish": "rating"}),
}


def begins() -> str:
    return (clock.now() + timedelta(days=5)).isoformat(timespec="seconds")


@pytest.mark.parametrize("access", ["open", "invitation"])
def test_the_same_doors_at_club_matches(access: str) -> None:
    own, other, first, second = two_clubs(2)
    Club.objects.filter(pk=other.pk).update(access=access)
    other.refresh_from_db()
    offered = challenged(own, other)
    people = {"owner": first[0], "member": first[1], "asked": second[0], "theirs": second[1], "eve": member("eve")}
    for state in ("offered", "accepted"):
        Encounter.objects.filter(pk=offered.pk).update(state=state)
        for role, person in people.items():
            browser, program = browser_of(person), Program(person)
            for page in (f"/clubs/{other.pk}/matches/", f"/clubs/matches/{offered.pk}/"):
                address = page.rstrip("/").replace("/clubs/matches", "/club-matches")
                shown = browser.get(page).status_code
                assert program.get(address).status_code == shown, (access, state, role, page)
            for name, (body, form) in DEEDS.items():
                with transaction.atomic():
                    posted = browser.post(f"/clubs/matches/{offered.pk}/{name}/", form)
                    transaction.set_rollback(True)
                with transaction.atomic():
                    answer = program.post(f"/club-matches/{offered.pk}/{name}", body)
                    transaction.set_rollback(True)
                about = (access, state, role, name, posted.status_code, answer.content[:200])
                assert (posted.status_code in (200, 302)) == (answer.status_code < 300), about
                assert answer.status_code < 300 or posted.status_code == answer.status_code, about


def test_a_club_match_by_programs(hours, settings) -> None:
    own, other, first, second = two_clubs(3)
    ann, bob, eve = Program(first[0]), Program(second[0]), Program(member("eve"))
    body = {"own": own.pk, "game": "yum-extra", "seats": 2, "begins_at": begins(), "words": "Come on"}
    problem(ann.post(f"/clubs/{other.pk}/matches", body | {"begins_at": "2026-12-20T10:00:00"}), 422, "invalid_request")
    problem(ann.post(f"/clubs/{other.pk}/matches", body | {"game": "nothing"}), 404, "not_found")
    problem(ann.post(f"/clubs/{other.pk}/matches", body | {"options": {"x": 1}}), 400, "invalid")
    problem(ann.post(f"/clubs/{other.pk}/matches", body | {"pace": "zorro"}), 400, "invalid")
    problem(ann.post(f"/clubs/{other.pk}/matches", body | {"own": other.pk}), 403, "not_for_organisers")
    problem(eve.post(f"/clubs/{other.pk}/matches", body), 403, "not_for_organisers")
    assert not Encounter.objects.exists()
    made = ann.post(f"/clubs/{other.pk}/matches", body)
    assert made.status_code == 201, made.content
    number = made.json()["id"]
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"club_match": "1/h/user"}
    problem(ann.post(f"/clubs/{other.pk}/matches", body), 409, "cannot_challenge")
    problem(ann.post(f"/clubs/{other.pk}/matches", body), 429, "too_often")
    assert bob.get(f"/club-matches/{number}").json()["answers"]
    assert bob.post(f"/club-matches/{number}/answer", {"accepts": True}).json()["state"] == "accepted"
    for one in (*first, *second[:2]):
        assert Program(one).post(f"/club-matches/{number}/play", {"plays": True}).status_code == 200
    line = ann.get(f"/club-matches/{number}").json()["sides"][0]["lineup"]
    order = [row["id"] for row in line][::-1]
    shown = ann.post(f"/club-matches/{number}/line-up", {"side": 0, "order": order}).json()
    assert [row["id"] for row in shown["sides"][0]["lineup"]] == order
    assert [row["left_over"] for row in shown["sides"][0]["lineup"]] == [False, False, True]
    boards = begun(Encounter.objects.get(pk=number), hours)
    running = eve.get(f"/club-matches/{number}").json()
    assert [one["state"] for one in running["tables"]] == ["running", "running"] and running["seed"] == ""
    assert running["tables"][0]["match"] == boards[0].match_id
    end_board(boards[0], [1, 2])
    assert sum(side["points"] for side in eve.get(f"/club-matches/{number}").json()["sides"]) == 100


def test_nothing_of_hidden_ones(ann: User) -> None:
    own, other, _first, second = two_clubs(2)
    Club.objects.filter(pk=other.pk).update(access="invitation")
    other.refresh_from_db()
    encounter = accepted(own, other, words="the secret is plums")
    lined_up(encounter, second)
    program = Program(ann)
    nothing = program.get("/club-matches/999999").content
    assert program.get(f"/club-matches/{encounter.pk}").content == nothing
    assert program.get(f"/clubs/{other.pk}/matches").content == nothing
    assert program.get(f"/clubs/{own.pk}/matches").json()["items"] == []
    told = Program(owner(own)).get(f"/club-matches/{encounter.pk}").json()
    assert [side["club"] for side in told["sides"]] == [own.pk, None]


def test_circles_same_doors(ann: User, bob: User, cem: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "allows_reader", lambda *args: True)
    circle = keeping.keep_together(match_id=played(ann, bob, cem).pk, user=ann, name="Friday")
    keeping.answer(circle_id=circle.pk, user=bob, accepts=True)
    deeds = {
        "answer": ({"accepts": True}, {"wish": "accept"}),
        "leave": ({}, {}),
        "table": ({}, {}),
        "weekly": ({"wish": "set", "weekday": 4, "hour": 20}, {"weekday": "4", "hour": "20"}),
        "PATCH": ({"name": "x"}, {"name": "x"}),
    }
    for person in (ann, bob, cem, member("eve")):
        browser, program = browser_of(person), Program(person)
        shown = browser.get(f"/circles/{circle.pk}/").status_code
        assert program.get(f"/circles/{circle.pk}").status_code == shown
        for name, (body, form) in deeds.items():
            page = "rename" if name == "PATCH" else name
            with transaction.atomic():
                posted = browser.post(f"/circles/{circle.pk}/{page}/", form)
                transaction.set_rollback(True)
            with transaction.atomic():
                address = f"/circles/{circle.pk}" if name == "PATCH" else f"/circles/{circle.pk}/{name}"
                answer = program.call("PATCH" if name == "PATCH" else "POST", address, json.dumps(body))
                transaction.set_rollback(True)
            about = (person.username, name, posted.status_code, answer.content[:200])
            assert (posted.status_code in (200, 302)) == (answer.status_code < 300), about
            assert answer.status_code < 300 or posted.status_code == answer.status_code, about


def test_a_circle_by_programs(ann: User, bob: User, cem: User, settings) -> None:
    first, second, third = Program(ann), Program(bob), Program(cem)
    match = played(ann, bob, cem)
    problem(Program(member("eve")).post("/circles", {"match": match.pk, "name": "x"}), 404, "not_found")
    problem(first.post("/circles", {"match": seated(ann, bob).pk, "name": "x"}), 404, "not_found")
    problem(first.post("/circles", {"match": match.pk, "name": " "}), 400, "invalid")
    assert not Circle.objects.exists()
    made = first.post("/circles", {"match": match.pk, "name": "Friday"})
    number = made.json()["id"]
    assert (made.status_code, made.json()["me"], made.json()["members"]) == (201, "in", ["ann"])
    assert [one["id"] for one in second.get("/circles").json()["asking"]] == [number]
    assert second.post(f"/circles/{number}/answer", {"accepts": True}).status_code == 204
    assert third.post(f"/circles/{number}/answer", {"accepts": False}).status_code == 204
    problem(third.get(f"/circles/{number}"), 404, "not_found")
    assert second.get("/circles").json()["items"][0]["members"] == ["ann", "bob"]
    assert second.call("PATCH", f"/circles/{number}", json.dumps({"name": "Late"})).json()["name"] == "Late"
    problem(second.post(f"/circles/{number}/weekly", {"wish": "pause"}), 400, "invalid")
    problem(second.post(f"/circles/{number}/weekly", {"wish": "set"}), 400, "invalid")
    about = {"wish": "set", "weekday": 4, "hour": 20}
    weekly = second.post(f"/circles/{number}/weekly", about).json()
    assert (weekly["weekday"], weekly["hour"], weekly["paused"]) == (4, 20, False) and weekly["next_at"]
    assert second.post(f"/circles/{number}/weekly", {"wish": "pause"}).json()["paused"]
    assert second.post(f"/circles/{number}/weekly", {"wish": "none"}).json()["weekday"] is None
    table = first.post(f"/circles/{number}/table")
    assert table.status_code == 201
    problem(first.post(f"/circles/{number}/table"), 409, "table_open")
    assert second.get("/circles").json()["items"][0]["table"] is not None
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"circle": "1/h/user"}
    browser_of(ann).post("/circles/new/", {"match": str(played(ann, bob).pk), "name": "x"})
    problem(first.post("/circles", {"match": played(ann, cem).pk, "name": "x"}), 429, "too_often")
    assert second.post(f"/circles/{number}/leave").status_code == 204
    assert not Circle.objects.filter(pk=number).exists()
