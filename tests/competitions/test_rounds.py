"""The life of a tournament: it begins once, each round is drawn once, a table's match is opened once, and it ends."""

from datetime import timedelta
from random import Random

import pytest
from django.db import IntegrityError, transaction

from accounts.services.relationships import block
from config.lib import clock as site_clock
from games.competitions import pairing, queries, tasks
from games.competitions.models import Correction, Entrant, Place, Round, Table, Tournament
from games.competitions.services import announcing, entering, notices, rounds
from games.models import Match, Notice, Outage, Seat
from games.services import hooks
from games.services.play.moves import wish_call_off
from tests.competitions.arranged import (
    announced,
    begun,
    end_table,
    entered,
    now,
    organiser,
    people,
    play_round,
    play_to_the_end,
    rounds_of,
    running_tables,
)
from tests.factories import fresh

pytestmark = pytest.mark.outgrown


@pytest.fixture
def olga(db):
    return organiser()


def test_with_too_few_it_is_cancelled_at_its_hour(olga, hours):
    tournament = announced(olga, least=4)
    entered(tournament, people(3))
    hours.go_by(hours=24.1)
    tasks.tend()
    assert now(tournament).state == Tournament.State.CANCELLED
    assert not Match.objects.filter(status="running").exists()
    assert Correction.objects.get(tournament=tournament).kind == "cancelled"


def test_it_begins_at_its_hour_and_once(olga, hours):
    tournament = announced(olga)
    entered(tournament, people(4))
    tasks.tend()
    assert now(tournament).state == Tournament.State.OPEN
    hours.go_by(hours=24.1)
    for _again in range(3):
        tasks.tend()
    assert [(one.number, one.tables.count()) for one in rounds_of(tournament)] == [(1, 2)]
    assert len(running_tables(tournament)) == 2
    assert Notice.objects.filter(kind="started").count() == 4  # each is told by the match's own mail


def test_everybody_sits_once_in_a_round(olga):
    tournament = begun(olga, people(7), seats=3)
    first = rounds_of(tournament)[0]
    assert sorted(Place.objects.filter(round=first).values_list("entrant__number", flat=True)) == list(range(1, 8))
    place = Place.objects.filter(round=first).first()
    table = Table.objects.create(round=first, number=99)
    with pytest.raises(IntegrityError), transaction.atomic():
        Place.objects.create(table=table, round=first, seat=0, entrant=place.entrant)


def test_the_next_round_waits_for_the_last_table(olga):
    tournament = begun(olga, people(6))
    *most, last = running_tables(tournament)
    for table in most:
        end_table(table)
    tasks.tend()
    assert len(rounds_of(tournament)) == 1
    end_table(last)
    tasks.tend()
    tasks.tend()
    assert len(rounds_of(tournament)) == 2
    assert rounds_of(tournament)[0].ended_at is not None


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("form", "wishes", "members"),
    [
        ("swiss", {"rounds_wished": 3}, 7),
        ("swiss", {"seats": 3}, 8),
        ("robin", {}, 5),
        ("knockout", {}, 8),
        ("groups", {"seats": 3, "matches": 2}, 7),
    ],
)
def test_every_format_is_played_to_its_end(olga, form, wishes, members):
    rng = Random(1)
    tournament = play_to_the_end(begun(olga, people(members), format=form, **wishes), rng)
    plan = queries.plan_of(tournament)
    assert len(rounds_of(tournament)) <= (pairing.rounds_of(plan, members) or 0)
    lines = pairing.standings(plan, queries.everybody(tournament), queries.results_of(tournament))
    assert [line.place for line in lines] == list(range(1, members + 1))
    assert not Table.objects.filter(state__in=queries.UNSETTLED).exists()
    assert set(Entrant.objects.values_list("to_tell", flat=True)) == {"over"} or not tasks.tend()


def test_who_is_kept_apart_from_all_others_has_a_bye(olga):
    ann, bob, cem = members = people(3)
    for other in (bob, cem):
        block(blocker=ann, blocked=other)
    tournament = begun(olga, members)
    alone = Table.objects.get(match=None)
    assert (alone.state, alone.places.get().entrant.user) == (Table.State.OVER, ann)
    play_round(tournament)
    assert alone.places.get().rank == 1
    assert not Match.objects.filter(status="running", seats__user=ann).exists()


def test_who_withdrew_is_not_seated_again_and_the_match_goes_on(olga):
    members = people(6)
    tournament = begun(olga, members)
    entering.withdraw(tournament_id=tournament.pk, user=members[0])
    assert Seat.objects.get(user=members[0], match__status="running").is_in
    play_round(tournament)
    assert not Place.objects.filter(round__number=2, entrant__user=members[0]).exists()
    assert Correction.objects.get().entrant.user == members[0]


