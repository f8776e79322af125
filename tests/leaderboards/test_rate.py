"""Counting a match and taking it back: who counts, what is written, and that nothing is written twice."""

from datetime import timedelta
from random import Random

import pytest
from django.db import IntegrityError, transaction

from config.lib import clock as present
from games.models import Match, Turn
from games.services import hooks
from games.services.lobby import opening
from games.services.play import moves as play_moves
from leaderboards.models import RatingChange, Settlement, Standing
from leaderboards.rebuild import rebuild
from leaderboards.seasons import season_of
from leaderboards.services import count_again, unrate_match
from tests.factories import (
    chain_problems,
    end,
    fresh,
    member,
    placed,
    play_on,
    played,
    rated,
    seat,
    seated,
    standing,
)


def numbers(match: Match) -> list[tuple[int, int, int]]:
    """Return what the match's last settlement says: before, change and after of each seat."""
    last = match.settlements.order_by("pk").last()
    return list(last.changes.order_by("seat").values_list("before", "delta", "after"))


def test_a_rated_match(ann, bob):
    match = played(ann, bob)
    assert numbers(match) == [(1500_00, 20_00, 1520_00), (1500_00, -20_00, 1480_00)]
    settlement = match.settlements.get()
    season = season_of(match.ended_at)
    assert (settlement.kind, settlement.round, settlement.game_slug) == ("match", 1, "yum-extra")
    assert (settlement.at, settlement.season) == (match.ended_at, season)
    for name in ("", season):
        first, second = standing(ann, name), standing(bob, name)
        assert (first.rating, first.matches, first.wins) == (1520_00, 1, 1)
        assert (second.rating, second.matches, second.wins) == (1480_00, 1, 0)
        assert first.last_active == match.ended_at
    assert Standing.objects.count() == 4


