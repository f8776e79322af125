"""The language button on a refused post: the page stays, and so does what was typed; print and large text."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.playing import wait_live
from tests.factories import asked, browser_of, member, seated


def told_next(page) -> str:
    return re.search(r'class="tongues".*?name="next" value="([^"]*)"', page.content.decode(), re.DOTALL)[1]


def test_the_language_button_leads_to_a_page(ann, bob):
    """Also where the refusal stands at an address that takes posts alone, once and again."""
    match = seated(ann, bob)
    path = f"/matches/{match.pk}/"
    anns = browser_of(ann)
    assert told_next(anns.get(f"{path}?x=1")) == f"{path}?x=1"
    for came in ({}, {"referer": f"http://testserver{path}"}, {"referer": f"http://testserver{path}move/"}):
        refused = anns.post(f"{path}move/", {"ask": 999, "key": "k", "move": '{"type": "roll"}'}, headers=came)
        assert refused.status_code in (403, 409)
        assert told_next(refused) == path
    foreign = anns.post(f"{path}move/", {"ask": 999}, headers={"referer": "https://evil.example/matches/"})
    assert told_next(foreign) == path
    answer = anns.post("/language/", {"language": "fr", "next": path}, follow=True)
    assert (answer.status_code, answer.redirect_chain) == (200, [(path, 302)])
    assert asked(match)


@pytest.mark.browser
def test_what_was_typed_comes_along(page, site, db):
    page.goto("/accounts/signup/?next=/play/")
    page.fill("[name=username]", "Anne-Sophie")
    page.fill("[name=email]", "anne@example.org")
    page.fill("[name=password1]", "short")
    page.click("main button.main, main [type=submit]")
    expect(page.locator(".errors, .errorlist").first).to_be_visible()
    page.fill("[name=email]", "annesophie@example.org")
    page.get_by_role("button", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert page.url.endswith("/accounts/signup/?next=/play/")
    expect(page.locator("[name=username]")).to_have_value("Anne-Sophie")
    expect(page.locator("[name=email]")).to_have_value("annesophie@example.org")
    expect(page.locator("[name=password1]")).to_have_value("")
    assert page.evaluate("() => sessionStorage.length") == 0


OUTSIDE = """
() => [...document.querySelectorAll(".top :is(a, summary)")].filter((one) => one.checkVisibility())
  .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
  .filter(([, box]) => box.left < 0 || box.right > innerWidth + 0.5).map(([words]) => words)
"""
INK = """
() => ["body", "h1", "#headline", ".log"].map((one) => document.querySelector(one)).filter(Boolean)
  .map((one) => getComputedStyle(one).color)
"""


@pytest.mark.browser
def test_text_twice_as_large_on_a_phone_and_paper_at_night(browser, site, log_in):
    ann, bob = member("Maximiliane-Josephine"), member("bob")
    match = seated(ann, bob)
    phone = {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}
    page = browser.new_context(base_url=site.url, **phone).new_page()
    log_in(page.context, ann)
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    page.evaluate("() => document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(OUTSIDE) == []
    page.locator(".menu > summary").click()
    expect(page.get_by_role("button", name="Log out")).to_be_in_viewport()
    menu = page.locator(".menu > div").bounding_box()
    assert menu["x"] >= 0
    assert menu["x"] + menu["width"] <= 360
    page.emulate_media(media="print", color_scheme="dark")
    assert set(page.evaluate(INK)) == {"rgb(34, 28, 53)"}  # the ink of the day
    expect(page.locator(".nav")).to_be_hidden()
