"""A game that came by its folder alone is played in a browser: against a bot, and between two members."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.playing import ENDED, MINE, button, version, wait_live, wait_version
from tests.factories import member, seated

MOST_TURNS = 40  # each goes on by one step at least, and forty are the race


def go_on(page: Page) -> None:
    """Roll, or play the hidden die, by turns."""
    before = version(page)
    button(page, ("roll", "play")[before % 2]).click()
    wait_version(page, before + 1)


@pytest.mark.browser
def test_a_visitor_plays_against_a_bot(browser: Browser, site, worker):
    page = browser.new_context(base_url=site.url, locale="en-GB").new_page()
    page.goto("/games/sample-game/")
    page.get_by_role("button", name="against bots").click()
    page.get_by_role("button", name="Play without a coach").click()
    wait_live(page)
    for _ in range(MOST_TURNS):
        page.wait_for_selector(f"{MINE}, {ENDED}", state="attached")
        if page.locator(ENDED).count():
            break
        go_on(page)
    expect(page.locator("h1")).to_contain_text("won")


@pytest.mark.browser
def test_two_members_play(browser: Browser, site, log_in):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob, game_slug="sample-game")
    pages = []
    for person in (ann, bob):
        context = browser.new_context(base_url=site.url)
        log_in(context, person)
        pages.append(context.new_page())
        pages[-1].goto(f"/matches/{match.pk}/")
        wait_live(pages[-1])
    for number in range(2 * MOST_TURNS):
        mover, other = pages[number % 2], pages[1 - number % 2]
        if mover.locator(ENDED).count():
            break
        go_on(mover)
        wait_version(other, version(mover))
    for page in pages:
        expect(page.locator(ENDED)).to_be_attached()
        expect(page.locator(".track", has_text="Hidden die")).to_have_count(2)
