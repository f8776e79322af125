"""YAY! in the browser: a match by keyboard alone against a mouse; four on phones; dice that fly."""

import json
import re
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from games.rules.yay.odds import chance_at
from tests.e2e.playing import ENDED, MINE, version, wait_live, wait_version, well_on
from tests.factories import asked, fresh, member, play_on, played_on, seated, session_of, state_of
from tests.processes import off_loop, wait_until

PHONE = {"width": 360, "height": 740}
TYPED = """(aim) => ["x", "y"].forEach((axis, i) => {
  const field = document.querySelector(`[name="throw.int.${axis}"]`);
  field.value = aim[i];
  field.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def table(*people, size=6):
    return seated(*people, game_slug="yay", options={"size": size})


def open_page(browser: Browser, site, person, match, **context) -> Page:
    """Open the match as that person; every error in the browser's console fails the test that asks."""
    there = browser.new_context(base_url=site.url, **context)
    there.add_cookies([{"name": n, "value": v, "url": site.url} for n, v in session_of(person).items()])
    page = there.new_page()
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda line: page.faults.append(line.text) if line.type == "error" else None)
    page.goto(f"/matches/{match.pk}/")
    if context.get("java_script_enabled", True):
        wait_live(page)
    return page


def shown_prompt(page: Page) -> str:
    """Return what the page asks: "aim", or the kind of its cells' buttons."""
    return page.evaluate("() => document.querySelector('.spot:not(.aim)')?.className.split(' ')[1] ?? 'aim'")


def well_filled(match, seed: int, share: float):
    """Play at random until that share of the cells is filled, and a seat is to throw."""

    def late(state) -> bool:
        view = match.game.view(state, None)
        filled = sum(cell is not None for row in view["grid"] for cell in row)
        return view["phase"] == "throw" and filled >= share * len(view["grid"]) ** 2

    with off_loop():
        return played_on(match, Random(seed), until=late)


def by_pointer(page: Page, rng: Random, *, touch: bool = False) -> None:
    """Make one move with the mouse or a finger: aim at a point of the board and throw, or press a cell."""
    press = "tap" if touch else "click"
    if shown_prompt(page) == "aim":
        box = page.locator(".yb svg").bounding_box()
        point = {"x": box["width"] * rng.uniform(0.2, 0.8), "y": box["height"] * rng.uniform(0.2, 0.8)}
        getattr(page.locator(".yb"), press)(position=point)
        getattr(page.locator("#throw"), press)()
    else:
        spots = page.locator(".spot:not(.aim)")
        getattr(spots.nth(rng.randrange(spots.count())), press)()


def is_flying(page: Page) -> bool:
    return page.evaluate(
        """() => document.getAnimations().some(
          (motion) => motion.animationName === "fly" && motion.playState === "running")"""
    )


def by_keys(page: Page, rng: Random) -> None:
    """Make one move by keys alone: to the board, some cells further, Enter."""
    wait_until(lambda: not is_flying(page), "the dice lie")
    page.keyboard.press("a")
    for _ in range(rng.randrange(4)):
        page.keyboard.press(rng.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]))
    if rng.random() < 0.5 and shown_prompt(page) == "aim":
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")


def play_out(pages: list[Page], players: list) -> None:
    """Play to the end, each page by its own player, all pages following."""
    for _ in range(300):
        if pages[0].locator(ENDED).count():
            break
        mover = next((n for n, page in enumerate(pages) if page.locator(MINE).count()), None)
        assert mover is not None, "nobody is asked"
        before = version(pages[mover])
        players[mover](pages[mover])
        for page in pages:
            wait_version(page, before + 1)
    for page in pages:
        expect(page.locator(ENDED)).to_be_attached()
        assert page.faults == []


@pytest.mark.browser
def test_a_match_of_two_one_by_keyboard_alone(browser: Browser, site):
    ann, bob = member("ann"), member("bob")
    match = well_on(table(ann, bob), 61, 60)
    rng = Random(61)
    pages = [open_page(browser, site, person, match) for person in (ann, bob)]
    play_out(pages, [lambda page: by_keys(page, rng), lambda page: by_pointer(page, rng)])
    moves = fresh(match).log.values_list("seat", "move")
    assert {move["type"] for seat, move in moves if seat == 0} >= {"throw", "write"}
    assert any(move["type"] == "throw" and move["x"] % 50 for seat, move in moves if seat == 0), "no nudge"


@pytest.mark.browser
def test_a_match_of_four_on_phones(browser: Browser, site):
    people = [member(name) for name in ("ann", "bob", "cem", "dan")]
    match = well_on(table(*people), 63, 62)
    rng = Random(63)
    pages = [
        open_page(browser, site, person, match, viewport=PHONE, has_touch=True, is_mobile=True) for person in people
    ]
    for page in pages:
        assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
        assert page.evaluate("() => document.querySelector('.spot, .yb svg').getBoundingClientRect().width") > 38
    play_out(pages, [lambda page: by_pointer(page, rng, touch=True)] * 4)


