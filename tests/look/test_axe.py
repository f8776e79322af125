"""axe finds nothing on the pages, by day, by night and in forced colours; in the proof on every page."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from games.rules import games
from tests.competitions.arranged import begun, organiser
from tests.factories import asked, member, play_on, played, seated
from tests.games.lessons import Learner
from tests.ladders.arranged import joined, playing
from tests.pictures.__main__ import PAGES, staged_site, visit
from tests.processes import off_loop

pytestmark = pytest.mark.walk

CONTRAST = {"runOnly": ["color-contrast"]}  # what another look may change; the rest is seen by day
USUAL = {"color_scheme": "light", "forced_colors": "none"}
Look = tuple[dict[str, Any], dict[str, Any]]
LOOKS: list[Look] = [
    ({}, {"resultTypes": ["violations"]}),
    ({"color_scheme": "dark"}, CONTRAST),
    ({"forced_colors": "active"}, CONTRAST),
]
# Django's own admin says some things in other ways than axe wishes; ours are the members' pages.
UNLESS = ("admin",)
SAMPLE = "sample-game"


def phone(browser: Browser, **settings) -> Page:
    """Return a phone's page that axe may be run in."""
    return browser.new_context(
        viewport={"width": 390, "height": 844}, reduced_motion="reduce", bypass_csp=True, **settings
    ).new_page()


def faults(page: Page, name: str, looks: Sequence[Look] = LOOKS) -> list[str]:
    """Return what axe finds on the page that is open, in these looks."""
    found = []
    for look, options in looks:
        page.emulate_media(**USUAL | look)
        found += [
            f"{name} {look}: {fault['id']} at {', '.join(' '.join(node['target']) for node in fault['nodes'][:3])}"
            for fault in Axe().run(page, options=options).response["violations"]
        ]
    return found


@pytest.mark.browser
def test_axe_finds_nothing(browser, site, log_in):
    ann, bob, cem = (member(name) for name in ("ann", "bob", "cem"))

    def hers(match) -> bool:
        return match.turns > 20 and asked(match).user_id == ann.pk

    with off_loop():
        matches = [
            *(
                play_on(seated(ann, bob, cem, game_slug=slug), Random(4), until=hers)
                for slug in games()
                if slug != SAMPLE
            ),
            played(ann, bob, cem),
            *(Learner(ann, slug).match for slug in games() if slug != SAMPLE),
        ]
        contest = begun(organiser(), [ann, bob, cem])
        joined([bob, ann])
        matches.append(playing(ann, bob).match)
    paths = ["/", "/play/", "/play/new/", "/settings/", "/games/yum-extra/", "/games/yum-extra/lesson/"]
    paths += ["/tournaments/", f"/tournaments/{contest.pk}/", "/ladders/", "/ladders/yum-extra/"]
    paths += [f"/matches/{match.pk}/" for match in matches]
    page = phone(browser)
    page.goto(site.url)
    found = faults(page, "a visitor's home")
    log_in(page.context, ann)
    for number, path in enumerate(paths):  # by day, and by night or in forced colours
        page.goto(site.url + path)
        found += faults(page, path, (LOOKS[0], LOOKS[1 + number % 2]))
    page.goto(f"{site.url}/matches/{matches[0].pk}/")
    page.locator("#ask-why").click()
    page.wait_for_selector("#why")
    found += faults(page, "why one is asked", LOOKS[:1])
    assert found == [], "\n".join(found)


@pytest.mark.browser
@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "fr"])
def test_axe_finds_nothing_on_any_page(browser, language):
    found = []
    with staged_site(language) as (url, staged):
        page = phone(browser, locale=language)
        for name in (name for name in PAGES if not name.startswith(UNLESS)):
            visit(page, url, staged, name)
            found += faults(page, name)
    assert found == [], "\n".join(found)
