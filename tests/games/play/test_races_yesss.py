"""Everybody at once in a race of YESSS!, by real HTTP at a real server: the first answer counts, and it ends.

`ROUNDS=100` makes the long run.
"""

import os

import pytest

from games.management.commands.check_matches import problems
from games.models import Match
from games.record import state_at
from tests.factories import fresh, member, seat, seated, state_of, submit
from tests.games.play.at_once import Tab
from tests.processes import wait_until

pytestmark = pytest.mark.both


ROUNDS = int(os.environ.get("ROUNDS", "5"))
SEATS = 7


@pytest.fixture
def people(site):
    return [member(f"member-{number}") for number in range(SEATS)]


def race(people) -> Match:
    match = seated(*people, game_slug="yesss", options={"mode": "cooperative"}, pace="live")
    for number in range(SEATS):
        submit(match, seat(match, number), {"type": "ready"}, key="ready")
    return fresh(match)


def asks(match: Match) -> dict[int, int]:
    return dict(match.seats.values_list("number", "ask"))


def test_of_several_answers_to_one_clue_one_counts(people, at_once, rng):
    tabs = [Tab(person) for person in people]
    match = race(people)
    for number in range(ROUNDS):
        teller = number % SEATS
        middle = match.game.view(state_of(match), None)["middle"]
        if len(middle) < SEATS:
            match = race(people)
            middle = match.game.view(state_of(match), None)["middle"]
        clue = len(state_of(match).clues)
        said = {"type": "clue", "pair": rng.choice(middle), "word": "voyage"}
        submit(match, seat(match, teller), said, key=f"clue-{number}")
        match = fresh(match)
        turns, open_asks = match.turns, asks(match)
        answers = {n: rng.choice(middle) for n in range(SEATS) if n != teller}
        posts = [
            tabs[n].move(match, open_asks[n], f"answer-{number}", {"type": "answer", "clue": clue, "pair": pair})
            for n, pair in answers.items()
            for _twice in range(1 + n % 2)
        ]
        rng.shuffle(posts)
        statuses = sorted(answer.status_code for answer in at_once(posts))
        match = fresh(match)
        [made] = match.log.filter(number__gt=turns)
        assert made.move["pair"] == answers[made.seat]
        assert statuses.count(200) == 1 + made.seat % 2
        assert statuses.count(409) == len(posts) - statuses.count(200)
        shown = match.game.view(state_of(match), None)["clues"][clue]
        assert (shown["closed_by"], shown["answer"]) == (made.seat, answers[made.seat])
    assert match.game.dump(state_at(match, list(match.seats.all()), match.turns)) == bytes(match.state)


def test_clues_of_all_at_once_are_all_there(people, at_once):
    tabs = [Tab(person) for person in people]
    match = race(people)
    open_asks = asks(match)
    posts = [
        tabs[n].move(match, open_asks[n], "clue", {"type": "clue", "pair": [1, 2], "word": "voyage"})
        for n in range(SEATS)
    ]
    assert {answer.status_code for answer in at_once(posts)} == {200}
    assert sorted(clue.seat for clue in state_of(fresh(match)).clues) == list(range(SEATS))


def test_the_clock_ends_a_race_within_a_second_though_nobody_sends_anything(people, worker, clock):
    match = race(people)
    ends_at = match.ends_at
    clock.forward(168)  # the ring was for later; the sweep sees to it
    wait_until(lambda: fresh(match).status == Match.Status.ENDED, "the end of the race")
    match = fresh(match)
    assert 0 <= (match.ended_at - ends_at).total_seconds() < 1
    assert not problems(match)
    assert not match.time_outs.exists()
