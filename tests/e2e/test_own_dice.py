"""A player's own part of the dice in the browser: drawn for what was promised, kept, sealed, opened, compared."""

import json
from hashlib import sha256
from random import Random

import pytest
from playwright.sync_api import Page, expect

from games.engine import verify
from games.models import Match
from games.queries.play import seats_of
from games.record import public_record
from games.rules import get_game
from tests.factories import fresh, member, played_on
from tests.processes import off_loop, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.own_dice]


def kept(page: Page) -> list[dict]:
    return json.loads(page.evaluate("() => localStorage.getItem('dice') ?? '[]'"))


def person(browser, site, log_in, name: str, **settings) -> Page:
    context = browser.new_context(base_url=site.url, locale="en-GB", **settings)
    log_in(context, member(name))
    return context.new_page()


def test_two_members_have_their_parts_and_open_them(browser, site, log_in):
    anns, bobs = (person(browser, site, log_in, name) for name in ("ann", "bob"))
    anns.goto("/play/new/?game=yum-extra")
    anns.locator("input[name=size][value='2']").check(force=True)
    anns.get_by_role("button", name="Open the table").click()
    anns.wait_for_url("**/matches/*/")
    match = Match.objects.get()
    (part,) = kept(anns)
    assert part["promised"] == match.commitment and match.size == 2
    bobs.goto(f"/matches/{match.pk}/")
    assert bobs.locator("input[name=nonce]").first.get_attribute("data-promised") == match.commitment
    bobs.get_by_role("button", name="Sit down").first.click()
    wait_until(lambda: len(fresh(match).openings or ()) == 2, "both openings", 20)
    match = fresh(match)
    seats = seats_of(match)
    for page, seat in ((anns, seats[0]), (bobs, seats[1])):
        (part,) = kept(page)
        assert part["nonce"] == seat.nonce and sha256(part["further"].encode()).hexdigest() == seat.seal
        assert part["entry"] == match.entry(seats) and part["shown"] == match.commitment
        assert [seat.number, part["further"]] in [one[1:] for one in match.openings]
    with off_loop():
        match = played_on(match, Random(3))
        assert verify(public_record(match, seats_of(match)), get_game).sound
    anns.goto(f"/matches/{match.pk}/")
    anns.locator("#fair > summary").click()
    own = anns.locator("#own-dice")
    expect(own).to_contain_text(seats[0].nonce)
    expect(own.locator("[data-say=known]")).to_be_visible()
    expect(own.locator("[data-changed]")).to_be_hidden()
    anns.locator("#check-now").click()
    said = anns.locator("#check-said")
    for words in ("The record is sound", "number that this device drew is in the record", "was noted during the match"):
        expect(said).to_contain_text(words)
    with off_loop():  # the site has put other numbers in their place
        match.seats.filter(number=0).update(nonce="f" * 32)
    anns.reload()
    anns.locator("#fair > summary").click()
    expect(own.locator("[data-say=other]")).to_be_visible()
    expect(own.locator("[data-sent]")).to_have_text(seats[0].nonce)
    expect(own.locator("[data-changed]")).to_be_visible()
    anns.locator("#check-now").click()
    expect(said).to_contain_text("number that this device drew is not in the record")


def test_alone_with_bots_and_by_a_form_that_was_used(browser, site, log_in):
    page = person(browser, site, log_in, "ann")
    page.goto("/games/yum-extra/lesson/")
    promised = page.locator("input[name=nonce]").nth(1).get_attribute("data-promised")
    page.get_by_role("button", name="Play without a coach").click()
    page.wait_for_url("**/matches/*/")
    match = Match.objects.get()
    assert match.commitment == promised == kept(page)[0]["promised"]
    expect(page.locator("#own-dice [data-say=known]")).to_have_count(1)
    page.locator("#further > summary").click()
    page.locator("#fair > summary").click()
    expect(page.locator("#own-dice [data-say=known]")).to_be_visible()
    expect(page.locator("a.promise")).to_have_count(0 if not page.locator(".happened .more-links a").count() else 1)
    with off_loop():
        Match.objects.filter(pk=match.pk).update(
            promise=None
        )  # as if it had been used: the form of before is sent again
        Match.objects.filter(pk=match.pk).update(promise="0" * 32)
    page.goto("/games/yum-extra/lesson/")
    page.evaluate(
        """() => { for (const field of document.querySelectorAll("[name=promise]")) field.value = "used"; }"""
    )
    page.get_by_role("button", name="Play without a coach").click()
    page.wait_for_url(lambda url: f"/matches/{match.pk}/" not in url and "/matches/" in url)
    page.locator("#further > summary").click()
    page.locator("#fair > summary").click()
    expect(page.locator("#own-dice [data-say=before]")).to_be_visible()


def test_without_scripts_one_has_no_part_and_is_told(browser, site, log_in):
    page = person(browser, site, log_in, "ann", java_script_enabled=False)
    page.goto("/games/yum-extra/lesson/")
    page.get_by_role("button", name="Play without a coach").click()
    page.wait_for_url("**/matches/*/")
    assert Match.objects.get().seats.get(number=0).nonce == ""
    expect(page.locator("#own-dice")).to_contain_text("You have no part in these dice")
