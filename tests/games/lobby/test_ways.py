"""Tournaments, ladders and clubs are found from home, from the lobby and from each game's page, without a menu."""

import pytest

from games.rules import games
from tests.factories import browser_of, member
from tests.ladders.arranged import challenged, joined

pytestmark = pytest.mark.django_db


def main_of(person, path: str) -> str:
    return browser_of(person).get(path).content.decode().split("<main", 1)[1].split("</main>", 1)[0]


@pytest.mark.parametrize("path", ["/", "/play/"])
def test_home_and_lobby_lead_to_all(path):
    for person in (None, member("ann")):
        page = main_of(person, path)
        assert 'href="/tournaments/"' in page and 'href="/ladders/"' in page and 'href="/clubs/"' in page


def test_the_page_of_a_game_leads_to_its_own():
    ladders = []
    for slug in games():
        page = main_of(None, f"/games/{slug}/")
        assert f'href="/tournaments/?game={slug}"' in page
        ladders += [slug] if f'href="/ladders/{slug}/"' in page else []
    assert "yum-extra" in ladders and "yam-menteur" not in ladders


def test_a_ladders_challenge_is_something_that_waits(ann, bob):
    joined([ann, bob])
    assert "Nothing waits for you" in main_of(ann, "/")
    challenged(bob, ann)
    for path in ("/", "/?fragment=1"):
        page = browser_of(ann).get(path).content.decode()
        assert "One question waits for you" in page and "Nothing waits for you" not in page
        assert "challenges you on the ladder" in page
