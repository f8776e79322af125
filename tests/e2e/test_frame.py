"""The page around every game: what is asked is in the title and in view, a refusal hangs over the page."""

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from games.services.lobby import opening
from tests.e2e.playing import button, wait_live, wait_version
from tests.factories import asked, fresh, member, opened, play_on, random_move, seated, state_of, submit
from tests.processes import off_loop

PHONE = {"viewport": {"width": 390, "height": 844}}
SMALL = """
() => [...document.querySelectorAll("#main :is(button, summary, .button, select, label:has(input), .nav a)")]
  .filter((one) => !one.closest("#board") && one.checkVisibility() && !one.closest(".hidden"))
  .map((one) => [one.textContent.trim().slice(0, 30), one.getBoundingClientRect()])
  .filter(([, box]) => box.height < 43.9 || box.width < 43.9)
  .map(([words, box]) => `${words}: ${box.width} × ${box.height}`)
"""


def top(page: Page, selector: str) -> float:
    return page.locator(selector).bounding_box()["y"]


def is_to_roll(match, person) -> bool:
    """Return whether the person is the first to be asked, and asked to roll."""
    one = asked(match)
    return one.user == person and match.game.prompt(state_of(match), one.number)["phase"] == "roll"


@pytest.mark.browser
def test_the_title_says_what_the_headline_says(browser, site, log_in):
    ann, bob = member("ann"), member("bob")
    match = opened(ann, size=2)
    page = browser.new_context(base_url=site.url).new_page()
    log_in(page.context, ann)
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    expect(page).to_have_title("Waiting for one more player · Yum EXTRA · Club Y")
    with off_loop():
        opening.join(match_id=match.pk, user=bob)
        first = asked(fresh(match)).user
    wanted = "(1) Your turn to roll" if first == ann else "Waiting for bob"
    expect(page).to_have_title(f"{wanted} · Yum EXTRA · Club Y")  # #main was put in anew
    with off_loop():
        while not is_to_roll(fresh(match), ann):  # she may be asked about a combo before
            one = asked(fresh(match))
            submit(fresh(match), one, random_move(fresh(match), one.number, Random(1)), key=f"k{one.ask}")
        shown = fresh(match).version
    wait_version(page, shown)
    expect(page).to_have_title(re.compile(r"^\(1\) .* · Yum EXTRA · Club Y$"))  # by a ring
    button(page, "roll").first.click()
    wait_version(page, shown + 1)
    expect(page).to_have_title(f"(1) {page.locator('#headline').inner_text()} · Yum EXTRA · Club Y")  # by a move


@pytest.mark.browser
def test_the_bar_on_a_phone(browser, site, log_in):
    """The page opens at what is asked; what was missed is told below; a refusal moves nothing; nothing is small."""
    ann, bob, cem = member("ann"), member("bob"), member("cem")
    match = play_on(seated(ann, bob, cem, rated=True), Random(15), turns=60)
    with off_loop():
        match = play_on(match, Random(3), until=lambda now: asked(now).user_id == ann.pk)
    page = browser.new_context(base_url=site.url, **PHONE).new_page()
    log_in(page.context, ann)
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)

    expect(page.locator("#happened")).to_have_text("Since you left")
    assert top(page, ".head") == 0
    assert top(page, "#board") < 160 < 844 < top(page, ".happened")

    page.evaluate("() => scrollTo(0, 500)")
    before = top(page, "#board")
    page.evaluate("() => (document.querySelector('#question [name=ask]').value = 1)")
    page.evaluate("() => document.querySelector('#board button[name=move]').click()")
    note = page.locator(".refusal")
    expect(note).to_contain_text("Nothing was played")
    assert 0 < note.bounding_box()["y"] < 200
    assert top(page, "#board") == before
    page.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)

    page.locator("#chat").scroll_into_view_if_needed()
    page.locator("#board button[name=move]").last.focus()
    bar = page.locator(".head").bounding_box()
    assert page.locator("#board button[name=move]").last.bounding_box()["y"] >= bar["y"] + bar["height"]

    page.evaluate("() => document.querySelectorAll('aside details').forEach((one) => (one.open = true))")
    assert page.evaluate(SMALL) == []
