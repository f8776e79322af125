"""The head of a ladder's table stands over its columns, on a phone and on a wide screen."""

import pytest

from tests.ladders.arranged import GAME, joined, people

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
EDGES = "cells => cells.map(cell => { const box = cell.getBoundingClientRect(); return [box.left, box.right]; })"


@pytest.mark.parametrize("width", [390, 1280])
def test_each_column_has_its_head_above_it(browser, site, width):
    joined(people(2))
    page = browser.new_context(base_url=site.url, viewport={"width": width, "height": 844}).new_page()
    page.goto(f"/ladders/{GAME}/")
    row = ".climbers tbody tr:first-child > :is(td, th)"
    head, first = (page.locator(cells).evaluate_all(EDGES) for cells in (".climbers thead th", row))
    assert head == first and len(head) == 4
