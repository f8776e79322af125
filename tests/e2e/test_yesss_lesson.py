"""The first match of YESSS! with a coach on a phone: nothing moves under the finger, and what answers is in sight."""

import pytest
from django.db import transaction
from playwright.sync_api import Page, expect

from config.lib import clock
from games.models import Match, Turn
from games.services.play.locking import lock_match
from games.services.play.match_transaction import MatchTransaction
from tests.e2e.playing import button, wait_live, wait_version
from tests.factories import fresh, state_of
from tests.games.lessons import Learner
from tests.processes import off_loop

PHONE = {"width": 390, "height": 844}
PLACES = """() => ["#contest", ".ring > .p1", ".ring > .p4", "#board button.main[name=move]"].map((name) => {
  const box = document.querySelector(name).getBoundingClientRect();
  return [name, box.top, box.bottom];
})"""
ABOVE_CARD = """(element) => {
  const [box, card] = [element.getBoundingClientRect(), document.getElementById("coach").getBoundingClientRect()];
  return box.top >= 60 && box.bottom <= card.top;
}"""


class Lesson:
    """The page of somebody in the lesson, and the bots' moves beside it."""

    def __init__(self, browser, site, log_in, person) -> None:
        with off_loop():
            self.match: Match = Learner(person, "yesss").match
        context = browser.new_context(base_url=site.url, viewport=PHONE, has_touch=True)
        log_in(context, person)
        self.page: Page = context.new_page()
        self.page.goto(f"/matches/{self.match.pk}/")
        wait_live(self.page)

    def bot(self, seat: int, kind: str, **more) -> None:
        """Let a bot move, and wait until the page shows it."""
        with off_loop():
            with transaction.atomic():
                playing = MatchTransaction(*lock_match(self.match.pk))
                playing.make(seat, {"type": kind, **more}, by=Turn.By.BOT, at=clock.now_ms())
                playing.save()
            version = fresh(self.match).version
        wait_version(self.page, version)

    def hand(self, seat: int) -> list[list[int]]:
        with off_loop():
            match = fresh(self.match)
            return match.game.view(state_of(match), seat)["hand"]

    def pick(self, *numbers: int) -> None:
        for number in numbers:
            self.page.locator(f"#pic-{number}").click()

    def say(self, word: str) -> None:
        self.page.fill("[data-word]", word)
        button(self.page, "word").click()

    def to_the_word(self) -> None:
        """Play the first round until the learner is asked for a word."""
        button(self.page, "select").first.click()
        expect(self.page.locator("#desk .sealed")).to_be_visible()
        self.bot(1, "select", pair=[3, 4])
        self.bot(2, "select", pair=[5, 6])

    def to_the_guess(self) -> None:
        """Play the first round until the learner is asked for the pair of a bot's word."""
        self.to_the_word()
        self.say("king")
        expect(self.page.locator("[data-word]")).to_have_count(0)
        self.bot(2, "word", token=1, word="ski")
        expect(button(self.page, "guess")).to_be_visible()


@pytest.fixture
def learnt(browser, site, log_in, ann):
    lesson = Lesson(browser, site, log_in, ann)
    yield lesson
    lesson.page.context.close()


@pytest.mark.browser
def test_nothing_moves_while_one_is_asked_and_bots_move(learnt):
    page = learnt.page
    learnt.to_the_guess()
    before = page.evaluate(PLACES)
    assert button(page, "guess").evaluate(ABOVE_CARD)
    for seat, kind, more in (
        (1, "word", {"token": 0, "word": "mouse"}),
        (2, "guess", {"token": 0, "pair": [1, 2]}),
        (1, "guess", {"token": 2, "pair": [5, 6]}),
    ):
        learnt.bot(seat, kind, **more)
        assert page.evaluate(PLACES) == before, more


