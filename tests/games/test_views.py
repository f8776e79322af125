"""Every address, every method, every kind of person, every kind of junk: never a crash, always a sentence."""

import json
import re
from datetime import timedelta
from random import Random

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from config import clock
from games.clocks import to_ms
from games.models import Heartbeat, Match, Seat
from games.services import lobby, play
from games.urls import urlpatterns
from tests.games.conftest import browser_of
from tests.games.playing import (
    asked,
    fresh,
    opened,
    play_on,
    played_on,
    random_move,
    seat,
    seated,
    snapshot,
    submit,
    waiting,
)

pytestmark = pytest.mark.both

METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace")
POSTS = {
    "quick-match",
    "move",
    "join",
    "leave",
    "start",
    "invite",
    "decline",
    "resign",
    "call-off",
    "pause",
    "rematch",
    "notes",
    "orders",
    "say",
    "mute",
    "read-calls",
    "hear",
    "operation-again",
}
BOTH = {
    "new-match",
    "mail-settings",
    "mails-off",
    "operation-give-time-to-all",
    "operation-give-time",
    "operation-release",
    "operation-undo",
}
OF_A_MATCH = {path.name for path in urlpatterns if str(path.pattern).startswith("matches/<int:match_id>")}
ROLL = '{"type": "roll"}'


def address(name: str, match: Match | int, token: str = "none") -> str:
    number = match if isinstance(match, int) else match.pk
    arguments = {
        "join-link": [token],
        "colours": ["x"],
        "game": ["yum-extra"],
        "mails-off": [token],
        "operation-again": [number],
        "operation-release": [1],
        "operation-undo": [1],
        "quick-match": ["yum-extra"],
        "profile": ["ann"],
        "hear": ["ann"],
        "statistics": ["yum-extra"],
        "replay": [number, 0],
    }
    return reverse(name, args=arguments.get(name, [number] if name in OF_A_MATCH else []))