def test_the_rating_is_there_before_anybody_sees_the_result(ann, bob, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        match = played(ann, bob)
        assert match.settlements.exists()
    assert callbacks  # the rings, after all that


def test_ties_in_a_match_of_three(ann, bob, cem):
    match = played(ann, bob, cem, places=[2, 1, 2])
    assert [delta for _before, delta, _after in numbers(match)] == [-10_00, 20_00, -10_00]
    assert [standing(person).wins for person in (ann, bob, cem)] == [0, 1, 0]


def test_a_shared_first_place_is_a_win(ann, bob):
    played(ann, bob, places=[1, 1])
    assert (standing(ann).wins, standing(bob).wins) == (1, 1)


def test_a_match_played_by_moves_alone(ann, bob):
    match = play_on(seated(ann, bob, rated=True), Random(5))
    assert match.ending == Match.Ending.PLAYED
    ranks = [seat(match, n).rank for n in (0, 1)]
    deltas = [delta for _before, delta, _after in numbers(match)]
    assert (ranks, deltas) in [([1, 2], [2000, -2000]), ([2, 1], [-2000, 2000]), ([1, 1], [0, 0])]


def test_who_resigned_ranks_below_all_and_is_rated(ann, bob, cem):
    match = rated(ann, bob, cem)
    play_moves.resign(match_id=match.pk, user=ann)
    match = end(match, [1, 2, 3])  # the bot in Ann's seat has the most points
    assert [delta for _before, delta, _after in numbers(match)] == [-20_00, 20_00, 0]


def test_the_last_one_in_wins(ann, bob):
    match = rated(ann, bob)
    play_moves.resign(match_id=match.pk, user=ann)
    assert [delta for _before, delta, _after in numbers(fresh(match))] == [-20_00, 20_00]


def test_a_match_called_off_does_not_count(ann, bob):
    match = rated(ann, bob)
    for person in (ann, bob):
        play_moves.wish_call_off(match_id=match.pk, user=person, wish=True)
    assert fresh(match).ending == Match.Ending.CALLED_OFF
    assert not Settlement.objects.exists()


@pytest.mark.parametrize(("moves", "counted"), [(0, False), (1, False), (2, True)])
def test_somebody_must_have_made_two_moves(ann, bob, moves, counted):
    assert played(ann, bob, moves=moves).settlements.exists() == counted


def test_one_move_of_each_is_not_two_of_one_and_a_bots_are_nobodys(ann, bob):
    match = rated(ann, bob, moves=1)
    facts = {"match": match, "move": {}, "draws": [], "events": [], "at": 0}
    for number in (3, 4, 5):
        Turn.objects.create(number=number, seat=0, by=Turn.By.BOT, **facts)
    assert not end(match, [1, 2]).settlements.exists()


def test_a_casual_match_does_not_count(ann, bob):
    match = seated(ann, bob)
    play_on(match, Random(6))
    assert not Settlement.objects.exists()
    assert count_again(match.pk) is None


def test_k_follows_the_members_own_matches(ann, bob):
    placed(ann, 1500, matches=20)
    placed(bob, 1500, matches=19)
    assert [delta for _before, delta, _after in numbers(played(ann, bob))] == [10_00, -20_00]


def test_each_game_has_a_rating_of_its_own(ann, bob):
    placed(ann, 2000, game_slug="yay")
    played(ann, bob)
    assert standing(ann, game_slug="yay").rating == 2000_00
    assert standing(ann).rating == 1520_00


@pytest.mark.outgrown
def test_a_member_deleted_without_a_trace_is_left_out(ann, bob, cem):
    match = rated(ann, bob, cem)
    play_moves.resign(match_id=match.pk, user=ann)
    ann.delete()
    match = end(match, [1, 2, 3])
    assert [delta for _before, delta, _after in numbers(match)] == [20_00, -20_00]


@pytest.mark.outgrown
def test_two_of_whom_one_is_gone_do_not_count(ann, bob):
    match = rated(ann, bob)
    match.seats.filter(number=0).update(user=None, left=1, bot="strong")
    assert not end(match, [2, 1]).settlements.exists()


@pytest.mark.outgrown
def test_the_others_keep_their_ratings_when_a_member_goes(ann, bob):
    match = played(ann, bob)
    number = ann.pk
    ann.delete()
    row = match.settlements.get().changes.get(seat=0)
    assert (row.user, row.player, row.after) == (None, number, 1520_00)
    assert standing(bob).rating == 1480_00
    assert rebuild(write=False) == []


@pytest.mark.outgrown
def test_once_is_once(ann, bob):
    match = played(ann, bob)
    assert count_again(match.pk) == match.settlements.get()
    assert RatingChange.objects.count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        Settlement.objects.create(match=match, game_slug="yum-extra", season="2026-Q4", at=present.now())


@pytest.mark.outgrown
def test_a_change_that_does_not_add_up_is_refused_by_the_database(ann, bob):
    settlement = played(ann, bob).settlements.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        RatingChange.objects.create(
            settlement=settlement, seat=5, player=1, rank=1, matches=0, before=1500_00, delta=1, after=1500_00
        )


def test_a_match_is_taken_back_by_rows_of_its_own(ann, bob):
    match = played(ann, bob)
    void = unrate_match(match)
    assert (void.kind, void.round) == ("void", 1)
    assert numbers(match) == [(1520_00, -20_00, 1500_00), (1480_00, 20_00, 1500_00)]
    for season in ("", season_of(match.ended_at)):
        row = standing(ann, season)
        assert (row.rating, row.matches, row.wins) == (1500_00, 0, 0)
    assert unrate_match(match) is None
    assert RatingChange.objects.count() == 4
    assert chain_problems() == []
    assert rebuild(write=False) == []


def test_a_match_of_long_ago_is_taken_back(ann, bob, cem):
    first = played(ann, bob)
    played(bob, cem)
    played(ann, cem)
    before = {person: standing(person).rating for person in (ann, bob, cem)}
    unrate_match(first)
    assert standing(ann).rating == before[ann] - 20_00
    assert standing(bob).rating == before[bob] + 20_00
    assert standing(cem).rating == before[cem]
    assert (standing(ann).matches, standing(bob).matches) == (1, 1)
    played(ann, bob)
    assert chain_problems() == []
    assert rebuild(write=False) == []


@pytest.mark.outgrown
def test_taking_back_stops_at_the_floor(ann, bob):
    match = played(ann, bob)
    Standing.objects.filter(user=ann).update(rating=105_00)
    unrate_match(match)
    assert standing(ann).rating == 100_00
    assert numbers(match)[0] == (105_00, -5_00, 100_00)


@pytest.mark.outgrown
def test_a_match_restored_counts_again(ann, bob):
    match = played(ann, bob)
    unrate_match(match)
    again = count_again(match.pk)
    assert (again.round, again.kind) == (2, "match")
    assert standing(ann).rating == 1520_00
    unrate_match(match)
    assert match.settlements.count() == 4
    assert chain_problems() == []
    assert rebuild(write=False) == []


@pytest.mark.outgrown
def test_a_match_whose_end_was_undone_is_rated_by_its_next_end(ann, bob):
    match = played(ann, bob)
    with transaction.atomic():
        hooks.match_reopened(match)
        Match.objects.filter(pk=match.pk).update(status="running", ending="", ended_at=None, outcome=None)
    match = end(fresh(match), [2, 1])
    assert [delta for _before, delta, _after in numbers(match)] == [-20_00, 20_00]
    assert [standing(person).wins for person in (ann, bob)] == [0, 1]
    assert chain_problems() == []


def test_a_match_that_never_counted_has_nothing_to_take_back(ann, bob):
    assert unrate_match(played(ann, bob, moves=0)) is None
    assert not Settlement.objects.exists()


def test_seasons(ann, bob, clock):
    """Each season has its own matches and wins; a match taken back moves the seasons since."""
    first = played(ann, bob)
    old = season_of(first.ended_at)
    clock.forward(timedelta(days=92).total_seconds())
    second = played(ann, bob)
    new = season_of(second.ended_at)
    assert old < new
    assert (standing(ann, old).rating, standing(ann, old).matches) == (1520_00, 1)
    assert (standing(ann, new).matches, standing(ann).matches) == (1, 2)
    assert standing(ann, new).rating == standing(ann).rating
    unrate_match(first)
    assert (standing(ann, old).rating, standing(ann, old).matches) == (1500_00, 0)
    assert (standing(ann, new).matches, standing(ann).matches) == (1, 1)
    assert standing(ann, new).rating == standing(ann).rating
    unrate_match(second)
    assert standing(ann, old).rating == 1500_00
    assert standing(ann).rating == standing(bob).rating == 1500_00
    assert rebuild(write=False) == []


def test_an_early_start_with_bots_makes_it_casual(ann, bob):
    match = opening.create_match(creator=ann, game_slug="yum-extra", size=3, rated=True)
    opening.join(match_id=match.pk, user=bob)
    opening.start_with_bots(match_id=match.pk, user=ann)
    assert not fresh(match).rated


def test_who_is_no_longer_confirmed_at_the_start_makes_it_casual(ann, bob, cem):
    match = opening.create_match(creator=ann, game_slug="yum-extra", size=3, rated=True)
    opening.join(match_id=match.pk, user=bob)
    bob.email = ""
    bob.save()
    opening.join(match_id=match.pk, user=cem)
    assert fresh(match).status == Match.Status.RUNNING
    assert not fresh(match).rated


@pytest.mark.thin(0)
@pytest.mark.outgrown
def test_many_matches_of_many_members(db):
    """A hundred matches with some taken back and restored: the chain holds, the rebuild agrees."""
    rng = Random(20261128)
    people = [member(f"m{number}") for number in range(6)]
    ended = []
    for _ in range(60):
        table = rng.sample(people, rng.randint(2, 4))
        ended.append(played(*table, places=[rng.randint(1, 3) for _ in table]))
        if rng.random() < 0.3:
            unrate_match(rng.choice(ended))
        if rng.random() < 0.2:
            count_again(rng.choice(ended).pk)
    assert Settlement.objects.filter(kind="void").count() > 5
    assert Settlement.objects.filter(round__gt=1).exists()
    assert chain_problems() == []
    assert rebuild(write=False) == []
