"""Every step of a match has an address of its own, as its viewer may see it."""

from random import Random

import pytest
from django.urls import reverse

from games.engine import replay_steps
from games.queries.play import seats_of
from games.record import record_of, state_at
from games.rules import get_game
from games.services.lobby import closing
from tests.factories import browser_of, opened, play_on, played_on, seated


def step_of(match, step) -> str:
    return reverse("replay", args=[match.pk, step])


@pytest.mark.parametrize("step", [5, 6, 10**9, 10**30])
def test_beyond_the_last_step(ann, bob, step):
    match = play_on(seated(ann, bob), Random(61), turns=4)
    assert browser_of(ann).get(step_of(match, step)).status_code == 404


def test_a_table_that_never_started(ann):
    match = opened(ann)
    assert browser_of(ann).get(step_of(match, 0)).status_code == 404
    closing.leave(match_id=match.pk, user=ann)
    assert browser_of(ann).get(step_of(match, 0)).status_code == 404


@pytest.mark.parametrize("who", ["ann", "cem", "visitor"])
def test_every_step_of_a_whole_match(ann, bob, cem, who):
    match = played_on(seated(ann, bob), Random(62))
    browser = browser_of({"ann": ann, "cem": cem, "visitor": None}[who])
    for step in [*range(0, match.turns, 1 if who == "visitor" else 7), match.turns]:
        page = browser.get(step_of(match, step))
        assert page.status_code == 200, step
        table = page.context["table"]
        assert table["step"] == step
        assert not table["playing"]
        assert table["view"]["prompt"] is None
        assert [entry["n"] for entry in table["log"]] == ([step] if step else [])
    assert table["view"]["phase"] == "over"


def test_a_running_match_up_to_now(ann, bob):
    match = play_on(seated(ann, bob), Random(63), turns=12)
    for step in range(13):
        page = browser_of(bob).get(step_of(match, step))
        assert page.status_code == 200
        assert 'name="ask"' not in page.content.decode()
    assert browser_of(bob).get(step_of(match, 13)).status_code == 404


def test_the_states_are_those_that_were_played(ann, bob):
    match = play_on(seated(ann, bob), Random(64), turns=30)
    seats = seats_of(match)
    states = [state for _n, state, _events in replay_steps(record_of(match, seats) | {"outcome": None}, get_game)]
    assert [state_at(match, seats, step) for step in range(match.turns + 1)] == states
    assert match.game.dump(states[-1]) == bytes(match.state)
