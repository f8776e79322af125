"""Who may do what by the API is who may do it on pages: each person tries both, at matches of each kind."""

import json

import pytest
from django.db import transaction

from accounts.models import Block, User
from games.models import Match
from games.moderation.models import moderators
from tests.api.calling import Program
from tests.clubs.arranged_for_play import club_of
from tests.factories import browser_of, member, opened, seated

pytestmark = pytest.mark.django_db
ROLES = ("player", "opponent", "watcher", "blocked", "stranger", "moderator")
READS = {  # what the API calls a page
    "": "",
    "/log": "log/",
    "/record": "record.json",
    "/replay?step=0": "replay/0/",
    "/chat": "chat/",
}
DEEDS = {  # the API's address: the page's, what is sent by each
    "join": ("join/", {}, {}),
    "leave": ("leave/", {}, {}),
    "here": ("here/", {}, {}),
    "start": ("start/", {"level": "easy"}, {"level": "easy"}),
    "decline": ("decline/", {}, {}),
    "resign": ("resign/", {}, {}),
    "dice": ("dice/", {"nonce": "late"}, {"nonce": "late"}),
    "undo": ("undo/", {"turn": 1}, {"turn": "1"}),
    "return": ("return/", {}, {}),
    "substitute": ("substitute/", {}, {}),
    "call-off": ("call-off/", {"wish": True}, {"wish": "1"}),
    "pause": ("pause/", {"wish": True}, {"wish": "1"}),
    "chat": ("chat/say/", {"text": "hello"}, {"text": "hello"}),
    "chat/read": ("chat/read/", {"line": 1}, {"line": "1"}),
    "rematch": ("rematch/", {}, {}),
    "PUT notes": ("notes/", {"notes": "x"}, {"notes": "x"}),
    "PUT orders": ("orders/", {"orders": {"pass_always": True}}, {"pass_always": "1"}),
    "PUT notices": ("notices/", {"notices": "none"}, {"notices": "none"}),
    "invite": ("invite/", {"names": ["zoe"]}, {"name": "zoe"}),
    "moves": (
        "move/",
        {"ask": 1, "key": "k", "move": {"type": "x"}},
        {"ask": "1", "key": "k", "move": '{"type": "x"}'},
    ),
}


@pytest.fixture
def people(ann: User, bob: User) -> dict[str, User]:
    watcher, blocked, stranger, mo = (member(name) for name in ("watcher", "blocked", "stranger", "mo"))
    member("zoe")
    Block.objects.create(blocker=ann, blocked=blocked)
    User.objects.filter(pk=mo.pk).update(is_staff=True)
    mo.groups.add(moderators())
    return dict(zip(ROLES, (ann, bob, watcher, blocked, stranger, User.objects.get(pk=mo.pk)), strict=True))


def match_of(kind: str, people: dict[str, User]) -> Match:
    ann, bob, watcher = (people[name] for name in ("player", "opponent", "watcher"))
    if kind == "open":
        return opened(ann)
    if kind == "by link":
        return opened(ann, access=Match.Access.LINK)
    if kind == "private":
        return seated(ann, bob, access=Match.Access.LINK)
    if kind == "club":
        return seated(ann, bob, access=Match.Access.CLUB, club=club_of(ann, bob, watcher))
    return seated(ann, bob)


KINDS = ("public", "private", "club", "open", "by link")


@pytest.mark.thin(2)
@pytest.mark.parametrize("kind", KINDS)
def test_reads(people: dict[str, User], kind: str) -> None:
    match = match_of(kind, people)
    for role, person in people.items():
        browser, program = browser_of(person), Program(person)
        for address, page in READS.items():
            shown = browser.get(f"/matches/{match.pk}/{page}").status_code == 200
            told = program.get(f"/matches/{match.pk}{address}").status_code == 200
            assert shown == told, (kind, role, address, shown, told)


@pytest.mark.thin(2)
@pytest.mark.parametrize("kind", KINDS)
def test_deeds(people: dict[str, User], kind: str) -> None:
    match = match_of(kind, people)
    for role, person in people.items():
        browser, program = browser_of(person), Program(person)
        for name, (page, body, form) in DEEDS.items():
            method, _space, address = name.rpartition(" ")
            with transaction.atomic():
                posted = browser.post(f"/matches/{match.pk}/{page}", form)
                transaction.set_rollback(True)
            with transaction.atomic():
                answer = program.call(method or "POST", f"/matches/{match.pk}/{address}", json.dumps(body))
                transaction.set_rollback(True)
            done = posted.status_code in (200, 302) and "/accounts/" not in posted.headers.get("Location", "")
            assert done == (answer.status_code < 300), (kind, role, name, posted.status_code, answer.content[:200])
            if not done:
                assert posted.status_code == answer.status_code, (kind, role, name, answer.content[:200])
