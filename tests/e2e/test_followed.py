"""The open page of a tournament shows a result within seconds, and keeps what one has opened."""

import pytest
from playwright.sync_api import expect

from games.competitions.services import correcting
from tests.competitions.arranged import begun, end_table, organiser, people, running_tables
from tests.factories import member
from tests.ladders.arranged import joined, playing
from tests.processes import off_loop

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_result_comes_to_the_open_page(site, page, transactional_db):
    with off_loop():
        tournament = begun(organiser(), people(4))
        table = running_tables(tournament)[0]
    page.goto(f"{site.url}/tournaments/{tournament.pk}/")
    expect(page.locator("body[data-live=yes]")).to_be_visible()
    expect(page.locator(".contest-tables .badge", has_text="over")).to_have_count(0)
    with off_loop():
        end_table(table)
    expect(page.locator(".contest-tables .badge", has_text="over")).to_have_count(1, timeout=15_000)
    assert page.evaluate("() => performance.getEntriesByType('navigation').length") == 1


def test_without_scripts_nothing_promises_to_be_live_and_an_offer_is_answered(site, browser, log_in, transactional_db):
    with off_loop():
        olga, zoe = organiser(), member("zoe")
        tournament = begun(olga, people(4))
        correcting.replace(tournament_id=tournament.pk, user=olga, number=1, by=zoe, reason="ill")
        playing(*joined_two())
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844}, base_url=site.url)
    log_in(context, zoe)
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_role("heading", name="One question waits for you")).to_be_visible()
    for path in (f"/tournaments/{tournament.pk}/", "/ladders/yum-extra/"):
        page.goto(path)
        expect(page.locator(".alive .live >> visible=true")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.goto(f"/tournaments/{tournament.pk}/")
    page.get_by_role("button", name="Take part").click()
    expect(page.get_by_text("You take part. You are seated when the next round is drawn.")).to_be_visible()
    context.close()


def joined_two():
    ann, bob = member("ann"), member("bob")
    joined([ann, bob])
    return bob, ann
