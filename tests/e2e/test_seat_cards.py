"""A seat's card keeps its height while what is said of its person comes and goes."""

import pytest
from django.db.models import F

from accounts.models import User
from config.lib import clock as site_clock
from games.models import Seat
from tests.factories import asked, seated
from tests.processes import off_loop

HEIGHTS = "[...document.querySelectorAll('.seats > li')].map((card) => card.getBoundingClientRect().height)"


@pytest.mark.browser
@pytest.mark.parametrize("state", ["reached", "waits"])
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("width", [360, 1280])
def test_what_became_of_calling_who_is_asked(site, page, log_in, ann, bob, state, language, width):
    with off_loop():
        match = seated(ann, bob)
        User.objects.update(language=language)
        other = match.seats.exclude(pk=asked(match).pk).get().user
    log_in(page.context, other)
    page.set_viewport_size({"width": width, "height": 740})
    found = []
    became = {"reached_at": site_clock.now()} if state == "reached" else {"waited_ask": F("ask")}
    for fields in ({}, became):
        with off_loop():
            Seat.objects.filter(match=match, ask__isnull=False).update(**fields) if fields else None
        page.goto(f"/matches/{match.pk}/")
        found.append(page.evaluate(HEIGHTS))
        said = page.locator(f".seats .{state}")
        assert said.count() == bool(fields)
    assert found[0] == found[1]
    box, board = said.bounding_box(), page.locator("#board").bounding_box()
    assert box["y"] + box["height"] <= board["y"]
    assert 0 <= box["x"] <= box["x"] + box["width"] <= width
    assert said.evaluate("(one) => one.scrollWidth <= one.clientWidth || getComputedStyle(one).position === 'static'")
    before = said.evaluate("(one) => getComputedStyle(one, '::before').content")
    assert (before == "none") is (width == 360)
