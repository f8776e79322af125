"""Pages that must stand by themselves: those of errors, the rules, the mail's paper."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.utils import translation

from config import errors
from config.lib.mail_rendering import INLINER
from games.catalogue import colours_of
from games.rules import folders
from games.rules.yum_extra.hints import COLOURS
from games.rules.yum_extra.sheet import COMBOS


@pytest.mark.parametrize("page", ["400.html", "405.html", "500.html", "503.html"])
def test_a_bare_page_needs_no_request_and_no_database(page: str) -> None:
    html = render_to_string(page)
    assert "Club Y" in html
    assert 'href="/"' in html


def test_even_the_page_of_an_error_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> str:
        raise TemplateDoesNotExist("500.html")

    monkeypatch.setattr(errors, "render_to_string", broken)
    response = errors.server_error(RequestFactory().get("/"))
    assert response.status_code == 500
    assert b"Club Y" in response.content


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/leaderboards/", "/games/yay/"])
def test_a_page_that_is_sent_something_says_so(client: Client, address: str) -> None:
    response = client.post(address, {"x": "1"})
    assert response.status_code == 405
    assert b"This page can only be viewed" in response.content
    assert "GET" in response["Allow"]


@pytest.mark.django_db
def test_an_unknown_address_is_told_in_the_sites_look(client: Client) -> None:
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert b"There is nothing at this address" in response.content
    assert b'class="top"' in response.content


@pytest.mark.django_db
def test_a_form_that_was_too_old_offers_its_page_again(rf: RequestFactory) -> None:
    request = rf.post("/language/", headers={"referer": "http://testserver/settings/?tab=1"})
    request.user = AnonymousUser()
    response = errors.csrf_failure(request)
    assert response.status_code == 403
    assert b'href="/settings/?tab=1"' in response.content
    for came in ("https://elsewhere.example/", "http://testserver//elsewhere.example/"):  # a page that says 404
        request = rf.post("/language/", headers={"referer": came})
        request.user = AnonymousUser()
        assert b"elsewhere" not in errors.csrf_failure(request).content


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_rules_picture_the_combos_that_are_played(language: str) -> None:
    with translation.override(language):
        html = render_to_string(f"games/yum-extra/rules.{language}.html")
    shown = re.findall(r'<p class="trio">(.*?)</p>', html, re.DOTALL)
    assert len(shown) == len(COMBOS) == 6
    for trio, combos in zip(shown, COMBOS.values(), strict=True):
        faces = re.findall(r'class="die (\w+) small">.*?href="#p(\d)"', trio)
        expected = [pair for white, die, face in combos for pair in (("white", str(white)), (COLOURS[die], str(face)))]
        assert faces == expected


def test_a_mail_carries_its_style_and_nothing_from_outside() -> None:
    html = INLINER.inline(render_to_string("mail/base.html", {"game_slug": "yum-extra"}))
    assert 'style="' in html
    assert "prefers-color-scheme: dark" in html
    assert "<img" not in html
    assert "<link" not in html


@pytest.mark.django_db
def test_the_colours_of_all_games_are_one_style_sheet_kept_for_good(client: Client) -> None:
    (address,) = re.findall(r'href="(/games/colours\.\w+\.css)"', client.get("/").content.decode())
    answer = client.get(address)
    assert answer["Content-Type"].startswith("text/css")
    assert "immutable" in answer["Cache-Control"]
    for slug in folders():
        assert f'[data-game="{slug}"] {{ --game: light-dark(#' in answer.content.decode()
    assert "Cache-Control" not in client.get("/games/colours.older.css")


@pytest.mark.parametrize("slug", folders())
def test_a_mail_about_a_match_has_its_game_s_colours(slug: str) -> None:
    html = INLINER.inline(render_to_string("mail/base.html", {"game_slug": slug}))
    assert f"background: {colours_of(slug)['fill'][1]} !important" in html
