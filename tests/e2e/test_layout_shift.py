"""A match's page stays still while it is played, and what is asked stays in view."""

import pytest

from games.rules import games
from tests.e2e.watching import play_watched

MOST = 0.05  # the sum of all shifts of a page
SAMPLE = "sample-game"


@pytest.mark.browser
@pytest.mark.parametrize("slug", [slug for slug in games() if slug != SAMPLE])
def test_nothing_moves_over_thirty_moves(browser, site, slug):
    pages = play_watched(browser, site.url, slug)
    for watched in pages:
        print("", *watched.lines, sep="\n")
        print(f"{slug} at {watched.width}: {watched.total:.3f}; headline out of view: {watched.unseen}")
    assert max(watched.total for watched in pages) < MOST
    assert not any(watched.unseen for watched in pages)
