"""¥€$ in the browser: three members to the end, by desk, phone and without JavaScript; a ruined one."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Locator, Page, expect

from games.rules.yes.data import COUNTRY_IDS
from games.rules.yes.state import Debt, Done, Next
from tests import FULL
from tests.e2e.playing import ENDED, MINE, version, wait_live, wait_version, well_on
from tests.factories import asked, fresh, member, played_on, seat, seated, session_of, state_of
from tests.processes import off_loop, wait_until

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PLAIN = {"viewport": {"width": 390, "height": 844}, "java_script_enabled": False}
SEED = 20261128
MOST_MOVES = 400


def open_page(browser: Browser, site, person, match, **context) -> Page:
    """Open the match as that person; every error in the browser's console is kept in `page.faults`."""
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


def press(page: Page, rng: Random) -> str:
    """Make one move by what the page shows: a place of the map, a card in the stage, or a button."""
    places = page.locator("details.place.can:has(.deal button[name=move])")
    by = rng.choice(["map", "stage"]) if places.count() else "panel"
    if by == "map":
        place = places.nth(rng.randrange(places.count()))
        place.locator("summary").click()
        buttons = place.locator(".deal button[name=move]")
    elif by == "stage" and page.locator(".picker").count():
        buttons = page.locator(".picker button[name=move]")
    else:
        buttons = page.locator(".ya button[name=move]:visible, .ring button[name=move]")
        amount = page.locator("select[name='bid.int.amount']")
        if amount.count():
            by = "bid"
            amount.select_option(index=rng.randrange(min(4, amount.locator("option").count())))
        for kind in ("give", "take"):
            cards = page.locator(f"label:has([name='swap.one.{kind}'])")
            if cards.count():
                cards.nth(rng.randrange(cards.count())).click()
    buttons.nth(rng.randrange(buttons.count())).click()
    return by


def play_out(pages: list[Page], plain: Page, rng: Random, *, most: int = MOST_MOVES) -> Counter[str]:
    """Play until the end, or for so many moves, everybody's page following; return how moves were made."""
    ways: Counter[str] = Counter()
    for _ in range(most):
        page = next((page for page in pages if page.locator(MINE).count()), plain)
        if page is plain:
            plain.reload()
            if plain.locator(ENDED).count():
                break
        before = version(page)
        ways[press(page, rng)] += 1
        if page is plain:
            page.wait_for_load_state()
            assert version(page) > before, page.locator(".refusal").all_text_contents()
        newest = before + 1
        for other in pages:
            wait_version(other, newest)
            assert other.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    return ways


@pytest.mark.browser
def test_three_members_from_start_to_end(browser: Browser, site):
    people = [member("ann"), member("bob"), member("cem")]
    match = well_on(seated(*people, game_slug="yes", options={"rounds": 5}), SEED, 46)
    desk, phone, plain = (
        open_page(browser, site, person, match, **context)
        for person, context in zip(people, ({}, PHONE, PLAIN), strict=True)
    )
    ways = play_out([desk, phone], plain, Random(SEED))
    assert min(ways[by] for by in ("map", "stage", "panel")) > 0, ways
    for page in (desk, phone, plain):
        expect(page.locator(ENDED)).to_be_attached()
        expect(page.locator(".goal")).to_have_count(6)
        expect(page.locator(".ranks > li")).to_have_count(3)
    assert desk.faults == phone.faults == []
    match = fresh(match)
    assert match.outcome == match.game.outcome(state_of(match))


def ruin_the_roller(match) -> int:
    """Leave the roller with two cards and a debt beyond all help; return its seat."""
    state = state_of(match)
    roller = state.roller
    own = [index for index, owner in enumerate(state.owners) if owner == roller]
    owners = [None if index in own[2:] else owner for index, owner in enumerate(state.owners)]
    gone = tuple(country for country, owner in zip(COUNTRY_IDS, owners, strict=True) if owner is None)
    state = replace(
        state,
        owners=tuple(owners),
        cash=tuple(10_000 if other == roller else cash for other, cash in enumerate(state.cash)),
        decks=replace(state.decks, country=gone),
        dice=(2, 4),
        kept=0,
        actor=roller,
        action="no",
        turn=1,
        debts=(Debt(roller, 9_000_000, state.left_of(roller), "card", "no_09"),),
        tasks=(Next(), Done()),
    )
    match.state = match.game.dump(state)
    match.save(update_fields=["state"])
    return roller


