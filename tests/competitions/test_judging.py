"""The limit of a round: bots finish, or the points count as they stand; nobody waits longer."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from config.lib import clock as site_clock
from games.competitions import tasks
from games.competitions.models import Correction, Entrant, Place, Round, Table
from games.competitions.services import judging
from games.competitions.services.results import ranks_of
from games.models import Match, Seat
from games.services.play.moves import wish_pause
from tests.competitions.arranged import begun, organiser, people, running_tables
from tests.factories import asked, fresh, submit

pytestmark = pytest.mark.outgrown


@pytest.fixture
def olga(db):
    return organiser()


def late(hours, **span):
    """Let the round's limit pass by so much; whoever is to move has been for long."""
    Seat.objects.filter(ask__isnull=False).update(asked_at=site_clock.now() - timedelta(hours=2))
    Round.objects.update(ends_at=site_clock.now())
    hours.go_by(**span)
    tasks.tend()


def test_before_the_limit_nobody_is_replaced(olga, hours):
    begun(olga, people(2))
    hours.go_by(hours=1)
    tasks.tend()
    assert not Seat.objects.filter(absent=True).exists()


def test_bots_finish_for_whoever_is_to_move(olga, hours):
    tournament = begun(olga, people(3), seats=3)
    [table] = running_tables(tournament)
    mover = asked(table.match)
    late(hours, minutes=2)
    seats = {seat.number: seat for seat in Seat.objects.filter(match=table.match)}
    assert (seats[mover.number].bot, seats[mover.number].absent) != ("", False)
    assert sum(seat.absent for seat in seats.values()) == 1
    assert Correction.objects.get().kind == Correction.Kind.JUDGED
    tasks.tend()
    assert Correction.objects.count() == 1


def test_nobody_loses_by_a_move_in_the_last_minute_before_the_limit(olga, hours):
    tournament = begun(olga, people(2))
    [table] = running_tables(tournament)
    Round.objects.update(ends_at=site_clock.now())  # who is to move was asked at this moment
    hours.go_by(minutes=50)
    tasks.tend()
    assert fresh(table.match).status == Match.Status.RUNNING
    hours.go_by(minutes=15)
    tasks.tend()
    assert fresh(table.match).ending == "timed_out"


def test_who_is_asked_after_the_limit_has_an_hour(olga, hours):
    tournament = begun(olga, people(3), seats=3)
    [table] = running_tables(tournament)
    late(hours, minutes=2)
    waiting = Seat.objects.filter(match=table.match, ask__isnull=False, bot="").first()
    if waiting is None:  # the bot that came has not moved yet: one who is asked now is asked after the limit
        Seat.objects.filter(match=table.match, bot="").update(ask=99, asked_at=site_clock.now())
    hours.go_by(minutes=50)
    tasks.tend()
    assert Seat.objects.filter(match=table.match, absent=True).count() == 1
    hours.go_by(minutes=15)
    tasks.tend()
    assert fresh(table.match).status == Match.Status.ENDED or Seat.objects.filter(absent=True).count() > 1


def test_a_match_of_two_ends_with_the_limit(olga, hours):
    tournament = begun(olga, people(2))
    [table] = running_tables(tournament)
    mover = asked(table.match)
    late(hours, minutes=2)
    assert fresh(table.match).ending == "timed_out"
    lost = Place.objects.get(table=table, seat=mover.number)
    assert (lost.away, lost.rank) == (True, 2)
    tasks.tend()
    assert Entrant.objects.get(user=mover.user).left == Entrant.Left.TIMED_OUT


def test_a_pause_does_not_hold_the_limit_up(olga, hours):
    tournament = begun(olga, people(2))
    [table] = running_tables(tournament)
    for seat in Seat.objects.filter(match=table.match):
        wish_pause(match_id=table.match_id, user=seat.user, wish=True)
    assert fresh(table.match).paused_at
    late(hours, minutes=2)
    assert fresh(table.match).status == Match.Status.ENDED


def test_points_count_as_they_stand_and_the_match_goes_on(olga, hours):
    tournament = begun(olga, people(2), judge="standing")
    [table] = running_tables(tournament)
    late(hours, minutes=2)
    table.refresh_from_db()
    assert (table.state, fresh(table.match).status) == (Table.State.JUDGED, Match.Status.RUNNING)
    assert list(table.places.values_list("rank", flat=True)) == [1, 1]
    mover = asked(table.match)
    submit(fresh(table.match), mover, {"type": "roll"})
    assert list(table.places.values_list("rank", flat=True)) == [1, 1]


def test_what_decides_the_match_counts_not_the_figure_beside_a_name(olga, hours):
    """Whoever bought goods shortly before the limit is not behind whoever kept the cash."""
    tournament = begun(olga, people(2), game_slug="yes", judge="standing")
    [table] = running_tables(tournament)
    match = fresh(table.match)
    state = match.game.load(bytes(match.state))
    cash = (state.cash[1] - 10_000, *state.cash[1:])
    match.state = match.game.dump(replace(state, cash=cash, owners=(0,) * 9 + (None,) * (len(state.owners) - 9)))
    match.save()
    late(hours, minutes=2)
    first, second = table.places.order_by("seat")
    assert (first.rank, second.rank) == (1, 2)
    assert first.score > second.score == cash[1]


@pytest.mark.parametrize(
    ("points", "left", "ranks"),
    [([5, 9, 9], {}, [3, 1, 1]), ([5, 9, 7], {1: 1}, [2, 3, 1]), ([0, 0], {0: 1, 1: 2}, [2, 1])],
)
def test_standing_by_points_with_those_who_left_below(points, left, ranks):
    seats = [Seat(number=number, left=left.get(number)) for number in range(len(points))]
    assert ranks_of(seats, [-point for point in points]) == ranks


def test_the_last_day_is_told_once_to_whoever_is_to_move(olga, hours):
    tournament = begun(olga, people(4))
    Round.objects.update(ends_at=site_clock.now() + timedelta(hours=20))
    judging.tell_of_last_day()
    told = set(Entrant.objects.exclude(to_tell="").values_list("user", flat=True))
    assert told == {asked(table.match).user_id for table in running_tables(tournament)}
    Entrant.objects.update(to_tell="")
    judging.tell_of_last_day()
    assert not Entrant.objects.exclude(to_tell="").exists()
