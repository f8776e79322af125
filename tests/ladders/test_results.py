"""What matches do to places: won, lost, drawn, called off, voided, reopened, resigned, left."""

import pytest

from games.ladders import tasks
from games.ladders.models import Challenge, Change
from games.ladders.services import results
from games.models import Match
from games.moderation import matches as deeds
from games.services.play.moves import resign, wish_call_off
from tests.factories import fresh
from tests.ladders.arranged import challenged, end_match, joined, names, now, people, play, playing

pytestmark = pytest.mark.outgrown
STATE = Challenge.State


def test_who_wins_takes_the_place_and_all_between_move_down(db):
    members = people(6)
    joined(members)
    made = play(members[5], members[1])
    assert (made.state, made.moved) == (STATE.WON, True)
    assert names() == ["p001", "p006", "p002", "p003", "p004", "p005"]
    last = Change.objects.last()
    assert (last.kind, last.before, last.after, last.challenge) == ("won", 6, 2, made)


@pytest.mark.parametrize("won", [False, None])
def test_a_loss_or_a_draw_changes_nothing(ann, bob, won):
    joined([ann, bob])
    assert play(bob, ann, won=won).state == STATE.HELD
    assert names() == ["ann", "bob"]


def test_places_wait_for_the_sweep_and_move_once(ann, bob):
    joined([ann, bob])
    made = playing(bob, ann)
    end_match(made, won=True)
    assert (now(made).state, names()) == (STATE.WON, ["ann", "bob"])
    for _thrice in range(3):
        tasks.tend()
    assert names() == ["bob", "ann"]
    assert Change.objects.filter(kind="won").count() == 1


@pytest.mark.parametrize("who_resigns", ["ann", "bob"])
def test_who_resigns_has_lost(ann, bob, who_resigns):
    joined([ann, bob])
    made = playing(bob, ann)
    resign(match_id=made.match_id, user=ann if who_resigns == "ann" else bob)
    tasks.tend()
    assert names() == (["bob", "ann"] if who_resigns == "ann" else ["ann", "bob"])


def test_called_off_it_has_no_result(ann, bob):
    joined([ann, bob])
    made = playing(bob, ann)
    for user in (ann, bob):
        wish_call_off(match_id=made.match_id, user=user, wish=True)
    tasks.tend()
    assert (now(made).state, names()) == (STATE.VOID, ["ann", "bob"])


def test_ended_or_voided_by_a_moderator_before_places_moved_it_changes_nothing(mo, ann, bob, cem):
    joined([ann, bob, cem])
    stopped, voided = playing(bob, ann), playing(cem, bob)
    deeds.end_match(moderator=mo, match=fresh(stopped.match), reason="because")
    end_match(voided, won=True)
    deeds.void(moderator=mo, match=fresh(voided.match), reason="because")
    tasks.tend()
    assert names() == ["ann", "bob", "cem"]
    assert {now(stopped).state, now(voided).state} == {STATE.VOID}


def test_voided_after_places_moved_they_are_not_turned_back(mo, ann, bob):
    joined([ann, bob])
    made = play(bob, ann)
    deeds.void(moderator=mo, match=fresh(made.match), reason="because")
    tasks.tend()
    assert (now(made).state, names()) == (STATE.VOID, ["bob", "ann"])
    assert now(made).moved


def reopen(made: Challenge) -> None:
    """Reopen its match, as undoing a sweep does."""
    match = fresh(made.match)
    match.status, match.ending, match.ended_at, match.outcome = Match.Status.RUNNING, "", None, None
    match.save()
    results.match_reopened(match)


def test_reopened_before_it_moved_anybody_its_second_end_counts(ann, bob):
    joined([ann, bob])
    made = play(bob, ann, won=False)
    reopen(made)
    assert now(made).state == STATE.RUNNING
    end_match(made, won=True)
    tasks.tend()
    assert names() == ["bob", "ann"]


def test_reopened_after_it_moved_places_they_move_no_more(ann, bob, cem):
    joined([ann, bob, cem])
    made = play(cem, ann)
    reopen(made)
    tasks.tend()
    play(bob, cem)
    play(ann, bob)
    assert names() == ["ann", "bob", "cem"]
    end_match(made, won=True)
    tasks.tend()
    assert names() == ["ann", "bob", "cem"]
    assert Change.objects.filter(kind="won").count() == 3


def test_it_is_counted_by_how_they_stand_then(ann, bob, cem):
    joined([ann, bob, cem])
    first, second = playing(cem, bob), playing(cem, ann)
    end_match(second, won=True)
    tasks.tend()
    assert names() == ["cem", "ann", "bob"]
    end_match(first, won=True)
    tasks.tend()
    assert names() == ["cem", "ann", "bob"]
    assert (now(first).state, now(first).moved) == (STATE.WON, False)


def test_other_matches_move_nobody(ann, bob):
    joined([ann, bob])
    match = Match.objects.create(game_slug="yum-extra", rules_version=1, size=2)
    results.match_voided(match)
    results.match_reopened(match)
    results.match_ended(match, [])
    assert names() == ["ann", "bob"]
    assert challenged(bob, ann).state == STATE.OPEN
