"""Whole random matches through the services, half of the posts sent twice: what is stored replays."""

from random import Random

import pytest

from games.engine import get_game, verify
from games.management.commands.check_matches import problems
from games.models import Match
from games.queries import seats_of
from games.table import record_of
from tests.games.conftest import member
from tests.games.playing import random_move, seated, submit

CHUNKS = 4
MATCHES = 200 // CHUNKS


@pytest.mark.django_db
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("scratch", ["forced", "free"])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_random_matches_replay(size, scratch, chunk):
    people = [member(f"player-{number}") for number in range(size)]
    for number in range(MATCHES):
        seed = f"{size}/{scratch}/{chunk}/{number}"
        match = play_through(people, {"scratch": scratch}, Random(seed))
        assert problems(match) == [], seed
        assert match.outcome == get_game("yum-extra").outcome(match.game.load(bytes(match.state)))
        assert match.turns == match.log.count(), seed
        Match.objects.all().delete()


def play_through(people, options, rng) -> Match:
    match = seated(*people, options=options)
    posts = 0
    while match.status == Match.Status.RUNNING:
        seats = seats_of(match)
        while True:
            seat = next((s for s in seats if s.ask is not None), None)
            if seat is None:
                break
            posts += 1
            ask, move = seat.ask, random_move(match, seat.number, rng)
            playing = submit(match, seat, move, key=f"key-{posts}", ask=ask)
            if rng.random() < 0.5:
                again = submit(match, seat, move, key=f"key-{posts}", ask=ask)
                assert again.match.turns == playing.match.turns
            match, seats = playing.match, playing.seats
    match = Match.objects.get(pk=match.pk)
    assert verify(record_of(match, seats_of(match))).sound
    return match
