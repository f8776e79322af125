"""A seat's card keeps its height while what is said of its person comes and goes."""

import pytest

from accounts.models import User
from config.lib import clock as site_clock
from games.models import Seat
from tests.factories import asked, seated
from tests.processes import off_loop

HEIGHTS = "[...document.querySelectorAll('.seats > li')].map((card) => card.getBoundingClientRect().height)"


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("width", [360, 1280])
def test_that_a_reminder_was_delivered(site, page, log_in, ann, bob, language, width):
    with off_loop():
        match = seated(ann, bob)
        User.objects.update(language=language)
        other = match.seats.exclude(pk=asked(match).pk).get().user
    log_in(page.context, other)
    page.set_viewport_size({"width": width, "height": 740})
    found = []
    for reached_at in (None, site_clock.now()):
        with off_loop():
            Seat.objects.filter(match=match, ask__isnull=False).update(reached_at=reached_at)
            match.refresh_from_db()
        page.goto(f"/matches/{match.pk}/")
        found.append(page.evaluate(HEIGHTS))
        said = page.locator(".seats .reached")
        assert said.count() == (reached_at is not None)
    assert found[0] == found[1]
    box, board = said.bounding_box(), page.locator("#board").bounding_box()
    assert box["y"] + box["height"] <= board["y"]
    assert 0 <= box["x"] <= box["x"] + box["width"] <= width
    assert said.evaluate("(one) => one.scrollWidth <= one.clientWidth || getComputedStyle(one).position === 'static'")
    before = said.evaluate("(one) => getComputedStyle(one, '::before').content")
    assert (before == "none") is (width == 360)
