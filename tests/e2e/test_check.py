"""The check of a record in the browser: by the button, in the log, as a file that is saved, over many records."""

import json
import re
from random import Random

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from config.lib import signatures
from games.engine import replayed
from games.record import public_record, signed
from games.rules import games, get_game
from tests import FULL
from tests.factories import fresh, member, played_on, seated, seats_of
from tests.processes import off_loop
from tests.rules.planted import EACH, planted
from tests.rules.playing import fewest, recorded_match, sealed_match

SLUGS = [slug for slug in games() if slug != "sample-game"]
SOUND = 200 if FULL else 3  # of each of the five games
CHECK = """async ([script, records, keys]) => {
  const { checkRecord } = await import(script);
  const found = [];
  for (const record of records) {
    const { items } = await checkRecord(record, { keys });
    found.push(items.filter(({ state }) => state === "wrong").map(({ code }) => code));
  }
  return found;
}"""

pytestmark = pytest.mark.browser


def sound(slug: str, seed: int) -> dict:
    game = get_game(slug)
    seats = max(2, fewest(game)) + (seed % 2 if fewest(game) < game.max_seats else 0)
    return json.loads(json.dumps(signed(sealed_match(slug, seats, {}, seed))))


def script() -> str:
    """The address of the script, under the name that its content has."""
    (found,) = settings.STATIC_ROOT.glob("games/check.*.js")
    return f"/static/games/{found.name}"


def checked(page: Page, records: list[dict]) -> list[list[str]]:
    """What the script finds wrong of each record, with the site's keys."""
    return page.evaluate(CHECK, [script(), records, signatures.public_keys()])


@pytest.fixture
def at_site(page, site):
    page.goto("/privacy/")
    return page


def test_each_of_two_hundred_planted_changes_is_found(at_site):
    planted_ones = [
        (f"{slug}: {name}", changed) for slug in SLUGS for name, changed in planted(sound(slug, 1), Random(slug))
    ]
    assert len(planted_ones) == EACH * len(SLUGS) >= 200
    found = checked(at_site, [changed for _name, changed in planted_ones])
    missed = [name for (name, _changed), wrong in zip(planted_ones, found, strict=True) if not wrong]
    assert missed == []


def test_sound_records_pass(at_site):
    for slug in SLUGS:
        for first in range(0, SOUND, 20):
            records = [sound(slug, seed) for seed in range(10 + first, 10 + min(first + 20, SOUND))]
            assert [wrong for wrong in checked(at_site, records) if wrong] == [], slug


def test_a_record_of_the_former_format_passes(at_site):
    record = recorded_match("yum-extra", 3, {})
    record["setup_kinds"], *kinds = [step.kinds for step in replayed(record, get_game)]
    whole = record | {"moves": [move | {"kinds": told} for move, told in zip(record["moves"], kinds, strict=True)]}
    asked = [json.loads(json.dumps(signed(one))) for one in (whole, recorded_match("yum-extra", 3, {}))]
    assert checked(at_site, [*asked, sealed_match("yay", 2, {}, 5)]) == [[], ["kinds-wrong"], ["signature-wrong"]]


def test_junk_is_no_record(at_site):
    record = sound("yay", 2)
    junk = [None, 1, "x", [], {}, [[]], True]
    broken = [record | {name: one} for name in record for one in junk if record[name] != one]
    assert all(checked(at_site, [*junk, *broken]))


def ended(ann, bob, slug: str = "yum-extra"):
    match = played_on(seated(ann, bob, game_slug=slug), Random(5))
    assert match.status == "ended"
    return match


def test_the_button_says_what_is_right_and_marks_the_log(page, site, log_in):
    ann, bob = member("ann"), member("bob")
    match = ended(ann, bob)
    log_in(page.context, ann)
    page.goto(f"/matches/{match.pk}/")
    page.locator("#fair > summary").click()
    button = page.locator("#check-now")
    expect(button).to_be_visible()
    button.focus()
    page.keyboard.press("Enter")
    said = page.locator("#check-said")
    expect(said).to_contain_text("The record is sound")
    expect(said).to_be_focused()
    expect(said.locator("[data-state=wrong]")).to_have_count(0)
    expect(said).to_contain_text("The site has signed this record")
    expect(said).to_contain_text("Draws that are right:")
    page.goto(f"/matches/{match.pk}/log/")
    page.locator("#check-now").click()
    expect(page.locator("#check-said")).to_contain_text("The record is sound")
    marks = page.locator(".drawn-check")
    assert marks.count() > 20 and page.locator(".drawn-check[data-state=wrong]").count() == 0
    expect(marks.first).to_have_attribute("aria-label", re.compile("all right"))


def test_a_roll_that_was_changed_in_the_database_is_marked_in_the_log(page, site, log_in):
    ann, bob = member("ann"), member("bob")
    match = ended(ann, bob)
    turn = next(turn for turn in match.log.order_by("number") if turn.draws and turn.number > 10)
    with off_loop():
        draw = turn.draws[0]
        draw[0] = draw[0] % 6 + 1
        match.log.filter(pk=turn.pk).update(draws=[draw, *turn.draws[1:]])
    log_in(page.context, ann)
    page.goto(f"/matches/{match.pk}/log/")
    page.locator("#check-now").click()
    said = page.locator("#check-said")
    expect(said).to_contain_text("Something in this record is not right")
    expect(page.locator(".drawn-check[data-state=wrong]")).to_have_count(1)
    expect(page.locator(".drawn-check[data-state=wrong]")).to_have_attribute(
        "aria-label", "Draws that are wrong here: 1"
    )


def test_the_file_checks_offline_in_both_languages(browser, site, tmp_path):
    ann, bob = member("ann"), member("bob")
    record = public_record(match := ended(ann, bob, "yes"), seats_of(fresh(match)))
    (tmp_path / "record.json").write_text(json.dumps(record))
    (tmp_path / "changed.json").write_text(json.dumps(record | {"outcome": {"ranks": [1, 2]}}))
    (tmp_path / "none.json").write_text("{")
    for language, sound_words, words in (
        ("en-GB", "The record is sound", "not right"),
        ("fr-FR", "sincère", "pas juste"),
    ):
        context = browser.new_context(base_url=site.url, locale=language, accept_downloads=True)
        page, errors = context.new_page(), []
        page.on("console", lambda line, errors=errors: errors.append(line.text) if line.type == "error" else None)
        page.goto("/privacy/")
        with page.expect_download() as download:
            page.evaluate("() => { location.href = '/dice/check.html'; }")
        path = tmp_path / f"{language}.html"
        download.value.save_as(path)
        context.set_offline(True)
        page.goto(path.as_uri())
        said = page.locator("#check-said")
        for name, what in (("record", sound_words), ("changed", words), ("none", words)):
            page.set_input_files("#check-file", tmp_path / f"{name}.json")
            page.locator("#check-now").click()
            expect(said).to_contain_text(what)
        page.set_input_files("#check-file", tmp_path / "record.json")
        page.locator("#check-noted").fill("0" * 64)
        page.locator("#check-now").click()
        expect(said).to_contain_text(words)
        page.locator("#check-noted").fill(record["commitment"].upper())
        page.locator("#check-now").click()
        expect(said).to_contain_text(sound_words)
        assert errors == []
        context.close()
