"""A visitor plays a whole match against bots, and checks its dice."""

import re

import pytest
from playwright.sync_api import Browser, expect

from accounts.models import User
from tests.e2e.playing import play_to_the_end, wait_live


@pytest.mark.browser
def test_a_visitor_plays_to_the_end_and_verifies_the_record(browser: Browser, new_site, tmp_path):
    site = new_site(BOT_PAUSE="0")
    site.web.start()
    site.worker.start()
    page = browser.new_context(
        base_url=site.url, accept_downloads=True, locale="en-GB", timezone_id="Asia/Tokyo"
    ).new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)

    page.goto("/")
    page.get_by_role("button", name="Play Yum EXTRA now against bots").first.click()
    wait_live(page)
    assert User.objects.get(is_guest=True).time_zone == "Asia/Tokyo"  # the device's
    commitment = page.locator("[data-commitment]").first.inner_text().strip()
    play_to_the_end(page)

    expect(page.locator("h1")).to_contain_text(re.compile("You|shared"))  # first, other, or as good as a bot
    with page.expect_download() as download:
        page.locator("a[href$='record.json']").first.click()
    path = tmp_path / "record.json"
    download.value.save_as(path)
    assert commitment in path.read_text()
    assert "sound" in site.manage("verify_match", str(path))
    assert errors == []
