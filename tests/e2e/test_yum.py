"""Yum EXTRA in a browser: nothing moves when an extra asks, what is spent for good can be taken back before."""

import pytest
from playwright.sync_api import expect

from games.rules.yum_extra.sheet import Row, Sheet
from games.rules.yum_extra.state import State
from tests.e2e.playing import version, wait_live, wait_version
from tests.factories import fresh, member, put, seated, state_of
from tests.processes import off_loop
from tests.rules.test_yum_extra import sheet

DICE = (1, 2, 2, 5, 1)

PLACES = """() => [...document.querySelectorAll("#board :is(button, summary, label)")]
  .filter((one) => !one.closest(".over")).map((one) => one.getBoundingClientRect())
  .map((box) => [box.x, box.y, box.width, box.height].map(Math.round))"""
SMALL = """() => [...document.querySelectorAll("#board :is(button, summary, label.pick, label.die, select)")]
  .map((one) => one.getBoundingClientRect()).filter((box) => box.width && Math.min(box.width, box.height) < 43.9)"""
SECOND_CLICK = """() => document.querySelector(".over button[name=move]")
  .dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2 }))"""
WHOLE = """() => document.querySelector("#sheets").getBoundingClientRect().bottom - document.querySelector("#stage")
  .getBoundingClientRect().top"""


@pytest.fixture
def ann_and_match(site):
    with off_loop():
        ann, bob = member("ann"), member("bob")
        return ann, seated(ann, bob)


@pytest.mark.browser
def test_what_is_spent_for_good_asks_first_and_nothing_moves(site, page, log_in, ann_and_match):
    ann, match = ann_and_match
    log_in(page.context, ann)
    page.set_viewport_size({"width": 1280, "height": 800})
    with off_loop():
        put(match, State("free", 0, 0, (Sheet(), Sheet()), dice=DICE, rolls=1))
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    assert page.evaluate(SMALL) == []
    assert page.evaluate(WHOLE) < 560  # with 240 px above them it fits 800
    before, places = version(page), page.evaluate(PLACES)
    extra = page.locator("summary", has_text="One die")
    extra.click()
    dice = page.get_by_role("button", name="Use the extra to roll")
    expect(dice).to_have_count(5)
    assert page.evaluate(PLACES) == places
    assert not page.evaluate(SECOND_CLICK)  # the second half of a double click spends nothing
    extra.click()
    expect(dice.first).to_be_hidden()
    page.locator(".pick.zero").last.click()
    expect(page.get_by_role("button", name="Write the zero")).to_be_visible()
    page.get_by_text("Cancel").last.click()
    expect(page.get_by_role("button", name="Write the zero")).to_be_hidden()
    assert (page.evaluate(PLACES), version(page)) == (places, before)

    page.set_viewport_size({"width": 390, "height": 844})
    with off_loop():
        sheets = (sheet(twos=Row(6), yum=Row(0)), sheet(fours=Row(8), yum=Row(30)))
        put(match, State("free", 0, 1, sheets, dice=DICE, rolls=1, combo=0, white=2))
    wait_version(page, before + 1)
    assert page.evaluate(SMALL) == []
    page.get_by_role("radio", name="Steal 30 in Yum from bob").check(force=True)
    page.get_by_role("radio", name="Steal 8 in Fours from bob").check(force=True)
    expect(page.get_by_role("button", name="Use the combo")).to_be_in_viewport()
    page.get_by_role("button", name="Use the combo").click()
    wait_version(page, before + 2)
    with off_loop():
        mine = state_of(fresh(match)).sheets[0]
    assert (mine.row("fours").bonus, mine.row("yum").bonus) == (8, None)
