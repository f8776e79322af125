"""What is asked fits a phone: headline, question and all that answers it, without scrolling, for thumbs."""

import pytest

from tests.e2e.watching import FITS
from tests.pictures.__main__ import PAGES, staged_site, visit

PHONE = {"width": 390, "height": 844}
GAMES = ("yam", "yay", "yes", "yesss", "yum", "match")
UNASKED = ("answered", "why", "rules", "ended", "replay", "new", "waiting", "watch", "reveal", "slow", "together")
ASKED = [name for name in PAGES if name.split("-")[0] in GAMES and name.split("-", 1)[1] not in UNASKED]


@pytest.mark.proof
@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_prompt_of_every_game(browser, language):
    page = browser.new_context(viewport=PHONE, locale=language).new_page()
    with staged_site(language) as (url, staged):
        found = {}
        for name in ASKED:
            visit(page, url, staged, name)
            page.wait_for_function("() => document.querySelector('.refusal') === null && document.fonts.ready")
            found[name] = page.evaluate(FITS)
    for name, seen in found.items():
        assert seen["asked"], name
        assert not seen["small"] + seen["out"] + seen["alone"], (name, seen)
