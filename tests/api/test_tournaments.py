"""Tournaments by programs: the doors of the pages, what is hidden, then organised from its announcement to its end."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from config.lib import clock
from games.competitions import tasks
from games.competitions.models import Tournament
from tests.api.calling import Program, problem
from tests.clubs.arranged import made as club_made
from tests.competitions.arranged import announced, begun, end_table, entered, now, organiser, people, running_tables
from tests.factories import browser_of, member, moderator

pytestmark = pytest.mark.django_db
WHY = "because of this"


def body(**wishes: Any) -> dict[str, Any]:
    at = (clock.now() + timedelta(days=2)).isoformat(timespec="seconds")
    return {"name": "Winter cup", "game": "yum-extra", "format": "swiss", "begins_at": at} | wishes


def test_who_may_not_announce(ann: User) -> None:
    program = Program(ann)
    problem(program.post("/tournaments", body()), 403, "not_organiser")
    problem(program.post("/tournaments", body(game="nothing")), 404, "not_found")
    olga = organiser()
    bot = User.objects.create_user("Robo-bot", "", None, owner=olga)
    problem(Program(bot, ["bot"]).post("/tournaments", body()), 403, "bots_cannot")
    problem(Program(olga, ["read"]).post("/tournaments", body()), 403, "scope_missing")
    for wrong in ({"begins_at": "2026-12-20T10:00:00"}, {"format": "x"}, {"seats": True}, {"more": 1}):
        problem(Program(olga).post("/tournaments", body(**wrong)), 422, "invalid_request")
    for wrong in (
        {"options": {"nothing": 1}},
        {"options": {"scratch": "zorro"}},
        {"begins_at": "2036-12-20T10:00:00+00:00"},
        {"least": 9, "most": 5},
        {"access": "club"},
        {"pace": "zorro"},
        {"name": " "},
        {"seats": 19},
        {"lowest_rating": 10**30},
    ):
        told = problem(Program(olga).post("/tournaments", body(**wrong)), 400, "invalid")
        assert "zorro" not in told["detail"]
    assert not Tournament.objects.exists()


def test_a_club_announces_for_its_members(ann: User, bob: User, eve: User) -> None:
    club = club_made(ann, bob)
    problem(Program(bob).post("/tournaments", body(access="club", club=club.pk)), 403, "not_organiser")
    number = Program(ann).post("/tournaments", body(access="club", club=club.pk, seats=2, least=2)).json()["id"]
    assert Program(bob).get(f"/tournaments/{number}").status_code == 200
    for address in (f"/tournaments/{number}", f"/tournaments/{number}/tables", f"/tournaments/{number}/record"):
        problem(Program(eve).get(address), 404, "not_found")
    problem(Program(eve).post(f"/tournaments/{number}/manage", {"deed": "begin"}), 404, "not_found")


def test_by_its_link(ann: User, eve: User) -> None:
    olga = organiser()
    number = Program(olga).post("/tournaments", body(access="link", least=2, seats=2)).json()["id"]
    token = Tournament.objects.get().token
    assert token in Program(olga).get(f"/tournaments/{number}").json()["link"]
    program = Program(ann)
    problem(program.get(f"/tournaments/{number}"), 404, "not_found")
    problem(program.get("/tournament-links/nothing"), 404, "not_found")
    shown = program.get(f"/tournament-links/{token}").json()
    assert (shown["id"], shown["link"], shown["opens"]) == (number, "", True)
    assert program.post(f"/tournaments/{number}/enter", {"token": token}).status_code == 200
    assert token in program.get(f"/tournaments/{number}").json()["link"]
    club = announced(olga, name="Open")
    assert program.get(f"/tournament-links/{club.token}").status_code == 404


def test_the_same_doors() -> None:
    olga, (ann, bob, zoe) = organiser(), people(3, "q")
    tournament = begun(olga, [ann, bob])
    table = running_tables(tournament)[0]
    deeds = {
        "begin": {},
        "cancel": {"reason": WHY},
        "extend": {"days": 3, "reason": WHY},
        "replace": {"number": 1, "by": zoe.username, "reason": WHY},
        "take-out": {"number": 1, "reason": WHY},
        "decide": {"table": table.pk, "reason": WHY},
        "void": {"table": table.pk, "reason": WHY},
    }
    for person in (olga, ann, zoe):
        browser, program = browser_of(person), Program(person)
        for deed, more in deeds.items():
            with transaction.atomic():
                form = {"deed": deed} | {name: str(value) for name, value in more.items()}
                posted = browser.post(f"/tournaments/{tournament.pk}/manage/", form)
                transaction.set_rollback(True)
            with transaction.atomic():
                answer = program.post(f"/tournaments/{tournament.pk}/manage", {"deed": deed} | more)
                transaction.set_rollback(True)
            about = (person.username, deed, posted.status_code, answer.content[:200])
            assert (posted.status_code in (200, 302)) == (answer.status_code < 300), about
            assert answer.status_code < 300 or posted.status_code == answer.status_code, about
    for wrong in ({"deed": "extend"}, {"deed": "extend", "days": 99, "reason": WHY}, {"deed": "take-out"}):
        problem(Program(olga).post(f"/tournaments/{tournament.pk}/manage", wrong), 400, "invalid")


def test_a_moderators_program_corrects_nothing(settings) -> None:
    olga = organiser()
    tournament, program = begun(olga, people(2)), Program(moderator())
    act = {"deed": "extend", "days": 1, "reason": WHY}
    assert program.get(f"/tournaments/{tournament.pk}").json()["deeds"] == []
    problem(program.post(f"/tournaments/{tournament.pk}/manage", act), 403, "organisers_only")
    problem(program.post(f"/tournaments/{tournament.pk}/manage", {"deed": "stop"}), 422, "invalid_request")
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"correction": "1/h/user"}
    browser_of(olga).post(f"/tournaments/{tournament.pk}/manage/", {name: str(value) for name, value in act.items()})
    problem(Program(olga).post(f"/tournaments/{tournament.pk}/manage", act), 429, "too_often")


def test_organised_to_its_end() -> None:
    olga = organiser()
    program = Program(olga)
    key, cup = {"Idempotency-Key": "cup-1"}, body(seats=2, least=2, rounds=1)
    answers = [program.post("/tournaments", cup, **key) for _time in range(2)]
    assert [one.status_code for one in answers] == [201, 201], answers[0].content
    assert Tournament.objects.count() == 1
    number, told = answers[0].json()["id"], answers[0].json()
    assert (told["deeds"], told["rounds"], told["rated"]) == (["begin", "cancel"], 1, True)
    tournament, players = Tournament.objects.get(), people(3)
    entered(tournament, players)
    assert program.post(f"/tournaments/{number}/manage", {"deed": "begin"}).json()["state"] == "running"
    tasks.tend()
    problem(program.get(f"/tournaments/{number}/record"), 409, "not_over")
    zoe = member("zoe")
    asked = {"deed": "replace", "number": 1, "by": "zoe", "reason": WHY}
    assert program.post(f"/tournaments/{number}/manage", asked).status_code == 200
    other = Program(zoe)
    assert [one["tournament"] for one in other.get("/me/places").json()["items"]] == [number]
    assert other.get(f"/tournaments/{number}").json()["offer"]["reason"] == WHY
    assert Program(players[0]).get(f"/tournaments/{number}").json()["offer"] is None
    problem(Program(players[0]).post(f"/tournaments/{number}/place", {"accepts": True}), 409, "no_offer")
    assert other.post(f"/tournaments/{number}/place", {"accepts": False}).status_code == 204
    assert other.get("/me/places").json()["items"] == []
    tables = program.get(f"/tournaments/{number}/tables?round=1").json()["items"]
    assert program.get(f"/tournaments/{number}/tables?round=2").json()["items"] == []
    table = next(one for one in tables if one["state"] == "running")
    for one in running_tables(now(tournament)):
        end_table(one)
    tasks.tend()
    over = program.get(f"/tournaments/{number}").json()
    assert (over["state"], over["deeds"]) == ("over", [])
    found = program.get(f"/tournaments/{number}/record").json()["record"]
    assert found["tournament"] == number and found["seed"]
    assert table["id"] > 0
