"""A match in other people's pages: public ones alone, without cookies or forms, and nothing else may be framed."""

import io
import re
from random import Random

import pytest
from django.test import Client
from django.urls import get_resolver
from PIL import Image

from config.embeds import ADDRESSES
from games.models import Match
from games.rules import games, get_game
from games.views.embeds import without_forms
from tests.factories import as_many, browser_of, end, member, opened, play_on, played_on, seated

KINDS = ("embed/", "table.svg", "table.png")


def framed(answer) -> bool:
    return "X-Frame-Options" not in answer.headers or "frame-ancestors *" in answer["Content-Security-Policy"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_private_match_is_not_shown_even_to_its_players(ann, bob, kind):
    for wishes in ({"access": "invitation", "invited": [bob]}, {"access": "link"}):
        match = seated(ann, bob, **wishes)
        for browser in (browser_of(), browser_of(ann)):
            answer = browser.get(f"/matches/{match.pk}/{kind}")
            assert answer.status_code == 404 and not framed(answer)
    assert browser_of().get(f"/matches/999999/{kind}").status_code == 404


@pytest.mark.parametrize("kind", KINDS)
def test_a_club_match_is_not_shown_to_its_members(ann, bob, kind):
    match = seated(ann, bob)
    Match.objects.filter(pk=match.pk).update(access="club")
    assert browser_of(ann).get(f"/matches/{match.pk}/{kind}").status_code == 404


@pytest.mark.parametrize("kind", KINDS)
def test_it_ends_when_the_match_stops_being_public(ann, bob, kind):
    match, browser = seated(ann, bob), browser_of()
    assert browser.get(f"/matches/{match.pk}/{kind}").status_code == 200
    Match.objects.filter(pk=match.pk).update(access="invitation")
    assert browser.get(f"/matches/{match.pk}/{kind}").status_code == 404


@pytest.mark.parametrize("kind", KINDS)
def test_an_open_table_is_not_shown(ann, kind):
    assert browser_of().get(f"/matches/{opened(ann).pk}/{kind}").status_code == 404


@pytest.mark.parametrize("kind", KINDS)
def test_no_cookie_is_read_or_set(ann, bob, kind, django_assert_num_queries):
    match = seated(ann, bob)
    address = f"/matches/{match.pk}/{kind}"
    stranger, player = browser_of().get(address), browser_of(ann).get(address)
    assert re.sub(rb'data-build="[^"]*"', b"", stranger.content) == re.sub(rb'data-build="[^"]*"', b"", player.content)
    for answer in (stranger, player):
        assert not answer.cookies
        assert "cookie" not in answer["Vary"].lower()
    odd = Client()
    odd.cookies.load({"sessionid": "x" * 32, "csrftoken": "y" * 32, "django_language": "fr"})
    answer = odd.get(address)
    assert answer.status_code == 200 and not answer.cookies and answer["Content-Language"] == "en"
    assert b"csrfmiddlewaretoken" not in answer.content


def test_the_frame_alone_may_be_framed(ann, bob):
    match = seated(ann, bob)
    answer = browser_of().get(f"/matches/{match.pk}/embed/")
    policy = answer["Content-Security-Policy"]
    assert "frame-ancestors *" in policy and "X-Frame-Options" not in answer.headers
    assert "form-action 'none'" in policy and "default-src 'none'" in policy and "unsafe" not in policy
    assert "base-uri 'none'" in policy and "object-src 'none'" in policy


@pytest.mark.walk
def test_every_other_page_refuses_frames(ann, bob):
    match = seated(ann, bob)
    played = played_on(seated(ann, bob), Random(1))
    browsers = browser_of(), browser_of(ann)
    paths = [f"/matches/{one.pk}/{end}" for one in (match, played) for end in ("", "log/", "replay/1/", "table/",
             "card.png", "table.svg", "table.png", "record.json")]  # fmt: skip
    paths += ["/", "/play/", "/records/", "/settings/", f"/matches/{match.pk}/embed", "/nowhere/", "/privacy/"]
    for browser in browsers:
        for path in paths:
            answer = browser.get(path)
            assert answer["X-Frame-Options"] == "DENY", path
            assert "frame-ancestors 'none'" in answer["Content-Security-Policy"], path
        post = browser.post(f"/matches/{match.pk}/embed/")
        assert post.status_code == 405 and post["X-Frame-Options"] == "DENY"


def test_the_addresses_without_cookies_are_those_three():
    known = {str(one.pattern) for one in get_resolver("games.urls").url_patterns}
    own = {
        name.replace("<int:match_id>", "7")
        for name in known
        if ADDRESSES.fullmatch("/" + name.replace("<int:match_id>", "7"))
    }
    assert own == {f"matches/7/{kind}" for kind in KINDS}
    for path in ("/matches/7/embed", "/matches/7/embed/x", "/matches/7/", "/x/matches/7/embed/", "/matches/7/embed/\n"):
        assert not ADDRESSES.fullmatch(path)


def test_there_are_no_forms(ann, bob):
    match = seated(ann, bob)
    for one in (match, played_on(match, Random(1))):
        text = browser_of(ann).get(f"/matches/{one.pk}/embed/").content.decode()
        assert 'id="board"' in text
        assert (
            "<form" not in text and "</form" not in text and "<button" not in text.replace('<button type="button"', "")
        )


def table_of(page: str) -> str:
    """The table of a page, without what follows it, and without keys that no two tables share."""
    table = page[page.index('<div id="table"') :]
    return "".join(re.split(r"</main>|<aside|<div class=\"after\"", table)[0].split())


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", games())
def test_it_shows_what_a_watcher_sees(slug, ann, bob, cem, eve):
    """The frame is the watcher's table; what a seat alone knows is not in it, nor in the pictures."""
    people = as_many(slug, ann, bob, cem)
    match = play_on(seated(*people, game_slug=slug), Random(3), turns=20)
    frame = browser_of(ann).get(f"/matches/{match.pk}/embed/").content.decode()
    watched = browser_of(eve).get(f"/matches/{match.pk}/").content.decode()
    assert table_of(without_forms(watched)) == table_of(frame)
    assert 'name="move"' not in frame and 'name="ask"' not in frame


def test_the_language_is_asked_for(ann, bob):
    match = seated(ann, bob)
    assert 'lang="fr"' in browser_of().get(f"/matches/{match.pk}/embed/?lang=fr").content.decode()
    assert 'lang="en"' in browser_of().get(f"/matches/{match.pk}/embed/?lang=xx").content.decode()


def test_it_refreshes_without_a_script_while_it_runs(ann, bob):
    match = seated(ann, bob)
    assert b'http-equiv="refresh"' in browser_of().get(f"/matches/{match.pk}/embed/").content
    end(match, [1, 2])
    assert b'http-equiv="refresh"' not in browser_of().get(f"/matches/{match.pk}/embed/").content


@pytest.mark.thin(3)
@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("many", [2, 8])
def test_the_pictures_are_drawn(slug, many, db):
    game = get_game(slug)
    fewest = max(game.min_seats, 3) if game.max_seats > 2 else 2
    people = [member(f"player-{number}") for number in range(max(fewest, min(many, game.max_seats)))]
    match = seated(*people, game_slug=slug)
    png = browser_of().get(f"/matches/{match.pk}/table.png")
    with Image.open(io.BytesIO(png.content)) as picture:
        assert picture.size == (1200, 630)
    svg = browser_of().get(f"/matches/{match.pk}/table.svg")
    assert svg["Content-Type"] == "image/svg+xml" and "public" in svg["Cache-Control"]
    text = svg.content.decode()
    assert all(person.username in text for person in people)
    assert "<script" not in text and "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_limited(ann, bob, settings, kind):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"embed": "2/m/ip"}
    match, browser = seated(ann, bob), browser_of()
    assert [browser.get(f"/matches/{match.pk}/{kind}").status_code for _ in range(3)] == [200, 200, 429]


def test_the_page_of_a_public_match_gives_the_snippet(ann, bob):
    match = seated(ann, bob)
    assert f"/matches/{match.pk}/embed/?lang=en" in browser_of().get(f"/matches/{match.pk}/").content.decode()
    private = seated(ann, bob, access="link")
    assert "/embed/" not in browser_of(ann).get(f"/matches/{private.pk}/").content.decode()


def test_a_running_match_is_previewed_by_its_table(ann, bob):
    match = seated(ann, bob)
    assert f"/matches/{match.pk}/table.png" in browser_of().get(f"/matches/{match.pk}/").content.decode()
