"""How tests play in a browser: by the buttons that the page shows."""

import time
from random import Random

from playwright.sync_api import Page, expect

from games.models import Match
from tests import FULL
from tests.factories import played_on
from tests.processes import off_loop

LIVE, NOT_LIVE = "body[data-live=yes]", "body[data-live=no]"
MINE = "#board input[name=ask]"
ENDED = "#table[data-status=ended]"


def well_on(match: Match, seed: int, turns: int) -> Match:
    """Play so many turns at once, and leave the rest to the browsers; with PROOF=full leave them all."""
    with off_loop():
        return played_on(match, Random(seed), turns=0 if FULL else turns)


def wait_live(page: Page) -> None:
    """Wait until the page's socket rings."""
    page.wait_for_selector(LIVE, timeout=60_000)


def button(page: Page, kind: str):
    """Return the buttons that make a move of this kind."""
    return page.locator(
        f'#board button[name=move][value*=\'"type":"{kind}"\'], #board button[name=move][value*=\'"type": "{kind}"\']'
    )


def make_move(page: Page) -> str:
    """Make one sensible move by its button; return its kind."""
    if button(page, "answer").count():
        page.locator("#believe").click()
        return "answer"
    if page.locator(".offer").count():
        return announce(page)
    scores, rolls, passes = button(page, "score"), button(page, "roll"), button(page, "pass")
    if scores.count():
        best = page.locator("#board .best button[name=move]")
        (best if best.count() else scores).first.click()
        return "score"
    if rolls.count():
        rolls.first.click()
        return "roll"
    passes.first.click()
    return "pass"


def announce(page: Page) -> str:
    """Announce by two taps: the first that is true, at its most, else the first row's least."""
    true = page.locator(".offer.holds")
    offer = (true if true.count() else page.locator(".offer")).first
    offer.locator("summary").click()
    exact = offer.locator(".exact")
    (exact if exact.count() else offer.locator(".pick")).first.click()
    return "announce"


def version(page: Page) -> int:
    """Return the version of the match that the page shows."""
    return int(page.locator("#table").get_attribute("data-version") or 0)


def wait_version(page: Page, wanted: int, seconds: float = 60) -> None:
    """Wait until the page shows this version of the match, or a later one."""
    end = time.monotonic() + seconds
    while page.evaluate("() => Number(document.querySelector('#table').dataset.version)") < wanted:
        assert time.monotonic() < end, f"version {wanted} did not arrive within {seconds} s"
        page.wait_for_timeout(25)


def play_to_the_end(page: Page, *, live: bool = True, seconds: float = 120) -> None:
    """Play every turn of one's own until the match has ended."""
    moves = 0
    while not page.locator(ENDED).count():
        if page.locator(MINE).count():
            before = version(page)
            make_move(page)
            moves += 1
            if live:
                wait_version(page, before + 1)
        elif live:
            page.wait_for_selector(f"{MINE}, {ENDED}", state="attached", timeout=seconds * 1000)
        else:
            page.wait_for_timeout(200)
            page.reload()
        assert moves < 400
    expect(page.locator(ENDED)).to_be_attached()
