"""What the lesson of YAY! says holds wherever the learner aims, on its path and beside it."""

from itertools import product

import pytest

from games.engine import LEARNER, ScriptedChance
from games.rules import get_game, lesson
from games.rules.yay.moves import in_cell, throw_at
from tests.rules.yay_match import match, num, out

game, taught = get_game("yay"), lesson("yay")
CORNER = match({(2, 2): num(0, 12), (5, 0): num(1, 6)}, size=6)


def step_of(state):
    return taught.step(game.view(state, LEARNER))


def thrown(state, aim):
    """The state after the throw that the lesson has prepared, at that aim."""
    chance = ScriptedChance(list(step_of(state).draws))
    return game.apply(state, LEARNER, throw_at(*aim), chance)[0]


def liked(state):
    move = step_of(state).move
    return product(move["x"][::25], move["y"][::25])


def test_the_second_throw_is_told_as_it_is_at_every_aim_that_the_coach_takes():
    for aim in liked(CORNER):
        low = thrown(CORNER, aim)
        assert step_of(low).says.startswith("Dashed cells are closed"), aim
        for further in liked(low):
            high = thrown(low, further)
            assert step_of(high).says.startswith("15!"), (aim, further)
            view = game.view(high, LEARNER)
            assert [4, 0] in view["enterable"] or [5, 1] in view["enterable"]


@pytest.mark.parametrize("aim", [(550, 50), (450, 350), (150, 150)])
def test_elsewhere_nothing_is_said_of_cells_that_are_not_there(aim):
    low = thrown(CORNER, aim)
    assert low.touched() == list(low.enterable())
    said = step_of(low).says
    assert "Dashed" not in said
    assert "B5" not in said
    assert step_of(low).reply(in_cell("write", next(iter(low.enterable())))) == ""


def test_the_bot_locks_a_cell_that_the_fifteen_closes_to_it():
    state = match({(2, 2): num(0, 12), (4, 0): num(0, 15), (5, 0): out(1, 6)}, size=6, thrower=1)
    for _move in ("throw", "lock"):
        step = taught.step(game.view(state, 1))
        state, _events = game.apply(state, 1, dict(step.move), ScriptedChance(list(step.draws)))
    assert state.board.shown()[3][0] == {"locked": True}
    assert "locked a cell" in step_of(state).says
