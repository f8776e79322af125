"""A visitor plays a match against bots from its beginning to its end, and checks its dice."""

import re
from itertools import count
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from games.models import Match
from tests import FULL
from tests.e2e.playing import MINE, make_move, play_to_the_end, version, wait_live, wait_version
from tests.factories import played_on
from tests.processes import off_loop


def leave_out_the_middle(page: Page) -> None:
    """Play six moves by the page, and most of the others at once while the visitor is to move."""
    for _ in range(6):
        page.wait_for_selector(MINE, state="attached")
        before = version(page)
        make_move(page)
        wait_version(page, before + 1)
    page.wait_for_selector(MINE, state="attached")
    with off_loop():
        match = Match.objects.get()
        own, turns = match.seats.get(user__isnull=False).number, count()
        played_on(match, Random(1), until=lambda state: next(turns) > 25 * match.size and state.mover == own)
    page.reload()
    wait_live(page)


@pytest.mark.browser
def test_a_visitor_plays_to_the_end_and_verifies_the_record(browser: Browser, site, worker, tmp_path):
    page = browser.new_context(
        base_url=site.url, accept_downloads=True, locale="en-GB", timezone_id="Asia/Tokyo"
    ).new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)

    page.goto("/")
    page.get_by_role("button", name="Play Yum EXTRA now against bots").first.click()
    page.get_by_role("button", name="Play without a coach").click()
    wait_live(page)
    assert User.objects.get(is_guest=True).time_zone == "Asia/Tokyo"  # the device's
    commitment = page.locator("[data-commitment]").first.inner_text().strip()
    if not FULL:
        leave_out_the_middle(page)
    play_to_the_end(page)

    expect(page.locator("h1")).to_contain_text(re.compile("You|shared"))  # first, other, or as good as a bot
    with page.expect_download() as download:
        page.locator("a[href$='record.json']").first.click()
    path = tmp_path / "record.json"
    download.value.save_as(path)
    assert commitment in path.read_text()
    assert "sound" in site.manage("verify_match", str(path))
    assert errors == []
