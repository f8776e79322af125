"""axe finds nothing on the pages, by day, by night and in forced colours; with PROOF=full on every page."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests import FULL
from tests.pictures.__main__ import KEPT, PAGES, staged_site, visit

NAMES = tuple(PAGES) if FULL else (*KEPT, "yam-answer", "yay-aim", "yesss-choose", "yes-bid", "new")
LOOKS = [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}]
# Django's own admin says some things in other ways than axe wishes; ours are the members' pages.
UNLESS = ("admin",)


@pytest.mark.browser
def test_axe_finds_nothing(browser):
    found = []
    with staged_site("en") as (url, staged):
        for look in LOOKS:
            context = browser.new_context(
                viewport={"width": 390, "height": 844}, reduced_motion="reduce", bypass_csp=True, **look
            )
            page = context.new_page()
            for name in (name for name in NAMES if not name.startswith(UNLESS)):
                visit(page, url, staged, name)
                for violation in Axe().run(page).response["violations"]:
                    where = ", ".join(" ".join(node["target"]) for node in violation["nodes"][:3])
                    found.append(f"{name} {look}: {violation['id']} at {where}")
            context.close()
    assert found == [], "\n".join(found)
