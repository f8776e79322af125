"""The fixtures of the browser: a page of the running site, alone in its process."""

import asyncio

import pytest
from asgiref.sync import async_to_sync
from playwright.sync_api import Page

from tests.processes import Site, off_loop


@pytest.mark.browser
def test_a_page_of_the_running_site(page: Page, site: Site) -> None:
    answer = page.goto("/healthz")
    assert answer is not None
    assert answer.headers["server"] == "daphne"
    assert '"database": "ok"' in page.content()
    with off_loop():
        assert async_to_sync(answer_of)("rung") == "rung"
    assert page.title() == ""


async def answer_of(text: str) -> str:
    return text


def test_a_browser_test_leaves_no_loop_behind() -> None:
    asyncio.run(asyncio.sleep(0))
