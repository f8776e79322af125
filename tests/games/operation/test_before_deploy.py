"""Before a deploy: every match is tried under the new code, and those that would break are named."""

from importlib import import_module
from io import StringIO
from random import Random

import pytest
from django.core import checks
from django.core.management import CommandError, call_command

from games import rules
from games.models import Match, Seat
from games.rules import games, get_game
from games.services.operation import deploy_check
from tests.factories import as_many, fresh, opened, play_on, played_on, seated

SLUG = "sample-game"
v1, v2 = get_game(SLUG, 1), get_game(SLUG)

pytestmark = pytest.mark.bad_matches


def tried(*options: str) -> str:
    said = StringIO()
    call_command("check_matches", "--before-deploy", *options, stdout=said)
    return said.getvalue()


def broken(*options: str) -> tuple[str, str]:
    """Return what was said of single matches, and at last."""
    said = StringIO()
    with pytest.raises(CommandError) as failed:
        call_command("check_matches", "--before-deploy", *options, stdout=said)
    assert failed.value.returncode == 1
    return said.getvalue(), str(failed.value)


@pytest.mark.parametrize("slug", games())
def test_matches_of_every_game_go_on(ann, bob, cem, slug):
    people = as_many(slug, ann, bob, cem)
    opened(ann, size=len(people), game_slug=slug)
    play_on(seated(*people, game_slug=slug), Random(1), turns=12)
    before = list(Match.objects.values())
    assert "2 matches tried" in tried()
    assert list(Match.objects.values()) == before


@pytest.mark.outgrown
def test_rules_that_changed_without_a_new_number_are_found(ann, bob, monkeypatch):
    match = play_on(seated(ann, bob, game_slug=SLUG), Random(1), until=lambda m: m.turns > 8)
    fine = seated(ann, bob, game_slug="yum-extra")
    monkeypatch.setattr(import_module("tests.sample_game.rules"), "BONUS", 2)
    said, last = broken()
    assert f"match {match.pk}: replay: the recorded draws lead to another state" in said
    assert f"match {fine.pk}" not in said
    assert last == f"1 would break: {match.pk}"


def test_a_version_taken_away_is_found(ann, bob, monkeypatch):
    old, new = seated(ann, bob, game_slug=SLUG), seated(ann, bob, game_slug=SLUG)
    Match.objects.filter(pk=old.pk).update(rules_version=7)
    said, last = broken()
    assert f"match {old.pk}: unknown version 7 of the rules of '{SLUG}'" in said
    assert str(new.pk) not in last


def test_a_state_that_is_not_read_any_more_is_found(ann, bob):
    match = seated(ann, bob, game_slug=SLUG)
    Match.objects.filter(pk=match.pk).update(state=b'{"goal":1}')
    said, _last = broken()
    assert f"match {match.pk}: ValidationError" in said


def test_a_page_that_fails_is_found(ann, bob, monkeypatch):
    match = seated(ann, bob, game_slug=SLUG)
    shown = type(v2).shown
    monkeypatch.setattr(type(v2), "shown", lambda *args: {k: v for k, v in shown(*args).items() if k != "played"})
    said, _last = broken()
    assert f"match {match.pk}: pages: UndefinedError" in said


def test_a_question_that_goes_to_another_is_found(ann, bob):
    match = seated(ann, bob, game_slug=SLUG)
    Seat.objects.filter(match=match, number=1).update(ask=9)
    said, _last = broken()
    assert f"match {match.pk}: questions: seat 1 is asked otherwise than it was" in said


def test_ended_matches_are_tried_when_wished(ann, bob, monkeypatch):
    match = played_on(seated(ann, bob, game_slug=SLUG), Random(1))
    monkeypatch.setattr(import_module("tests.sample_game.rules"), "BONUS", 2)
    assert "0 matches tried" in tried()
    said, _last = broken("--ended")
    assert f"match {match.pk}: replay:" in said


def test_no_more_than_a_batch_of_numbers_is_held(ann, monkeypatch):
    monkeypatch.setattr(deploy_check, "BATCH", 2)
    wanted = [opened(ann, size=2, game_slug=SLUG).pk for _ in range(5)]
    assert list(deploy_check.numbers(Match.objects.all())) == wanted


def warnings() -> list[str]:
    return [found.msg for found in checks.run_checks(tags=["database"], databases=["default"])]


@pytest.mark.outgrown
def test_the_start_says_which_matches_are_not_known_here(ann, bob):
    match = seated(ann, bob, game_slug=SLUG)
    assert warnings() == []
    Match.objects.filter(pk=match.pk).update(game_slug="gone")
    [said] = warnings()
    assert "1 matches cannot be shown or played, as this code does not know them: gone by rules 2, 3d." in said
    assert f"Their numbers: {match.pk}. All others are served." in said
    assert fresh(match).game_slug == "gone"


def test_a_game_that_is_taken_away_is_told_at_the_start(ann, bob, monkeypatch):
    seated(ann, bob, game_slug=SLUG)
    monkeypatch.setattr(rules, "_packages", {slug: name for slug, name in rules._packages.items() if slug != SLUG})
    for found in (rules.games, rules.versions, rules.get_game):
        found.cache_clear()
    try:
        assert SLUG in warnings()[0]
    finally:
        monkeypatch.undo()
        for found in (rules.games, rules.versions, rules.get_game):
            found.cache_clear()