@pytest.mark.browser
def test_a_tap_sets_the_sight_and_the_button_throws_there(browser: Browser, site):
    ann, bob = member("ann"), member("bob")
    match = table(ann, bob, size=8)
    people = {0: ann, 1: bob}
    mover = asked(match).number
    page = open_page(browser, site, people[mover], match, viewport=PHONE, has_touch=True)
    box = page.locator(".yb svg").bounding_box()
    scale = box["width"] / 920
    page.locator(".yb").tap(position={"x": (234 + 60) * scale, "y": (617 + 60) * scale})
    x, y = (int(page.locator(f"[name='throw.int.{axis}']").input_value()) for axis in "xy")
    assert abs(x - 234) <= 2
    assert abs(y - 617) <= 2
    assert page.locator("#sight").get_attribute("transform") == f"translate({x} {y})"
    expect(page.locator("#throw small")).to_contain_text("C7")
    before = version(page)
    page.locator("#throw").tap()
    wait_version(page, before + 1)
    assert fresh(match).log.last().move == {"type": "throw", "x": x, "y": y}


@pytest.mark.browser
def test_dice_fly_in_for_a_watcher_and_settle_within_700_ms(browser: Browser, site):
    ann, bob, eve = member("ann"), member("bob"), member("eve")
    match = table(ann, bob, size=8)
    mover = asked(match)
    thrower = open_page(browser, site, mover.user, match)
    watchers = [
        open_page(browser, site, eve, match),
        open_page(browser, site, ann if mover.number else bob, match),
    ]
    for page in (thrower, *watchers):
        page.evaluate(
            """() => {
              window.flights = [];
              document.addEventListener("animationend", (event) => {
                if (event.animationName === "fly") window.flights.push(event.elapsedTime);
              });
            }"""
        )
    before = version(thrower)
    thrower.locator("#throw").click()
    for page in (thrower, *watchers):
        wait_version(page, before + 1)
        times = page.evaluate(
            """() => [...document.querySelectorAll(".throw.flying .yd")].map((die) => {
              const style = getComputedStyle(die);
              return parseFloat(style.animationDuration) + parseFloat(style.animationDelay);
            })"""
        )
        assert len(times) == 3
        assert max(times) <= 0.7
    die = state_of(fresh(match)).throws[0].dice[0]
    at = watchers[0].locator(".throw > g").first.get_attribute("transform")
    if die.on_board:
        assert at == f"translate({die.x} {die.y})"
    thrower.locator(".spot.write").first.click()
    for page in (thrower, *watchers):
        wait_version(page, before + 2)
    thrower.wait_for_timeout(1000)
    for page in (thrower, *watchers):
        assert len(page.evaluate("() => window.flights")) == 3  # once each, not again with what was written


@pytest.mark.browser
def test_one_more_throw_turns_the_cells_into_targets(browser: Browser, site):
    ann, bob = member("ann"), member("bob")
    match = table(ann, bob, size=8)

    def may_repeat(now) -> bool:
        prompt = now.game.prompt(state_of(now), asked(now).number)
        return {move["type"] for move in prompt["moves"]} == {"write", "throw"}

    with off_loop():
        match = play_on(match, Random(64), until=may_repeat)
    seat = asked(match)
    page = open_page(browser, site, seat.user, match)
    expect(page.locator(".spot.write").first).to_be_visible()
    expect(page.locator(".spot.aim").first).to_be_hidden()
    wait_until(lambda: not is_flying(page), "the dice lie")
    asked_at = version(page)
    page.keyboard.press("t")  # asks for one more; it must not throw yet
    expect(page.locator(".again > summary .open")).to_be_visible()
    assert fresh(match).version == asked_at
    expect(page.locator(".spot.write").first).to_be_hidden()
    expect(page.locator("#sight")).to_be_visible()
    stood = page.locator("#sight").get_attribute("transform")
    page.keyboard.press("a")
    expect(page.locator(".spot.aim:focus")).to_be_visible()
    across = int(page.locator("[name='throw.int.x']").input_value())
    page.keyboard.press("ArrowLeft" if across > 400 else "ArrowRight")
    assert page.locator("#sight").get_attribute("transform") != stood
    with off_loop():
        total = match.game.view(state_of(match), None)["throws"][-1]["sum"]
    for aim in ((0, 0), (400, 350)):  # the words on the button follow the sight, as odds.py has them
        page.evaluate(TYPED, aim)
        expect(page.locator("#throw [data-at]")).to_contain_text(f"{chance_at(aim, total, 8):.0%} to beat {total}")
    before = version(page)
    page.keyboard.press("t")
    wait_version(page, before + 1)
    assert fresh(match).log.order_by("number").last().move["type"] == "throw"
    expect(page.locator("h1")).to_be_focused()


