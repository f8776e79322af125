"""Pages that were left open: each learns what it missed, and none says more than it knows. A context for each case."""

import re
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Match
from tests.e2e.lines import Line, with_line
from tests.e2e.playing import NOT_LIVE, make_move, version, wait_live, wait_version
from tests.e2e.test_clock import seconds
from tests.e2e.test_live import play_one, wait_for
from tests.factories import asked, member, seated

pytestmark = pytest.mark.browser


@pytest.fixture
def ann(site) -> User:
    return member("ann")


@pytest.fixture
def bob(site) -> User:
    return member("bob")


@pytest.fixture
def opened(browser, site, log_in):
    """Open a page in a browser of this person's own."""

    def opened(person: User | None, address: str, before: Callable[[Page], object] = lambda _page: None) -> Page:
        context = browser.new_context(base_url=site.url)
        if person is not None:
            log_in(context, person)
        page = context.new_page()
        before(page)
        page.goto(address)
        return page

    return opened


def address_of(match: Match) -> str:
    return f"/matches/{match.pk}/"


LOG_IN = re.compile(r"/accounts/login/")
ANEW = "async () => (await import([...document.scripts].find((one) => one.src.includes('/present.')).src)).anew()"
COME_BACK = "() => dispatchEvent(new Event('online'))"
BROUGHT_BACK = """() => {
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    return "unsure" in document.documentElement.dataset;
}"""
LOOKED_AT = "() => document.dispatchEvent(new Event('visibilitychange'))"
LEAPS = """
    const now = Date.now;
    window.leap = 0;
    Date.now = () => now() + window.leap;
"""
HIDES = "Object.defineProperty(document, 'visibilityState', { get: () => window.isHidden ? 'hidden' : 'visible' });"


@pytest.mark.parametrize("address", ["/", "/play/", "/matches/", "match"])
def test_a_dead_line_is_made_anew_within_ten_seconds(opened, ann, bob, address):
    match = seated(ann, bob)
    page = opened(ann, address_of(match) if address == "match" else address, with_line)
    wait_live(page)
    page.line.is_dead = True
    page.clock.run_for(10_000)
    page.wait_for_selector(NOT_LIVE)
    page.clock.run_for(1_000)
    wait_live(page)
    assert page.line.opened >= 2  # time flies here: the second may be given up, too


def test_it_is_live_only_after_an_answer(opened, ann):
    def dead(page):
        with_line(page)
        page.line.is_dead = True

    page = opened(ann, "/play/", dead)
    wait_for(page, lambda: page.line.opened)
    page.wait_for_selector(NOT_LIVE)
    page.clock.run_for(6_000)
    wait_live(page)
    assert page.line.opened >= 2  # time flies here: the second may be given up, too


def test_a_fetch_that_hangs_is_given_up(opened, ann, bob):
    match = seated(ann, bob)
    page, hung = opened(ann, address_of(match), with_line), []
    wait_live(page)
    page.route("**/table/*", lambda route: hung.append(route))  # noqa: PLW0108 (Playwright asks what it is)
    page.evaluate(COME_BACK)
    wait_for(page, lambda: hung)
    wanted = play_one(match, Random(3), 1)
    page.unroute("**/table/*")
    page.clock.run_for(12_000)
    wait_version(page, wanted)


def test_where_sockets_are_refused_it_looks_by_itself(opened, ann, bob):
    def refused(page):
        with_line(page)
        page.line.is_refused = True

    match = seated(ann, bob)
    page = opened(ann, address_of(match), refused)
    wanted = play_one(match, Random(5), 1)
    for _try in range(100):
        page.clock.run_for(1_000)
        if version(page) == wanted:
            break
    wait_version(page, wanted)
    page.wait_for_selector(NOT_LIVE)


def test_a_hidden_tab_comes_back(opened, ann):
    def hides(page):
        with_line(page)
        page.add_init_script(HIDES)

    page = opened(ann, "/play/", hides)
    wait_live(page)
    for shown in (False, True):
        page.evaluate("() => (window.isHidden = true)")
        page.evaluate(LOOKED_AT)
        page.line.is_dead, page.line.is_refused = page.line.opened == 1, True
        page.clock.run_for(10_000)
        page.wait_for_selector(NOT_LIVE)
        page.line.is_refused = False
        if shown:
            page.evaluate("() => (window.isHidden = false)")
            page.evaluate(LOOKED_AT)
        else:
            page.clock.run_for(15_000)
        wait_live(page)
        page.line.opened = 1


def test_an_untouched_page_is_nobodys_presence(opened, ann, bob):
    page = opened(ann, address_of(seated(ann, bob)), with_line)
    wait_live(page)
    reports = lambda: [said["here"] for said in page.line.said if "here" in said]  # noqa: E731
    page.clock.fast_forward(115_000)
    page.evaluate(COME_BACK)
    wait_for(page, lambda: len(reports()) > 1)
    assert all(reports())
    page.clock.fast_forward(10_000)
    wait_for(page, lambda: not reports()[-1])
    page.mouse.move(100, 100)
    wait_for(page, lambda: reports()[-1])


