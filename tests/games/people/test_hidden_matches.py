"""Whether there is a match that somebody may not see no answer tells: as if there were none."""

import re
from collections.abc import Iterator

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver

from accounts.models import User
from games.models import Match
from games.services.play import moves
from tests import FULL
from tests.clubs.arranged_for_play import club_match, club_of, club_table
from tests.factories import browser_of, end, guest, opened, seated

pytestmark = pytest.mark.django_db
NONE = 987654321
MOST_QUERIES_MORE = 4


def addresses() -> Iterator[str]:
    for pattern in get_resolver().url_patterns:
        for one in getattr(pattern, "url_patterns", [pattern]):
            route = str(one.pattern)
            if "<int:match_id>" in route and not route.startswith("admin"):
                yield "/" + route.replace("<int:step>", "1")


ADDRESSES = sorted(addresses())


def answer(browser: Client, method: str, address: str, number: int, post: dict[str, str]) -> tuple[object, ...]:
    with CaptureQueriesContext(connection) as asked:
        said: HttpResponse = getattr(browser, method)(address.replace("<int:match_id>", str(number)), post)
    body = re.sub(r'(csrfmiddlewaretoken|key)" value="[^"]*"', "", said.content.decode())
    headers = {name: value for name, value in said.items() if name not in TIMED}
    named = re.compile(rf"(matches(?:/|%2F)){number}\b")
    return said.status_code, named.sub(r"\1N", str(headers)), named.sub(r"\1N", body), len(asked)


TIMED = ("X-Now", "X-Request-ID", "Content-Length", "Set-Cookie", "Content-Security-Policy")


@pytest.fixture
def hidden(ann: User, bob: User) -> list[Match]:
    private = {"access": Match.Access.LINK}
    club = club_of(ann, bob)
    past = end(club_match(club, ann, bob), [1, 2])
    table, ended = opened(ann, **private), seated(ann, bob, **private)
    moves.resign(match_id=ended.pk, user=ann)
    return [
        table,
        opened(bob, access=Match.Access.INVITATION),
        seated(ann, bob, **private),
        ended,
        club_table(club, ann),
        past,
    ]


@pytest.mark.thin(2)
@pytest.mark.parametrize("who", ["visitor", "guest", "member"])
@pytest.mark.parametrize("post", [{}, {"token": "guessed", "text": "hello", "level": "easy", "name": "ann"}])
def test_nobody_learns_that_there_is_a_match(hidden, eve, who, post):
    person = {"visitor": None, "guest": guest(), "member": eve}[who]
    assert len(ADDRESSES) >= 25
    for place, address in enumerate(ADDRESSES):
        browser = browser_of(person)
        for method in ("get", "post"):
            if not FULL and (place + (method == "post") + len(post)) % 2:
                continue  # in short in one of the two ways, with the other post in the other
            *nothing, few = answer(browser, method, address, NONE, post)
            for match in hidden:
                *something, many = answer(browser, method, address, match.pk, post)
                assert something == nothing, (address, method, match.status)
                assert abs(many - few) <= MOST_QUERIES_MORE, (address, method, many, few)
