"""A match's page stays still while it is played, what is asked stays in view, and fits a phone."""

import pytest

from games.rules import games
from tests import FULL
from tests.e2e.watching import MOVES, play_watched

pytestmark = pytest.mark.walk

MOST = 0.05  # the sum of all shifts of a page
SAMPLE = "sample-game"


@pytest.mark.browser
@pytest.mark.parametrize("slug", [slug for slug in games() if slug != SAMPLE])
def test_nothing_moves_from_move_to_move(browser, site, slug):
    """Over thirty moves, in short over twelve."""
    pages = play_watched(browser, site.url, slug, moves=MOVES if FULL else 12)
    for watched in pages:
        print("", *watched.lines, sep="\n")
        print(f"{slug} at {watched.width}: {watched.total:.3f}; headline out of view: {watched.unseen}")
    assert max(watched.total for watched in pages) < MOST
    assert not any(watched.unseen for watched in pages)
    assert not any(watched.unfit for watched in pages)
