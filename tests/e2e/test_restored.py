"""A page that was open before the site was restored from an earlier copy: it does not stay on what is lost."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from games.models import Match, Seat, Turn
from games.services.lobby import opening
from tests.e2e.playing import version, wait_live, wait_version
from tests.e2e.test_live import play_one, wait_for
from tests.factories import fresh, member, opened, seated
from tests.processes import off_loop

pytestmark = [pytest.mark.browser, pytest.mark.operation]


class Copy:
    """The rows of a match as they were, to be put back."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.row = Match.objects.filter(pk=match.pk).values().get()
        self.seats = list(Seat.objects.filter(match=match).values())

    def restore(self) -> Match:
        Turn.objects.filter(match=self.match, number__gt=self.row["turns"]).delete()
        Match.objects.filter(pk=self.match.pk).update(**self.row)
        for seat in self.seats:
            Seat.objects.filter(pk=seat["id"]).update(**seat)
        return fresh(self.match)


@pytest.fixture
def match(site) -> Match:
    return seated(member("ann"), member("bob"))


def moved(page: Page, match: Match, times: int, *, seed: int = 1) -> None:
    for number in range(times):
        wait_version(page, play_one(match, Random(f"{seed} {number}"), seed * 100 + number))


def marked(page: Page) -> str:
    return page.locator("#table").get_attribute("data-history") or ""


def test_it_shows_the_earlier_state(page, site, match):
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    moved(page, match, 2)
    with off_loop():
        copy = Copy(fresh(match))
    moved(page, match, 3, seed=2)
    with off_loop():
        site.web.kill()
        earlier = copy.restore()
        site.web.start()
    wait_for(page, lambda: version(page) == earlier.version)
    assert page.locator("#table").get_attribute("data-turns") == str(earlier.turns)
    wait_live(page)
    moved(page, match, 1, seed=3)  # and it follows again


def test_as_many_moves_after_the_restore_do_not_deceive_it(page, site, match):
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    with off_loop():
        copy = Copy(fresh(match))
    moved(page, match, 2)
    before, history = version(page), marked(page)
    with off_loop():
        site.web.kill()
        copy.restore()
    for number in range(2):
        play_one(match, Random(f"other {number}"), 300 + number)
    with off_loop():
        assert fresh(match).version == before
        site.web.start()
    wait_for(page, lambda: marked(page) not in ("", history))
    assert version(page) == before
    wait_live(page)
    with off_loop():
        history = fresh(match).history
    assert marked(page) == history


def test_without_a_line_it_learns_of_it_when_it_is_looked_at(page, site, match):
    page.route_web_socket("**/ws/**", lambda socket: socket.close())
    page.goto(f"/matches/{match.pk}/")
    with off_loop():
        copy = Copy(fresh(match))
    play_one(match, Random(1), 1)
    page.reload()
    with off_loop():
        copy.restore()
    page.evaluate("() => dispatchEvent(new Event('online'))")
    wait_for(page, lambda: version(page) == copy.row["version"])


def test_a_table_that_filled_is_open_again(page, site):
    """A page of an open table asks for the whole page: it must not ask for ever."""
    with off_loop():
        ann, bob = member("ann"), member("bob")
        match = opened(ann, size=3)
        copy = Copy(match)
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    with off_loop():
        opening.join(match_id=match.pk, user=bob)
    wait_version(page, fresh_version(match))
    with off_loop():
        site.web.kill()
        copy.restore()
        site.web.start()
    wait_for(page, lambda: version(page) == copy.row["version"])
    expect(page.locator("#table")).to_have_attribute("data-status", "open")


def fresh_version(match: Match) -> int:
    with off_loop():
        return fresh(match).version
