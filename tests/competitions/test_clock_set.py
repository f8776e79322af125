"""A clock that is set begins, cancels, decides and ends nothing of tournaments before an admin has looked."""

from datetime import timedelta

import pytest

from config.lib import clock as present
from games.competitions import tasks
from games.competitions.models import Entrant, Round, Table, Tournament
from games.competitions.services import entering
from games.models import Outage, Seat, Sweep
from games.services.clocks import outages, time_outs
from tests.competitions.arranged import announced, begun, entered, now, organiser, people, running_tables
from tests.competitions.test_arena import arena, ready
from tests.games.clocks.test_clock_set import TWO_DAYS, _nothing_seen, beats, pass_by  # noqa: F401 (a fixture)

STATE = Tournament.State
A_DAY = 24 * 60  # minutes


@pytest.fixture
def olga(db, hours, _nothing_seen):  # noqa: F811
    beats()
    hours.go_by(days=2)
    beats()
    return organiser()


def tended(clock, seconds):
    """Let time pass while all sweeps come."""
    for _ in range(int(seconds / 10)):
        pass_by(clock, 10)
        outages.beat(outages.SWEEP)
        tasks.tend()


def replaced() -> int:
    """Return how many seats went to bots."""
    return Seat.objects.filter(absent=True).count()


@pytest.mark.thin(0)
def test_two_days_forward_and_back_begin_cancel_and_decide_nothing(olga, clock):
    running = begun(olga, people(4), round_limit=A_DAY)
    few, many = announced(olga, least=4), announced(olga)
    entered(few, people(2, "q"))
    entered(many, people(2, "z"))
    clock.set_by(TWO_DAYS)
    tended(clock, 200)
    assert (now(few).state, now(many).state, replaced()) == (STATE.OPEN, STATE.OPEN, 0)
    assert not Entrant.objects.exclude(to_tell="").exists()
    clock.set_by(-TWO_DAYS)
    tended(clock, 100)
    assert (now(few).state, now(many).state, replaced()) == (STATE.OPEN, STATE.OPEN, 0)
    assert outages.stopped_sweep() is None
    assert len(running_tables(running)) == 2


@pytest.mark.thin(1)
@pytest.mark.parametrize("what", ["begin", "limit", "evening"])
def test_a_clock_that_stays_ahead_holds_them_until_an_admin_lets_it_go_on(olga, clock, what):
    if what == "begin":
        tournament = announced(olga)
        entered(tournament, people(2))
    elif what == "limit":
        tournament = begun(olga, people(2), round_limit=A_DAY)
    else:
        tournament = arena(olga, people(2))
    before = now(tournament).state
    clock.set_by(TWO_DAYS)
    tended(clock, 400)
    sweep = outages.stopped_sweep()
    assert (sweep.due, now(tournament).state, replaced()) == (1, before, 0)
    time_outs.release(sweep)
    tended(clock, 20)
    if what == "limit":
        assert replaced() == 1
    else:
        assert now(tournament).state == (STATE.RUNNING if what == "begin" else STATE.OVER)


def test_time_that_an_admin_gives_moves_the_limits_and_closes_the_fuse(olga, clock):
    waiting, running = announced(olga), begun(olga, people(4), round_limit=A_DAY)
    begins_at, ends_at = waiting.begins_at, Round.objects.get().ends_at
    clock.set_by(TWO_DAYS)
    tended(clock, 200)
    outages.give_all(timedelta(days=2))
    tended(clock, 40)
    assert outages.stopped_sweep() is None
    assert now(waiting).state == STATE.OPEN and now(waiting).begins_at > begins_at
    assert replaced() == 0 and Round.objects.get(tournament=running).ends_at > ends_at


def test_whatever_blew_the_fuse_nothing_is_decided_meanwhile(olga, hours):
    begun(olga, people(2), round_limit=A_DAY)
    waiting = announced(olga)
    sweep = Sweep.objects.create(due=99, stopped=True)
    hours.go_by(days=1.5)
    tasks.tend()
    assert (now(waiting).state, replaced()) == (STATE.OPEN, 0)
    Sweep.objects.filter(pk=sweep.pk).update(released_at=present.now())
    tasks.tend()
    assert (now(waiting).state, replaced()) == (STATE.CANCELLED, 1)


def test_none_begins_while_nobody_can_reach_the_site(olga, hours, clock):
    waiting = announced(olga)
    entered(waiting, people(2))
    hours.go_by(hours=23)
    clock.forward(3 * 3600)  # the worker goes on alone
    tasks.tend()
    assert now(waiting).state == STATE.OPEN


def test_a_limit_that_falls_into_an_outage_leaves_what_was_left_before_it(olga, hours, clock):
    waiting, running = announced(olga), begun(olga, people(2), round_limit=A_DAY)
    hours.go_by(hours=23)
    clock.forward(10 * 3600)
    beats()
    outage = Outage.objects.earliest("start")
    tended(clock, 200)
    left = now(waiting).begins_at - outage.end, Round.objects.get(tournament=running).ends_at - outage.end
    assert all(timedelta(minutes=59) < one < timedelta(minutes=61) for one in left)
    assert (now(waiting).state, replaced()) == (STATE.OPEN, 0)


@pytest.mark.outgrown
def test_what_was_drawn_while_the_clock_was_ahead_is_of_now_once_it_is_set_back(olga, clock):
    clock.set_by(TWO_DAYS)
    tended(clock, 80)
    tournament = begun(olga, people(2), round_limit=A_DAY)
    evening = arena(olga, people(2, "q"))
    tended(clock, 80)
    ready(evening, Entrant.objects.get(tournament=evening, number=1).user)
    clock.set_by(-TWO_DAYS)
    tended(clock, 20)
    drawn = Round.objects.get(tournament=tournament)
    assert drawn.drawn_at <= present.now() and drawn.ends_at - drawn.drawn_at == timedelta(days=1)
    assert now(evening).began_at <= present.now()
    assert Entrant.objects.get(tournament=evening, number=1).ready_at <= present.now()
    entering.enter(tournament_id=evening.pk, user=people(1, "z")[0])
    assert Table.objects.filter(state=Table.State.RUNNING).count() == 1
