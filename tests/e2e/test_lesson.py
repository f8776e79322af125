"""A first match with a coach in a browser: on a small phone, by keyboard, over the line, and without JavaScript."""

import pytest
from playwright.sync_api import expect

from games.models import Match
from games.rules import lesson
from tests.processes import off_loop

PHONE = {"width": 360, "height": 640}
IN_SIGHT = """(element) => {
  const box = element.getBoundingClientRect();
  const inside = (x, y) => element.contains(document.elementFromPoint(x, y));
  return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight
    && inside(box.x + box.width / 2, box.y + 6) && inside(box.x + box.width / 2, box.bottom - 6);
}"""


def says(number: int) -> str:
    """What the coach of Yum EXTRA says at this step, from 0."""
    return lesson("yum-extra").steps_of(0)[number].says


def begin(page) -> None:
    """Open the lesson as somebody does who plays for the first time."""
    page.goto("/games/yum-extra/")
    page.locator("form[action$='/now/'] button.main").click()
    page.wait_for_url("**/lesson/")
    page.locator("[name=lesson][value=yes]").click()
    page.wait_for_url("**/matches/*/")


@pytest.mark.browser
def test_on_a_phone_the_coach_the_question_and_its_button_are_in_sight(site, page):
    page.set_viewport_size(PHONE)
    begin(page)
    coach = page.locator("#coach")
    expect(coach).to_contain_text(says(0))
    for name in ("#headline", "#coach-says", "#skip-lesson button", "#roll"):
        assert page.locator(name).evaluate(IN_SIGHT), name
    assert page.locator("#roll").get_attribute("data-pointed") is not None
    page.locator("#roll").focus()
    page.evaluate("scrollTo(0, 400)")
    page.keyboard.press("Enter")
    expect(page.locator("#coach-says")).to_have_text(says(1))
    for name in ("#headline", "#coach-says", "#tray"):
        assert page.locator(name).evaluate(IN_SIGHT), name
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.browser
def test_another_answer_is_answered_and_can_be_played(site, page):
    begin(page)
    page.locator("#roll").click()
    expect(page.locator("#coach-says")).to_have_text(says(1))
    sixes = page.locator("button.pick[value*=sixes]")
    sixes.focus()
    page.keyboard.press("Enter")
    alert = page.locator("#coach [role=alert]")
    expect(alert).to_contain_text("That writes now and ends your turn")
    expect(page.locator("#coach-says")).to_have_text("")
    with off_loop():
        assert Match.objects.get().turns == 1
    page.locator("#anyway").click()
    expect(alert).to_have_count(0)
    with off_loop():
        assert Match.objects.get().turns == 2


@pytest.mark.browser
def test_on_a_wide_window_the_coach_stays_in_sight(site, page):
    page.set_viewport_size({"width": 1280, "height": 600})
    begin(page)
    for top in (0, 300, 10_000):
        page.evaluate("top => scrollTo(0, top)", top)
        assert page.locator("#coach-says").evaluate(IN_SIGHT), top


@pytest.mark.browser
def test_the_coach_is_there_after_a_reload_and_gone_when_skipped(site, page):
    begin(page)
    page.locator("#roll").click()
    expect(page.locator("#coach-says")).to_have_text(says(1))
    page.reload()
    expect(page.locator("#coach-says")).to_have_text(says(1))
    page.locator("#skip-lesson button").click()
    expect(page.locator("#coach")).to_have_count(0)
    expect(page.locator("[data-pointed]")).to_have_count(0)
    expect(page.locator("#tray")).to_be_visible()


@pytest.mark.browser
def test_without_javascript(site, browser):
    page = browser.new_context(base_url=site.url, java_script_enabled=False).new_page()
    begin(page)
    page.locator("#roll").click()
    expect(page.locator("#coach-says")).to_have_text(says(1))
    page.locator("button.pick[value*=sixes]").click()
    expect(page.locator("#coach .advice")).to_contain_text("That writes now and ends your turn")
    page.locator("#anyway").click()
    expect(page.locator("#coach .advice")).to_have_count(0)
    with off_loop():
        assert Match.objects.get().turns == 2
    page.context.close()


@pytest.mark.browser
def test_what_is_chosen_from_in_the_sheet_is_ringed_whole_and_an_extra_opened_closes_with_the_next_roll(site, page):
    page.set_viewport_size({"width": 390, "height": 844})
    begin(page)
    page.locator("#roll").click()
    expect(page.locator("#coach-says")).to_have_text(says(1))
    for die in (1, 3):
        page.locator(f"#tray label.die:nth-of-type({die})").click()
    page.locator("#one-1 > summary").click()
    expect(page.locator("#reroll-1-2")).to_be_visible()
    page.locator("#roll").click()
    expect(page.locator("#coach-says")).to_have_text(says(2))
    expect(page.locator("#reroll-2-2")).to_be_hidden()
    page.locator("#roll").click()
    expect(page.locator("#coach-says")).to_have_text(says(3))
    for row in ("three_kind", "four_kind", "high_roll"):
        button = page.locator(f"#write-{row}[data-pointed]")
        assert button.evaluate(IN_SIGHT), row
        assert button.evaluate("(each) => parseFloat(getComputedStyle(each).outlineOffset)") < 0
