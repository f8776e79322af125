"""Every kind of junk in every field and address: never a crash, always a sentence."""

import json
from collections.abc import Sequence
from itertools import product
from time import process_time

import pytest
from django.http import QueryDict
from django.urls import reverse

from games.forms.play import read_move
from games.models import Match
from tests import FULL
from tests.factories import asked, browser_of, fresh, opened, seated
from tests.games.play.addresses import OF_A_MATCH, POSTS, ROLL, address, assert_told


@pytest.mark.parametrize("number", ["0", "9" * 18, "9" * 19, "9" * 30, "9" * 5000])
def test_numbers_without_end(client, ann, number):
    for rest in ("", "table/", "log/", "record.json", f"replay/{number}/", "replay/1/"):
        assert browser_of(ann).get(f"/matches/{number}/{rest}").status_code == 404
        assert client.get(f"/matches/{number}/{rest}").status_code == (302 if len(number) < 5000 else 404)  # to log-in


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    "query",
    [
        "have=x",
        "have=-1",
        "have=9999999999999999",
        "since=%00",
        "since=999999999",
        "since=-5",
        "have=" + "9" * 5000,
    ],
)
def test_junk_asked_of_the_fragment(matches, ann, query):
    for person in (ann, None):
        response = browser_of(person).get(f"{address('table', matches['running'])}?{query}")
        assert response.status_code == 200


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    "query",
    [
        "game=chess",
        "game=%00",
        "page=x",
        "page=0",
        "page=" + "9" * 5000,
        "after=" + "9" * 5000,
        "after=%00",
        "fragment=1",
    ],
)
def test_junk_asked_of_the_lists(matches, ann, query):
    browser = browser_of(ann)
    for name in ("home", "lobby", "my-matches", "next-match"):
        assert browser.get(f"{reverse(name)}?{query}").status_code in (200, 302), name
    assert browser.get(f"{reverse('new-match')}?{query}").status_code in (200, 404)


JUNK = [
    "",
    " ",
    "null",
    "[]",
    "x" * 100_000,
    "\0",
    "a\0b",
    "\ufffd",
    "\\ud800",
    '"\\ud800"',
    '{"type": "\\ud800"}',
    '{"type": "score", "cell": "\\ud800"}',
    '{"type": "score", "cell": "\\u0000"}',
    '{"type": ["roll"]}',
    '{"type": "roll", "dice": [1e400]}',
    '{"type": "roll", "dice": NaN}',
    '{"type": "roll", "dice": ' + "9" * 5000 + "}",
    '{"type": "roll", "dice": ' + "9" * 4000 + "}",
    "[" * 100_000,
    '{"type": "roll", "dice": ' + "[" * 500 + "]" * 500 + "}",
    "-1",
    "1.5",
    "9" * 30,
    "９",
    "true",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "'; DROP TABLE games_match; --",
    "%s %(x)s {} {0}",
]


SHARES = 1 if FULL else 8  # a field gets one piece of junk in eight, its neighbour the next; in `make proof` all


def junk_for(field: object, fields: Sequence[object]) -> list[str]:
    """Return the junk that this field gets."""
    place = fields.index(field)
    return [junk for number, junk in enumerate(JUNK) if (number + place) % SHARES == 0]


OF_A_MOVE = ["ask", "key", "move", "since", "roll.ints.dice", "roll.int.dice", "roll.of.dice", "roll.but.dice"]


@pytest.mark.thin(2)
@pytest.mark.parametrize("field", OF_A_MOVE)
def test_junk_posted_as_a_move(ann, bob, field):
    match = seated(ann, bob)
    mover = asked(match)
    browser = browser_of(mover.user)
    for junk in JUNK if field == "move" else junk_for(field, OF_A_MOVE):
        post = {"ask": mover.ask, "key": "key-1", "move": ROLL, field: junk}
        for headers in ({}, {"X-Live": "1"}):
            response = browser.post(address("move", match), post, headers=headers)
            status = response.status_code
            if status in (200, 302):  # what was changed was none of the move's business
                assert field in ("since", "roll.but.dice", "key") or junk in ("", " "), (field, junk[:40])
                match = seated(ann, bob)
                mover = asked(match)
                browser = browser_of(mover.user)
                post["ask"] = mover.ask
                continue
            assert status in (400, 409), (field, junk[:40], status)
            assert fresh(match).turns == 0
            assert_told(response, live=bool(headers))


