"""What a suspended member is refused is offered to them on no page; each page says why."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import resolve

from config.lib import clock as present
from games.moderation import members
from games.moderation.middleware import ALLOWED
from games.services.lobby import opening
from tests.factories import WHY, asked, browser_of, end, opened, seated
from tests.games.play.test_returning import left_by_time

FORM = re.compile(r"<form\b[^>]*>")
ACTION = re.compile(r'action="([^"]*)"')
LINK = re.compile(r'href="([^"#?]*)')
WHY_HERE = "you can only finish your matches"
REFUSED = ("/play/new/", "/play/new/?game=yay", "/report/?member=bob")


@pytest.fixture
def pages(ann, bob, cem, eve, hours) -> list[str]:
    """All pages that offer something, to Ann who is suspended then."""
    left = next(match for match in iter(lambda: seated(ann, bob, cem), None) if asked(match).user == ann)
    taken = seated(cem, eve, bob)
    for match in (taken, left):
        left_by_time(match, hours)
    hours.go_by(days=1, hours=1)
    running, ended = seated(ann, bob), end(seated(ann, bob), [1, 2])
    alone = end(opening.create_match(creator=ann, game_slug="yum-extra", size=2, bots=["easy"]), [1, 2])
    asking = opened(bob, size=2, invited=[ann])
    matches = [left, taken, running, ended, alone, asking, opened(cem)]
    return [
        *(
            "/",
            "/play/",
            "/play/?game=yay",
            "/matches/",
            "/people/bob/",
            "/people/ann/",
            "/reports/",
            "/settings/people/",
        ),
        *("/games/yum-extra/", "/leaderboards/yum-extra/", "/leaderboards/yum-extra/?season=2020-1"),
        *("/leaderboards/yay/teams/", "/leaderboards/yum-extra/teams/", "/settings/", "/moderation/"),
        *(f"/matches/{match.pk}/{part}" for match in matches for part in ("", "chat/", "log/")),
    ]


def offers(browser: Client, page: str) -> tuple[str, set[str]]:
    """Return the page, and the addresses that it offers which take a form or lead to nothing but one."""
    answer = browser.get(page, follow=True)
    text = answer.content.decode()
    posts = [form for form in FORM.findall(text) if 'method="post"' in form]
    found = {unescape(action[1]) if (action := ACTION.search(form)) else page for form in posts}
    return text, found | {link for link in LINK.findall(text) if link in ("/play/new/", "/report/")}


def is_allowed(address: str) -> bool:
    resolved = resolve(address)
    return resolved.url_name in ALLOWED or resolved.route.startswith("accounts/")


@pytest.mark.thin(0)
def test_no_page_offers_what_is_refused(pages, mo, ann):
    everything = set().union(*(offers(browser_of(ann), page)[1] for page in pages))
    assert sum(not is_allowed(address) for address in everything) > 12  # it looks where there is something
    members.suspend(moderator=mo, member=ann, reason=WHY, until=present.now() + timedelta(days=3))
    browser, found = browser_of(ann), {}
    for page in pages:
        text, offered = offers(browser, page)
        assert WHY_HERE in text, page
        if wrong := {address for address in offered if not is_allowed(address)}:
            found[page] = wrong
    assert not found


@pytest.mark.parametrize("address", REFUSED)
def test_a_page_that_is_nothing_but_a_refused_form_says_so(ann, bob, mo, address):
    members.suspend(moderator=mo, member=ann, reason=WHY, until=present.now() + timedelta(days=3))
    answer = browser_of(ann).get(address)
    assert answer.status_code == 403
    assert "<textarea" not in answer.content.decode()
    assert WHY_HERE in answer.content.decode()


def test_where_nothing_is_open_or_ranked(ann, mo):
    members.suspend(moderator=mo, member=ann, reason=WHY, until=present.now() + timedelta(days=3))
    for page in ("/", "/play/", "/matches/", "/leaderboards/yay/"):
        assert all(map(is_allowed, offers(browser_of(ann), page)[1])), page
