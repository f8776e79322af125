"""The open page of a tournament shows a result within seconds, and keeps what one has opened."""

import pytest
from playwright.sync_api import expect

from tests.competitions.arranged import begun, end_table, organiser, people, running_tables
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
