"""A replay in a browser: it plays by itself, by any way to a step, and as pages alone."""

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from games.queries.turns import all_turns
from games.views.replay import ends_of_turns
from tests.factories import as_many, member, played_on, seated
from tests.processes import off_loop

WIDE = "document.documentElement.scrollWidth > innerWidth"
ANCHORED = """() => ["steps", "scrub", "slider", "play", "speed"].map((id) => document.getElementById(id))
  .map((one) => one.getBoundingClientRect()).map((box) => [box.x, box.y, box.width, box.height].map(Math.round))"""
SMALL = """() => [...document.querySelectorAll(".player :is(a, button, select, input)")]
  .map((one) => one.getBoundingClientRect()).filter((box) => box.width && Math.min(box.width, box.height) < 43.9)"""


@pytest.fixture
def match(site):
    with off_loop():
        people = [member("ann"), member("bob")]
        return played_on(seated(*people), Random(71), turns=30)


def at(page: Page, step: int) -> None:
    expect(page).to_have_url(re.compile(rf"/replay/{step}/$"))
    expect(page.locator("#steps .count-of")).to_have_text(re.compile(rf"^{step} / "))
    expect(page.locator("#slider")).to_have_value(str(step))


@pytest.mark.browser
def test_it_plays_by_itself_and_goes_anywhere_without_a_reload(page, match):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/matches/{match.pk}/replay/{match.turns - 3}/")
    page.evaluate("() => (globalThis.same = true)")
    page.get_by_label("Speed").select_option("very fast")
    places = page.evaluate(ANCHORED)
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    at(page, match.turns)
    expect(page.get_by_role("button", name="Play")).to_be_visible()  # it stops at the end
    assert page.evaluate(ANCHORED) == places
    assert page.evaluate(SMALL) == []
    assert not page.evaluate(WIDE)

    with off_loop():
        ends = ends_of_turns(match.game, all_turns(match))
    page.get_by_label("A turn back").click()
    at(page, ends[-2])
    page.keyboard.press("ArrowLeft")
    at(page, ends[-2] - 1)
    page.get_by_label("A turn on").click()
    at(page, ends[-2])
    page.locator("#slider").fill("7")
    at(page, 7)
    expect(page.locator("#told")).to_contain_text("After move 7")
    page.get_by_label("To the start").click()
    at(page, 0)
    assert page.evaluate("globalThis.same")
    page.reload()
    at(page, 0)


@pytest.mark.browser
def test_what_is_asked_for_meanwhile_counts_and_a_lost_server_is_a_page(page, match):
    page.goto(f"/matches/{match.pk}/replay/0/")
    page.evaluate(
        "() => { for (const step of [3, 9, 12]) { const s = document.getElementById('slider'); s.value = step;"
        " s.dispatchEvent(new Event('input', { bubbles: true })); } }"
    )
    at(page, 12)
    page.get_by_role("button", name="Play").click()
    page.get_by_label("To the start").click()  # who goes elsewhere has stopped it
    at(page, 0)
    expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")


@pytest.mark.browser
@pytest.mark.parametrize("slug", ["yes", "yay", "yesss", "yam-menteur"])
def test_every_game_plays_itself_at_360_px(site, page, slug):
    with off_loop():
        people = [member(name) for name in ("ann", "bob", "cem")]
        match = played_on(seated(*as_many(slug, *people), game_slug=slug), Random(72), turns=20)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/matches/{match.pk}/replay/{match.turns - 2}/")
    page.get_by_label("Speed").select_option("very fast")
    page.get_by_role("button", name="Play").click()
    at(page, match.turns)
    assert not page.evaluate(WIDE)
    assert page.evaluate(SMALL) == []


@pytest.mark.browser
def test_without_a_script_the_slider_is_a_form(browser, site, match):
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/matches/{match.pk}/replay/2/")
    expect(page.get_by_role("button", name="Play")).to_have_count(0)
    page.locator("#slider").fill("9")
    page.get_by_role("button", name="Go there").click()
    expect(page).to_have_url(re.compile(r"/replay/9/$"))
    page.get_by_label("A turn on").click()
    expect(page).not_to_have_url(re.compile(r"/replay/9/$"))
    context.close()