def test_who_ran_out_of_time_is_not_seated_again(olga):
    members = people(6)
    tournament = begun(olga, members)
    table = running_tables(tournament)[0]
    gone = Seat.objects.filter(match=table.match).first()
    Seat.objects.filter(pk=gone.pk).update(absent=True, left=1, bot="strong")
    play_round(tournament)
    entrant = Entrant.objects.get(user=gone.user)
    assert entrant.left == Entrant.Left.TIMED_OUT
    assert Place.objects.get(round__number=1, entrant=entrant).away
    assert not Place.objects.filter(round__number=2, entrant=entrant).exists()


def test_a_match_called_off_counts_for_nothing(olga):
    tournament = begun(olga, people(4))
    table = running_tables(tournament)[0]
    for seat in Seat.objects.filter(match=table.match).order_by("number"):
        wish_call_off(match_id=table.match_id, user=seat.user, wish=True)
    assert fresh(table.match).ending == "called_off"
    assert Table.objects.get(pk=table.pk).state == Table.State.VOID
    play_round(tournament)
    assert len(rounds_of(tournament)) == 2


def test_all_draws_follow_from_the_seed_that_was_committed_to(olga):
    tournament = begun(olga, people(9), seats=3)
    promised = tournament.commitment
    play_round(tournament, Random(2))
    assert now(tournament).commitment == promised
    again = pairing.draw(
        queries.plan_of(tournament),
        queries.field_of(tournament),
        [one for one in queries.results_of(tournament) if one.round < 2],
        set(),
        rounds.chance_of(tournament, 2),
    )
    second = Table.objects.filter(round__number=2).order_by("number")
    assert again == [tuple(table.places.order_by("seat").values_list("entrant__number", flat=True)) for table in second]


def test_it_is_not_over_before_a_match_that_was_reopened(olga):
    tournament = begun(olga, people(4), rounds_wished=2)
    first = running_tables(tournament)[0]
    play_round(tournament)
    Match.objects.filter(pk=first.match_id).update(status="running", ending="", ended_at=None)
    hooks.match_reopened(fresh(first.match))
    for table in running_tables(tournament):
        if table.pk != first.pk:
            end_table(table)
    tasks.tend()
    assert now(tournament).state == Tournament.State.RUNNING and Round.objects.count() == 2
    end_table(first, [2, 1])
    tasks.tend()
    assert now(tournament).state == Tournament.State.OVER


def test_what_the_site_was_down_moves_the_limits(olga, hours):
    tournament = begun(olga, people(4))
    at = site_clock.now()
    Round.objects.update(ends_at=at + timedelta(hours=2))
    hours.go_by(hours=6)
    Outage.objects.create(part="web", start=at + timedelta(hours=1), end=at + timedelta(hours=3))
    tasks.tend()
    assert rounds_of(tournament)[0].ends_at == at + timedelta(hours=4)


def test_a_tournament_that_fails_is_set_aside_and_stops_no_other(olga, hours):
    broken, well = (announced(olga, name=name) for name in ("Broken", "Well"))
    for one in (broken, well):
        entered(one, people(4, one.name[0].lower()))
    Tournament.objects.update(begins_at=site_clock.now())
    hours.beat()
    Tournament.objects.filter(pk=broken.pk).update(game_slug="no-such-game")
    tasks.tend()
    assert now(broken).trouble and now(broken).state == Tournament.State.OPEN
    assert now(well).state == Tournament.State.RUNNING


def test_a_tournament_begun_at_once_by_two_begins_once(olga):
    tournament = announced(olga)
    entered(tournament, people(4))
    announcing.begin_now(tournament_id=tournament.pk, user=olga)
    with pytest.raises(Exception, match="not possible any more"):
        announcing.begin_now(tournament_id=tournament.pk, user=olga)
    assert len(rounds_of(tournament)) == 1


def test_who_withdrew_before_it_began_is_in_no_standings_and_hears_of_no_end(olga):
    members = people(5)
    tournament = announced(olga)
    entered(tournament, members)
    entering.withdraw(tournament_id=tournament.pk, user=members[4])
    announcing.begin_now(tournament_id=tournament.pk, user=olga)
    tasks.tend()
    assert [one.number for one in queries.everybody(tournament)] == [1, 2, 3, 4]
    notices.tell_over(tournament)
    assert not Entrant.objects.get(user=members[4]).to_tell
    assert Entrant.objects.filter(to_tell="over").count() == 4
