"""Four members play YESSS! to the end: by desk, by phone, without JavaScript, by keyboard; two languages."""

import re
from itertools import count

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Match
from tests.e2e.playing import ENDED, MINE, button, version, wait_live, wait_version
from tests.factories import fresh, member, seat, seated, state_of, submit
from tests.processes import off_loop

PHONE = {"width": 390, "height": 844}
NUMBER = count(1)
SEEN = """(one) => {
  const box = one.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return box.top >= 0 && box.bottom <= innerHeight && one.contains(top);
}"""
LETTERS = "abcdefghij"


def some_word() -> str:
    """Return a word that was not said before, and that no list forbids."""
    return "mot" + "".join(LETTERS[int(digit)] for digit in str(next(NUMBER)))


def open_pages(browser: Browser, site, log_in, match: Match, people, settings) -> list[Page]:
    pages = []
    for person, more in zip(people, settings, strict=True):
        context = browser.new_context(base_url=site.url, **more)
        log_in(context, person)
        pages.append(context.new_page())
        pages[-1].goto(f"/matches/{match.pk}/")
        if more.get("java_script_enabled", True):
            wait_live(pages[-1])
    return pages


@pytest.mark.browser
def test_four_members_from_start_to_end(browser: Browser, site, log_in):
    people = [member("ann"), member("bob", language="fr"), member("cem"), member("dan", language="fr")]
    match = seated(*people, game_slug="yesss", options={"rounds": 2})
    settings = [
        {"locale": "en"},
        {"locale": "fr", "viewport": PHONE, "has_touch": True},
        {"locale": "en", "viewport": PHONE, "java_script_enabled": False},
        {"locale": "fr", "reduced_motion": "reduce"},
    ]
    pages = open_pages(browser, site, log_in, match, people, settings)
    plain = pages[2]
    lively = [page for page in pages if page is not plain]
    seen = {"guess": 0, "word": 0, "swap": 0, "flip": 0, "last": 0}
    for number in range(200):
        plain.reload()
        if plain.locator(ENDED).count():
            break
        page = next(page for page in pages[number % 4 :] + pages if page.locator(MINE).count())
        before = version(page)
        seen["flip"] += lively[0].locator(".turning").count() > 0
        seen["last"] += lively[0].get_by_role("heading", name="Round 1 revealed").is_visible()
        seen[play(page, number)] += 1
        if page is plain:
            page.wait_for_load_state()
            assert version(page) > before
        newest = before + 1
        for other in lively:
            wait_version(other, newest)
            assert other.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert min(seen.values()) > 0, seen
    for page in lively:
        page.wait_for_selector(ENDED, state="attached")
    for page in pages:
        expect(page.locator(".ranks > li")).to_have_count(4)
        expect(page.locator(".shown:not(.funniest) .reveal")).to_have_count(8)
        expect(page.locator(".funniest .reveal")).to_have_count(1)
    first, phone = lively[0], lively[1]
    expect(first.locator("#every-word")).to_have_text("Every word of the match")
    expect(phone.locator("#every-word")).to_have_text("Tous les mots de la partie")


def play(page: Page, number: int) -> str:
    """Do one thing that is asked, words before guesses in every other turn; return what it was."""
    if page.locator(".give").count():
        page.locator(".give").first.click()
        return "word"
    if button(page, "pass").count():
        (button(page, "swap") if number % 2 else button(page, "pass")).first.click()
        return "swap"
    words, guesses = page.locator("[data-word]"), button(page, "guess")
    if words.count() and (number % 2 or not guesses.count()):
        words.first.fill(some_word())
        words.first.press("Enter")
        return "word"
    for box in (number % 3, 4 + number % 2):
        page.locator("label.pic").nth(box).click()
    guesses.first.click()
    return "guess"


def proposing(*people) -> Match:
    """Return a match in which all have passed on the first of their pairs."""
    match = seated(*people, game_slug="yesss")
    for number in range(len(people)):
        pair = match.game.view(state_of(fresh(match)), number)["hand"][0]
        submit(match, seat(match, number), {"type": "select", "pair": pair}, key=f"s{number}")
    return fresh(match)


def say(match: Match, word: str) -> None:
    """Let somebody say a word that the first seat has to guess, as from elsewhere."""
    tokens = match.game.view(state_of(fresh(match)), 0)["tokens"]
    token = next(n for n, token in enumerate(tokens) if token["word"] is None and "pair" not in token)
    by = seat(match, tokens[token]["announcer"])
    with off_loop():
        submit(match, by, {"type": "word", "token": token, "word": word}, key=f"w{token}")


