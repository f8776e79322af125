"""Who left a match: the tournament ranks them as the match does, and whose seat was taken over behind them."""

import pytest

from games.competitions.models import Place
from games.competitions.pairing import places
from games.competitions.queries import results_of
from games.competitions.services import judging, results
from games.models import Seat
from games.services.play import moves
from tests.competitions.arranged import begun, end_table, organiser, people, running_tables
from tests.factories import fresh

pytestmark = pytest.mark.django_db


def ranks(match):
    return dict(match.seats.values_list("number", "rank"))


def test_of_two_who_resigned_the_first_is_last_in_both():
    tournament = begun(organiser(), people(4), seats=4)
    [table] = running_tables(tournament)
    for number in (1, 2):
        moves.resign(match_id=table.match_id, user=Seat.objects.get(match=table.match, number=number).user)
    match = end_table(table, [2, 1, 3, 4])
    assert ranks(match) == {0: 1, 3: 2, 2: 3, 1: 4}
    noted = dict(Place.objects.filter(table=table).values_list("seat", "rank"))
    assert noted == ranks(match)
    entrants = dict(Place.objects.filter(table=table).values_list("seat", "entrant__number"))
    [result] = results_of(tournament)
    assert places(result) == {entrants[seat]: rank for seat, rank in ranks(match).items()}


def test_whose_seat_a_substitute_took_over_is_last_of_all():
    seats = [Seat(number=0), Seat(number=1, substituted=True), Seat(number=2, left=1), Seat(number=3)]
    assert results.ranks_of(seats, [2, 1, 4, 3]) == [1, 4, 3, 2]
    assert [results.is_away(seat) for seat in seats] == [False, True, True, False]


def test_a_substitute_is_left_out_as_well_where_the_points_are_counted_as_they_stand():
    tournament = begun(organiser(), people(2), judge="standing")
    [table] = running_tables(tournament)
    Seat.objects.filter(match=table.match, number=0).update(substituted=True)
    judging.judge(table, judging.clock.now())
    assert dict(Place.objects.filter(table=table).values_list("seat", "away")) == {0: True, 1: False}
    assert dict(Place.objects.filter(table=table).values_list("seat", "rank")) == {0: 2, 1: 1}
    assert fresh(table.match).status == "running"