@pytest.mark.browser
def test_what_the_coach_objects_to_stands_until_the_next_press(learnt):
    page = learnt.page
    learnt.to_the_guess()
    sentence = page.locator("#coach-says").inner_text()
    learnt.pick(3, 2)
    button(page, "guess").click()
    objection = page.locator("#coach-objects")
    expect(objection).to_contain_text("then tap 4")
    assert button(page, "guess").evaluate(ABOVE_CARD)
    before = page.evaluate(PLACES)
    learnt.bot(1, "word", token=0, word="mouse")
    learnt.bot(2, "guess", token=0, pair=[1, 2])
    expect(objection).to_contain_text("then tap 4")
    assert page.evaluate(PLACES) == before
    learnt.pick(2)
    expect(objection).to_have_count(0)
    expect(page.locator("#coach-says")).to_have_text(sentence)
    learnt.pick(4)
    button(page, "guess").click()
    expect(page.locator("#coach-says")).to_contain_text("Right: +1 for you")


@pytest.mark.browser
def test_why_a_word_was_refused_is_told_until_one_types_on(learnt):
    page = learnt.page
    learnt.to_the_word()
    learnt.say("golden-house")
    why, field = page.locator(".saying .errors"), page.locator("[data-word]")
    expect(why).not_to_be_empty()
    words = why.inner_text()
    learnt.bot(2, "word", token=1, word="ski")
    expect(why).to_have_text(words)
    expect(page.locator(".head > .refusal")).to_have_count(1)
    assert field.get_attribute("aria-invalid") == "true"
    assert field.input_value() == "golden-house"
    field.press_sequentially("s")
    expect(why).to_be_empty()


@pytest.mark.browser
def test_an_objection_stands_no_longer_than_what_it_is_about(learnt):
    page = learnt.page
    learnt.to_the_guess()
    button(page, "object").click()
    expect(page.locator("#coach-objects")).to_contain_text("“ski” is fine")
    page.locator("#anyway").click()
    expect(page.locator("#coach-objects")).to_have_count(0)
    expect(page.locator("#coach-says")).not_to_be_empty()


@pytest.mark.browser
def test_in_the_second_round_what_answers_is_above_the_card(learnt):
    page = learnt.page
    learnt.to_the_guess()
    learnt.pick(3, 4)
    button(page, "guess").click()
    learnt.bot(1, "word", token=0, word="mouse")
    learnt.bot(2, "guess", token=0, pair=[1, 2])
    learnt.bot(1, "guess", token=2, pair=[5, 6])
    expect(page.locator("#coach-says")).to_contain_text("Right: +1 for you")
    button(page, "select").first.click()
    expect(page.locator("#desk .sealed")).to_be_visible()
    for seat in (1, 2):
        learnt.bot(seat, "select", pair=learnt.hand(seat)[0])
    before = page.evaluate(PLACES)
    learnt.bot(1, "word", token=2, word="nature")
    assert page.evaluate(PLACES) == before
    page.locator(".back > summary").click()
    expect(button(page, "refuse")).to_be_in_viewport(ratio=1)
    assert button(page, "refuse").evaluate(ABOVE_CARD)
    learnt.say("thing")
    expect(page.locator("#coach-says")).to_contain_text("This word breaks no rule")
    objects(page)
    page.locator("#anyway").click()
    expect(button(page, "object")).to_have_count(0)
    learnt.bot(1, "word", token=2, word="forest")
    expect(page.locator("#coach-says")).to_contain_text("Another word")
    objects(page)
    before = page.evaluate(PLACES)
    for seat, kind, more in (
        (2, "word", {"token": 0, "word": "spade"}),
        (2, "guess", {"token": 1, "pair": [1, 2]}),
        (1, "guess", {"token": 0, "pair": [1, 2]}),
    ):
        learnt.bot(seat, kind, **more)
        assert page.evaluate(PLACES) == before, more


def objects(page: Page) -> None:
    """Object; before and after it what answers is above the card."""
    for _time in range(2):
        for kind in ("guess", "object"):
            assert button(page, kind).evaluate(ABOVE_CARD), kind
        if not page.locator("#coach-objects").count():
            button(page, "object").click()
            expect(page.locator("#coach-objects")).to_contain_text("breaks no rule")