@pytest.mark.browser
def test_what_arrives_takes_nothing_from_a_half_typed_word(browser: Browser, site, log_in):
    people = [member(name) for name in ("ann", "bob", "cem", "dan")]
    match = proposing(*people)
    page = open_pages(browser, site, log_in, match, people[:1], [{}])[0]
    say(match, "soleil")
    page.wait_for_selector(".play.yours")
    page.set_viewport_size(PHONE)
    with off_loop():
        match.seats.filter(number=0).update(seen=fresh(match).turns - 2)
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    expect(page.locator("#happened")).to_have_text("Since you left")
    expect(page.locator("[data-word]")).to_be_in_viewport(ratio=1)
    button(page, "guess").first.scroll_into_view_if_needed()
    assert page.locator("label.pic").nth(3).evaluate(SEEN) and button(page, "guess").first.evaluate(SEEN)
    page.locator("[data-word]").click()
    page.keyboard.type("demi")
    page.locator("label.pic").nth(2).click()
    page.locator("[data-word]").click()
    before = version(page)
    say(match, "plage")
    wait_version(page, before + 1)
    expect(page.locator(".play.yours")).to_have_count(2)
    expect(page.locator("[data-word]")).to_have_value("demi")
    expect(page.locator("[data-word]")).to_be_focused()
    assert page.locator(".picks :checked").count() == 1
    page.keyboard.type("tour")
    page.locator("label.pic").nth(4).click()
    expect(page.locator("[data-two]").first).to_have_text("Guess 3 + 5")
    page.locator("[data-two]").first.click()
    wait_version(page, before + 2)
    expect(page.locator("[data-word]")).to_have_value("demitour")
    assert page.locator(".picks :checked").count() == 0
    page.locator("[data-word]").press("Enter")
    expect(page.locator(".plays .bubble", has_text="demitour")).to_be_visible()
    expect(page.locator("[data-word]")).to_have_count(0)


@pytest.mark.browser
def test_a_word_is_refused_at_once_and_stays_to_be_mended(browser: Browser, site, log_in):
    people = [member("ann", language="fr"), member("bob"), member("cem")]
    match = proposing(*people)
    phone = {"locale": "fr", "viewport": PHONE}
    page = open_pages(browser, site, log_in, match, people[:1], [phone])[0]
    word = page.locator("[data-word]")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(word).to_be_in_viewport(ratio=1)
    page.set_viewport_size(PHONE)
    for said, why in [
        ("Rouge", "« Rouge » est une couleur : dites un autre mot."),
        ("sept", "« sept » est un nombre : dites un autre mot."),
        ("arc-en-ciel", "Dites un seul mot fait de lettres"),
        ("", "Dites un mot de 1 à 30 lettres."),
        ("a" * 31, "Un mot a 30 lettres au plus."),
    ]:
        word.fill(said)
        word.press("Enter")
        expect(page.locator(".refusal")).to_contain_text(why)
        expect(page.locator(".saying .errors")).to_contain_text(why)
        expect(page.locator(".saying .errors")).to_be_in_viewport()
        expect(page.locator(".aloft")).to_have_count(0)
        expect(word).to_have_value(said)
        expect(word).to_be_focused()
        expect(word).to_have_attribute("aria-invalid", "true")
    word.fill("  été ")
    word.press("Enter")
    expect(page.locator(".plays .bubble", has_text=re.compile("^été$"))).to_be_visible()
    expect(page.locator(".refusal")).to_have_count(0)


@pytest.mark.browser
def test_without_a_script_the_wrong_number_of_pictures_is_told(browser: Browser, site, log_in):
    people = [member(name) for name in ("ann", "bob", "cem", "dan")]
    match = proposing(*people)
    say(match, "soleil")
    page = open_pages(browser, site, log_in, match, people[:1], [{"java_script_enabled": False}])[0]
    for ticked in ([], [0], [0, 3, 5]):
        for box in ticked:
            page.locator("label.pic").nth(box).click()
        button(page, "guess").click()
        why = "tick exactly two" if len(ticked) > 2 else "tap two of them first"
        expect(page.locator(".refusal")).to_contain_text(why)
    page.locator("label.pic").nth(6).click()
    page.locator("label.pic").nth(1).click()
    button(page, "guess").click()
    expect(page.locator(".sealed")).to_contain_text("2–7")


@pytest.mark.browser
def test_taps_and_keys_choose_two_pictures(browser: Browser, site, log_in):
    people = [member(name) for name in ("ann", "bob", "cem", "dan")]
    match = proposing(*people)
    say(match, "soleil")
    page = open_pages(browser, site, log_in, match, people[:1], [{}])[0]
    guess = page.locator("[data-two]")
    expect(guess).to_be_disabled()
    expect(guess).to_have_text("Tap two pictures")
    for key in "63":
        page.keyboard.press(key)
    expect(guess).to_have_text("Guess 3 + 6")
    page.locator("label.pic").nth(0).click()  # the first one is free again
    expect(guess).to_have_text("Guess 1 + 3")
    page.keyboard.press("3")
    expect(guess).to_be_disabled()
    page.keyboard.press("w")
    page.keyboard.type("3w")
    expect(page.locator("[data-word]")).to_have_value("3w")
    page.keyboard.press("Escape")
    page.keyboard.press("7")
    page.locator("label.pic input").nth(6).focus()
    page.keyboard.press("Enter")  # no guess: that cannot be taken back
    page.wait_for_timeout(300)
    expect(guess).to_have_text("Guess 1 + 7")
    page.keyboard.press("g")
    expect(page.locator(".sealed")).to_contain_text("1–7")
