"""Clubs by programs: who may do what is who may do it on pages, and what is hidden stays so."""

import json

import pytest
from django.db import transaction

from accounts.models import Block, User
from config.lib import rate_limits
from games.clubs.services import joining, roles
from games.models import Club, Membership
from tests.api.calling import Program, problem
from tests.clubs.arranged import INVITATION, OPEN, REQUEST, made, now, said, state
from tests.factories import browser_of, member

pytestmark = pytest.mark.django_db
ROLES = ("owner", "organiser", "member", "asker", "guest", "outcast", "blocked", "stranger")
READS = {"": "", "/chat": "chat/"}
DEEDS = {  # of the API: of the page, what is sent by each; {name} is a role, {id} their number
    "join": ("join/", {}, {}),
    "withdraw": ("withdraw/", {}, {}),
    "leave": ("leave/", {}, {}),
    "dissolve": ("dissolve/", {}, {}),
    "link": ("link/", {}, {}),
    "PATCH": ("edit/", {"words": "New."}, {"words": "New.", "name": "Dice at Dawn", "access": "@"}),
    "invite": ("invite/", {"name": "zoe"}, {"name": "zoe"}),
    "chat": ("chat/say/", {"text": "hello"}, {"text": "hello"}),
    "chat/read": ("chat/read/", {"line": 1}, {"line": "1"}),
    "chat/mute": ("chat/mute/", {"line": "@line", "mute": True}, {"mute": "@line"}),
}
ABOUT = (
    ("let-in", "asker"),
    ("refuse", "asker"),
    ("take-back", "guest"),
    ("remove", "member"),
    ("remove", "organiser"),
    ("let-back", "outcast"),
    ("organiser", "member"),
    ("no-organiser", "organiser"),
    ("hand-over", "member"),
    ("remove", "stranger"),
)


@pytest.fixture
def people() -> dict[str, User]:
    member("zoe")
    return {name: member(name) for name in ROLES}


def club_in(access: str, people: dict[str, User]) -> Club:
    """Return a club in which each has their role."""
    owner = people["owner"]
    club = made(owner, people["organiser"], people["member"], people["outcast"], access=REQUEST)
    about = {"club_id": club.pk, "user": owner}
    roles.make_organiser(**about, member_id=people["organiser"].pk, wish=True)
    roles.remove(**about, member_id=people["outcast"].pk)
    joining.invite(**about, name="guest")
    Club.objects.update(access=access)
    Membership.objects.create(club=club, user=people["asker"], state="asked")
    Block.objects.create(blocker=owner, blocked=people["blocked"])
    return now(club)


@pytest.mark.parametrize("access", [OPEN, INVITATION])
def test_the_same_doors(people: dict[str, User], access: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "allows_reader", lambda *args: True)  # both do it
    club = club_in(access, people)
    line = str(said(club, people["owner"]).pk)
    tries = [(name, page, body, form) for name, (page, body, form) in DEEDS.items()]
    tries += [
        ("people", "people/", {"deed": deed, "name": who}, {"deed": deed, "person": str(people[who].pk)})
        for deed, who in ABOUT
    ]
    for role, person in people.items():
        browser, program = browser_of(person), Program(person)
        for address, page in READS.items():
            shown = browser.get(f"/clubs/{club.pk}/{page}").status_code
            assert program.get(f"/clubs/{club.pk}{address}").status_code == shown, (access, role, address)
        for name, page, body, form in tries:
            text = json.dumps(body).replace('"@line"', line)
            sent = {key: value.replace("@line", line).replace("@", access) for key, value in form.items()}
            with transaction.atomic():
                posted = browser.post(f"/clubs/{club.pk}/{page}", sent)
                transaction.set_rollback(True)
            with transaction.atomic():
                address = f"/clubs/{club.pk}" if name == "PATCH" else f"/clubs/{club.pk}/{name}"
                answer = program.call("PATCH" if name == "PATCH" else "POST", address, text)
                transaction.set_rollback(True)
            done = posted.status_code in (200, 302)
            about = (access, role, name, body, posted.status_code, answer.content[:200])
            assert done == (answer.status_code < 300), about
            assert done or posted.status_code == answer.status_code, about


def test_nothing_of_a_hidden_club(people: dict[str, User], settings) -> None:
    club = club_in(INVITATION, people)
    said(club, people["owner"], "the secret is plums")
    for role in ("outcast", "blocked", "stranger", "asker"):
        program = Program(people[role])
        nowhere = program.get(f"/clubs/{club.pk + 1}").content
        for address in ("", "/chat", "/people", "/people?state=out"):
            assert program.get(f"/clubs/{club.pk}{address}").content == nowhere, (role, address)
        assert program.get("/clubs").json()["items"] == []
    guest = Program(people["guest"])
    assert guest.get("/me/clubs/waiting").json()["items"][0]["me"] == "invited"
    assert guest.get(f"/clubs/{club.pk}").json()["link"] == ""
    assert guest.get(f"/clubs/{club.pk}/chat").status_code == 404
    problem(Program(people["member"]).get(f"/clubs/{club.pk}/people"), 403, "organisers_only")
    plain = Program(people["member"]).get(f"/clubs/{club.pk}").json()
    assert (plain["link"], plain["role"], plain["talk"]) == ("", "member", True)
    assert club.token in Program(people["organiser"]).get(f"/clubs/{club.pk}").json()["link"]


