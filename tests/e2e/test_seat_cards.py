"""A seat's card keeps its height while what is said of its person comes and goes."""

from itertools import product
from typing import Any

import pytest
from django.db.models import F

from accounts.models import User
from config.lib import clock as site_clock
from games.models import Match, Seat
from tests.factories import asked, member, seated
from tests.processes import off_loop

pytestmark = pytest.mark.walk


def in_turn(*choices: list[Any]) -> list[Any]:
    """Return all combinations; every other one is for `make proof` alone."""
    places = product(*(enumerate(each) for each in choices))
    return [
        pytest.param(
            *(value for _place, value in one), marks=[pytest.mark.proof] if sum(at for at, _value in one) % 2 else []
        )
        for one in places
    ]


HEIGHTS = "[...document.querySelectorAll('.seats > li')].map((card) => card.getBoundingClientRect().height)"


@pytest.mark.browser
@pytest.mark.parametrize(("width", "language", "state"), in_turn([360, 600, 1280], ["en", "fr"], ["reached", "waits"]))
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
    assert (before == "none") is (width < 900)


CUT = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"
WIDTHS = [360, 600, 768, 1200]
GONE = {"left": 1, "left_at": 0, "bot": "strong"}
STATES = {
    "out of time": [GONE | {"absent": True}],
    "left": [GONE],
    "pause": [{"wants_pause": True}, {"wants_pause": False}],
    "call-off": [{"wants_call_off": True}, {"wants_call_off": False}],
    "both": [{"wants_pause": True, "wants_call_off": True}, {"wants_pause": False, "wants_call_off": False}],
}


@pytest.mark.browser
@pytest.mark.parametrize(("people", "language"), in_turn([2, 3, 8], ["en", "fr"]))
def test_what_became_of_people_moves_nothing(site, page, log_in, people, language):
    """Whose clock ran out, who left, who proposes or declines: of one, and of all others at the same time."""
    with off_loop():
        known = [member(f"member-of-this-club-{number}") for number in range(people)]
        match = seated(*known, game_slug="yam-menteur" if people > 2 else "yum-extra")
        User.objects.update(language=language)
        first = asked(match)
        reader = match.seats.exclude(pk=first.pk).order_by("-number")[0]
    log_in(page.context, reader.user)

    def look(width: int) -> tuple[list[float], float]:
        page.set_viewport_size({"width": width, "height": 740})
        seats, board = (page.locator(part).bounding_box()["y"] for part in (".seats", "#board"))
        return page.evaluate(HEIGHTS), board - seats

    page.goto(f"/matches/{match.pk}/")
    before = [look(width) for width in WIDTHS]
    others = match.seats.exclude(pk=reader.pk)
    for state, (one, *rest) in STATES.items():
        for seats, fields in ((others.filter(pk=first.pk), one), (others.exclude(pk=first.pk), (rest or [one])[0])):
            with off_loop():
                if not seats.update(**fields):
                    continue  # there are two people
            page.goto(f"/matches/{match.pk}/")
            assert [look(width) for width in reversed(WIDTHS)] == before[::-1], state
            assert page.locator(".seats .stray .whole").count() >= 1
            for width in (360, 768, 1200) if state != "both" else ():
                look(width)
                assert page.locator(".seats small:not(:has(> i ~ i.stray))").evaluate_all(CUT) == [], width
        with off_loop():
            others.update(left=None, left_at=None, absent=False, bot="", wants_pause=None, wants_call_off=None)


GAINS = """(seats) => seats.map((seat) => {
  const box = (part) => seat.querySelector(part).getBoundingClientRect();
  const [gain, line, cash] = [box("em > [aria-hidden]"), box("small"), box("strong")];
  const apart = gain.right <= cash.left || gain.bottom <= cash.top + 4 || cash.bottom <= gain.top + 4;
  const card = seat.getBoundingClientRect();
  return apart && gain.left >= line.left - 1 && gain.right <= line.right + 1 && cash.right <= card.right;
})"""


@pytest.mark.browser
@pytest.mark.parametrize("people", [2, 3, 4, *(pytest.param(more, marks=pytest.mark.proof) for more in (5, 6))])
def test_a_change_of_six_digits_is_read_whole_on_a_phone(site, page, log_in, people):
    with off_loop():
        known = [member(f"member-of-this-club-{number}") for number in range(people)]
        match = seated(*known, game_slug="yes")
        User.objects.update(language="fr")
        Match.objects.update(figures_before={"figures": [300_000] * people, "lasts": False})
        Seat.objects.filter(match=match, ask__isnull=False).update(reached_at=site_clock.now())
    log_in(page.context, asked(match).user)
    for width in (360, 390):
        page.set_viewport_size({"width": width, "height": 740})
        page.goto(f"/matches/{match.pk}/")
        assert page.locator(".seats > li").evaluate_all(GAINS) == [True] * people
        assert page.locator(".seats .on").inner_text().count("à jouer") == 1
