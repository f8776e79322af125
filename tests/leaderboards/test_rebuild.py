"""The rebuild finds nothing where nothing is wrong, and finds and mends what was spoilt by hand."""

from datetime import UTC, datetime
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F, Q
from django.test.utils import CaptureQueriesContext

from accounts.services.closing import close_account
from games.models import Match
from leaderboards import replay
from leaderboards.models import RatingChange, Settlement, Standing
from leaderboards.rebuild import rebuild
from leaderboards.services import unrate_match
from tests.factories import chain_problems, end, fresh, played, rated, standing


@pytest.fixture
def matches(ann, bob, cem):
    return [played(ann, bob, cem), played(bob, ann), played(cem, bob, ann), played(ann, cem)]


@pytest.mark.outgrown
def test_a_check_locks_no_table(matches):
    with CaptureQueriesContext(connection) as checked:
        rebuild(write=False)
    assert not [query for query in checked.captured_queries if "LOCK TABLE" in query["sql"]]


def everything() -> list:
    changes = RatingChange.objects.order_by("pk").values_list("before", "delta", "after", "matches")
    return [
        *changes,
        *Standing.objects.order_by("pk").values_list("rating", "matches", "wins", "last_active"),
    ]


def test_the_same_numbers(matches, capsys):
    unrate_match(matches[1])
    before = everything()
    call_command("rebuild_ratings")
    call_command("rebuild_ratings", check=True)
    assert capsys.readouterr().out == "0 differences\n" * 2
    assert everything() == before


@pytest.mark.thin(1)
@pytest.mark.outgrown
@pytest.mark.parametrize(
    "spoil",
    [
        lambda: Standing.objects.filter(season="").update(rating=1),
        lambda: Standing.objects.update(wins=7, matches=9),
        lambda: RatingChange.objects.filter(seat=0).update(before=1, delta=1, after=2),
        lambda: RatingChange.objects.filter(seat=1).update(matches=40),
    ],
)
def test_what_was_spoilt_is_named_and_mended(matches, capsys, spoil):
    before = everything()
    spoil()
    spoilt = everything()
    with pytest.raises(CommandError):
        call_command("rebuild_ratings", check=True)
    assert everything() == spoilt
    told = capsys.readouterr().out
    assert "0 differences" not in told
    assert "member" in told or "settlement" in told
    call_command("rebuild_ratings")
    assert capsys.readouterr().out.endswith(" differences, put right\n")
    assert everything() == before
    assert rebuild(write=False) == []


def test_a_match_that_was_never_counted_is_counted_now(ann, bob, settings, capsys):
    settings.ON_MATCH_END = []
    match = played(ann, bob)
    assert not Settlement.objects.exists()
    with pytest.raises(CommandError):
        call_command("rebuild_ratings", check=True)
    assert f"match {match.pk}: ended, and was never counted" in capsys.readouterr().out
    call_command("rebuild_ratings")
    assert standing(ann).rating == 1520_00
    assert chain_problems() == []
    assert rebuild(write=False) == []


def test_a_match_that_counts_not_is_not_missed(ann, bob):
    played(ann, bob, moves=0)
    assert rebuild(write=True) == []
    assert not Settlement.objects.exists()


def undone(match: Match) -> Match:
    """Take an end back, as the admin's undoing of time-outs does."""
    unrate_match(match)
    Match.objects.filter(pk=match.pk).update(status="running", ending="", ended_at=None, outcome=None)
    return fresh(match)


def swap(rows) -> None:
    """Let the first two seats have each other's rank."""
    for row in rows.filter(seat__in=[0, 1]) if rows.model is RatingChange else rows.filter(number__in=[0, 1]):
        row.rank = 3 - row.rank
        row.save()


SPOILS = [
    lambda match: swap(match.settlements.get().changes.all()),
    lambda match: match.settlements.get().changes.update(rank=7),
    lambda match: match.settlements.get().changes.filter(seat=1).delete(),
    lambda match: match.settlements.get().changes.all().delete(),
    lambda match: Standing.objects.filter(user__username="ann").delete(),
    lambda match: Standing.objects.all().delete(),
    lambda match: match.settlements.get().changes.filter(seat=0).update(player=99, user=None),
]


@pytest.mark.thin(2)
@pytest.mark.outgrown
@pytest.mark.parametrize(
    ("number", "which"),
    [
        pytest.param(number, which, marks=[] if place == number % 3 else pytest.mark.proof)
        for number in range(len(SPOILS))
        for place, which in enumerate((0, 1, 3))
    ],
)
def test_rows_that_were_changed_or_deleted_come_back(matches, monkeypatch, number, which):
    monkeypatch.setattr(replay, "CHUNK", 2)
    unrate_match(matches[2])
    before = standings(), changes()
    SPOILS[number](matches[which])
    assert rebuild(write=False)
    assert rebuild(write=True)
    assert (standings(), changes()) == before
    assert rebuild(write=False) == []


def standings() -> list:
    facts = ("user", "game_slug", "season", "rating", "matches", "wins", "last_active")
    return sorted(Standing.objects.values_list(*facts))


