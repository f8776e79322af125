"""The page follows the match by itself, and heals by itself after an outage of anything."""

import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from games.services.lobby import opening
from tests import FULL
from tests.e2e.lines import Line
from tests.e2e.playing import LIVE, MINE, NOT_LIVE, make_move, version, wait_live, wait_version
from tests.factories import asked, fresh, member, opened, play_on, random_move, seated, session_of, submit
from tests.processes import off_loop


def open_match(browser: Browser, url: str, person, match, *, is_refused: bool = False) -> Page:
    """Open a match's page, whose line is refused, or live."""
    context = browser.new_context(base_url=url)
    context.add_cookies([{"name": n, "value": v, "url": url} for n, v in session_of(person).items()])
    page = context.new_page()
    page.line = Line(page)
    page.line.is_refused = is_refused
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector(NOT_LIVE if is_refused else LIVE)
    return page


def play_one(match, rng, number) -> int:
    """Make one random move in the database, out of Playwright's thread; return the match's version then."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_play_one, match, rng, number).result()


def _play_one(match, rng, number) -> int:
    seat = asked(match)
    match.refresh_from_db()
    return submit(match, seat, random_move(match, seat.number, rng), key=f"key-{number}").match.version


@pytest.mark.browser
def test_moves_arrive_without_reload(browser, site, capsys):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    pages = [open_match(browser, site.url, person, match) for person in (ann, bob)]
    took = []
    for _ in range(25 if FULL else 10):
        mover, watcher = pages if pages[0].locator(MINE).count() else pages[::-1]
        wanted = version(watcher) + 1
        start = time.perf_counter()
        make_move(mover)
        wait_version(watcher, wanted)
        took.append(time.perf_counter() - start)
        wait_version(mover, wanted)
    with capsys.disabled():
        print(f"\nclick to the other page: median {statistics.median(took) * 1000:.0f} ms")


@pytest.mark.browser
@pytest.mark.parametrize("away", ["server", "redis", "network"])
def test_after_an_outage_the_page_is_right_again(browser, new_site, redis, away, capsys, request):
    site = new_site()
    site.web.start()
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    page = open_match(browser, site.url, bob, match)
    address = page.url
    take_away, bring_back = {
        "server": (site.web.kill, site.web.start),
        "redis": (redis.kill, redis.start),
        "network": (lambda: page.context.set_offline(True), lambda: page.context.set_offline(False)),
    }[away]
    take_away()
    if away == "redis":
        request.addfinalizer(lambda: redis.running or redis.start())
    page.wait_for_selector(NOT_LIVE, timeout=8000)
    page.get_by_text("Not live: trying again").first.wait_for(state="visible")
    wanted = play_one(match, Random(11), 1)
    bring_back()
    start = time.perf_counter()
    wait_version(page, wanted)
    wait_live(page)
    with capsys.disabled():
        print(f"\nright again after the {away} returned: {time.perf_counter() - start:.2f} s")
    wait_version(page, play_one(match, Random(12), 2))  # and it is rung again
    assert page.url == address


@pytest.mark.browser
def test_nothing_new_is_asked_while_a_move_is_under_way(browser, site):
    """A button pressed then would be lost: the page sends one move at a time."""
    match = seated(member("ann"), member("bob"))
    page = open_match(browser, site.url, asked(match).user, match, is_refused=True)
    before, held = version(page), {}

    def hold_back(route) -> None:
        """Hold the first question for the table back, and the answer to the first move."""
        name = "move" if route.request.method == "POST" else "table"
        if name in held:
            route.continue_()
        else:
            held[name] = None
            held[name] = (route, route.fetch() if name == "move" else None)

    page.route("**/table/*", hold_back)
    page.route("**/move/", hold_back)
    page.evaluate("() => dispatchEvent(new Event('online'))")  # at which the page looks whether it is right
    wait_for(page, lambda: held.get("table"))
    make_move(page)
    wait_for(page, lambda: held.get("move"))
    with page.expect_response("**/table/*") as told:
        held["table"][0].continue_()
    assert f'data-version="{before + 1}"' in told.value.text()
    page.wait_for_timeout(200)
    assert version(page) == before
    route, answer = held["move"]
    route.fulfill(response=answer)
    wait_version(page, before + 1)
    make_move(page)
    wait_version(page, before + 2)


@pytest.mark.browser
@pytest.mark.parametrize("late", ["older", "lost"])
def test_the_page_around_a_table_that_begins_becomes_its_own(browser, site, late):
    """However its page comes: later than the moves that follow, or not at all the first time."""
    ann, bob = member("ann"), member("bob")
    match = opened(ann, size=2)
    page, held = open_match(browser, site.url, ann, match), []

    def hold_back(route) -> None:
        if held:
            route.continue_()
        else:
            held.append(None)
            held[:] = [route, route.fetch()]

    page.route("**/matches/*/?since=*", hold_back)
    with off_loop():
        opening.join(match_id=match.pk, user=bob)
    wait_for(page, lambda: len(held) == 2)
    with off_loop():
        play_on(fresh(match), Random(1), turns=3)
    wait_version(page, fresh(match).version)
    route, answer = held
    if late == "older":
        route.fulfill(response=answer)
    else:
        route.abort()
    expect(page.locator(".waiting-room")).to_have_count(0)
    expect(page.locator(".seats")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize("late", ["present", "chat", "live"])
def test_a_script_that_comes_late_misses_nothing(browser, site, late):
    """What is said on the line before all scripts are there would be lost."""
    match = seated(member("ann"), member("bob"))
    context = browser.new_context(base_url=site.url)
    cookies = session_of(asked(match).user)
    context.add_cookies([{"name": n, "value": v, "url": site.url} for n, v in cookies.items()])
    page, trouble = context.new_page(), []
    page.line = Line(page)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda line: line.type == "error" and trouble.append(line.text))

    def come_late(route) -> None:
        page.wait_for_timeout(1500)
        route.continue_()

    page.route(f"**/{late}.*.js", come_late)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector(LIVE)
    before = version(page)
    make_move(page)
    wait_version(page, before + 1)
    assert [said for said in page.line.said if "move" in said]
    assert trouble == []


def wait_for(page: Page, true: Callable[[], object], seconds: float = 60) -> None:
    """Wait until it is so, while the page goes on."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        page.wait_for_timeout(10)


@pytest.mark.thin(0)
@pytest.mark.browser
def test_a_page_beyond_the_limit_says_why_it_is_not_live(browser, new_site, log_in, ann):
    site = new_site(SOCKETS_OF_ADDRESS="1")
    site.web.start()
    pages = [browser.new_context(base_url=site.url, locale="en").new_page() for _ in range(2)]
    first, second = pages
    first.goto("/play/")
    expect(first.get_by_text("live", exact=True)).to_be_visible()
    log_in(second.context, ann)
    for address in ("/play/", "/", "/matches/", "/leaderboards/yay/", "/settings/"):
        second.goto(address)
        expect(second.get_by_text("Not live: you have too many pages open here. Close some.")).to_be_visible()
        expect(second.get_by_text("Not live: trying again")).to_be_hidden()
