"""Everything at the same moment, in processes and threads with connections of their own: once each, no deadlock."""

import multiprocessing
from collections.abc import Callable, Sequence
from datetime import timedelta
from random import Random

import pytest
from django.db import connection, connections

from accounts.services import relationships
from accounts.services.closing import close_account
from config.lib import clock
from games.clubs import tasks
from games.clubs.models import Board, Circle, CircleTable, Encounter, Lineup
from games.clubs.services.circles import keeping
from games.clubs.services.circles import opening as circle_tables
from games.clubs.services.encounters import beginning, challenging, lining_up, opening
from games.models import Match
from games.services.play import moves
from tests.clubs.encounters import accepted, challenged, end_board, lined_up, now, two_clubs
from tests.factories import played
from tests.leaderboards.test_at_once import at_once

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]

SEED = 20261130
STATE = Encounter.State


def tried(acts: Sequence[Callable[[], object]]) -> None:
    """Do these at once; a deadlock, or whatever else is no refusal, fails."""
    assert at_once(acts) == []
    assert not Encounter.objects.filter(troubled_at__isnull=False).exists()
    assert not Circle.objects.filter(troubled_at__isnull=False).exists()


def in_processes(act: Callable[[], object], many: int) -> None:
    """Do it in so many processes at once; in threads on SQLite, whose database is that of this process."""
    if connection.vendor == "sqlite":
        tried([act] * many)
        return
    connections.close_all()
    forked = multiprocessing.get_context("fork")
    start = forked.Barrier(many)

    def run() -> None:
        connections.close_all()
        start.wait()
        act()
        connections.close_all()

    workers = [forked.Process(target=run) for _worker in range(many)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * many


def ready(each: int = 4) -> Encounter:
    """Return an encounter whose hour has come."""
    alpha, beta, ours, theirs = two_clubs(each)
    made = accepted(alpha, beta)
    lined_up(made, [*ours, *theirs])
    Encounter.objects.filter(pk=made.pk).update(begins_at=clock.now())
    return made


def test_workers_of_several_processes_open_each_table_once():
    made = ready()
    in_processes(tasks.tend_encounters, 4)
    tasks.tend_encounters()
    assert now(made).state == STATE.RUNNING
    assert Board.objects.count() == Board.objects.exclude(match=None).count() == Match.objects.count() == 4


def test_tables_that_were_planned_are_opened_once():
    made = ready()
    beginning.tend(made.pk)
    assert Board.objects.filter(match=None).count() == 4
    in_processes(opening.open_boards, 4)
    assert Match.objects.count() == 4 and now(made).state == STATE.RUNNING


def test_it_begins_while_members_change_their_minds_and_accounts_close():
    made = ready(5)
    rows = list(Lineup.objects.filter(encounter=made).select_related("user").order_by("pk"))
    acts = [
        *[tasks.tend_encounters] * 3,
        lambda: close_account(user_id=rows[1].user_id),
        lambda: lining_up.say(encounter_id=made.pk, user=rows[2].user, plays=False),
        lambda: lining_up.order(encounter_id=made.pk, user=rows[0].user, side=0, numbers={rows[3].pk: 1}),
        lambda: challenging.withdraw(encounter_id=made.pk, user=rows[0].user),
    ]
    Random(SEED).shuffle(acts)
    tried(acts)
    tasks.tend_encounters()
    found = now(made)
    assert found.state in (STATE.RUNNING, STATE.CALLED_OFF)
    assert not Board.objects.filter(state=Board.State.PLANNED).exists()


def test_all_tables_end_while_workers_look():
    made = ready(6)
    tasks.tend_encounters()
    boards = list(Board.objects.order_by("number"))
    gives_up = boards[0].match.seats.select_related("user").first()
    acts = [
        *[lambda board=board: end_board(board, [1, 2]) for board in boards[1:]],
        lambda: moves.resign(match_id=gives_up.match_id, user=gives_up.user),
        *[tasks.tend_encounters] * 4,
    ]
    Random(SEED).shuffle(acts)
    tried(acts)
    tasks.tend_encounters()
    assert now(made).state == STATE.OVER
    assert not Board.objects.filter(changed=True).exists()


def test_two_clubs_that_challenge_each_other_at_once_announce_one():
    alpha, beta, *_ = two_clubs(1)
    tried([lambda: challenged(alpha, beta), lambda: challenged(beta, alpha)] * 3)
    assert Encounter.objects.count() == 1


def test_a_challenge_is_answered_once():
    alpha, beta, ours, theirs = two_clubs(1)
    made = challenged(alpha, beta)
    accept = [lambda: challenging.answer(encounter_id=made.pk, user=theirs[0], accepts=True)] * 2
    decline = [lambda: challenging.answer(encounter_id=made.pk, user=theirs[0], accepts=False)] * 2
    tried([*accept, *decline, lambda: challenging.withdraw(encounter_id=made.pk, user=ours[0])])
    assert now(made).state in (STATE.ACCEPTED, STATE.DECLINED, STATE.WITHDRAWN, STATE.CALLED_OFF)


@pytest.fixture
def circle(ann, bob, cem):
    made = keeping.keep_together(match_id=played(ann, bob, cem).pk, user=ann, name="Friday")
    for one in (bob, cem):
        keeping.answer(circle_id=made.pk, user=one, accepts=True)
    circle_tables.set_weekly(circle_id=made.pk, user=ann, weekday=4, hour=20)
    Circle.objects.update(next_at=clock.now() - timedelta(minutes=1))
    return made


def test_the_weekly_table_is_opened_once_by_several_processes(circle):
    in_processes(tasks.tend_circles, 4)
    tasks.tend_circles()
    assert CircleTable.objects.count() == 1


def test_one_table_is_open_whoever_presses(circle, ann, bob):
    tried(
        [
            *[lambda: circle_tables.open_now(circle_id=circle.pk, user=ann)] * 3,
            *[lambda: circle_tables.open_now(circle_id=circle.pk, user=bob)] * 3,
            *[tasks.tend_circles] * 2,
        ]
    )
    assert Match.objects.filter(status="open").count() == 1


def test_a_match_is_kept_together_once_for_each(ann, bob):
    match = played(ann, bob)
    tried([lambda: keeping.keep_together(match_id=match.pk, user=ann, name="Friday")] * 6)
    assert Circle.objects.count() == 1


@pytest.mark.parametrize("number", range(3))
def test_members_leave_block_and_close_their_accounts_while_tables_open(circle, ann, bob, cem, number):
    acts = [
        lambda: keeping.leave(circle_id=circle.pk, user=bob),
        lambda: relationships.block(blocker=cem, blocked=ann),
        lambda: close_account(user_id=ann.pk),
        lambda: circle_tables.open_now(circle_id=circle.pk, user=cem),
        *[tasks.tend_circles] * 3,
    ]
    Random(number).shuffle(acts)
    raised = [one for one in at_once(acts) if type(one).__name__ not in ("DoesNotExist", "IntegrityError")]
    assert raised == []
    assert not Circle.objects.filter(troubled_at__isnull=False).exists()
