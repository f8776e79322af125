"""Bots in a race of YESSS! against the clock: each in its own time, beside a person who only looks on."""

import pytest

from config.lib import clock as present
from games.models import Match
from games.services.play import bots
from games.services.play.match_transaction import MatchTransaction
from tests.factories import fresh, seat, seated, submit

pytestmark = pytest.mark.django_db
STEP = 0.25


@pytest.fixture
def race(ann, settings):
    """A race of Ann and two sharp bots that has begun."""
    settings.BOT_PAUSE = 0.9
    options = {"mode": "cooperative", "language": "en"}
    return seated(ann, bots=["strong", "strong"], game_slug="yesss", options=options)


@pytest.mark.thin(0)
def test_bots_leave_a_person_time_and_never_answer_a_word_the_moment_it_is_said(ann, race, clock):
    submit(race, seat(race, 0), {"type": "ready"})
    while fresh(race).ends_at is None:
        clock.forward(STEP)
        bots.play_bots(match_id=race.pk)
    began, acts, said = present.now(), [], {}
    submit(race, seat(race, 0), {"type": "clue", "pair": [1, 2], "word": "journey"}, key="ann")
    while (at := (present.now() - began).total_seconds()) < 100 and fresh(race).status == Match.Status.RUNNING:
        clock.forward(STEP)
        if bots.play_bots(match_id=race.pk):
            event = race.log.latest("number").events[0]
            acts.append(at)
            said |= {event["clue"]: at} if event["type"] == "clue" else {}
            if event["type"] == "closed":
                assert at - said.get(event["clue"], 0) > 2
    assert acts[0] > 4
    assert 10 < len(acts) < 40


def test_a_move_that_the_table_overtook_is_chosen_again(ann, race, clock, monkeypatch):
    """Somebody answers the word between the bot's choice and its move: the bot does something else."""
    submit(race, seat(race, 0), {"type": "ready"})
    while fresh(race).ends_at is None:
        clock.forward(1)
        bots.play_bots(match_id=race.pk)
    submit(race, seat(race, 0), {"type": "clue", "pair": [1, 2], "word": "journey"}, key="ann")
    make, overtaken = MatchTransaction.make, []

    def late(self, number, move, **more):
        if move["type"] == "answer" and not overtaken:
            overtaken.append(number)
            make(self, 0, {"type": "withdraw"}, by="person", at=more["at"])
        return make(self, number, move, **more)

    monkeypatch.setattr(MatchTransaction, "make", late)
    for _second in range(60):
        clock.forward(1)
        bots.play_bots(match_id=race.pk)
    assert overtaken
    assert fresh(race).status == Match.Status.RUNNING
