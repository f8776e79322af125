"""All in one evening: whoever waits is seated, never twice at once, until the time is up."""

from datetime import timedelta

import pytest

from config.lib import clock as site_clock
from games.competitions import queries, tasks
from games.competitions.models import Entrant, Place, Tournament
from games.competitions.services import announcing, correcting, entering, rounds
from games.competitions.services.refusals import Closed, NoEntrant, NotWelcome
from games.models import Match, Outage, Seat
from games.services.refusals import Invalid
from tests.competitions.arranged import announced, end_table, entered, now, organiser, people, running_tables
from tests.factories import browser_of, fresh


@pytest.fixture
def olga(db):
    return organiser()


def arena(olga, members, **wishes):
    tournament = announced(olga, format="arena", pace_slug="live", round_limit=120, **wishes)
    entered(tournament, members)
    announcing.begin_now(tournament_id=tournament.pk, user=olga)
    tasks.tend()
    return now(tournament)


def ready(tournament, *members, ready=True):
    for one in members:
        entering.be_ready(tournament_id=tournament.pk, user=one, ready=ready)


def test_it_is_live_and_all_others_are_not(olga):
    with pytest.raises(Invalid, match="one evening is live"):
        announced(olga, format="arena")
    with pytest.raises(Invalid, match="one evening is live"):
        announced(olga, pace_slug="live")


def test_nobody_is_seated_who_is_not_ready(olga, ann):
    members = people(4)
    tournament = arena(olga, members)
    assert not running_tables(tournament)
    ready(tournament, members[0])
    tasks.tend()
    assert not running_tables(tournament)
    with pytest.raises(NoEntrant):
        ready(tournament, ann)


def test_those_who_wait_longest_are_seated_and_wait_again_afterwards(olga, hours):
    members = people(3)
    tournament = arena(olga, members)
    for one in (members[2], members[0], members[1]):
        ready(tournament, one)
        hours.go_by(seconds=10)
    tasks.tend()
    [table] = running_tables(tournament)
    assert {seat.user for seat in Seat.objects.filter(match=table.match)} == {members[2], members[0]}
    ready(tournament, members[0])  # who plays waits for nothing
    tasks.tend()
    assert len(running_tables(tournament)) == 1
    end_table(table)
    tasks.tend()
    [table] = running_tables(tournament)
    assert members[1] in {seat.user for seat in Seat.objects.filter(match=table.match)}
    assert not queries.is_playing(Entrant.objects.exclude(places__table=table).get())


def test_who_pauses_or_ran_out_of_time_is_not_seated(olga):
    members = people(2)
    tournament = arena(olga, members)
    ready(tournament, *members)
    ready(tournament, members[0], ready=False)
    tasks.tend()
    assert not running_tables(tournament)
    ready(tournament, members[0])
    tasks.tend()
    [table] = running_tables(tournament)
    Seat.objects.filter(match=table.match, user=members[0]).update(absent=True, left=1, bot="strong")
    end_table(table)
    assert set(Entrant.objects.filter(ready_at=None).values_list("user", flat=True)) == {members[0].pk}


def test_when_the_time_is_up_running_tables_are_played_to_the_end(olga, hours):
    members = people(4)
    tournament = arena(olga, members)
    ready(tournament, *members[:2])
    tasks.tend()
    hours.go_by(hours=2, minutes=1)
    ready(tournament, *members[2:])
    tasks.tend()
    [table] = running_tables(tournament)
    assert now(tournament).state == Tournament.State.RUNNING
    assert fresh(table.match).status == Match.Status.RUNNING
    end_table(table)
    tasks.tend()
    assert now(tournament).state == Tournament.State.OVER
    assert Place.objects.count() == 2
    with pytest.raises(Closed):
        ready(tournament, members[2])


def test_what_the_site_was_down_is_added_to_the_evening(olga, hours):
    tournament = arena(olga, people(2))
    start = site_clock.now() + timedelta(minutes=100)
    hours.go_by(hours=3)
    Outage.objects.create(part="web", start=start, end=start + timedelta(minutes=75))
    tasks.tend()
    assert now(tournament).state == Tournament.State.RUNNING
    hours.go_by(minutes=16)
    tasks.tend()
    assert now(tournament).state == Tournament.State.OVER


def test_whoever_comes_late_may_still_enter(olga, ann):
    tournament = arena(olga, people(2))
    entering.enter(tournament_id=tournament.pk, user=ann)
    ready(tournament, ann, Entrant.objects.get(number=1).user)
    tasks.tend()
    assert len(running_tables(tournament)) == 1


def test_whoever_was_taken_out_does_not_come_back(olga):
    members = people(3)
    tournament = arena(olga, members)
    correcting.take_out(tournament_id=tournament.pk, user=olga, number=1, reason="insults")
    with pytest.raises(NotWelcome, match="taken out"):
        entering.enter(tournament_id=tournament.pk, user=members[0])
    assert not Entrant.objects.get(number=1).is_in
    page = browser_of(members[0]).get(f"/tournaments/{tournament.pk}/").content.decode()
    assert "You were taken out of this tournament." in page


def test_whoever_comes_late_has_a_lot_of_the_same_chance(olga, ann, bob):
    tournament = arena(olga, people(2))
    late = [entering.enter(tournament_id=tournament.pk, user=one) for one in (ann, bob)]
    first = [one.lot for one in late]
    assert 0 not in first
    entering.withdraw(tournament_id=tournament.pk, user=ann)
    assert entering.enter(tournament_id=tournament.pk, user=ann).lot == first[0]
    assert rounds.lot_of(now(tournament), late[1].number) == first[1]


def test_who_waited_for_a_quarter_of_an_hour_says_again_that_they_are_there(olga, hours):
    members = people(2)
    tournament = arena(olga, members)
    ready(tournament, members[0])
    hours.go_by(minutes=16)
    ready(tournament, members[1])
    tasks.tend()
    assert not running_tables(tournament)
    assert set(Entrant.objects.filter(ready_at=None).values_list("user", flat=True)) == {members[0].pk}
    ready(tournament, members[0])
    tasks.tend()
    assert len(running_tables(tournament)) == 1
