"""The chances that are told of a throw: those that throws at that point have, dice off the board included."""

from math import isclose

import pytest

from games.engine import SeededChance
from games.rules import get_game
from games.rules.yay.board import SPREAD, middle
from games.rules.yay.odds import beats, chance_at, stays
from games.rules.yay.turns import die_at
from tests.rules.yay_match import match, num, thrown

game = get_game("yay")
TRIES = 4000


@pytest.fixture(scope="module")
def rolled():
    """Throws as the rules draw them: faces with the offsets of the dice."""
    chance = SeededChance(b"odds")
    return [list(zip(chance.roll(3, 6), [chance.scatter(SPREAD) for _ in range(3)], strict=True)) for _ in range(TRIES)]


@pytest.mark.parametrize("aim", [(0, 0), (50, 550), (150, 450), (600, 300), (300, 300)])
def test_a_throw_at_a_point_beats_a_sum_as_often_as_told(rolled, aim):
    x, y = aim
    dice = [[die_at(face, x + dx, y + dy, 6) for face, (dx, dy) in throw] for throw in rolled]
    lain = sum(die.on_board for throw in dice for die in throw) / (3 * TRIES)
    assert stays(aim, 6) == pytest.approx(lain, abs=0.015)
    sums = [sum(die.face for die in throw if die.on_board) for throw in dice]
    for total in (1, 4, 10, 15, 18):
        assert chance_at(aim, total, 6) == pytest.approx(sum(each > total for each in sums) / TRIES, abs=0.025)


def test_so_many_dice_beat_a_sum():
    assert beats(0) == (0, 1, 1, 1)
    assert beats(5) == (0, 1 / 6, 26 / 36, 206 / 216)
    assert beats(18) == (0, 0, 0, 0)


def test_the_hints_tell_the_chance_at_the_last_aim():
    aim = middle((7, 0))
    view = game.view(match(throws=(thrown([2, 1, 1], (50, 700), (60, 720), (80, 690), aim=aim),)), 0)
    hints = game.hints(view)
    assert hints["chance"] == chance_at(aim, 4, 8)
    assert hints["beats"] == beats(4)
    assert hints["chance"] < 0.6 < sum(beats(4)[3:])


def test_why_tells_no_chance_that_says_nothing():
    """A sum that nearly every throw beats lasts nowhere; another is told with the throw at the cell beside it."""
    for faces, told in (((2, 1, 1), False), ((6, 5, 3), True)):
        state = match({(0, 0): num(1, 9)}, throws=(thrown(faces, *[(450, 450)] * 3),))
        lasting = [why for why in game.reasons(game.view(state, 0)) if why["say"] == "lasting"]
        assert bool(lasting) == told
        assert all(isclose(why["chance"], chance_at(middle((2, 3)), 14, 8), abs_tol=0.02) for why in lasting)
