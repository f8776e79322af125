"""What just happened is told line by line when several lines come at once, and a tap tells the rest."""

from random import Random

import pytest
from playwright.sync_api import Page

from tests.e2e.playing import wait_live
from tests.factories import member, play_on, seated
from tests.processes import off_loop

# The newest lines are taken away and come again, as with a table that has them all at once.
AGAIN = """
() => {
  const settle = () => document.dispatchEvent(new Event("settled"));
  const list = document.querySelector(":is(.told, .strip) ol");
  const lines = [...list.querySelectorAll("p")].slice(-3);
  const places = lines.map((line) => line.parentElement);
  lines.forEach((line) => line.remove());
  settle();
  lines.forEach((line, i) => places[i].append(line));
  settle();
}
"""
SHOWN = """
() => [...document.querySelectorAll(":is(.told, .strip) p")].slice(-3)
  .filter((line) => getComputedStyle(line).visibility === "visible").length
"""


@pytest.mark.browser
@pytest.mark.parametrize("slug", ["yum-extra", "yes"])
def test_lines_come_one_after_another(browser, site, log_in, slug):
    ann, bob = member("ann"), member("bob")
    with off_loop():
        match = play_on(seated(ann, bob, game_slug=slug), Random(8), turns=36)

    def opened(**how: str) -> Page:
        page = browser.new_context(base_url=site.url, viewport={"width": 390, "height": 844}, **how).new_page()
        log_in(page.context, ann)
        page.goto(f"/matches/{match.pk}/")
        wait_live(page)
        return page

    page = opened()
    height = page.locator(":is(.told, .strip)").bounding_box()["height"]
    assert page.evaluate(SHOWN) == 3  # what was there when the page was opened is not played
    page.evaluate(AGAIN)
    assert page.evaluate(SHOWN) == 1
    page.wait_for_function(f"() => ({SHOWN})() === 2")
    page.locator(":is(.told, .strip)").click()
    assert page.evaluate(SHOWN) == 3
    assert page.locator(":is(.told, .strip)").bounding_box()["height"] == height
    page.evaluate(AGAIN)
    page.wait_for_function(f"() => ({SHOWN})() === 3")
    calm = opened(reduced_motion="reduce")
    calm.evaluate(AGAIN)
    assert calm.evaluate(SHOWN) == 3
