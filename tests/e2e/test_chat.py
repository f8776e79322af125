"""People talk while they play: lines arrive by themselves, and what is half typed stays."""

from random import Random

import pytest
from playwright.sync_api import expect

from games.models import ChatLine, Notice
from games.queries.play import seats_of
from games.services.chat import lines
from tests.e2e.playing import wait_live, wait_version
from tests.e2e.test_live import open_match, play_one
from tests.factories import member, seated
from tests.processes import off_loop, wait_until

HALF = "I was just about to s"
COMPOSED = """
(field) => [{ isComposing: true }, { keyCode: 229 }].map((how) =>
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...how })))
"""  # as Firefox and Chromium say it, and Safari


@pytest.mark.browser
def test_a_half_typed_line_survives_moves_and_lines(browser, site):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    writing, playing = (
        open_match(browser, site.url, bob, match),
        open_match(browser, site.url, ann, match),
    )
    writing.locator("#id_say").fill(HALF)
    writing.locator("#id_say").focus()
    for number in range(3):
        wait_version(writing, play_one(match, Random(number), number))
        playing.locator("#id_say").fill(f"line {number} @bob")
        playing.locator("#id_say").press("Enter")
        expect(writing.locator(".talk li")).to_have_count(number + 1)
        assert writing.locator("#id_say").input_value() == HALF
        expect(playing.locator("#id_say")).to_have_value("")
    expect(writing.locator(".talk mark.me")).to_have_count(3)
    expect(writing.locator("[data-mention]")).to_have_count(0)  # the line is before their eyes
    assert writing.evaluate("() => document.activeElement.id") == "id_say"
    assert writing.locator("#id_say").evaluate(COMPOSED) == [True, True]  # nothing is sent
    writing.locator("#id_say").press("Enter")
    expect(playing.locator(".talk .said").last).to_have_text(HALF)


@pytest.mark.browser
def test_what_is_missed_while_away_is_there_again(browser, site):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    page = open_match(browser, site.url, bob, match)
    page.context.set_offline(True)
    page.wait_for_selector("body[data-live=no]")
    page.locator("#id_say").fill("hello?")
    page.get_by_role("button", name="Say it").click()
    expect(page.locator("#chat-trouble")).to_contain_text("your line is still here")
    with off_loop():
        lines.say(match=match, seats=seats_of(match), user=ann, text="are you there?")
    page.context.set_offline(False)
    wait_live(page)
    expect(page.locator(".talk .said")).to_have_text(["are you there?"])
    page.get_by_role("button", name="Say it").click()
    expect(page.locator(".talk .said")).to_have_text(["are you there?", "hello?"])
    assert ChatLine.objects.count() == 2


@pytest.mark.browser
def test_the_same_by_forms_alone_and_by_keyboard(browser, site, log_in):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    with off_loop():
        lines.say(match=match, seats=seats_of(match), user=ann, text="look: https://example.org/dice.")
    context = browser.new_context(base_url=site.url, java_script_enabled=False, viewport={"width": 360, "height": 740})
    log_in(context, bob)
    page = context.new_page()
    page.goto(f"/matches/{match.pk}/")
    page.locator("#id_say").focus()
    page.keyboard.type("thank you")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/#chat")
    expect(page.locator(".talk .said")).to_have_text(["look: https://example.org/dice.", "thank you"])
    page.locator(".talk summary").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Mute").click()
    expect(page.locator(".talk li").first).to_contain_text("You have muted this person")
    page.locator(".talk summary").first.click()
    page.get_by_role("button", name="Unmute").click()
    page.locator(".talk a", has_text="example.org").click()
    expect(page.locator("h1")).to_have_text("You are leaving Club Y")
    expect(page.get_by_role("link", name="Go to the site")).to_have_attribute("href", "https://example.org/dice")


@pytest.mark.browser
def test_who_is_elsewhere_is_called_from_home_until_they_look(browser, site, log_in):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    with off_loop():
        lines.say(match=match, seats=seats_of(match), user=ann, text="@bob are you there?")
    context = browser.new_context(base_url=site.url, viewport={"width": 360, "height": 740})
    log_in(context, bob)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name=f"ann mentioned you at Yum EXTRA, match {match.pk}").click()
    page.wait_for_url(f"**/matches/{match.pk}/#chat")
    wait_live(page)
    expect(page.locator(".talk mark.me")).to_have_count(1)
    with off_loop():
        wait_until(lambda: not Notice.objects.filter(unread=True).exists())
        lines.say(match=match, seats=seats_of(match), user=ann, text="@bob your turn")
    expect(page.locator(".talk mark.me")).to_have_count(2)
    with off_loop():  # at once, as the page shows it: long before it says again that it is looked at
        wait_until(lambda: not Notice.objects.filter(unread=True).exists())
    page.goto("/")
    expect(page.locator("h1")).to_be_visible()
    expect(page.get_by_text("mentioned you at")).to_have_count(0)