READ = [
    ("notes", "notes"),
    ("join", "nonce"),
    ("join", "token"),
    ("rematch", "nonce"),
    ("start", "level"),
    ("invite", "name"),
    ("call-off", "wish"),
    ("orders", "pass_always"),
    ("orders", "privileges"),
    ("orders", "use_privileges"),
]


@pytest.mark.thin(3)
@pytest.mark.parametrize(("name", "field"), READ)
def test_junk_posted_to_everything_else(ann, bob, name, field):
    running, waiting_table = seated(ann, bob, bots=["easy"]), opened(ann)
    browser = browser_of(ann)
    for junk in junk_for((name, field), READ):
        data = {"use_privileges": "1"} | {field: junk}
        for match in (running, waiting_table):
            status = browser.post(address(name, match), data).status_code
            assert status in (302, 400, 403, 409), (name, field, junk[:40], status)


OF_A_TABLE = ["size", "access", "invited", "nonce", "game", "option_scratch", "bot_1", "bot_2"]


@pytest.mark.parametrize("field", OF_A_TABLE)
def test_junk_posted_as_a_new_table(ann, field):
    browser = browser_of(ann)
    good = {"game": "yum-extra", "size": "3", "access": "open", "option_scratch": "forced"}
    for junk in junk_for(field, OF_A_TABLE):
        response = browser.post(reverse("new-match"), good | {field: junk})
        if response.status_code == 302:
            assert field == "nonce" or junk.strip() == "", (field, junk[:40])
            Match.objects.all().delete()
        else:
            assert response.status_code in (400, 404), (field, junk[:40])
    assert not Match.objects.exists()


BODIES = [
    ("application/json", json.dumps({"ask": 1, "key": "k", "move": {"type": "roll"}})),
    ("application/json", "{"),
    ("text/plain", "ask=1"),
    ("multipart/form-data", "no boundary"),
    ("multipart/form-data; boundary=x", "--x\r\nbroken"),
    ("application/x-www-form-urlencoded; charset=nonsense", "ask=1"),
    (
        "application/x-www-form-urlencoded",
        b"ask=\xff\xfe&move=%ED%A0%80&key=%00&notes=%ED%A0%80&name=%FF",
    ),
    ("application/x-www-form-urlencoded", "a=1&" * 2000),
    ("application/x-www-form-urlencoded", "move=" + "x" * 3_000_000),
]
POSTED = sorted(OF_A_MATCH & POSTS)
IN_TURN = [pair for pair in product(range(len(POSTED)), range(len(BODIES))) if FULL or sum(pair) % 3 == 0]


@pytest.mark.thin(17)
@pytest.mark.parametrize(("name", "content_type", "body"), [(POSTED[one], *BODIES[other]) for one, other in IN_TURN])
def test_bodies_of_every_kind(ann, bob, name, content_type, body):
    match = opened(ann) if name in ("join", "leave", "start", "invite", "decline") else seated(ann, bob)
    response = browser_of(ann).generic("POST", address(name, match), body, content_type)
    assert response.status_code in (302, 400, 403, 404, 409, 413), response.status_code
    if name == "move":
        assert response.status_code in (400, 409)
        assert fresh(match).turns == 0


def test_a_long_list_of_dice_costs_by_its_length_alone():
    """As large as a form may be; each of fifty thousand was compared with a thousand that were taken out."""
    post = QueryDict(mutable=True)
    post.update({"ask": "1", "key": "k", "move": '{"type":"roll"}', "roll.of.dice": "7 " * 50_000})
    post.setlist("roll.but.dice", [str(number) for number in range(100, 1100)])
    began = process_time()
    assert len(read_move(post).move["dice"]) == 50_000
    assert process_time() - began < 0.25
