"""The page of a game's rules in a browser: steps that stay in their place, and a sheet on two pages at most."""

import re

import pytest
from playwright.sync_api import expect

from games.rules import examples, games
from tests.factories import member
from tests.processes import off_loop

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
PLACE = """() => {
  const top = (name) => document.querySelector(name).getBoundingClientRect().top;
  return [".example .steps", ".example > .seen"].map((name) => Math.round(top(name) - top("#example")));
}"""
PAGE = re.compile(rb"/Type\s*/Page\b")
SLUGS = [slug for slug in games() if slug != "sample-game"]


def visitor(browser, site, language: str, **settings):
    return browser.new_context(base_url=site.url, locale=language, reduced_motion="reduce", **settings).new_page()


@pytest.mark.browser
@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("window", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_moves_from_step_to_step(site, browser, language, window):
    page = visitor(browser, site, language, viewport=window)
    for slug in SLUGS:
        for example in examples(slug, language):
            places = set()
            for step in range(1, len(example.scenes) + 1):
                page.goto(f"/games/{slug}/?{example.name}={step}#example")
                places.add(tuple(page.evaluate(PLACE)))
            assert len(places) == 1, (slug, example.name, places)


@pytest.mark.browser
def test_steps_by_keyboard_without_script(site, browser):
    page = visitor(browser, site, "en", viewport=PHONE, java_script_enabled=False)
    page.goto("/games/yay/#example")
    expect(page.locator("#example")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Next"
    page.keyboard.press("Enter")
    page.wait_for_url("**/?step=2#example")
    expect(page.locator("#example")).to_be_focused()
    for wanted in ("Back", "Next"):
        page.keyboard.press("Tab")
        assert page.locator(":focus").inner_text() == wanted
    page.keyboard.press("Enter")
    page.wait_for_url("**/?step=3#example")


@pytest.mark.browser
def test_a_member_goes_by_arrows_and_presses_nothing_on_the_board(site, page, log_in):
    with off_loop():
        ann = member("ann")
    log_in(page.context, ann)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto("/games/yum-extra/?step=2#example")
    kept = page.locator(".example :checked").count()
    page.keyboard.press("2")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/?step=3#example")
    expect(page.locator("#example")).to_have_accessible_description(re.compile("Step 3 of 7: .*third and last roll"))
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/?step=2#example")
    assert page.locator(".example :checked").count() == kept
    assert not errors


@pytest.mark.browser
def test_what_stands_beside_the_rules_begins_with_them(site, browser):
    page = visitor(browser, site, "en", viewport=DESK)
    page.goto("/games/yay/?step=2#example")
    expect(page.locator("#example")).to_be_focused()
    side, example = (page.locator(name).bounding_box() for name in (".rules .side", "#example"))
    assert example["y"] + example["height"] <= side["y"]


@pytest.mark.browser
def test_a_die_is_as_wide_as_it_is_drawn(site, browser):
    page = visitor(browser, site, "en")
    page.goto("/games/yay/")
    widths = page.locator("[data-picture=touching] .yd rect").evaluate_all(
        "(rects) => rects.map((rect) => rect.getBBox().width)"
    )
    assert widths == [120, 120, 120]


@pytest.mark.browser
@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_sheet_has_two_pages_at_most(site, browser, language):
    page = visitor(browser, site, language)
    for slug in SLUGS:
        page.goto(f"/games/{slug}/sheet/")
        for paper in ("A4", "Letter"):
            assert 1 <= len(PAGE.findall(page.pdf(format=paper))) <= 2, (slug, paper)
