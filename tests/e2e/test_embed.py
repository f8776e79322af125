"""A match in a frame of another page goes on before its reader, in whose browser somebody may be logged in."""

from random import Random

import pytest
from playwright.sync_api import expect

from tests.factories import member, play_on, seated
from tests.processes import off_loop


@pytest.mark.browser
def test_the_frame_goes_on_by_itself(site, page, log_in):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    log_in(page.context, ann)
    sockets = []
    page.on("websocket", lambda line: sockets.append(line.url))
    page.set_viewport_size({"width": 390, "height": 700})
    page.goto(f"{site.url}/matches/{match.pk}/embed/")
    table = page.locator("#table")
    before = table.get_attribute("data-version")
    assert page.locator("form").count() == 0
    with off_loop():
        play_on(match, Random(1), turns=2)
    expect(table).not_to_have_attribute("data-version", before or "", timeout=10_000)
    assert sockets and all("/ws/watch/" in url for url in sockets)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