def test_log_out_elsewhere_is_told_to_every_tab(opened, ann, bob):
    match = seated(ann, bob, access="link")
    pages = {address: opened(ann, address) for address in ("/matches/",)}
    context = pages["/matches/"].context
    for address in ("/settings/", "/settings/people/", address_of(match)):
        pages[address] = context.new_page()
        Line(pages[address]).is_refused = address == "/settings/people/"  # which is brought back, and learns it so
        pages[address].goto(address)
    wait_live(pages[address_of(match)])
    wait_live(pages["/matches/"])
    leaving = context.new_page()
    leaving.goto("/accounts/logout/")
    leaving.get_by_role("button", name="Log out").last.click()
    leaving.wait_for_url("**/")
    assert pages["/settings/people/"].evaluate(BROUGHT_BACK)  # hidden until it is known whose it is
    with suppress(PlaywrightError):  # it has just heard of it by its line, and is led away
        pages["/settings/"].evaluate(LOOKED_AT)
    for page in pages.values():
        if page is not pages[address_of(match)]:
            expect(page).to_have_url(LOG_IN)
    expect(pages[address_of(match)].get_by_role("link", name="Log in").first).to_be_visible()


def test_a_live_page_of_a_visitor_hears_of_a_log_in_in_the_window_beside_it(opened, ann, log_in):
    page = opened(None, "/play/")
    wait_live(page)
    log_in(page.context, ann)
    page.evaluate("() => dispatchEvent(new Event('focus'))")
    page.locator("html:not([data-who=visitor])").wait_for(state="attached")


@pytest.mark.parametrize("who", ["visitor", "member"])
def test_what_is_posted_after_back_is_another_post(opened, ann, who):
    """The browser brings a page back with the keys that its forms had."""
    page = opened(ann if who == "member" else None, "/")
    before = page.locator("[name=key]").evaluate_all("fields => fields.map((field) => field.value)")
    page.evaluate(BROUGHT_BACK)
    after = page.locator("[name=key]").evaluate_all("fields => fields.map((field) => field.value)")
    assert len(set(before + after)) == 2 * len(before) > 0
    page.locator("form[action$='/now/'] button").first.click()
    page.wait_for_url("**/lesson/")
    page.locator("[name=lesson][value=no]").click()
    page.wait_for_url("**/matches/*/")
    page.go_back()
    page.locator("[name=lesson][value=no]").click()
    page.wait_for_url("**/matches/*/")
    assert Match.objects.count() == 2


def test_back_after_log_out_shows_nothing_private(opened, ann):
    page = opened(ann, "/settings/")
    page.goto("/accounts/logout/")
    page.get_by_role("button", name="Log out").last.click()
    page.get_by_role("link", name="Log in").first.wait_for()
    page.go_back()
    page.go_back()
    expect(page).to_have_url(LOG_IN)


def test_log_out_on_a_live_page_ends_at_home(opened, site, ann, bob):
    page = opened(ann, address_of(seated(ann, bob, access="link")))
    wait_live(page)
    page.locator("header .menu summary").click()
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url(f"{site.url}/")
    expect(page.get_by_role("link", name="Log in")).to_be_visible()


def test_a_move_with_the_token_of_an_earlier_log_in_is_made(opened, site, ann, bob):
    match = seated(ann, bob)
    page = opened(asked(match).user, address_of(match))
    wait_live(page)
    page.context.add_cookies([{"name": "csrftoken", "value": "x" * 32, "url": site.url}])
    for _move in range(2):
        before = version(page)
        make_move(page)
        wait_version(page, before + 1, seconds=10)
    assert not page.locator("#table .refusal").count()


def test_a_log_in_elsewhere_is_seen_and_what_was_typed_stays(opened, log_in, ann, bob):
    page = opened(None, "/play/")
    wait_live(page)
    log_in(page.context, ann)
    page.evaluate(COME_BACK)
    page.locator("header .menu").wait_for()
    page.goto(address_of(seated(ann, bob)))
    wait_live(page)
    page.locator("#id_say").fill("half a")
    page.evaluate("() => sessionStorage.removeItem('anew')")
    with page.expect_navigation():
        page.evaluate(ANEW)
    expect(page.locator("#id_say")).to_have_value("half a")


def test_another_build_is_asked_for(opened, browser, new_site, ann):
    site = new_site(BUILD="one")
    site.web.start()
    page = browser.new_context(base_url=site.url).new_page()
    page.goto("/play/")
    page.locator("html[data-build=one]").wait_for()
    wait_live(page)
    site.web.kill()
    site.env["BUILD"] = "two"
    site.web.start()
    page.locator("html[data-build=two]").wait_for()


@pytest.mark.parametrize("slept", [True, False])
def test_a_clock_that_slept_is_right(opened, ann, bob, clock, slept):
    """After a minute's sleep it has a minute less; if somebody has set the machine's clock, it has not."""
    match = seated(ann, bob, pace="live")
    page = opened(ann, address_of(match), lambda page: page.add_init_script(LEAPS))
    wait_live(page)
    before = seconds(page.locator("[data-deadline]").inner_text())
    if slept:
        clock.forward(60)
    page.evaluate("() => (window.leap = 60000)")
    page.wait_for_timeout(1_000)
    after = seconds(page.locator("[data-deadline]").inner_text())
    assert abs(before - after - (60 if slept else 0)) <= 4
