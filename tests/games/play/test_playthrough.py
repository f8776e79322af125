"""Whole random matches through the services, half of the posts sent twice: what is stored replays.

PROOF=full plays 200 for each seat count and option; they are numbered, and the short profile plays the first.
"""

import logging
from random import Random

import pytest

from games.management.commands.check_matches import problems
from games.models import Match
from games.queries.play import seats_of
from tests import FULL
from tests.factories import fresh, member, random_move, seated, submit

MATCHES = 200 if FULL else 1  # for each seat count and option
CHUNK = 5 if FULL else 1  # in one test, so that the cores share them evenly


@pytest.fixture
def _quiet():
    """Without the line in the log for each move, which pytest would keep."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.thin(2)
@pytest.mark.usefixtures("_quiet")
@pytest.mark.django_db
@pytest.mark.parametrize("first", range(0, MATCHES, CHUNK))
@pytest.mark.parametrize("scratch", ["forced", "free"])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_random_matches_replay(size, scratch, first, monkeypatch):
    people = [member(f"player-{number}") for number in range(size)]
    for number in range(first, first + CHUNK):
        name = f"{size}/{scratch}/{number}"
        print("match", name)
        match = play_through(people, {"scratch": scratch}, Random(name), monkeypatch)
        assert match.ending == Match.Ending.PLAYED
        assert match.turns == match.log.count()
        assert problems(match) == []  # from the seed, from the draws; state, outcome, ranks and scores as stored
        Match.objects.all().delete()


def play_through(people, options, rng, monkeypatch) -> Match:
    """Play a match whose dice and moves depend on `rng` alone."""
    seed = rng.randbytes(32)
    monkeypatch.setattr(Match._meta.get_field("server_seed"), "_get_default", lambda: seed)
    monkeypatch.setattr("secrets.token_hex", lambda size: rng.randbytes(size).hex())
    match = seated(*people, options=options)
    seats = seats_of(match)
    while (mover := next((seat for seat in seats if seat.ask is not None), None)) is not None:
        ask, move = mover.ask, random_move(match, mover.number, rng)
        post = {"key": f"key-{ask}", "ask": ask, "user": people[mover.number]}
        playing = submit(match, mover, move, **post)
        if rng.random() < 0.5:
            again = submit(match, mover, move, **post)
            assert (again.match.turns, again.match.version) == (playing.match.turns, playing.match.version)
            playing = again
        match, seats = playing.match, playing.seats
    return fresh(match)
