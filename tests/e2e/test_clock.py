"""A clock on the page: it ticks by the server's time, whatever the machine says, and never below zero."""

from datetime import timedelta

import pytest
from playwright.sync_api import Browser, expect

from config.lib import clock
from games.models import Seat
from tests.e2e.playing import wait_live
from tests.factories import asked, member, seated
from tests.processes import off_loop

WRONG = """
    const [now, origin] = [Date.now, performance.timeOrigin];
    Date.now = () => now() + OFFSET;
    Object.defineProperty(performance, "timeOrigin", { get: () => origin + OFFSET });
"""


def seconds(words: str) -> int:
    minutes, rest = words.strip().split(":")
    return 60 * int(minutes) + int(rest)


@pytest.mark.browser
@pytest.mark.parametrize("wrong_by", [0, 3 * 86_400_000, -7_200_000])
def test_it_agrees_with_the_server(browser: Browser, site, log_in, wrong_by):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob, pace="live")
    mover = asked(match)
    context = browser.new_context(base_url=site.url)
    context.add_init_script(WRONG.replace("OFFSET", str(wrong_by)))
    log_in(context, ann)
    page = context.new_page()
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    for _look in range(2):
        page.wait_for_timeout(1500)
        shown = seconds(page.locator("[data-deadline]").inner_text())
        true = (mover.deadline - clock.now()).total_seconds()
        assert abs(shown - true) <= 2
    assert page.locator("[data-deadline]").count() == 1


@pytest.mark.browser
def test_it_ends_at_zero(browser: Browser, site, log_in):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob, pace="live")
    mover = asked(match)
    soon = clock.now() + timedelta(seconds=2)
    with off_loop():
        Seat.objects.filter(pk=mover.pk).update(deadline=soon)
    context = browser.new_context(base_url=site.url)
    log_in(context, bob)
    page = context.new_page()
    page.goto(f"/matches/{match.pk}/")
    expect(page.locator("[data-deadline]")).to_have_text("0:00", timeout=10_000)
