"""Challenges: whom one may challenge, accepting, declining, withdrawing, and what is not answered."""

from datetime import timedelta

import pytest
from django.utils import translation

from accounts.models import Block, User
from accounts.services.relationships import block, unblock
from config.lib import clock as present
from games.ladders import queries, tasks
from games.ladders.models import Challenge, Change, Climber
from games.ladders.services import challenging, standing, tending
from games.ladders.services.refusals import Answered, NotChallengeable, NotFree, NotYourChallenge
from games.models import Match, Sweep
from games.moderation import members as deeds
from games.services.refusals import CannotWrite
from tests.factories import fresh
from tests.ladders.arranged import (
    GAME,
    challenged,
    climber,
    joined,
    ladder,
    names,
    now,
    outage,
    people,
    place,
    play,
    playing,
)

STATE = Challenge.State


def refused(by: User, whom: User) -> str:
    """Return why this challenge is refused."""
    before = Challenge.objects.count()
    with pytest.raises(NotChallengeable) as raised:
        challenged(by, whom)
    assert Challenge.objects.count() == before
    return str(raised.value)


def test_up_to_five_places_above(db):
    members = people(8)
    joined(members)
    last = members[7]
    for whom in (members[2], members[3], members[6]):
        assert challenged(last, whom).state == STATE.OPEN
    assert "five places above" in refused(members[6], members[0])
    assert "five places above" in refused(members[0], members[1])
    assert "five places above" in refused(members[0], members[0])


def test_a_match_begins_at_once_as_it_was_promised(ann, bob):
    joined([ann, bob])
    User.objects.filter(pk=ann.pk).update(language="fr")
    made = playing(bob, ann)
    match = fresh(made.match)
    assert (match.status, match.pace_slug, match.rated, match.size) == ("running", "3d", True, 2)
    assert match.access == Match.Access.OPEN
    assert match.seats.get(number=made.seat).user == bob
    assert match.seats.get(number=1 - made.seat).user == ann
    with pytest.raises(Answered):
        challenging.accept(challenge_id=made.pk, user=ann)
    assert Match.objects.count() == 1


def test_a_word_game_is_played_in_the_language_of_who_was_challenged(ann, bob):
    User.objects.filter(pk=ann.pk).update(language="fr")
    with translation.override("en"):
        assert challenging.options_for(GAME, User.objects.get(pk=ann.pk)) == {}


def test_never_more_at_once_than_one_says(db):
    members = people(6)
    joined(members, at_once=1)
    playing(members[1], members[0])
    challenged(members[5], members[4])
    assert "has enough" in refused(members[2], members[1])
    assert "has enough" in refused(members[3], members[0])
    assert "You have as many" in refused(members[5], members[3])
    standing.change_at_once(ladder_id=ladder().pk, user=members[5], at_once=2)
    challenged(members[5], members[3])


def test_the_same_person_once_in_seven_days_and_not_while_they_play(ann, bob, hours):
    joined([ann, bob])
    play(bob, ann, won=False)
    assert "lately" in refused(bob, ann)
    hours.go_by(days=7.1)
    playing(bob, ann)
    hours.go_by(days=8)
    assert "play a ladder match already" in refused(bob, ann)


def test_withdrawn_it_counts_for_the_seven_days(ann, bob, cem):
    joined([ann, bob, cem])
    made = challenged(bob, ann)
    for who in (ann, cem):
        with pytest.raises(NotYourChallenge):
            challenging.withdraw(challenge_id=made.pk, user=who)
    challenging.withdraw(challenge_id=made.pk, user=bob)
    with pytest.raises(Answered):
        challenging.withdraw(challenge_id=made.pk, user=bob)
    assert now(made).state == STATE.WITHDRAWN
    assert "lately" in refused(bob, ann)


def test_who_pauses_is_not_challenged_and_challenges_nobody(ann, bob, cem):
    joined([ann, bob, cem])
    standing.pause(ladder_id=ladder().pk, user=bob, days=3)
    assert "bob pauses" in refused(cem, bob)
    assert "You pause" in refused(bob, ann)


@pytest.mark.parametrize("ann_blocks", [True, False])
def test_a_block_keeps_apart_and_nobody_learns_of_it(ann, bob, ann_blocks):
    joined([ann, bob])
    block(blocker=ann if ann_blocks else bob, blocked=bob if ann_blocks else ann)
    assert refused(bob, ann) == "ann cannot be challenged now."