def test_a_bot_manages_nothing(people: dict[str, User]) -> None:
    club = club_in(OPEN, people)
    bot = Program(User.objects.create_user("Robo-bot", "", None, owner=people["owner"]), ["bot", "message"])
    assert bot.get(f"/clubs/{club.pk}").status_code == 200
    for address, body in (("/clubs", {"name": "Robots"}), (f"/club-links/{club.token}/join", {})):
        problem(bot.post(address, body), 403, "bots_cannot")
    for act in ("join", "leave", "dissolve", "link"):
        problem(bot.post(f"/clubs/{club.pk}/{act}"), 403, "bots_cannot")


def test_limits_are_those_of_the_pages(people: dict[str, User], settings) -> None:
    club, owner = club_in(OPEN, people), people["owner"]
    program, browser = Program(owner), browser_of(owner)
    acts = {
        "manage_club": [("link", {}), ("people", {"deed": "refuse", "name": "asker"})],
        "invite": [("invite", {"name": "zoe"})],
        "chat": [("chat", {"text": "hello"})],
    }
    usual = settings.ACCOUNT_RATE_LIMITS
    for act, doors in acts.items():
        settings.ACCOUNT_RATE_LIMITS = usual | {act: "1/h/user"}
        page = {"manage_club": "link/", "invite": "invite/", "chat": "chat/say/"}[act]
        browser.post(f"/clubs/{club.pk}/{page}", {"name": "stranger", "text": "hello"})
        for door, body in doors:
            problem(program.post(f"/clubs/{club.pk}/{door}", body), 429, "too_often")
    settings.ACCOUNT_RATE_LIMITS = usual | {"club": "1/h/user", "invite_again": "1/h/key", "join_club": "1/h/user"}
    assert program.post("/clubs", {"name": "Second"}).status_code == 201
    problem(program.post("/clubs", {"name": "Third"}), 429, "too_often")
    stranger = Program(people["stranger"])
    assert stranger.post(f"/club-links/{now(club).token}/join").status_code == 200
    problem(stranger.post(f"/clubs/{club.pk}/join"), 429, "too_often")


def test_a_club_by_programs_alone(ann: User, bob: User, cem: User) -> None:
    first, second, third = Program(ann), Program(bob), Program(cem)
    problem(first.post("/clubs", {"name": "x"}), 400, "invalid")
    key = {"Idempotency-Key": "found-1"}
    made_ = [first.post("/clubs", {"name": "Dice at Dawn", "access": "request"}, **key) for _time in range(2)]
    assert [one.status_code for one in made_] == [201, 201] and Club.objects.count() == 1
    number = made_[0].json()["id"]
    problem(second.post("/clubs", {"name": "dice at DAWN"}), 400, "invalid")
    assert second.post(f"/clubs/{number}/join").json()["me"] == "asked"
    assert second.get("/me/clubs/waiting").json()["items"][0]["me"] == "asked"
    assert [one["name"] for one in first.get(f"/clubs/{number}/people").json()["items"]] == ["bob"]
    about = {"deed": "let-in", "name": "bob"}
    assert first.post(f"/clubs/{number}/people", about).json()["size"] == 2
    problem(first.post(f"/clubs/{number}/people", about), 409, "not_there")
    first.post(f"/clubs/{number}/invite", {"name": "cem"})
    assert [one["name"] for one in first.get(f"/clubs/{number}/people?state=invited").json()["items"]] == ["cem"]
    assert third.post(f"/clubs/{number}/join").json()["me"] == "in"
    assert first.post(f"/clubs/{number}/people", {"deed": "organiser", "name": "bob"}).status_code == 200
    assert second.call("PATCH", f"/clubs/{number}", json.dumps({"words": "We roll."})).json()["words"] == "We roll."
    problem(second.call("PATCH", f"/clubs/{number}", json.dumps({"name": "Bobs"})), 403, "owner_only")
    assert first.call("PATCH", f"/clubs/{number}", json.dumps({"name": "Dawn"})).json()["name"] == "Dawn"
    link = first.get(f"/clubs/{number}").json()["link"]
    assert first.post(f"/clubs/{number}/link").json()["link"] != link
    line = first.post(f"/clubs/{number}/chat", {"text": "hello @cem"})
    assert (line.status_code, line.json()["channel"]) == (201, "club")
    assert third.get(f"/clubs/{number}").json()["talk"]
    heard = third.get(f"/clubs/{number}/chat").json()["items"][0]
    assert (heard["text"], heard["for_me"], heard["new"]) == ("hello @cem", True, True)
    third.post(f"/clubs/{number}/chat/read", {"line": heard["id"]})
    assert not third.get(f"/clubs/{number}").json()["talk"]
    assert third.post(f"/clubs/{number}/chat/mute", {"line": heard["id"], "mute": True}).status_code == 204
    assert third.get(f"/clubs/{number}/chat").json()["items"][0]["text"] == ""
    assert third.post(f"/clubs/{number}/leave").status_code == 204
    assert first.post(f"/clubs/{number}/people", {"deed": "hand-over", "name": "bob"}).json()["role"] == "organiser"
    assert state(now(Club.objects.get()), bob) == "in owner"
    assert second.post(f"/clubs/{number}/dissolve").status_code == 204
    assert not Club.objects.exists()
