"""Every address, method, kind of person and kind of match: never a crash, and nothing for strangers."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, product

import pytest
from django.core.cache import cache
from django.db import transaction

from games.models import Match
from games.urls import urlpatterns
from tests import FULL
from tests.factories import (
    browser_of,
    snapshot,
)
from tests.games.play.addresses import OF_A_MATCH, POSTS, ROLL, address

pytestmark = pytest.mark.walk

USUAL = ("get", "head", "post", "put")
UNUSUAL = ("patch", "delete", "options", "trace")  # refused as `put` is, before anybody's rights are looked at


ELSEWHERE = {"embed", "table-svg", "table-png"}  # they know nobody, and lead nobody to log-in
BOTH = {
    "new-match",
    "standing",
    "answer",
    "devices",
    "device-offer",
    "calendar-settings",
    "webhooks",
    "sandbox",
    "mail-settings",
    "mails-off",
    "operation-give-time-to-all",
    "operation-give-time",
    "operation-puzzle",
    "operation-release",
    "operation-undo",
}


@pytest.fixture
def everybody(ann, bob, cem, eve, gus):
    ann.is_superuser = ann.is_staff = False
    return {"ann": ann, "bob": bob, "cem": cem, "gus": gus, "visitor": None}


def test_every_address_is_known_to_this_file():
    assert {path.name for path in urlpatterns} >= POSTS | BOTH


@contextmanager
def undone() -> Iterator[None]:
    """What is done meanwhile is undone, limits too."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    cache.clear()


def in_turn(kinds: dict[str, Match], others: Iterator[str], everybody: dict) -> list[tuple[str, str]]:
    """Who looks at which match: of many kinds in short Ann and one of the others, by turns."""
    if len(kinds) == 1 or FULL:
        return list(product(kinds, everybody))
    return [(kind, who) for kind in kinds for who in ("ann", next(others))]


def test_every_method_for_everybody(matches, everybody):
    """The usual methods in short by one of them in turn."""
    match = matches["running"]
    browsers = {who: browser_of(person) for who, person in everybody.items()}
    others = cycle(browsers)
    usual = [
        (path.name, who, method)
        for method, path in product(USUAL, urlpatterns)
        for who in (browsers if FULL else (next(others),))
    ]
    unusual = product([path.name for path in urlpatterns], ("ann", "visitor"), UNUSUAL)
    for name, who, method in (*usual, *unusual):
        allowed = {"post"} if name in POSTS else {"get", "head"} | ({"post"} if name in BOTH else set())
        with undone():
            status = getattr(browsers[who], method)(address(name, match, match.token)).status_code
        case = f"{method} {name}, {who}: {status}"
        if method not in allowed:  # not there, unless the way leads to log-in first
            assert status in (302, 405), case
        elif method != "post":
            assert status in (200, 204, 302, 404, 409), case


def kinds_of(matches: dict[str, Match], name: str) -> dict[str, Match]:
    """The matches that this address is tried with."""
    return matches if name in OF_A_MATCH else {"any": matches["running"]}


def test_every_page_for_everybody_and_none_writes(matches, everybody):
    """In short each match by Ann and one of the others in turn."""
    browsers = {who: browser_of(person) for who, person in everybody.items()}
    before, others = snapshot(), cycle(who for who in browsers if who != "ann")
    for name in sorted({path.name for path in urlpatterns} - POSTS):
        for kind, who in in_turn(kinds_of(matches, name), others, browsers):
            match = kinds_of(matches, name)[kind]
            status = browsers[who].get(address(name, match, match.token)).status_code
            assert status in (200, 204, 302, 404, 409), (name, kind, who, status)
        assert snapshot() == before, name


def test_an_empty_post_by_everybody(matches, everybody):
    """By each of them to every address, in short to each match by Ann and one of the others in turn."""
    browsers = {who: browser_of(person) for who, person in everybody.items()}
    others = cycle(who for who in browsers if who != "ann")
    for name in sorted(POSTS | BOTH):
        with undone():
            kinds = kinds_of(matches, name)
            for kind, who in in_turn(kinds, others, browsers):
                match, browser = kinds[kind], browsers[who]
                response = browser.post(address(name, match, match.token))
                case = f"{name}, {kind}, {who}: {response.status_code}"
                assert response.status_code in (204, 302, 400, 403, 404, 409, 429), case
                if response.status_code == 302:
                    assert "//" not in response["Location"].replace("http://testserver", ""), case


def test_a_private_match_is_not_there_for_strangers(matches, eve, client):
    hidden = [matches[kind].pk for kind in ("private", "by invitation", "by link")]
    for name, number in product(sorted(OF_A_MATCH - POSTS), [*hidden, 10**6]):
        assert browser_of(eve).get(address(name, number)).status_code == 404, (name, number)
        if name in ELSEWHERE:
            assert client.get(address(name, number)).status_code == 404
            continue
        assert client.get(address(name, number))["Location"].startswith("/accounts/login/"), (name, number)


@pytest.mark.both
def test_nor_is_there_anything_to_post_to(matches, eve):
    before = snapshot()
    data = {"ask": 1, "key": "k", "move": ROLL, "notes": "x", "name": "cem", "wish": "1"}
    numbers = (matches["private"].pk, matches["by invitation"].pk, 10**6, 10**18, 10**30)
    for name, number in product(sorted(OF_A_MATCH & POSTS), numbers):
        assert browser_of(eve).post(address(name, number), data).status_code == 404, (name, number)
    after = snapshot()
    for label in before:
        if label.startswith("games."):
            assert after[label] == before[label]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_page_in_both_languages(matches, ann, language):
    """In short every other match in one of them, the others in the other."""
    ann.language = language
    ann.save()
    browser = browser_of(ann)
    members = {path.name for path in urlpatterns if not str(path.pattern).startswith("admin/")}
    no_pages = {"record", "review", "table", "news", "mentions", "next-match", "join-link", "colours"}
    no_pages |= {
        *ELSEWHERE,
        "own-records",
        "record-month",
        "record-keys",
        "card",
        "link-card",
        "qr-code",
        "calendar",
        "device-offer",
        "device-waiting",
        "replay-to",
        "why",
    }
    names = sorted(members - POSTS - no_pages)
    for place, name in enumerate(names):
        kinds = list(kinds_of(matches, name).values())
        for match in kinds if FULL else kinds[(place + (language == "fr")) % 2 :: 2] or kinds:
            page = browser.get(address(name, match))
            assert page.status_code in (200, 404), name
            assert page["Content-Language"] == language
            if page.status_code == 200:
                assert f'<html lang="{language}"' in page.content.decode(), name
