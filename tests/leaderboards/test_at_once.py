"""Ends of matches at the same moment, in threads with connections of their own: the chain stays whole."""

import os
from collections.abc import Callable, Iterable
from random import Random
from threading import Barrier, Thread

import pytest
from django.db import connection

from games.models import Match
from games.services.play import moves
from games.services.refusals import Refused
from leaderboards.models import RatingChange, Settlement, Standing
from leaderboards.rebuild import rebuild
from leaderboards.services import count_again, unrate_match
from tests.factories import chain_problems, end, member, rated

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]

SEED = 20261128
ROUNDS = int(os.environ.get("RATING_ROUNDS", "4"))  # the figure in the report: 100


@pytest.fixture
def rng():
    print(f"seed {SEED}")
    return Random(SEED)


def at_once(acts: Iterable[Callable[[], object]]) -> list[BaseException]:
    """Run these in threads that begin together; return what they raised, refusals apart."""
    acts = list(acts)
    start, raised = Barrier(len(acts)), []

    def run(act: Callable[[], object]) -> None:
        try:
            start.wait()
            act()
        except Refused:
            pass
        except BaseException as error:
            raised.append(error)
        finally:
            connection.close()

    threads = [Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_one_match_ended_twenty_times_at_once_is_rated_once(ann, bob):
    match = rated(ann, bob)
    assert not at_once([lambda: moves.resign(match_id=match.pk, user=bob)] * 20)
    assert Match.objects.get(pk=match.pk).status == Match.Status.ENDED
    assert list(match.settlements.values_list("round", "kind")) == [(1, "match")]
    assert RatingChange.objects.count() == 2
    assert not at_once([lambda: count_again(match.pk)] * 20)
    assert RatingChange.objects.count() == 2
    assert chain_problems() == []


def test_one_match_taken_back_twenty_times_at_once_is_taken_back_once(ann, bob):
    match = end(rated(ann, bob), [1, 2])
    assert not at_once([lambda: unrate_match(match)] * 20)
    assert list(match.settlements.values_list("kind", flat=True)) == ["match", "void"]
    assert Standing.objects.get(user=ann, season="").rating == 1500_00


def test_ten_matches_of_the_same_people_ended_at_the_same_moment(rng):
    """First matches of all, then of people with ratings: standings are made, locked and chained."""
    for number in range(ROUNDS):
        people = [member(f"p{number}-{mail}") for mail in "abcd"]
        for _ in range(2):
            tables = [rng.sample(people, rng.randint(2, 4)) for _ in range(10)]
            matches = [rated(*table) for table in tables]
            for match, table in zip(matches, tables, strict=True):
                for person in table[2:]:
                    moves.resign(match_id=match.pk, user=person)
            before = Settlement.objects.count()
            assert not at_once(
                (lambda match=match, table=table: moves.resign(match_id=match.pk, user=table[1]))
                for match, table in zip(matches, tables, strict=True)
            )
            assert Settlement.objects.count() == before + 10
        assert chain_problems() == []
        assert rebuild(write=False) == []


def test_ends_while_others_are_taken_back(rng):
    people = [member(f"v-{mail}") for mail in "abc"]
    for _ in range(max(2, ROUNDS // 10)):
        old = [end(rated(*rng.sample(people, 2)), [1, 2]) for _ in range(5)]
        tables = [rng.sample(people, 2) for _ in range(5)]
        new = [rated(*table) for table in tables]
        acts = [lambda match=match: unrate_match(match) for match in old]
        acts += [
            lambda match=match, table=table: moves.resign(match_id=match.pk, user=table[1])
            for match, table in zip(new, tables, strict=True)
        ]
        assert not at_once(acts)
        assert chain_problems() == []
        assert rebuild(write=False) == []
