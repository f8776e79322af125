"""On a narrow phone the game whose board is shown is in sight among the tabs, without scrolling."""

import pytest

from games.rules import games

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [320, 360, 390])
def test_the_tab_of_the_game_is_in_sight(browser, site, width):
    page = browser.new_context(base_url=site.url, viewport={"width": width, "height": 640}).new_page()
    for slug in games():
        page.goto(f"/leaderboards/{slug}/")
        tab = page.locator(".tabs [aria-current]")
        assert tab.get_attribute("href") == f"/leaderboards/{slug}/"
        box = tab.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert page.evaluate("document.documentElement.scrollWidth") == width
