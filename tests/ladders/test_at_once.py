"""Everything at the same moment, in threads with connections of their own: each place once, no deadlock."""

from collections.abc import Callable, Iterable
from random import Random

import pytest

from accounts.services.closing import close_account
from games.ladders import queries, tasks
from games.ladders.models import Challenge, Change, Climber, Ladder
from games.ladders.services import challenging, notices, places, standing, tending
from games.models import Match, Outage
from games.services.play import moves
from tests.ladders.arranged import GAME, challenged, climber, end_match, joined, ladder, names, now, people, playing
from tests.leaderboards.test_at_once import at_once

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]

SEED = 20261130
STATE = Challenge.State


def tried(acts: Iterable[Callable[[], object]]) -> None:
    """Do these at once; a deadlock, or whatever else is no refusal, fails; the ladder is whole."""
    assert at_once(acts) == []
    assert places.problems(ladder()) == []
    assert ladder().trouble == ""


def test_the_first_to_join_make_one_ladder():
    members = people(8)
    tried(lambda one=one: standing.join(game_slug=GAME, user=one, at_once=2) for one in members)
    assert Ladder.objects.count() == 1
    assert len(names()) == 8
    tried([lambda: standing.join(game_slug=GAME, user=members[0], at_once=2)] * 6)
    assert Climber.objects.count() == 8


def test_a_last_free_match_is_challenged_for_once():
    members = people(6)
    joined(members, at_once=1)
    tried(lambda one=one: challenged(one, members[0]) for one in members[1:])
    assert Challenge.objects.filter(state=STATE.OPEN).count() == 1


def test_a_challenge_is_answered_once():
    members = people(2)
    joined(members)
    made = challenged(members[1], members[0])
    accept = [lambda: challenging.accept(challenge_id=made.pk, user=members[0])] * 3
    decline = [lambda: challenging.decline(challenge_id=made.pk, user=members[0])] * 2
    withdraw = [lambda: challenging.withdraw(challenge_id=made.pk, user=members[1])] * 2
    tried([*accept, *decline, *withdraw])
    assert now(made).state in (STATE.RUNNING, STATE.DECLINED, STATE.WITHDRAWN)
    assert Match.objects.count() == (now(made).state == STATE.RUNNING)


def test_all_matches_end_while_workers_look_and_people_come_and_go(hours):
    rng = Random(SEED)
    members = people(10)
    joined(members, at_once=5)
    running = [playing(members[n], members[n - 1]) for n in range(1, 10)]
    Outage.objects.create(part="web", start=running[0].made_at, end=running[-1].made_at)
    ends = [lambda one=one: end_match(one, won=True) for one in running[:5]]
    resigns = [lambda one=one: moves.resign(match_id=one.match_id, user=one.challenged.user) for one in running[5:7]]
    others = [
        lambda: standing.leave(ladder_id=ladder().pk, user=members[4]),
        lambda: standing.pause(ladder_id=ladder().pk, user=members[5], days=3),
        lambda: challenged(members[9], members[6]),
        tasks.tend,
        tasks.tend,
        tasks.tend,
    ]
    acts = [*ends, *resigns, *others]
    rng.shuffle(acts)
    tried(acts)
    for _run in range(2):
        tasks.tend()
    assert not Challenge.objects.filter(state=STATE.WON, settled_at=None).exists()
    assert Change.objects.filter(kind="won").count() <= 7
    assert places.problems(ladder()) == []


@pytest.mark.thin(1)
@pytest.mark.parametrize("number", range(3))
def test_somebody_closes_their_account_while_all_else_goes_on(hours, number):
    members = people(8)
    joined(members, at_once=5)
    waiting = challenged(members[3], members[2])
    running = playing(members[2], members[1])
    ended = playing(members[4], members[2])
    end_match(ended, won=True)
    Outage.objects.create(part="web", start=waiting.made_at, end=ended.made_at)
    acts = [
        lambda: close_account(user_id=members[2].pk),
        lambda: challenging.accept(challenge_id=waiting.pk, user=members[2]),
        lambda: end_match(running, won=True),
        lambda: challenged(members[5], members[2]),
        lambda: standing.leave(ladder_id=ladder().pk, user=members[2]),
        notices.send_due,
        tasks.tend,
        tasks.tend,
    ]
    Random(number).shuffle(acts)
    raised = at_once(acts)
    assert [one for one in raised if type(one).__name__ not in ("DoesNotExist", "AssertionError")] == []
    for _run in range(2):
        tasks.tend()
    assert places.problems(ladder()) == []
    assert ladder().trouble == ""
    assert "p003" not in names()
    assert queries.under_way([climber(members[3]).pk])[climber(members[3]).pk] in (0, 1)


def test_a_ladder_that_fails_is_set_aside_and_stops_no_other(ann, bob, monkeypatch):
    joined([ann, bob])
    made = playing(bob, ann)
    end_match(made, won=True)
    monkeypatch.setattr(tending, "_settle", lambda challenge: 1 / 0)
    tasks.tend()
    assert (ladder().trouble, names()) == ("ZeroDivisionError", ["ann", "bob"])
    monkeypatch.undo()
    tasks.tend()
    assert names() == ["ann", "bob"]
    Ladder.objects.update(troubled_at=None)
    tasks.tend()
    assert names() == ["bob", "ann"]
