"""Three members race in YESSS! to the end by the clock: by desk, by phone, without JavaScript."""

import re
from datetime import timedelta
from statistics import median

import pytest
from playwright.sync_api import Browser, Page, expect

from config.lib import clock as present
from games.models import Match
from tests.clocks import Hours
from tests.e2e.playing import ENDED, button, version, wait_version
from tests.e2e.test_yesss import PHONE, open_pages, some_word
from tests.factories import fresh, member, seated, state_of
from tests.processes import wait_until

NEXT_SECOND = """() => new Promise((done) => {
    const clock = document.querySelector(".time .left");
    const watch = new MutationObserver(() => {
        watch.disconnect();
        done(performance.timeOrigin + performance.now());
    });
    watch.observe(clock, { childList: true, characterData: true, subtree: true });
})"""


def drift(page: Page, ends_at: int, offset: float) -> float:
    """Return by how many ms the page's clock changes its second too late (or, below 0, too early)."""
    seen = []
    for _second in range(5):
        at = page.evaluate(NEXT_SECOND) + offset
        seen.append((at - ends_at + 500) % 1000 - 500)
    return median(seen)


def tick(page: Page, pair: list[int]) -> None:
    for number in pair:
        page.locator("label.pic").nth(number - 1).click()


def shown_to_all(pages: list[Page], least: int) -> None:
    for page in pages:
        wait_version(page, least)


@pytest.mark.browser
def test_three_members_race_to_the_end_of_the_clock(browser: Browser, site, worker, log_in, clock):
    people = [member("ann"), member("bob", language="fr"), member("cem")]
    options = {"mode": "cooperative", "language": "en"}
    match = seated(*people, game_slug="yesss", options=options, pace="live")
    settings = [{}, {"viewport": PHONE, "has_touch": True}, {"java_script_enabled": False}]
    ann, bob, cem = pages = open_pages(browser, site, log_in, match, people, settings)
    lively = [ann, bob]
    for page in pages:
        expect(page.locator(".pic.back")).to_have_count(7)
        expect(page.locator(".ring img")).to_have_count(0)
    for page in pages:
        page.reload()
        button(page, "ready").click()
    shown_to_all(lively, 4)
    for page in pages:
        expect(page.locator(".ring img")).to_have_count(7)

    tick(ann, [2, 5])
    ann.locator("#word-own").fill(some_word())
    ann.locator("#word-own").press("Enter")
    bob.wait_for_selector("#clue-0")
    expect(ann.locator(".own .known")).to_contain_text("Take it back")
    tick(bob, [2, 5])
    expect(bob.locator("#clue-0 [data-two]")).to_have_text("C’est 2 + 5")
    bob.locator("#clue-0 [data-two]").click()
    for page in lively:
        expect(page.locator(".score b")).to_have_text("1")
        expect(page.locator(".flash.right")).to_be_visible()
        expect(page.locator(".piles .good")).to_have_count(1)

    cem.reload()
    tick(cem, [1, 3])
    cem.locator("#word-own").fill(some_word())
    cem.locator("#word-own").press("Enter")
    ann.wait_for_selector("#clue-1")
    ann.locator("#word-own").fill("half")
    tick(ann, [2, 5])
    expect(ann.locator("#clue-1 [data-two]")).to_have_text("2 + 5 has gone")
    expect(ann.locator("#clue-1 [data-two]")).to_be_disabled()
    tick(ann, [2, 5])
    tick(ann, [1, 4])
    ann.locator("#clue-1 [data-two]").click()
    for page in lively:
        expect(page.locator(".score b")).to_have_text("0")
        expect(page.locator(".piles .bad")).to_have_count(1)
    expect(ann.locator("#word-own")).to_have_value("half")

    tick(bob, [6, 7])
    bob.locator("#word-own").fill(some_word())
    bob.locator("#word-own").press("Enter")
    ann.wait_for_selector("#clue-2")
    before = version(ann)
    button(bob, "withdraw").click()
    wait_version(ann, before + 1)
    expect(ann.locator("#clue-2")).to_have_count(0)

    ends_at = fresh(match).ends_at
    Hours(clock).go_by(seconds=(ends_at - present.now()).total_seconds() - 16)
    before = version(ann)
    for number, page in enumerate(lively, 1):  # each learns the time when the other does something
        tick(page, [6, 7])
        page.locator("#word-own").fill(some_word())
        page.locator("#word-own").press("Enter")
        shown_to_all(lively, before + number)
    for page in lively:
        ends = round(ends_at.timestamp() * 1000)
        wait_until(lambda page=page, ends=ends: abs(drift(page, ends, clock.seconds * 1000)) < 200, "the right second")
    wait_until(lambda: fresh(match).status == Match.Status.ENDED, "the end")
    assert timedelta() <= fresh(match).ended_at - ends_at < timedelta(seconds=1)
    cem.reload()
    for page in pages:
        page.wait_for_selector(ENDED, state="attached")
        expect(page.locator(".result")).to_contain_text(re.compile(r"0\s+points?\s+(together|ensemble)"))
        expect(page.locator(".reveals .reveal")).to_have_count(5)
        expect(page.locator(".reveals .reveal").first).to_have_class("reveal missed")
    expect(ann.locator("h1")).to_have_text("0 points together")
    expect(bob.locator("h1")).to_have_text("0 point ensemble")
    assert state_of(fresh(match)).over
