"""A member's season: what ended in a calendar quarter, as far as the reader may see it."""

import re
from datetime import UTC, date, datetime, timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.services import relationships
from config.lib import clock as present
from games.models import Match
from games.queries import seasons as reads
from games.queries.seasons import Season
from games.services.play import dice_counts
from tests.factories import browser_of, end, guest, played, played_on, seated

PAGE = "/people/ann/season/"


def text(response) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def won(*people, **wishes) -> Match:
    return end(seated(*people, **wishes), [1, 2])


def lost(*people, **wishes) -> Match:
    return end(seated(*people, **wishes), [2, 1])


def test_seasons_are_quarters_and_follow_each_other():
    autumn = Season.of(date(2026, 11, 30))
    assert (autumn.first, autumn.last) == (date(2026, 10, 1), date(2026, 12, 31))
    assert autumn.after == Season.of(date(2027, 1, 1)) and autumn.after.before == autumn
    assert len(autumn.weeks) == 14 and autumn.weeks[-1] == date(2026, 12, 31)
    assert Season.of(date(2024, 2, 29)).last == date(2024, 3, 31)
    for season in (autumn, Season.of(date(2027, 2, 1))):
        assert season.end - season.start == timedelta(days=(season.last - season.first).days + 1)


@pytest.mark.outgrown
def test_what_was_played_is_told(ann, bob):
    for result in (won, won, lost, won):
        result(ann, bob)
    voided = won(ann, bob)
    Match.objects.filter(pk=voided.pk).update(voided_at=present.now())
    own = reads.matches_of(reads.shown_to(ann, ann), Season.of(present.now().date()))
    assert [one.result for one in own] == ["won", "won", "lost", "won", "voided"]
    assert reads.longest_row(own) == 2
    assert reads.by_game(own) == [("yum-extra", 5, 3)]
    assert sum(reads.by_week(own, Season.of(present.now().date()))) == 5
    said = text(browser_of(ann).get(PAGE))
    for words in ("5 matches", "Won in a row, at most 2", "Not counted 1", "bob"):
        assert words in said, words


def test_who_may_not_see_a_match_is_not_told_of_it(ann, bob, eve):
    hidden = won(ann, bob, access=Match.Access.LINK)
    public = lost(ann, bob)
    season = Season.of(present.now().date())
    assert [one.match_id for one in reads.matches_of(reads.shown_to(eve, ann), season)] == [public.pk]
    assert [one.match_id for one in reads.matches_of(reads.shown_to(bob, ann), season)] == [hidden.pk, public.pk]
    for reader in (eve, None, guest()):
        page = browser_of(reader).get(PAGE)
        assert "1 match " in text(page) and f"/matches/{hidden.pk}/" not in page.content.decode()


def test_lessons_and_what_runs_are_not_counted(ann, bob):
    seated(ann, bob)
    lesson = won(ann, bob)
    Match.objects.filter(pk=lesson.pk).update(prepared=[[0, 0]])
    assert "No match to show ended in these months." in text(browser_of(ann).get(PAGE))


@pytest.mark.outgrown
def test_whom_the_reader_has_blocked_is_not_named(ann, bob, cem, eve):
    won(ann, bob)
    won(ann, cem)
    relationships.block(blocker=eve, blocked=bob)
    said = text(browser_of(eve).get(PAGE))
    assert "cem" in said and "bob" not in said
    assert "eve" not in text(browser_of(bob).get(PAGE))


@pytest.mark.outgrown
def test_luck_and_the_best_turn_are_those_of_these_matches(ann, bob):
    match = played_on(seated(ann, bob), Random(3))
    dice_counts.count_match(match.pk)
    browser = browser_of(ann)
    said, page = text(browser.get(PAGE)), browser.get(PAGE).content.decode()
    assert "dice with six sides; 3.5 is average" in said
    assert f"/matches/{match.pk}/replay/" in page and "on the best of the others" in said
    luck = reads.season_luck(reads.matches_of(reads.shown_to(ann, ann), Season.of(present.now().date())))
    assert luck is not None and luck.dice > 50


def test_the_rating_goes_from_the_first_to_the_last_change(ann, bob):
    for _match in range(2):
        played(ann, bob)
    said = text(browser_of(ann).get(PAGE))
    assert re.search(r"Yum EXTRA 1500 15\d\d \+\d+ 2", said)


def test_the_ways_to_other_seasons_stop_at_the_first_match_and_at_the_present(ann, bob, clock):
    season = Season.of(present.now().date())
    won(ann, bob)
    browser = browser_of(ann)
    assert "?from=" not in browser.get(PAGE).content.decode()
    clock.forward((season.after.after.start - present.now()).total_seconds() + 3600)
    page = browser.get(PAGE)
    assert "No match to show" in text(page) and f"?from={season.after.first}" in page.content.decode()
    first = browser.get(f"{PAGE}?from={season.first}")
    assert "1 match " in text(first)
    assert re.findall(r'href="[^"]*\?from=([\d-]+)', first.content.decode()) == [str(season.after.first)]


@pytest.mark.parametrize("asked", ["", "x", "9999-99-99", "0001-01-01", "9999-12-31", "2026-13-01", "%00", "20261001"])
def test_any_day_that_is_asked_for_gives_a_page(ann, asked):
    assert browser_of().get(f"{PAGE}?from={asked}").status_code == 200


def test_nobody_of_that_name_is_a_page_that_says_so(db):
    assert browser_of().get("/people/nobody/season/").status_code == 404
    assert browser_of().get("/people/nobody%20/season/").status_code == 404


def test_another_spelling_leads_to_the_name(ann):
    assert browser_of().get("/people/ANN/season/")["Location"] == PAGE


def test_the_profile_leads_there(ann):
    assert PAGE in browser_of().get("/people/ann/").content.decode()


def test_queries_do_not_grow_with_matches(ann, bob):
    def asked() -> int:
        with CaptureQueriesContext(connection) as found:
            browser.get(PAGE)
        return len(found)

    browser = browser_of(ann)
    won(ann, bob)
    browser.get(PAGE)
    few = asked()
    for _match in range(4):
        won(ann, bob)
    browser.get(PAGE)
    assert asked() <= few


def test_the_end_of_a_quarter_belongs_to_it(ann, bob):
    match = won(ann, bob)
    season = Season.of(date(2026, 8, 1))
    for at, seen in ((season.end - timedelta(microseconds=1), 1), (season.end, 0), (season.start, 1)):
        Match.objects.filter(pk=match.pk).update(ended_at=at)
        own = reads.matches_of(reads.shown_to(ann, ann), season)
        assert len(own) == seen and sum(reads.by_week(own, season)) == seen
    assert season.start == datetime(2026, 7, 1, tzinfo=UTC)