def opened_in_sight(page: Page, place: Locator) -> None:
    """Tap a place at the foot of the window: its card must not cover it."""
    place.locator("summary").evaluate("place => place.scrollIntoView({ block: 'end' })")
    place.locator("summary").click()
    card, spot = place.locator(".deal"), place.locator("summary")
    wait_until(lambda: card.bounding_box()["y"] >= spot.bounding_box()["y"] + 36, "the place")


@pytest.mark.browser
def test_a_ruined_member_watches_and_the_match_goes_on(browser: Browser, site):
    people = [member("ann"), member("bob"), member("cem")]
    match = seated(*people, game_slug="yes", options={"rounds": 5})
    ruined = ruin_the_roller(match)
    order = [ruined, *(number for number in range(3) if number != ruined)]
    contexts = (PHONE, {}, PLAIN)
    debtor, creditor, plain = (
        open_page(browser, site, people[number], match, **context)
        for number, context in zip(order, contexts, strict=True)
    )
    expect(debtor.locator("#headline")).to_have_text("You owe more than you have")
    expect(debtor.locator(".debts > .now")).to_contain_text("9,000,000")
    places = debtor.locator("details.place.can")
    expect(places).to_have_count(2)
    for place in (places.first, places.last):
        opened_in_sight(debtor, place)
        place.locator("[data-close]").click()
        expect(debtor.locator(".place[open]")).to_have_count(0)
        expect(place.locator("summary")).to_be_focused()
    places.first.locator("summary").click()
    before = version(debtor)
    places.first.locator(".deal button.main").click()
    for page in (debtor, creditor):
        wait_version(page, before + 1)
        expect(page.locator(".standing .badge")).to_have_text("out")
    assert not debtor.locator(MINE).count()
    expect(debtor.locator(".log")).to_contain_text("You are bankrupt and out of the match")
    assert state_of(fresh(match)).out == (ruined,)
    assert asked(match).number != ruined
    play_out([debtor, creditor], plain, Random(SEED), most=MOST_MOVES if FULL else 8)
    with off_loop():
        played_on(match, Random(SEED))
    for page in (debtor, creditor, plain):
        page.reload()
        expect(page.locator(ENDED)).to_be_attached()
    assert seat(match, ruined).rank == 3


@pytest.mark.browser
def test_the_table_is_sorted_and_escape_closes_a_place(browser: Browser, site):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob, game_slug="yes")
    page = open_page(browser, site, ann, match)
    page.locator("[data-sort=price]").click()
    prices = page.locator(".lt tbody").evaluate_all("rows => rows.map(row => Number(row.dataset.price))")
    assert prices == sorted(prices)
    page.locator("[data-sort=price]").click()
    prices = page.locator(".lt tbody").evaluate_all("rows => rows.map(row => Number(row.dataset.price))")
    assert prices == sorted(prices, reverse=True)
    expect(page.locator("[aria-sort=descending]")).to_have_text("Price")
    place = page.locator("details.place").first
    place.locator("summary").click()
    expect(place.locator(".deal")).to_be_visible()
    page.keyboard.press("Escape")
    expect(place.locator(".deal")).to_be_hidden()
    assert page.faults == []


@pytest.mark.browser
@pytest.mark.parametrize(("width", "distance"), [(360, 40), (390, 44)])
def test_thirty_places_can_be_tapped_on_a_phone(browser: Browser, site, width: int, distance: int):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob, game_slug="yes")
    context = PHONE | {"viewport": {"width": width, "height": 740}}
    page = open_page(browser, site, ann, match, **context)
    boxes = page.locator(".place > summary").evaluate_all(
        """places => places.map(place => {
            const box = place.getBoundingClientRect();
            const top = box.top + scrollY;
            return {x: box.x, y: top, width: box.width, height: box.height};
        })"""
    )
    assert len(boxes) == 30
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    for place in page.locator("details.place").all():
        place.locator("summary").tap()
        expect(place.locator(".deal")).to_be_visible()
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    apart = [((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 for n, (ax, ay) in enumerate(middles) for bx, by in middles[:n]]
    assert min(apart) >= distance