@pytest.mark.outgrown
def test_a_block_by_whoever_is_challenged_counts_as_declining(ann, bob, cem):
    joined([ann, bob, cem])
    first, second = challenged(bob, ann), challenged(cem, ann)
    block(blocker=ann, blocked=bob)
    assert now(first).state == STATE.DECLINED and climber(ann).declined_at is not None
    unblock(blocker=ann, blocked=bob)
    assert "lately" in refused(bob, ann)
    block(blocker=ann, blocked=cem)  # the second within 14 days costs the place, as declining does
    assert now(second).state == STATE.YIELDED
    assert names() == ["cem", "ann", "bob"]
    tasks.tend()
    assert names() == ["cem", "ann", "bob"]


def test_a_block_by_the_challenger_counts_as_withdrawing(ann, bob):
    joined([ann, bob])
    made = challenged(bob, ann)
    block(blocker=bob, blocked=ann)
    assert now(made).state == STATE.WITHDRAWN and climber(ann).declined_at is None
    assert names() == ["ann", "bob"]
    unblock(blocker=bob, blocked=ann)
    assert "lately" in refused(bob, ann)


@pytest.mark.parametrize("by_sweep", [True, False])
@pytest.mark.parametrize("ann_blocks", [True, False])
def test_a_block_at_the_moment_of_the_challenge_counts_the_same(ann, bob, ann_blocks, by_sweep):
    joined([ann, bob])
    made = challenged(bob, ann)
    Block.objects.create(blocker=ann if ann_blocks else bob, blocked=bob if ann_blocks else ann)  # unseen by the hook
    with pytest.raises(NotChallengeable):
        challenging.accept(challenge_id=made.pk, user=ann)
    if by_sweep:
        tasks.tend()
    else:
        challenging.decline(challenge_id=made.pk, user=ann)
    assert now(made).state == (STATE.DECLINED if ann_blocks else STATE.WITHDRAWN)
    assert (climber(ann).declined_at is not None) is ann_blocks


def test_declining_is_free_once_in_fourteen_days(ann, bob, cem, hours):
    joined([ann, bob, cem])
    first, second = challenged(bob, ann), challenged(cem, ann)
    challenging.decline(challenge_id=first.pk, user=ann, free=True)
    assert now(first).state == STATE.DECLINED
    with pytest.raises(NotFree):
        challenging.decline(challenge_id=second.pk, user=ann, free=True)
    assert now(second).state == STATE.OPEN
    challenging.decline(challenge_id=second.pk, user=ann)
    assert now(second).state == STATE.YIELDED
    assert names() == ["cem", "ann", "bob"]
    hours.go_by(days=14.1)
    third = challenged(bob, ann)
    challenging.decline(challenge_id=third.pk, user=ann, free=True)
    assert names() == ["cem", "ann", "bob"]


def test_declining_somebody_who_has_come_to_stand_above_costs_nothing(ann, bob, cem):
    joined([ann, bob, cem])
    made = challenged(cem, bob)
    play(cem, ann)
    assert names() == ["cem", "ann", "bob"]
    challenging.decline(challenge_id=made.pk, user=bob, free=True)
    assert climber(bob).declined_at is None
    assert names() == ["cem", "ann", "bob"]


def test_without_an_answer_the_challenger_takes_the_place(hours):
    members = people(4)
    joined(members)
    made = challenged(members[3], members[1])
    hours.go_by(days=2.9)
    tasks.tend()
    assert now(made).state == STATE.OPEN
    hours.go_by(days=0.2)
    for _twice in range(2):
        tasks.tend()
    assert now(made).state == STATE.LAPSED
    assert names() == ["p001", "p004", "p002", "p003"]
    last = Change.objects.last()
    assert (last.kind, last.before, last.after) == ("lapsed", 4, 2)
    with pytest.raises(Answered):
        challenging.accept(challenge_id=made.pk, user=members[1])


def test_days_off_hold_the_time_to_answer(ann, bob, hours):
    joined([ann, bob])
    made = challenged(bob, ann)
    begin = present.now_ms() + 86_400_000
    days = [{"day": "x", "from": begin, "until": begin + 2 * 86_400_000, "by_itself": False}]
    User.objects.filter(pk=ann.pk).update(vacation=days)
    hours.go_by(days=4.5)
    tasks.tend()
    assert now(made).state == STATE.OPEN
    hours.go_by(days=0.6)
    tasks.tend()
    assert now(made).state == STATE.LAPSED


def test_nobody_is_judged_in_quiet_hours(ann, bob, hours):
    joined([ann, bob])
    made = challenged(bob, ann)
    ends = made.answer_by
    minute = (ends.hour * 60 + ends.minute - 30) % 1440
    User.objects.filter(pk=ann.pk).update(quiet_from=minute, quiet_until=(minute + 480) % 1440, time_zone="UTC")
    hours.go_by(days=3, hours=5)
    tasks.tend()
    assert now(made).state == STATE.OPEN
    hours.go_by(hours=5)
    tasks.tend()
    assert now(made).state == STATE.LAPSED


