"""Three members play YAM menteur to the end: by desk, by phone, and by phone without JavaScript."""

import re
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.names import LONGEST
from tests.e2e.playing import ENDED, MINE, button, make_move, version, wait_live, wait_version, well_on
from tests.factories import asked, fresh, member, played_on, seated, submit
from tests.processes import off_loop

PHONE = {"width": 390, "height": 844}
SEED = 20261128
SMALLEST_TARGET = """() => Math.min(...[...document.querySelectorAll("#orders td > label, #orders button")]
    .flatMap(each => [each.offsetWidth, each.offsetHeight]))"""
WHOLE = """() => {
  const sheet = document.querySelector(".sheet"), top = document.querySelector(".verdict");
  const told = top.firstElementChild.getBoundingClientRect();
  return sheet.scrollWidth <= sheet.clientWidth && sheet.getBoundingClientRect().bottom <= innerHeight
    && told.top > top.getBoundingClientRect().top;
}"""


@pytest.mark.browser
def test_three_members_from_start_to_end(browser: Browser, site, log_in):
    people = [member("ann"), member("bob"), member("cem")]
    match = well_on(seated(*people, game_slug="yam-menteur"), SEED, 100)
    phone = {"viewport": PHONE, "has_touch": True, "reduced_motion": "reduce"}
    settings = [{}, phone, {"viewport": PHONE, "java_script_enabled": False}]
    pages = []
    for person, more in zip(people, settings, strict=True):
        context = browser.new_context(base_url=site.url, **more)
        log_in(context, person)
        pages.append(context.new_page())
        pages[-1].goto(f"/matches/{match.pk}/")
    lively, plain = pages[:2], pages[2]
    for page in lively:
        wait_live(page)
    seen = {"fixed": 0, "reveal": 0, "hidden": 0}
    unexplained = list(pages)
    for number in range(600):
        page = next((page for page in lively if page.locator(MINE).count()), plain)
        if page is plain:
            plain.reload()
            if plain.locator(ENDED).count():
                break
        look(page, seen)
        if page in unexplained and page.locator("#believe").count():
            unexplained.remove(page)
            (ask_why_without_script if page is plain else ask_why)(page)
        if page.locator("#why").count():
            page.keyboard.press("b")
            expect(page.locator("#why")).to_have_count(0)  # it was about the question before
        else:
            play(page, number)
        if page is plain:
            page.wait_for_load_state()
        else:
            wait_version(page, version(page))
        newest = max(version(each) for each in pages)
        for other in lively:
            wait_version(other, newest)
            assert other.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert min(seen.values()) > 1, seen
    assert not unexplained
    for page in lively:
        page.wait_for_selector(ENDED, state="attached")
        expect(page.locator("#happened")).to_have_text("What happened")  # not since one left: one was there
    for page in pages:
        expect(page.locator(".players > li")).to_have_count(3)
        expect(page.locator(".marks > i.lie, .marks > i.true").first).to_be_attached()


def ask_why(page: Page) -> None:
    """Below the headline, over the board, which stays where it is; closed by Escape, by its button, by a move."""
    link, why, board = page.locator("#ask-why"), page.locator("#why"), page.locator("#board")
    link.hover()  # it is scrolled to
    before = board.bounding_box()
    link.click()
    expect(why).to_be_focused()
    expect(why.get_by_role("listitem").first).to_be_visible()
    expect(link).to_have_attribute("aria-expanded", "true")
    assert board.bounding_box() == before
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    size = why.get_by_role("button", name="Close").bounding_box()
    assert size and min(size["width"], size["height"]) >= 44
    page.keyboard.press("Escape")
    expect(why).to_have_count(0)
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    why.get_by_role("button", name="Close").click()
    expect(link).to_be_focused()
    link.click()
    expect(why).to_be_visible()


def ask_why_without_script(page: Page) -> None:
    page.locator("#ask-why").click()
    expect(page.locator(".why li").first).to_be_visible()
    page.get_by_role("link", name="Back to the match").last.click()
    expect(page.locator("#board")).to_be_visible()


@pytest.mark.browser
def test_eight_with_the_longest_names_fit_320_px(browser: Browser, site, log_in):
    """On the page while it runs, after its end, in the log and in the replay."""
    people = [member(f"W{'Wm' * (LONGEST // 2 - 2)}-{number}"[:LONGEST]) for number in range(8)]
    match = seated(*people, game_slug="yam-menteur")
    context = browser.new_context(base_url=site.url, viewport={"width": 320, "height": 640})
    log_in(context, people[0])
    page, rng = context.new_page(), Random(SEED)

    def fits(path: str) -> None:
        page.goto(f"/matches/{match.pk}/{path}")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320, path

    for turns in (3, 2, 50, 1, 1, 1, 10**6):
        with off_loop():
            match = played_on(match, rng, turns=turns)
        fits("")
        if page.locator("#orders").count():
            page.locator("#orders > summary").click()
            assert page.evaluate("() => document.documentElement.scrollWidth") <= 320, "orders"
            assert page.evaluate(SMALLEST_TARGET) >= 44
        if turns == 50:
            page.set_viewport_size({"width": 1280, "height": 800})
            assert page.evaluate(WHOLE)
            page.set_viewport_size({"width": 320, "height": 640})
    assert match.status == match.Status.ENDED
    for path in ("log/", "replay/30/", f"replay/{match.turns}/"):
        fits(path)


