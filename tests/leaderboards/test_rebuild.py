"""The rebuild finds nothing where nothing is wrong, and finds and mends what was spoilt by hand."""

import pytest
from django.core.management import CommandError, call_command

from leaderboards.models import RatingChange, Settlement, Standing
from leaderboards.rebuild import rebuild
from leaderboards.services import unrate_match
from tests.leaderboards.conftest import chain_problems, played, standing

pytestmark = pytest.mark.both


@pytest.fixture
def matches(ann, bob, cem):
    return [played(ann, bob, cem), played(bob, ann), played(cem, bob, ann), played(ann, cem)]


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