def changes() -> list:
    facts = ("settlement", "seat", "user", "player", "rank", "matches", "before", "delta", "after")
    return list(RatingChange.objects.order_by("settlement", "seat").values_list(*facts))


@pytest.mark.outgrown
def test_places_are_those_of_the_match(ann, bob):
    match = played(ann, bob)
    swap(match.seats.all())
    assert len(rebuild(write=False)) == 6  # two changes, four standings
    rebuild(write=True)
    assert (standing(ann).rating, standing(bob).rating) == (1480_00, 1520_00)
    assert (standing(ann).wins, standing(bob).wins) == (0, 1)


def test_places_of_an_end_that_was_undone_are_those_it_had(matches, ann, bob, cem):
    again = end(undone(matches[1]), [2, 1])
    assert [row.kind for row in again.settlements.order_by("pk")] == ["match", "void", "match"]
    played(ann, bob, cem)
    assert rebuild(write=True) == []
    assert chain_problems() == []


@pytest.mark.outgrown
def test_what_was_taken_back_is_worked_out_anew(matches):
    unrate_match(matches[0])
    before = standings(), changes()
    void = Settlement.objects.get(kind="void")
    for spoil in (void.changes.filter(seat=0).delete, lambda: void.changes.update(rank=5)):
        spoil()
        assert rebuild(write=True)
        assert (standings(), changes()) == before


@pytest.mark.outgrown
@pytest.mark.parametrize(
    "facts",
    [
        {"voided_at": datetime(2026, 12, 31, tzinfo=UTC)},
        {"rated": False},
        {"status": "running", "ending": "", "ended_at": None},
    ],
)
def test_what_should_not_count_is_taken_back(matches, ann, facts):
    Match.objects.filter(pk=matches[0].pk).update(**facts)
    told = f"match {matches[0].pk}: counted, and should not be"
    assert rebuild(write=False) == [told]
    assert rebuild(write=True) == [told]
    assert [row.kind for row in matches[0].settlements.order_by("pk")] == ["match", "void"]
    assert chain_problems() == []
    assert rebuild(write=False) == []


def test_a_match_without_two_moves_should_not_count(matches):
    matches[3].log.all().delete()
    assert rebuild(write=True) == [f"match {matches[3].pk}: counted, and should not be"]
    assert rebuild(write=False) == []


@pytest.mark.outgrown
def test_who_is_gone_keeps_their_number(matches, ann, bob, cem):
    number = ann.pk
    close_account(user_id=number)
    before = standings(), changes()
    assert rebuild(write=True) == []
    RatingChange.objects.filter(seat=0).update(before=1, delta=1, after=2, rank=2)
    swap(matches[2].settlements.get().changes.all())
    assert rebuild(write=True)
    assert (standings(), changes()) == before
    assert {row[3] for row in changes() if row[2] is None} == {number}
    assert not Standing.objects.filter(user=number).exists()


@pytest.mark.outgrown
def test_who_was_gone_before_the_end_has_no_part_in_it(ann, bob, cem):
    match = rated(ann, bob, cem)
    close_account(user_id=cem.pk)
    end(match, [2, 1, 1])
    played(bob, ann)
    before = standings(), changes()
    assert len(before[1]) == 4
    assert rebuild(write=True) == []
    match.settlements.get().changes.filter(seat=0).update(before=1, delta=1, after=2)
    assert rebuild(write=True)
    assert (standings(), changes()) == before


@pytest.mark.outgrown
def test_right_ratings_stay_when_it_cannot_be_told_any_more_who_took_part(matches, ann):
    close_account(user_id=ann.pk)
    matches[0].settlements.get().changes.filter(user=None).delete()
    before = standings(), changes()
    told = rebuild(write=True)
    assert told == [f"settlement {matches[0].settlements.get().pk}: who took part cannot be told any more"]
    assert (standings(), changes()) == before


@pytest.mark.thin(0)
@pytest.mark.outgrown
def test_hundreds_of_matches_are_replayed_part_by_part(ann, bob, cem, eve, monkeypatch):
    rng = Random(20261128)
    print("seed 20261128")
    monkeypatch.setattr(replay, "CHUNK", 7)
    for _ in range(40):
        people = rng.sample([ann, bob, cem, eve], rng.randint(2, 4))
        match = played(*people, places=[rng.randint(1, 2) for _ in people])
        if rng.random() < 0.3:
            match = undone(match)
            if rng.random() < 0.7:
                end(match, [rng.randint(1, 2) for _ in people])
    assert rebuild(write=False) == []
    before = standings(), changes()
    known = Q(settlement__kind="void") | Q(settlement__at=F("settlement__match__ended_at"))
    for row in rng.sample(list(RatingChange.objects.filter(known).order_by("pk")), 30):
        if rng.random() < 0.5:
            row.delete()
        else:
            RatingChange.objects.filter(pk=row.pk).update(rank=9, matches=77)
    Standing.objects.filter(season="").delete()
    assert rebuild(write=True)
    assert (standings(), changes()) == before
