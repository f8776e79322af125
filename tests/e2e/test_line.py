"""Moves and tables over the line of a page; by HTTP while there is none, and over the line again after that."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect

from games.models import Turn
from tests.e2e.playing import MINE, NOT_LIVE, make_move, version, wait_live, wait_version
from tests.e2e.test_live import open_match, wait_for
from tests.factories import asked, member, seated, session_of, submit

pytestmark = pytest.mark.browser


@pytest.fixture
def two(browser, site) -> tuple[Page, Page]:
    """The pages of a match: of who is asked, and of the other."""
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    pages = [open_match(browser, site.url, person, match) for person in (ann, bob)]
    return tuple(pages if asked(match).user == ann else pages[::-1])


def asked_for(page: Page) -> list[str]:
    """Return the list, which grows, of what the page asks of the match by HTTP."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url) if "/matches/" in request.url else None)
    return found


def turns() -> int:
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(Turn.objects.filter(by=Turn.By.PERSON).count).result()


def test_moves_and_tables_go_over_the_line_alone(two):
    fetched = [asked_for(page) for page in two]
    for number in range(8):
        mover, other = two if two[0].locator(MINE).count() else two[::-1]
        wanted = version(mover) + 1
        make_move(mover)
        for page in (mover, other):
            wait_version(page, wanted)
        assert sum(len(page.line.moves) for page in two) == number + 1
    assert fetched == [[], []]
    assert turns() == 8
    for page in two:
        tokens = page.locator("#table [name=csrfmiddlewaretoken]").evaluate_all("all => all.map(one => one.value)")
        assert all(len(token) == 64 for token in tokens)


def test_a_move_that_a_dead_line_swallows_goes_by_http_within_two_seconds_and_the_line_comes_back(two):
    mover, other = two
    wanted = version(mover) + 1
    mover.line.is_dead = True
    fetched = asked_for(mover)
    make_move(mover)
    wait_version(mover, wanted, seconds=10)
    assert [url for url in fetched if url.endswith("/move/")]
    wait_version(other, wanted)
    wait_live(mover)
    assert mover.line.opened == 2
    assert turns() == 1
    make_move(mover)
    wait_version(mover, wanted + 1)
    assert len(mover.line.moves) == 2
    assert turns() == 2


def test_a_move_that_was_made_though_its_answer_is_lost_is_made_once(two):
    mover, _other = two
    wanted = version(mover) + 1
    mover.line.held = []
    make_move(mover)
    wait_for(mover, lambda: mover.line.held)
    wait_version(mover, wanted, seconds=10)
    mover.line.let_go()
    wait_live(mover)
    assert version(mover) == wanted
    assert turns() == 1


def test_where_sockets_are_refused_moves_go_by_http_and_the_others_are_looked_for(browser, site):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    pages = [open_match(browser, site.url, person, match, is_refused=True) for person in (ann, bob)]
    mover, other = pages if asked(match).user == ann else pages[::-1]
    wanted = version(mover) + 1
    make_move(mover)
    wait_version(mover, wanted, seconds=10)
    wait_version(other, wanted, seconds=15)
    expect(other.locator(NOT_LIVE)).to_be_attached()
    for page in pages:
        page.line.is_refused = False
    for page in pages:
        wait_live(page)
    make_move(mover)
    wait_version(other, wanted + 1)
    assert len(mover.line.moves) == 1


def test_a_refusal_over_the_line_says_why_and_shows_the_table(two):
    mover, _other = two
    mover.evaluate("() => document.querySelector('#board [name=ask]').value = 99")
    make_move(mover)
    refusal = mover.locator("#table .refusal")
    expect(refusal).to_be_visible()
    assert len(mover.line.moves) == 1
    expect(mover.locator("#board [name=ask]")).not_to_have_value("99")
    make_move(mover)
    expect(refusal).to_be_hidden()


def test_what_is_open_and_typed_stays_when_a_table_comes(two):
    mover, other = two
    notes = other.locator("textarea[name=notes]")
    other.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
    notes.fill("his blue die")
    notes.evaluate("one => one.setSelectionRange(4, 8)")
    wanted = version(mover) + 1
    make_move(mover)
    wait_version(other, wanted)
    expect(notes).to_have_value("his blue die")
    expect(notes).to_be_focused()
    assert notes.evaluate("one => [one.selectionStart, one.selectionEnd]") == [4, 8]


def without(name: str):
    """Return what takes a word out of what the server says, as if it were of a release that does not say it."""

    def changed(said: str | bytes) -> str | bytes:
        if isinstance(said, bytes):
            return said
        return json.dumps({key: value for key, value in json.loads(said).items() if key != name})

    return changed


def test_a_server_that_takes_no_moves_on_the_line_is_posted_them_at_once_and_the_line_stays(two):
    mover, _other = two
    mover.line.changed = without("moves")
    mover.evaluate("() => dispatchEvent(new Event('offline'))")
    wait_for(mover, lambda: mover.line.opened == 2)
    wait_live(mover)
    wanted = version(mover) + 1
    make_move(mover)
    wait_version(mover, wanted, seconds=1.9)
    assert not mover.line.moves
    assert mover.line.opened == 2


def test_a_browser_that_cannot_inflate_such_frames_is_sent_text(browser, site):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    context = browser.new_context(base_url=site.url)
    context.add_init_script(OLD_BROWSER)
    context.add_cookies([{"name": n, "value": v, "url": site.url} for n, v in session_of(bob).items()])
    page = context.new_page()
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    wanted = version(page) + 1
    fetched = asked_for(page)
    submit_out_of_thread(match)
    wait_version(page, wanted, seconds=5)
    assert fetched == []


OLD_BROWSER = """{
    const known = DecompressionStream;
    globalThis.DecompressionStream = class extends known {
        constructor(format) { if (format === "deflate-raw") throw new TypeError("no such format"); super(format); }
    };
}"""


def submit_out_of_thread(match) -> None:
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: submit(match, asked(match), {"type": "roll"})).result()
