"""What the page of ¥€$ is told beside the view: drawn from the view alone, and right."""

from random import Random

import pytest

from games.engine import SeededChance, sample_move
from games.rules import get_game
from games.rules.yes.hints import HAVE, NEED, hints
from games.rules.yes.tables import CASH_PRIZE, COUNTRIES, OBJECTIVES, TRACK
from tests.rules.yes_match import table

game = get_game("yes")
SEED = 20261128


def test_every_objective_has_a_measure() -> None:
    assert set(HAVE) == set(NEED) == set(OBJECTIVES)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_what_is_told_agrees_with_the_rules_all_through_a_match(seats: int) -> None:
    rng, chance = Random(SEED), SeededChance(bytes([seats] * 32))
    state = game.setup(seats=seats, options={"rounds": 15}, chance=chance)
    while game.outcome(state) is None:
        seat = game.to_move(state)[0]
        found = hints(game.view(state, seat))
        check(state, seat, found)
        state, _events = game.apply(state, seat, sample_move(game.prompt(state, seat), rng), chance)
    found = hints(game.opened(state, None))
    for number in range(seats):
        assert [goal["id"] for goal in found["objectives"][number]] == list(state.objectives[number])


def check(state, seat: int, found: dict) -> None:
    assert found["wealth"] == [state.wealth(other) for other in range(state.seats)]
    assert found["goods"] == [len(state.goods(other)) for other in range(state.seats)]
    assert [space["paid"] for space in found["spaces"]] == [
        state.paid_at(space) if space else [] for space in range(len(TRACK))
    ]
    assert found["spaces"][0]["share"] == CASH_PRIZE
    assert [country["owner"] for country in found["countries"]] == list(state.owners)
    assert found["other"] == state.left_of(state.roller)
    for other, goals in enumerate(found["objectives"]):
        assert (goals is None) == (other != seat)
    own = found["objectives"][seat]
    assert [goal["id"] for goal in own if goal["met"]] == state.met(seat)
    assert all(goal["have"] == goal["need"] if goal["met"] else goal["have"] < goal["need"] for goal in own)


def test_the_page_learns_nothing_from_what_is_hidden() -> None:
    state = table(3, owns={0: ["japan"], 1: ["peru"]}, objectives={1: ["trio", "nine_goods"]})
    other = table(3, owns={0: ["japan"], 1: ["peru"]}, objectives={1: ["dearest", "six_kinds"]})
    assert hints(game.view(state, None)) == hints(game.view(other, None))
    assert len(hints(game.view(state, None))["countries"]) == len(COUNTRIES)
