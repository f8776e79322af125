"""Two members play the end of a match in two browsers, one of them with JavaScript off."""

import pytest
from playwright.sync_api import Browser

from tests.e2e.playing import ENDED, MINE, make_move, play_to_the_end, version, wait_live, wait_version, well_on
from tests.factories import member, seated


@pytest.mark.browser
def test_one_with_and_one_without_javascript(browser: Browser, site, log_in):
    ann, bob = member("ann"), member("bob")
    match = well_on(seated(ann, bob), 1, 64)
    plain = browser.new_context(base_url=site.url, java_script_enabled=False, viewport={"width": 390, "height": 844})
    lively = browser.new_context(base_url=site.url)
    log_in(plain, ann)
    log_in(lively, bob)
    anns, bobs = plain.new_page(), lively.new_page()
    for page in (anns, bobs):
        page.goto(f"/matches/{match.pk}/")
    wait_live(bobs)
    for _ in range(400):
        if bobs.locator(MINE).count():
            before = version(bobs)
            make_move(bobs)
            wait_version(bobs, before + 1)
            continue
        anns.reload()
        if anns.locator(ENDED).count():
            break
        if anns.locator(MINE).count():
            make_move(anns)
            anns.wait_for_load_state()
            wait_version(bobs, version(anns))
    play_to_the_end(anns, live=False)
    bobs.wait_for_selector(ENDED, state="attached")