def sentence(response) -> str:
    """The words of the page's answer, tags left out."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", response.content.decode()))


@pytest.fixture
def matches(ann, bob) -> dict[str, Match]:
    """A match of every kind, Ann and Bob in each."""
    tables = {
        "open": opened(ann, size=3),
        "by invitation": opened(ann, size=3, access="invitation", invited=[bob]),
        "by link": opened(ann, size=3, access="link"),
        "running": play_on(seated(ann, bob), Random(51), turns=9),
        "private": play_on(seated(ann, bob, access="link"), Random(52), turns=9),
        "with bots": seated(ann, bob, bots=["easy", "strong"]),
        "ended": played_on(seated(ann, bob), Random(53)),
        "resigned": seated(ann, bob),
        "called off": seated(ann, bob),
        "closed": opened(ann),
        "one left": seated(ann, bob, bots=["easy"]),
    }
    play.resign(match_id=tables["resigned"].pk, user=bob)
    play.resign(match_id=tables["one left"].pk, user=bob)
    for person in (ann, bob):
        play.wish_call_off(match_id=tables["called off"].pk, user=person, wish=True)
    lobby.leave(match_id=tables["closed"].pk, user=ann)
    return {kind: fresh(match) for kind, match in tables.items()}


@pytest.fixture
def everybody(ann, bob, cem, eve, gus):
    ann.is_superuser = ann.is_staff = False
    return {"ann": ann, "bob": bob, "cem": cem, "gus": gus, "visitor": None}


def test_every_address_is_known_to_this_file():
    assert {path.name for path in urlpatterns} >= POSTS | BOTH


@pytest.mark.parametrize("name", [path.name for path in urlpatterns])
def test_every_method_for_everybody(matches, everybody, name):
    allowed = {"post"} if name in POSTS else {"get", "head"} | ({"post"} if name in BOTH else set())
    match = matches["running"]
    for who, person in everybody.items():
        browser = browser_of(person)
        for method in METHODS:
            status = getattr(browser, method)(address(name, match, match.token)).status_code
            case = f"{method} {name}, {who}: {status}"
            if method not in allowed:  # not there, unless the way leads to log-in first
                assert status in (302, 405), case
            elif method != "post":
                assert status in (200, 302, 404, 409), case


@pytest.mark.parametrize("name", sorted({path.name for path in urlpatterns} - POSTS))
def test_every_page_for_everybody_and_none_writes(matches, everybody, name):
    browsers = {who: browser_of(person) for who, person in everybody.items()}
    kinds = matches if name in OF_A_MATCH else {"any": matches["running"]}
    before = snapshot()
    for kind, match in kinds.items():
        for who, browser in browsers.items():
            status = browser.get(address(name, match, match.token)).status_code
            assert status in (200, 302, 404, 409), (name, kind, who, status)
    assert snapshot() == before


@pytest.mark.parametrize("name", sorted(POSTS | BOTH))
def test_an_empty_post_by_everybody(matches, everybody, name):
    kinds = matches if name in OF_A_MATCH else {"any": matches["running"]}
    browsers = {who: browser_of(person) for who, person in everybody.items()}
    for kind, match in kinds.items():
        for who, browser in browsers.items():
            response = browser.post(address(name, match, match.token))
            case = f"{name}, {kind}, {who}: {response.status_code}"
            assert response.status_code in (302, 400, 403, 404, 409, 429), case
            if response.status_code == 302:
                assert "//" not in response["Location"].replace("http://testserver", ""), case


@pytest.mark.parametrize("name", sorted(OF_A_MATCH - POSTS))
def test_a_private_match_is_not_there_for_strangers(matches, eve, name, client):
    for kind in ("private", "by invitation", "by link"):
        for browser in (client, browser_of(eve)):
            assert browser.get(address(name, matches[kind])).status_code == 404, kind
            assert browser.get(address(name, 10**6)).status_code == 404


@pytest.mark.parametrize("name", sorted(OF_A_MATCH & POSTS))
def test_nor_is_there_anything_to_post_to(matches, eve, name):
    before = snapshot()
    data = {"ask": 1, "key": "k", "move": ROLL, "notes": "x", "name": "cem", "wish": "1"}
    for number in (matches["private"].pk, matches["by invitation"].pk, 10**6, 10**18, 10**30):
        assert browser_of(eve).post(address(name, number), data).status_code == 404, number
    after = snapshot()
    for label in before:
        if label.startswith("games."):
            assert after[label] == before[label]


@pytest.mark.parametrize("number", ["0", "9" * 18, "9" * 19, "9" * 30, "9" * 5000])
def test_numbers_without_end(client, ann, number):
    for browser in (client, browser_of(ann)):
        for rest in ("", "table/", "log/", "record.json", f"replay/{number}/", "replay/1/"):
            assert browser.get(f"/matches/{number}/{rest}").status_code == 404


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


@pytest.mark.parametrize(
    "field",
    ["ask", "key", "move", "since", "roll.ints.dice", "roll.int.dice", "roll.of.dice", "roll.but.dice"],
)
def test_junk_posted_as_a_move(ann, bob, field):
    match = seated(ann, bob)
    mover = asked(match)
    browser = browser_of(mover.user)
    for junk in JUNK:
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


def assert_told(response, *, live: bool) -> None:
    """The answer shows the table with a sentence: alone for a script, else within a whole page."""
    text = response.content.decode()
    assert ("<html" in text) is not live
    assert 'id="table"' in text
    assert re.search(r"[A-Z’][^.<>]{10,}\.", sentence(response))


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


@pytest.mark.parametrize(("name", "field"), READ)
def test_junk_posted_to_everything_else(ann, bob, name, field):
    running, waiting_table = seated(ann, bob, bots=["easy"]), opened(ann)
    browser = browser_of(ann)
    for junk in JUNK:
        data = {"use_privileges": "1"} | {field: junk}
        for match in (running, waiting_table):
            status = browser.post(address(name, match), data).status_code
            assert status in (302, 400, 403, 409), (name, field, junk[:40], status)


@pytest.mark.parametrize(
    "field", ["size", "access", "invited", "nonce", "game", "option_scratch", "bot_1", "bot_2"]
)
def test_junk_posted_as_a_new_table(ann, field):
    browser = browser_of(ann)
    good = {"game": "yum-extra", "size": "3", "access": "open", "option_scratch": "forced"}
    for junk in JUNK:
        response = browser.post(reverse("new-match"), good | {field: junk})
        if response.status_code == 302:
            assert field == "nonce" or junk.strip() == "", (field, junk[:40])
            Match.objects.all().delete()
        else:
            assert response.status_code in (400, 404), (field, junk[:40])
    assert not Match.objects.exists()


@pytest.mark.parametrize("name", sorted(OF_A_MATCH & POSTS))
@pytest.mark.parametrize(
    ("content_type", "body"),
    [
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
    ],
)
def test_bodies_of_every_kind(ann, bob, name, content_type, body):
    match = opened(ann) if name in ("join", "leave", "start", "invite", "decline") else seated(ann, bob)
    response = browser_of(ann).generic("POST", address(name, match), body, content_type)
    assert response.status_code in (302, 400, 403, 404, 409, 413), response.status_code
    if name == "move":
        assert response.status_code in (400, 409)
        assert fresh(match).turns == 0


def test_a_visitor_is_led_to_log_in_and_back_to_the_match(matches, client):
    for name in sorted((OF_A_MATCH & POSTS) - {"move"}):
        match = matches["running"]
        response = client.post(address(name, match))
        assert response["Location"] == f"/accounts/login/?next=/matches/{match.pk}/", name
    link = matches["by link"]
    response = client.post(address("join", link), {"token": link.token})
    assert response["Location"] == f"/accounts/login/?next=/join/{link.token}/"


def test_a_guest_is_led_to_sign_up(matches, gus):
    match = matches["open"]
    response = browser_of(gus).post(address("join", match), {"next": "/matches/1/?a=1&b=2"})
    assert response["Location"] == "/accounts/signup/?next=%2Fmatches%2F1%2F%3Fa%3D1%26b%3D2"
    assert "Guests play against bots" in str(next(iter(get_messages(response.wsgi_request))))


def test_a_refusal_is_told_on_the_page_of_the_match(matches, cem):
    match = matches["running"]
    page = browser_of(cem).post(address("move", match), {"ask": 1, "key": "k", "move": ROLL})
    assert page.status_code == 403
    assert "You have no seat in this match." in sentence(page)
    assert_told(page, live=False)
    page = browser_of(cem).post(address("join", match))
    assert page.status_code == 409
    assert "All seats are taken." in sentence(page)


def test_a_stale_question_brings_the_present_table(matches):
    match = matches["running"]
    mover = asked(match)
    post = {"ask": mover.ask - 1, "key": "k", "move": ROLL}
    browser = browser_of(mover.user)
    for live in (True, False):
        page = browser.post(address("move", match), post, headers={"X-Live": "1"} if live else {})
        assert page.status_code == 409
        assert_told(page, live=live)
        assert "The match has gone on" in sentence(page)
        assert f'name="ask" value="{mover.ask}"' in page.content.decode()


def test_a_move(ann, bob):
    match = seated(ann, bob)
    mover = asked(match)
    browser = browser_of(mover.user)
    response = browser.post(address("move", match), {"ask": mover.ask, "key": "one", "move": ROLL})
    assert (response.status_code, response["Location"]) == (302, f"/matches/{match.pk}/")
    page = browser.get(response["Location"])
    assert page.status_code == 200
    post = {"ask": asked(match).ask, "key": "two", "move": '{"type":"roll"}', "roll.ints.dice": ["0", "3"]}
    response = browser.post(address("move", match), post, headers={"X-Live": "1"})
    assert response.status_code == 200
    assert "<html" not in response.content.decode()
    assert response["Cache-Control"] == "no-store"
    assert match.log.get(number=2).move == {"type": "roll", "dice": [0, 3]}
    again = browser.post(address("move", match), post, headers={"X-Live": "1"})
    assert again.status_code == 200
    assert fresh(match).turns == 2


def test_the_dice_that_are_kept_are_not_rolled(ann, bob):
    """Without script the form says which dice to keep; the rest is rolled."""
    match = seated(ann, bob)
    mover = asked(match)
    submit(match, mover, {"type": "roll"})
    post = {"ask": asked(match).ask, "key": "two", "move": '{"type": "roll"}'}
    post |= {"roll.of.dice": "0 1 2 3 4", "roll.but.dice": ["1", "4"]}
    assert browser_of(mover.user).post(address("move", match), post).status_code == 302
    assert match.log.get(number=2).move == {"type": "roll", "dice": [0, 2, 3]}


def test_the_fragment_only_when_there_is_something_new(matches, ann):
    match = matches["running"]
    browser = browser_of(ann)
    assert browser.get(f"{address('table', match)}?have={match.version}").status_code == 204
    response = browser.get(f"{address('table', match)}?have={match.version - 1}&since=3")
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"


def test_watchers_in_two_zones_read_their_own_time(matches, cem, eve):
    cem.time_zone, eve.time_zone = "Asia/Tokyo", "America/New_York"
    cem.save()
    eve.save()
    match = matches["running"]
    tables = [browser_of(person).get(address("table", match)).content for person in (cem, eve, cem)]
    assert tables[0] == tables[2] != tables[1]


def test_a_link(matches, eve, client):
    match = matches["by link"]
    link = address("join-link", match, match.token)
    assert client.get(link).status_code == browser_of(eve).get(link).status_code == 200
    assert client.get(address("join-link", match, "wrong")).status_code == 404
    assert client.get("/join/%00/").status_code == 404
    assert browser_of(eve).post(address("join", match), {"token": "wrong"}).status_code == 404
    response = browser_of(eve).post(address("join", match), {"token": match.token})
    assert response["Location"] == f"/matches/{match.pk}/"
    assert browser_of(eve).get(link)["Location"] == f"/matches/{match.pk}/"


def test_a_link_of_another_kind_of_match_is_none(matches, client):
    for kind in ("open", "by invitation"):
        assert client.get(address("join-link", matches[kind], matches[kind].token)).status_code == 404


def test_who_comes_too_late_by_a_link_is_told_so(matches, eve):
    match = matches["private"]
    page = browser_of(eve).get(address("join-link", match, match.token))
    assert page.status_code == 409
    assert "This table is no longer open." in sentence(page)
    page = browser_of(eve).post(address("join", match), {"token": match.token})
    assert page.status_code == 409
    assert "All seats are taken." in sentence(page)


@pytest.mark.django_db
def test_a_visitor_plays_at_once(client):
    response = client.post(address("quick-match", 0), {"nonce": "from-the-browser"})
    match = Match.objects.get()
    assert response["Location"] == f"/matches/{match.pk}/"
    assert seat(match, 0).nonce == "from-the-browser"
    assert seat(match, 0).user.is_guest
    assert client.get(response["Location"]).status_code == 200
    assert client.get(reverse("home")).status_code == 200
    assert client.get(reverse("my-matches")).status_code == 200
    assert client.post("/games/chess/now/").status_code == 404


def test_a_new_table(ann, bob):
    data = {
        "game": "yum-extra",
        "size": "4",
        "access": "invitation",
        "option_scratch": "free",
        "invited": "BOB, bob ann",
        "bot_1": "",
        "bot_2": "easy",
        "bot_3": "strong",
    }
    response = browser_of(ann).post(reverse("new-match"), data)
    match = Match.objects.get()
    assert response["Location"] == f"/matches/{match.pk}/"
    assert (match.size, match.access, match.options) == (4, "invitation", {"scratch": "free"})
    assert [s.bot for s in match.seats.order_by("number")] == ["", "", "easy", "strong"]
    assert list(match.invitations.values_list("user", flat=True)) == [bob.pk]


def test_a_wrong_wish_is_told_in_the_form(ann):
    data = {
        "game": "yum-extra",
        "size": "3",
        "access": "open",
        "option_scratch": "forced",
        "invited": "nobody",
    }
    page = browser_of(ann).post(reverse("new-match"), data)
    assert page.status_code == 400
    assert "There is no member named nobody." in sentence(page)
    for _ in range(lobby.MOST_OPEN):
        opened(ann)
    page = browser_of(ann).post(reverse("new-match"), data | {"invited": ""})
    assert page.status_code == 409
    assert "many open tables" in sentence(page)


def test_the_way_through_the_lobby(ann, bob, cem):
    match = opened(ann, size=4)
    anns, bobs, cems = browser_of(ann), browser_of(bob), browser_of(cem)
    assert bobs.post(address("join", match), {"nonce": "bobs"})["Location"] == f"/matches/{match.pk}/"
    assert seat(match, 1).nonce == "bobs"
    assert bobs.post(address("leave", match))["Location"] == "/play/"
    assert anns.post(address("invite", match), {"name": "bob,cem"}).status_code == 302
    assert match.invitations.count() == 2
    assert cems.post(address("decline", match))["Location"] == "/matches/"
    assert match.invitations.count() == 1
    assert anns.post(address("invite", match), {"name": "nobody"}).status_code == 400
    assert bobs.post(address("start", match)).status_code == 403
    assert anns.post(address("start", match), {"level": "strong"}).status_code == 302
    assert fresh(match).status == Match.Status.RUNNING


def test_on_the_page_of_a_match(ann, bob):
    match = seated(ann, bob, bots=["easy"])
    anns, bobs = browser_of(ann), browser_of(bob)
    assert anns.post(address("notes", match), {"notes": "mine alone"}).status_code == 302
    assert "mine alone" in anns.get(address("match", match)).content.decode()
    assert "mine alone" not in bobs.get(address("match", match)).content.decode()
    assert anns.post(address("notes", match), {"notes": "x" * 10_001}).status_code == 400
    orders = {"pass_always": "on", "use_privileges": "1", "privileges": ["steal", "swap"]}
    assert anns.post(address("orders", match), orders).status_code == 302
    assert seat(match, 0).orders == {"pass_always": True, "privileges": ["steal", "swap"]}
    assert (
        anns.post(address("orders", match), {"use_privileges": "1", "privileges": "theft"}).status_code == 400
    )
    assert anns.post(address("call-off", match), {"wish": "1"}).status_code == 302
    assert seat(match, 0).wants_call_off
    assert anns.post(address("call-off", match), {"wish": "0"}).status_code == 302
    assert not seat(match, 0).wants_call_off
    assert bobs.post(address("resign", match)).status_code == 302
    assert seat(match, 1).left == 1
    assert anns.post(address("resign", match)).status_code == 302
    assert fresh(match).status == Match.Status.ENDED
    response = anns.post(address("rematch", match))
    assert response["Location"] == f"/matches/{Match.objects.get(rematch_of=match).pk}/"


def test_the_record_is_downloaded_after_the_end_alone(matches, client):
    response = client.get(address("record", matches["running"]))
    assert response.status_code == 409
    assert "when the match has ended" in sentence(response)
    response = client.get(address("record", matches["ended"]))
    assert response["Content-Type"] == "application/json"
    assert f"club-y-{matches['ended'].pk}.json" in response["Content-Disposition"]
    assert response.json()["seed"]
    assert client.get(address("record", matches["closed"])).status_code == 409


def test_the_next_match_that_waits(ann, bob, client):
    assert client.get(reverse("next-match"))["Location"] == "/matches/"
    browser = browser_of(ann)
    assert browser.get(reverse("next-match"))["Location"] == "/matches/"
    mine = []
    while len(mine) < 3:
        match = seated(ann, bob)
        mine += [match.pk] if asked(match).user == ann else []
    places = [f"/matches/{number}/" for number in mine]
    assert browser.get(reverse("next-match"))["Location"] == places[0]
    for here, there in ((0, 1), (1, 2), (2, 0)):
        assert browser.get(f"{reverse('next-match')}?after={mine[here]}")["Location"] == places[there]
    assert browser.get(f"{reverse('next-match')}?after=10000")["Location"] == places[0]


def test_my_matches_are_where_they_belong(matches, ann, bob):
    page = browser_of(bob).get(reverse("my-matches"))
    sections = page.context["sections"]
    turns = {
        match.pk for kind, match in matches.items() if match.seats.filter(user=bob, ask__isnull=False, bot="")
    }
    assert {line["id"] for line in sections["turn"]} == turns
    assert [line["id"] for line in sections["invited"]] == [matches["by invitation"].pk]
    assert matches["called off"].pk in {line["id"] for line in sections["ended"]}
    assert matches["one left"].pk in {line["id"] for line in sections["waiting"]}
    page = browser_of(ann).get(reverse("my-matches"))
    assert {line["id"] for line in page.context["sections"]["open"]} == {
        matches[kind].pk for kind in ("open", "by invitation", "by link")
    }


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_page_in_both_languages(matches, ann, language):
    ann.language = language
    ann.save()
    browser = browser_of(ann)
    members = {path.name for path in urlpatterns if not str(path.pattern).startswith("admin/")}
    for name in sorted(members - POSTS - {"record", "table", "next-match", "join-link", "colours"}):
        for match in matches.values():
            page = browser.get(address(name, match))
            assert page.status_code in (200, 404), name
            assert page["Content-Language"] == language
            if page.status_code == 200:
                assert f'<html lang="{language}"' in page.content.decode(), name


def test_a_whole_match_without_script(ann, bob):
    """Both play by plain forms, as read from their pages; the end is shown to both."""
    match = seated(ann, bob)
    browsers = {ann: browser_of(ann), bob: browser_of(bob)}
    rng = Random(54)
    while (mover := asked(match)) is not None:
        move = random_move(fresh(match), mover.number, rng)
        post = {"ask": mover.ask, "key": f"key-{mover.ask}", "move": json.dumps(move)}
        assert browsers[mover.user].post(address("move", match), post).status_code == 302
    for browser in browsers.values():
        assert browser.get(address("match", match)).status_code == 200
    assert waiting(match) is not None


def test_the_lobby_shows_what_may_be_watched(client, ann, bob, cem):
    seated(ann, bob)
    seated(ann, cem, access=Match.Access.LINK)
    page = client.get("/play/").content.decode()
    assert page.count("Being played now") == 1
    assert page.count('<time class="small quiet"') == 1


def test_time_left_is_told_to_whom_it_concerns(ann, bob, cem):
    match = seated(ann, bob)
    mover, other = asked(match), waiting(match)
    for person in (mover.user, other.user, cem):
        page = browser_of(person).get(address("match", match)).content.decode()
        assert f'data-deadline="{to_ms(mover.deadline)}"' in page
        assert ">3 days</span> left, until " in page
    assert browser_of(ann).post(address("pause", match), {"wish": "1"}).status_code == 302
    assert "would pause" in browser_of(bob).get(address("match", match)).content.decode()
    browser_of(bob).post(address("pause", match), {"wish": "1"})
    page = browser_of(cem).get(address("match", match)).content.decode()
    assert "data-deadline" not in page and "The clocks stand by agreement." in page
    browser_of(bob).post(address("pause", match), {"wish": "0"})
    assert "data-deadline" in browser_of(cem).get(address("match", match)).content.decode()


def test_the_fragment_says_what_time_it_is(ann, bob):
    match = seated(ann, bob)
    browser = browser_of(ann)
    for have in (0, match.version):
        told = browser.get(f"{address('table', match)}?have={have}")["X-Now"]
        assert abs(int(told) - clock.now_ms()) < 2000


def test_the_lobby_by_pace(ann, bob):
    opened(ann, pace="live")
    browser = browser_of(bob)
    assert "Sit down" in browser.get("/play/?pace=live").content.decode()
    assert "Sit down" not in browser.get("/play/?pace=7d&fragment=1").content.decode()
    assert browser.get("/play/?pace=zz").status_code == 200


def test_a_move_that_comes_too_late(ann, bob):
    match = seated(ann, bob)
    mover = asked(match)
    long_ago = clock.now() - timedelta(hours=1)
    for part in ("web", "sweep"):
        Heartbeat.objects.update_or_create(name=part, defaults={"at": clock.now(), "since": long_ago})
    mover.user.vacation_by_itself = False
    mover.user.save()
    Seat.objects.filter(pk=mover.pk).update(runs_from=long_ago, bank=1000, deadline=long_ago)
    post = {"ask": mover.ask, "key": "k", "move": json.dumps({"type": "roll"})}
    answer = browser_of(mover.user).post(address("move", match), post, headers={"X-Live": "1"})
    assert answer.status_code == 409 and "Your time had run out" in answer.content.decode()
    assert not match.log.exists()
