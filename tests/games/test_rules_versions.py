"""A change of rules: matches go on by those with which they began, from the table to the replay and the mail."""

import json
import re
from datetime import timedelta
from random import Random

import pytest
from django.core.management import call_command

from games.engine import RecordError, ScriptedChance, UnknownRules, replay, run_scenario, verify
from games.models import Match
from games.queries.play import seats_of
from games.record import record_of
from games.rules import catalogue, folders, games, get_game, template_of, versions
from games.services.lobby import opening
from games.services.play import bots, dice_counts
from tests.factories import browser_of, fresh, opened, play_on, seat, state_of
from tests.mailing import DAY, HOUR, send, wind

SLUG = "sample-game"


def begun(ann, bob, *, version: int, bot: str = "") -> Match:
    """Return a match whose table was opened while that version was the current one."""
    match = opened(ann, size=2, game_slug=SLUG)
    Match.objects.filter(pk=match.pk).update(rules_version=version)
    if bot:
        opening.start_with_bots(match_id=match.pk, user=ann, level=bot)
    else:
        opening.join(match_id=match.pk, user=bob)
    return fresh(match)


def words(browser, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200, address
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def steps_by_play(match) -> set[int]:
    """Return by how much more than the hidden die said those went who played it."""
    hidden, found = list(match.game.setup(seats=2, options={}, chance=ScriptedChance(match.setup_draws)).hidden), set()
    for turn in match.log.order_by("number"):
        if turn.move["type"] == "play":
            found.add(turn.events[0]["by"] - hidden[turn.seat])
            hidden[turn.seat] = turn.draws[0][0]
    return found


def test_each_version_that_is_kept_says_its_number_and_plays_by_itself():
    for slug in games():
        for version in versions(slug):
            game = get_game(slug, version)
            assert (game.slug, game.rules_version) == (slug, version)
        assert get_game(slug, versions(slug)[-1]) is get_game(slug)
        assert len(set(versions(slug))) == len(versions(slug))
    assert versions(SLUG) == (1, 2)


@pytest.mark.parametrize("slug", folders())
def test_what_is_not_kept_is_said_in_words(slug):
    for version in (0, -1, versions(slug)[-1] + 1, 10**30):
        with pytest.raises(UnknownRules, match=f"unknown version {version} of the rules of '{slug}'"):
            get_game(slug, version)
    for find in (catalogue, versions, get_game):
        with pytest.raises(UnknownRules, match="unknown game 'chess'"):
            find("chess")


def test_an_older_version_has_its_own_parts_and_shares_the_rest():
    assert template_of(SLUG, 1, "board.jinja") == f"games/{SLUG}/v1/board.jinja"
    assert template_of(SLUG, 1, "log.jinja") == f"games/{SLUG}/log.jinja"
    assert template_of(SLUG, 2, "board.jinja") == f"games/{SLUG}/board.jinja"
    assert catalogue(SLUG, 1) is catalogue(SLUG)


def test_a_new_match_has_the_current_rules(ann):
    assert opened(ann, size=2, game_slug=SLUG).rules_version == get_game(SLUG).rules_version == 2


@pytest.mark.outgrown
def test_matches_of_two_versions_are_played_shown_mailed_and_replayed_side_by_side(ann, bob, cem, clock, tmp_path):
    old, new = begun(ann, bob, version=1), begun(ann, bob, version=2)
    assert not hasattr(state_of(old), "played")
    assert state_of(new).played == (0, 0)
    for match in (old, new):
        play_on(match, Random(3), turns=6)
        for person in (ann, bob, cem):
            assert "Sample Race" in words(browser_of(person), f"/matches/{match.pk}/")
    assert "Hidden dice played" in words(browser_of(cem), f"/matches/{new.pk}/")
    assert "Hidden dice played" not in words(browser_of(cem), f"/matches/{old.pk}/")
    assert "the rules with which it began, those of version 1" in words(browser_of(cem), f"/matches/{old.pk}/")
    assert "the rules with which it began" not in words(browser_of(cem), f"/matches/{new.pk}/")
    clock.forward(HOUR)
    for match in (old, new):
        wind(seat(match, 0), left=timedelta(seconds=2 * HOUR), bank=timedelta(seconds=3 * DAY))
    assert {mail.subject for mail in send() if mail.to == [ann.email]}
    for match in (old, new):
        ended = play_on(match, Random(4))
        assert ended.status == Match.Status.ENDED
        assert steps_by_play(ended) == {match.rules_version - 1}
        assert words(browser_of(cem), f"/matches/{match.pk}/replay/3/").count("Hidden die:") == 2
        assert "and stands at" in words(browser_of(cem), f"/matches/{match.pk}/log/")
        record = browser_of(cem).get(f"/matches/{match.pk}/record.json").json()
        assert record["rules_version"] == match.rules_version
        (tmp_path / "record.json").write_text(json.dumps(record))
        call_command("verify_match", tmp_path / "record.json")
    for page in ("/", "/play/", "/matches/", "/people/ann/"):
        assert "Sample Race" in words(browser_of(ann), page)
    call_command("check_matches")
    assert dice_counts.count_matches() == 2


def test_by_other_rules_a_record_is_not_sound(ann, bob):
    ended = play_on(begun(ann, bob, version=1), Random(2))
    record = record_of(ended, seats_of(ended))
    assert verify(record, get_game).sound
    assert not verify(record | {"rules_version": 2}, get_game).sound
    assert verify(record | {"rules_version": 3}, get_game).problem == f"unknown version 3 of the rules of '{SLUG}'"
    with pytest.raises(RecordError, match="unknown version 3"):
        replay(record | {"rules_version": 3}, get_game)


def test_a_bot_plays_by_the_rules_of_its_match(ann, bob):
    match = begun(ann, bob, version=1, bot="easy")
    match = play_on(match, Random(5), turns=1)
    assert bots.play_bots(match_id=match.pk)
    assert fresh(match).turns == 2


def test_a_rematch_has_the_current_rules(ann, bob):
    old = play_on(begun(ann, bob, version=1), Random(6))
    assert opening.rematch(match_id=old.pk, user=ann).rules_version == 2


def test_the_rules_of_older_matches_can_be_read(ann):
    page = f"/games/{SLUG}/"
    assert "one step more than your hidden die" in words(browser_of(ann), page)
    older = words(browser_of(ann), f"{page}?version=1")
    assert "one step more" not in older
    assert "These are the rules of version 1" in older
    for nonsense in ("3", "x", "-1", "9" * 40):
        assert "one step more than your hidden die" in words(browser_of(ann), f"{page}?version={nonsense}")


def test_a_scenario_names_the_version_of_its_rules():
    scenario = {
        "game": SLUG,
        "seats": 2,
        "chance": [[6, 5], [2]],
        "steps": [{"seat": 0, "move": {"type": "play"}}, {"view": None, "expect": {"steps": [6, 0]}}],
    }
    assert run_scenario(scenario | {"rules_version": 1}, get_game) == []
    assert "7" in str(run_scenario(scenario, get_game))
    assert run_scenario(scenario | {"rules_version": 9}, get_game)