@pytest.mark.browser
def test_a_tap_on_a_closed_cell_says_what_closes_it(browser: Browser, site):
    match = table(member("ann"), member("bob"))

    def some_closed(now) -> bool:
        view = now.game.view(state_of(now), None)
        return 0 < len(view["enterable"]) < len(view["touched"])

    with off_loop():
        match = play_on(match, Random(5), until=some_closed)
    page = open_page(browser, site, asked(match).user, match)
    line = page.locator("[id^=closed-]")
    expect(line).to_contain_text("Grey cells with a dashed edge are closed")
    cell = page.locator("td[title]").first
    cell.click()
    expect(line).to_have_text(re.compile(r"^[A-F][1-6] is closed: \d+ beside it$"))
    expect(cell).to_contain_text("free, closed: ")
    assert page.faults == []


@pytest.mark.browser
def test_a_second_enter_writes_nothing_unseen(browser: Browser, site):
    """Focus goes to the headline; and until the dice lie, not even the board's own keys play."""
    ann, bob = member("ann"), member("bob")
    match = table(ann, bob, size=8)
    page = open_page(browser, site, asked(match).user, match)
    speed = page.context.new_cdp_session(page)
    speed.send("Animation.enable")
    speed.send("Animation.setPlaybackRate", {"playbackRate": 0.001})
    before = version(page)
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    wait_version(page, before + 1)
    expect(page.locator("h1")).to_be_focused()
    expect(page.locator(".spot.write, .spot.lock").first).to_be_attached()
    page.keyboard.press("Enter")
    assert is_flying(page)
    page.keyboard.press("a")
    expect(page.locator(".spot:not(.aim):focus")).to_have_count(1)
    page.keyboard.press("Enter")
    speed.send("Animation.setPlaybackRate", {"playbackRate": 100})
    wait_until(lambda: not is_flying(page), "the dice lie")
    assert version(page) == before + 1
    assert fresh(match).log.count() == 1
    page.keyboard.press("Enter")
    wait_version(page, before + 2)
    assert fresh(match).log.order_by("number").last().move["type"] in {"write", "lock"}


@pytest.mark.browser
def test_all_that_may_be_done_is_in_a_window_720_px_high(browser: Browser, site):
    ann, bob = member("ann"), member("bob")
    match = table(ann, bob, size=8)
    window = {"width": 1280, "height": 720}
    page = open_page(browser, site, asked(match).user, match, viewport=window)
    page.locator("#throw").click()
    expect(page.locator(".spot:not(.aim)").first).to_be_visible()
    for shown in (".yb svg", ".yunder"):
        box = page.locator(shown).bounding_box()
        assert box["y"] + box["height"] <= window["height"], shown
    other = open_page(browser, site, ann, match, viewport={"width": 390, "height": 844})
    edge = other.locator(".yb svg").bounding_box()
    for die in other.locator(".yd .low").all():
        box = die.bounding_box()
        assert edge["x"] - 1 <= box["x"]
        assert box["x"] + box["width"] <= edge["x"] + edge["width"] + 1


@pytest.mark.browser
def test_without_script_each_cell_throws_and_the_aim_can_be_typed(browser: Browser, site):
    ann, bob = member("ann"), member("bob")
    match = table(ann, bob, size=8)
    mover = asked(match)
    page = open_page(browser, site, mover.user, match, java_script_enabled=False, viewport=PHONE)
    page.get_by_text("Aim by numbers").click()
    page.get_by_label("across").fill("123")
    page.get_by_label("down").fill("456")
    page.get_by_label("down").press("Enter")
    page.wait_for_load_state()
    assert fresh(match).log.last().move == {"type": "throw", "x": 123, "y": 456}
    page.locator(".spot:not(.aim)").first.click()
    page.wait_for_load_state()
    other = open_page(browser, site, asked(match).user, match, java_script_enabled=False)
    other.get_by_role("button", name="Throw at C4").click()
    other.wait_for_load_state()
    assert json.loads(json.dumps(fresh(match).log.order_by("number").last().move)) == {
        "type": "throw",
        "x": 250,
        "y": 350,
    }


@pytest.mark.browser
def test_the_board_is_a_table_that_can_be_read(browser: Browser, site):
    ann, bob = member("ann"), member("bob")
    match = well_filled(table(ann, bob), 65, 0.3)
    page = open_page(browser, site, asked(match).user, match)
    grid = page.get_by_role("table", name="The board, row by row")
    expect(grid.get_by_role("columnheader")).to_have_text(list("ABCDEF"))
    expect(grid.get_by_role("rowheader")).to_have_text([str(n) for n in range(1, 7)])
    view = match.game.view(state_of(match), None)
    said = grid.locator("td > .hidden").all_text_contents()
    for told, cell in zip(said, [cell for row in view["grid"] for cell in row], strict=True):
        if not cell:
            assert told == "free"
        elif "locked" in cell:
            assert told == "locked"
        else:
            end = "" if cell["valid"] else ", crossed out"
            owner = "You" if cell["owner"] == asked(match).number else ("ann", "bob")[cell["owner"]]
            assert told == f"{owner} {cell['value']}{end}"