def play(page: Page, number: int) -> None:
    """One move: sometimes dice are kept and the others rolled again, sometimes one doubts or lies."""
    before = version(page)
    if button(page, "answer").count() and number % 4 == 1:
        page.locator("#doubt").click()
    elif page.locator("label.die").count() and number % 3 == 0:
        page.locator("label.die").first.click()
        page.locator("#roll").click()
    elif page.locator(".offer").count() and number % 5 == 0:
        offer = page.locator(".offer").last
        offer.locator("summary").click()
        offer.locator(".pick").last.click()
    else:
        make_move(page)
    if page.evaluate("() => document.body.dataset.live") == "yes":
        wait_version(page, before + 1)


def look(page: Page, seen: dict[str, int]) -> None:
    """What must be seen on the way: fixed dice, shown ones, and none where they are hidden."""
    seen["fixed"] += page.locator(".die.locked").count() > 0
    seen["reveal"] += page.locator(".verdict .shown").count() > 0
    if button(page, "answer").count():
        assert page.locator("fieldset .die").count() == 0
        expect(page.locator(".bubble")).to_have_text(re.compile(r"\d"))
        seen["hidden"] += 1


@pytest.mark.browser
def test_keys_keep_roll_believe_and_doubt(browser: Browser, site, log_in):
    people = [member("ann"), member("bob"), member("cem")]
    match = seated(*people, game_slug="yam-menteur")
    pages = []
    for person in people:
        context = browser.new_context(base_url=site.url, reduced_motion="reduce")
        log_in(context, person)
        pages.append(context.new_page())
        pages[-1].goto(f"/matches/{match.pk}/")
        wait_live(pages[-1])
    thrower = next(page for page in pages if page.locator(MINE).count())
    others = [page for page in pages if page is not thrower]
    thrower.keyboard.press("r")
    wait_version(thrower, version(thrower) + (thrower.locator(".tray").count() == 0))
    thrower.wait_for_selector(".tray label.die")
    expect(thrower.locator("h1")).to_be_focused()
    offered = thrower.locator(".offer").evaluate_all("(rows) => rows.map((row) => row.id)")
    thrower.keyboard.press("a")
    expect(thrower.locator(f"#{offered[0]} > summary")).to_be_focused()
    thrower.keyboard.press("Enter")
    expect(thrower.locator(f"#{offered[0]} .pick").first).to_be_visible()
    thrower.keyboard.press("Enter")
    thrower.keyboard.press("1")
    thrower.keyboard.press("3")
    expect(thrower.locator("#roll span")).to_have_text("Roll 3 dice again")
    for key in "245":
        thrower.keyboard.press(key)
    expect(thrower.locator("#roll")).to_be_disabled()
    thrower.keyboard.press("2")
    thrower.keyboard.press("r")
    thrower.wait_for_selector(".die.locked")
    expect(thrower.locator(".die.locked")).to_have_count(4)
    make_move(thrower)
    for page, key in zip(others, "db", strict=True):
        page.wait_for_selector("#doubt")
        page.keyboard.press(key)
        page.wait_for_selector(".sealed, .verdict")
        expect(page.locator("h1")).to_be_focused()
    for page in pages:
        page.wait_for_selector(".verdict .shown")
        expect(page.locator(".verdict")).to_be_in_viewport()


@pytest.mark.browser
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_nothing_moves_when_a_row_is_tapped_and_the_question_stays_in_view(browser: Browser, site, log_in, size):
    people = [member("ann"), member("bob"), member("cem")]
    match = seated(*people, game_slug="yam-menteur")
    submit(match, asked(match), {"type": "roll"})
    mover = asked(fresh(match))
    context = browser.new_context(
        base_url=site.url, viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce"
    )
    log_in(context, mover.user)
    page = context.new_page()
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    before = page.evaluate(PLACES)
    assert min(min(box["width"], box["height"]) for box in before) >= 44
    for row in page.locator(".offer > summary").all():
        row.click()
        assert page.evaluate(PLACES) == before
        box, points = row.bounding_box(), page.locator(".offer[open] .claims").bounding_box()
        assert not overlap(box, points), "the points came to lie under the finger"
        assert page.locator(".offer[open] .pick").last.bounding_box()["height"] >= 44
    if size[0] < 1000:
        page.evaluate("() => scrollTo(0, 400)")
        stage, heads = (page.locator(one).bounding_box() for one in ("#stage", ".ym thead"))
        assert abs(stage["y"] + stage["height"] - heads["y"]) < 2, "the stage covers the heads of the columns"
    for shown in ("#stage", *((".say", ".sheet.ym") if size[0] > 1000 else ())):
        page.evaluate("() => scrollTo(0, 0)")
        expect(page.locator(shown)).to_be_in_viewport(ratio=0.99)
    page.locator(".offer > summary").last.scroll_into_view_if_needed()
    page.locator(".offer[open] .pick").first.click()
    expect(page.locator(".bubble")).to_be_in_viewport(ratio=1)


PLACES = """() => [...document.querySelectorAll(".offer > summary")].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return { x, y: y + scrollY, width, height };
})"""


def overlap(one: dict, other: dict) -> bool:
    """Whether two boxes have a point in common."""
    return all(
        one[at] < other[at] + other[size] and other[at] < one[at] + one[size]
        for at, size in (("x", "width"), ("y", "height"))
    )
