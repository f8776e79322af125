"""Everything at the same moment, in threads with connections of their own: drawn once, seated once, no deadlock."""

from collections.abc import Callable, Iterable
from random import Random

import pytest

from accounts.models import User
from accounts.services.closing import close_account
from games.competitions import tasks
from games.competitions.models import Correction, Entrant, Place, Round, Table, Tournament
from games.competitions.services import announcing, correcting, entering, judging, rounds, seating
from games.models import Match, Seat
from games.services.play import moves
from games.services.refusals import Full
from tests.competitions.arranged import announced, begun, end_table, entered, now, organiser, people, running_tables
from tests.leaderboards.test_at_once import at_once

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]

SEED = 20261130


@pytest.fixture
def olga(transactional_db):
    return organiser()


@pytest.fixture
def rng():
    print(f"seed {SEED}")
    return Random(SEED)


def tried(acts: Iterable[Callable[[], object]]) -> None:
    """Do these at once; a deadlock, or whatever else is no refusal, fails."""
    assert at_once(acts) == []


def test_the_last_places_are_taken_once(olga):
    tournament = announced(olga, most=5)
    members = people(8)
    tried(lambda one=one: entering.enter(tournament_id=tournament.pk, user=one) for one in members)
    assert sorted(Entrant.objects.values_list("number", flat=True)) == [1, 2, 3, 4, 5]
    with pytest.raises(Full):
        entering.enter(tournament_id=tournament.pk, user=people(1, "late")[0])


def test_one_member_signs_up_once(olga, ann):
    tournament = announced(olga)
    tried([lambda: entering.enter(tournament_id=tournament.pk, user=ann)] * 8)
    assert Entrant.objects.count() == 1


def test_a_tournament_that_begins_by_hand_and_by_many_workers_begins_once(olga, hours):
    tournament = announced(olga)
    entered(tournament, people(8))
    hours.go_by(hours=25)
    by_hand = [lambda: announcing.begin_now(tournament_id=tournament.pk, user=olga)] * 2
    tried([*by_hand, *[tasks.tend] * 6])
    tasks.tend()
    assert (Round.objects.count(), Table.objects.count(), Match.objects.filter(status="running").count()) == (1, 4, 4)


def test_a_round_is_drawn_once_and_each_table_opened_once(olga, rng):
    tournament = begun(olga, people(12))
    for table in running_tables(tournament):
        end_table(table)
    tried([lambda: rounds.tend(tournament.pk)] * 8)
    assert [one.number for one in Round.objects.order_by("number")] == [1, 2]
    tried([seating.open_tables] * 8)
    second = Table.objects.filter(round__number=2)
    assert (second.count(), second.exclude(match=None).count()) == (6, 6)
    assert Match.objects.filter(status="running").count() == 6
    assert Place.objects.filter(round__number=2).values("entrant").distinct().count() == 12


def test_all_matches_end_while_workers_look_people_withdraw_and_the_organiser_corrects(olga, rng):
    tournament = begun(olga, people(12), round_limit=1440)
    tables = running_tables(tournament)
    ends = [lambda table=table: end_table(table) for table in tables[1:]]
    gives_up = Seat.objects.filter(match=tables[0].match).first()
    others = [
        lambda: moves.resign(match_id=gives_up.match_id, user=gives_up.user),
        lambda: entering.withdraw(tournament_id=tournament.pk, user=Entrant.objects.get(number=3).user),
        lambda: correcting.void_table(tournament_id=tournament.pk, user=olga, table_id=tables[1].pk, reason="x"),
        lambda: correcting.extend(tournament_id=tournament.pk, user=olga, days=1, reason="x"),
        lambda: judging.judge(tables[2], judging.clock.now(), by=olga, reason="x"),
        tasks.tend,
        tasks.tend,
    ]
    acts = [*ends, *others]
    rng.shuffle(acts)
    tried(acts)
    tasks.tend()
    assert [one.number for one in Round.objects.order_by("number")] == [1, 2]
    assert Table.objects.get(pk=tables[1].pk).state == Table.State.VOID
    assert not Place.objects.filter(round__number=2, entrant__number=3).exists()
    assert Correction.objects.filter(kind="voided").count() == 1


def test_somebody_closes_their_account_while_the_round_is_drawn_and_seated(olga, rng):
    members = people(8)
    tournament = begun(olga, members)
    for table in running_tables(tournament):
        end_table(table)
    tried([lambda: close_account(user_id=members[0].pk), *[tasks.tend] * 4])
    for _run in range(3):
        tasks.tend()
    assert now(tournament).state == Tournament.State.RUNNING
    assert not Table.objects.filter(state=Table.State.PLANNED).exists()
    assert not User.objects.filter(username="p001").exists()
    for table in running_tables(tournament):
        end_table(table)
    tasks.tend()
    assert not Place.objects.filter(round__number=3, entrant__number=1).exists()
    assert Round.objects.filter(number=3).exists()


def test_in_an_arena_nobody_sits_at_two_tables(olga):
    members = people(6)
    tournament = announced(olga, format="arena", pace_slug="live", round_limit=120)
    entered(tournament, members)
    announcing.begin_now(tournament_id=tournament.pk, user=olga)
    be_ready = [lambda one=one: entering.be_ready(tournament_id=tournament.pk, user=one, ready=True) for one in members]
    tried([*be_ready, *[tasks.tend] * 6])
    tasks.tend()
    assert len(running_tables(tournament)) == 3
    running = Place.objects.filter(table__state__in=("planned", "running"))
    assert running.values("entrant").distinct().count() == running.count() == 6