def test_outages_move_the_time_to_answer_once(ann, bob, hours):
    joined([ann, bob])
    made = challenged(bob, ann)
    outage(present.now(), timedelta(days=1))
    hours.go_by(days=3.5)
    for _twice in range(2):
        tasks.tend()
    assert now(made).state == STATE.OPEN
    assert now(made).answer_by == made.answer_by + timedelta(days=1)
    hours.go_by(days=0.6)
    tasks.tend()
    assert now(made).state == STATE.LAPSED


def test_a_time_to_answer_that_ends_in_an_outage_goes_on_after_it(ann, bob, hours):
    joined([ann, bob])
    made = challenged(bob, ann)
    outage(made.answer_by - timedelta(hours=1), timedelta(days=1))
    hours.go_by(days=3.9)
    tasks.tend()
    assert now(made).answer_by == made.answer_by + timedelta(days=1)
    assert now(made).state == STATE.OPEN


def test_what_was_noted_while_the_clock_was_ahead_is_of_now_once_it_is_set_back(ann, bob, cem):
    joined([ann, bob, cem])
    made = challenged(bob, ann)
    standing.pause(ladder_id=made.ladder_id, user=cem, days=3)
    before, ahead = present.now(), timedelta(days=2)
    Challenge.objects.update(made_at=before + ahead, answer_by=before + ahead + timedelta(days=3))
    rows = {"idle_since": before + ahead, "falls_at": before + ahead + timedelta(days=30)}
    Climber.objects.update(**rows, declined_at=before + ahead, pause_ended_at=before + ahead)
    Climber.objects.filter(user=cem).update(paused_at=before + ahead, paused_until=before + ahead + timedelta(days=3))
    standing.bring_back(before)
    assert (now(made).made_at, now(made).answer_by) == (before, before + timedelta(days=3))
    for one in Climber.objects.all():
        assert (one.idle_since, one.falls_at) == (before, before + timedelta(days=30))
        assert (one.declined_at, one.pause_ended_at) == (before, before)
    paused = Climber.objects.get(user=cem)
    assert (paused.paused_at, paused.paused_until) == (before, before + timedelta(days=3))


def test_what_is_due_on_ladders_holds_the_fuse_by_what_is_due_indeed(ann, bob, cem, hours):
    joined([ann, bob, cem])
    challenged(bob, ann)
    assert tending.count_due(present.now()) == 0
    assert tending.count_due(present.now() + timedelta(days=3, hours=1)) == 1
    assert tending.count_due(present.now() + timedelta(days=31)) == 4  # the challenge, and three who are idle


def test_while_the_fuse_holds_clocks_nothing_lapses_and_nobody_falls(ann, bob, cem, hours):
    joined([ann, bob, cem])
    made = challenged(bob, ann)
    hours.go_by(days=40)
    sweep = Sweep.objects.create(due=99, stopped=True)
    tasks.tend()
    assert now(made).state == STATE.OPEN
    Sweep.objects.filter(pk=sweep.pk).update(released_at=present.now())
    tasks.tend()
    assert now(made).state == STATE.LAPSED


def test_who_is_suspended_neither_challenges_nor_accepts(ann, bob, root):
    joined([ann, bob])
    made = challenged(bob, ann)
    deeds.suspend(moderator=root, member=ann, reason="insults", until=present.now() + timedelta(days=3))
    with pytest.raises(CannotWrite):
        challenging.accept(challenge_id=made.pk, user=ann)
    deeds.suspend(moderator=root, member=bob, reason="insults", until=present.now() + timedelta(days=3))
    with pytest.raises(CannotWrite):
        challenged(bob, ann)


def test_of_others_challenges_nobody_disposes(ann, bob, cem):
    joined([ann, bob, cem])
    made = challenged(bob, ann)
    for who in (bob, cem):
        with pytest.raises(NotYourChallenge):
            challenging.accept(challenge_id=made.pk, user=who)
        with pytest.raises(NotYourChallenge):
            challenging.decline(challenge_id=made.pk, user=who)
    with pytest.raises(Answered):
        challenging.accept(challenge_id=0, user=ann)


def test_who_has_left_cannot_be_challenged(ann, bob):
    joined([ann, bob])
    gone = climber(ann)
    standing.leave(ladder_id=ladder().pk, user=ann)
    with pytest.raises(NotChallengeable):
        challenging.challenge(ladder_id=ladder().pk, user=bob, climber_id=gone.pk)
    assert place(bob) == 1
    assert queries.under_way([climber(bob).pk]) == {climber(bob).pk: 0}
    assert Climber.objects.count() == 2
