"""The page follows the match by itself, and heals by itself after an outage of anything."""

import statistics
import time

import pytest
from playwright.sync_api import Browser, Page

from tests.conftest import session_of
from tests.e2e.playing import LIVE, version, wait_live
from tests.games.conftest import member
from tests.games.playing import asked, random_move, seated, submit
from random import Random

SHOWN = "wanted => Number(document.querySelector('#table').dataset.version) >= wanted"
NOT_LIVE = "document.body.dataset.live === 'no'"


def open_match(browser: Browser, url: str, person, match) -> Page:
    context = browser.new_context(base_url=url)
    context.add_cookies([{"name": n, "value": v, "url": url} for n, v in session_of(person).items()])
    page = context.new_page()
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    return page


def play_one(match, rng, number) -> int:
    """Make one random move in the database; return the match's version then."""
    seat = asked(match)
    match.refresh_from_db()
    return submit(match, seat, random_move(match, seat.number, rng), key=f"key-{number}").match.version


@pytest.mark.browser
def test_moves_arrive_without_reload(browser, site, capsys):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    page = open_match(browser, site.url, bob, match)
    rng, took = Random(7), []
    for number in range(25):
        wanted = play_one(match, rng, number)
        start = time.perf_counter()
        page.wait_for_function(SHOWN, arg=wanted, polling=10)
        took.append(time.perf_counter() - start)
    with capsys.disabled():
        print(f"\nmove on the other page: median {statistics.median(took) * 1000:.0f} ms")
    assert version(page) == wanted


@pytest.mark.browser
@pytest.mark.parametrize("away", ["server", "redis", "network"])
def test_after_an_outage_the_page_is_right_again(browser, new_site, redis, away, capsys):
    site = new_site()
    site.web.start()
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    page = open_match(browser, site.url, bob, match)
    address = page.url
    if away == "server":
        site.web.kill()
    elif away == "redis":
        redis.kill()
    else:
        page.context.set_offline(True)
    page.wait_for_function(NOT_LIVE, timeout=8000)
    page.get_by_text("Not live").first.wait_for(state="visible")
    wanted = play_one(match, Random(11), 1)
    if away == "server":
        site.web.start()
    elif away == "redis":
        redis.start()
    else:
        page.context.set_offline(False)
    start = time.perf_counter()
    page.wait_for_function(SHOWN, arg=wanted, polling=10, timeout=10_000)
    page.wait_for_function(LIVE, timeout=10_000)
    with capsys.disabled():
        print(f"\nright again after the {away} returned: {time.perf_counter() - start:.2f} s")
    assert page.url == address
