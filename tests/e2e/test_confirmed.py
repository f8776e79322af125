"""Who is asked before final moves confirms them in place, over the page's line."""

from random import Random

import pytest
from playwright.sync_api import expect

from tests.e2e.playing import version, wait_live, wait_version
from tests.factories import asked, fresh, member, play_on, seated, state_of
from tests.processes import off_loop


@pytest.mark.browser
def test_a_final_move_is_confirmed_on_the_page(browser, site, log_in):
    ann, bob = member("ann", asks_before_final=True), member("bob")
    with off_loop():
        match = play_on(
            seated(ann, bob, game_slug="yay"),
            Random(1),
            until=lambda now: asked(now).user_id == ann.pk and state_of(now).phase == "decide",
        )
    page = browser.new_context(base_url=site.url, viewport={"width": 390, "height": 844}).new_page()
    log_in(page.context, ann)
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    before = version(page)
    cell = page.locator("#board .spot:is(.write, .lock)").first
    cell.click()
    note = page.locator(".refusal")
    expect(note).to_contain_text("This cannot be taken back. Play it?")
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)
    cell.click()
    page.get_by_role("button", name="Yes, play it").click()
    wait_version(page, before + 1)
    expect(note).to_have_count(0)
    with off_loop():
        assert fresh(match).turns > match.turns
