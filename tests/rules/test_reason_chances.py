"""The chances that reasons tell, beside every throw counted one by one."""

from itertools import combinations, product

import pytest

from games.engine import SeededChance
from games.engine.throws import NOTHING
from games.rules import get_game
from games.rules.yam_menteur import sheet as yam_sheet
from games.rules.yam_menteur.odds import aim
from games.rules.yam_menteur.reasons import chance_of
from games.rules.yay.board import SPREAD, on_board
from games.rules.yay.reasons import all_on_board
from games.rules.yum_extra import sheet as yum_sheet
from games.rules.yum_extra.reasons import reached
from games.rules.yum_extra.sheet import BY_WHITE, formed
from games.rules.yum_extra.state import State as YumState
from tests.rules.yam import begun, tried
from tests.rules.yay_match import draws, throw
from tests.rules.yay_match import match as yay_match
from tests.rules.yay_match import play as throw_at

FACES = range(1, 7)


def share(throws, is_hit):
    throws = list(throws)
    return sum(map(is_hit, throws)) / len(throws)


def subsets(places):
    return [each for size in range(len(places)) for each in combinations(places, size)]


def by_counting(kept, loose, tries, is_hit):
    """The chance of a hit with dice that are kept for good, and so many others rolled up to so many times."""

    def after(rolled):
        if is_hit([*kept, *rolled]):
            return 1.0
        if tries == 1:
            return 0.0
        keeps = [[rolled[index] for index in each] for each in subsets(range(loose))]
        return max(by_counting([*kept, *keep], loose - len(keep), tries - 1, is_hit) for keep in keeps)

    return sum(map(after, product(FACES, repeat=loose))) / 6**loose


@pytest.mark.parametrize(
    ("cell", "least", "kept", "tries"),
    [
        ("full_house", 25, (), 1),
        ("chance", 22, (), 1),
        ("sixes", 18, (2,), 1),
        ("yam", 50, (3, 3, 3), 2),
        ("four_kind", 5, (1, 1, 2), 2),  # kept for good: a four of another number cannot be had any more
        ("full_house", 25, (5, 5, 6), 2),
        ("chance", 20, (1, 6, 6), 2),
    ],
)
def test_the_chance_of_a_claim_is_that_of_all_throws(cell, least, kept, tries):
    def is_hit(dice):
        return yam_sheet.points(tuple(dice))[cell] >= least

    counted = by_counting(kept, 5 - len(kept), tries, is_hit)
    assert aim(cell, least).chance(kept, tries) == pytest.approx(counted)


def test_dice_under_an_earlier_cup_stay_in_the_chances_of_yam_menteur():
    state = tried(begun(), [1, 1, 4, 5, 6], ([2, 3, 4], [6, 6, 2]))
    view = get_game("yam-menteur").view(state, 0)
    assert view["locked"] == [0, 1]

    def is_hit(dice):
        return yam_sheet.points(tuple(dice))["full_house"] == 25

    keeps = [[view["dice"][index] for index in (0, 1, *more)] for more in subsets((2, 3, 4))]
    counted = max(by_counting(keep, 5 - len(keep), 1, is_hit) for keep in keeps)
    assert chance_of(view, "full_house", 25, 1) == pytest.approx(counted) == pytest.approx(1 / 3)


def best_roll(dice, rule, least):
    """The chance of a row by one roll of the dice that are best rolled, all throws counted."""

    def chance(kept):
        more = product(FACES, repeat=5 - len(kept))
        return share(more, lambda rolled: yum_sheet.points((*kept, *rolled))[rule] >= least)

    return max(chance([dice[index] for index in each]) for each in subsets(range(5)))


@pytest.mark.parametrize("dice", [(1, 2, 3, 5, 5), (6, 6, 6, 2, 1)])
def test_the_chance_of_a_row_by_the_next_roll_is_that_of_all_rolls(dice):
    game, blank = get_game("yum-extra"), yum_sheet.Sheet()
    view = game.view(YumState("forced", 0, 0, (blank, blank), dice=dice, rolls=1), 0)
    told = {reason["say"]: reason for reason in game.reasons(view)}
    assert len(told["ahead"]["rows"]) == 4
    for _cell, rule, least, chance in told["ahead"]["rows"]:
        assert chance == pytest.approx(best_roll(dice, rule, least))
    assert told["high"]["chance"] == pytest.approx(best_roll(dice, "high_roll", sum(dice) + 1))


def test_the_chance_with_three_rolls_takes_up_dice_again():
    """Known of the game of five dice: five alike in three rolls."""
    assert reached("yum", 1, NOTHING, 3) == pytest.approx(347_897 / 7_558_272)  # 4.603 %


def test_a_combo_is_there_for_as_many_white_numbers_as_form_one():
    for dice in [(1, 4, 6, 5, 2), (3, 3, 3, 3, 3), (1, 2, 1, 1, 1), (6, 5, 4, 3, 1)]:
        told = sum(
            any(
                dice[die] == face and number == white
                for combos in yum_sheet.COMBOS.values()
                for number, die, face in combos
            )
            for white in FACES
        )
        assert sum(bool(formed(white, dice)) for white in BY_WHITE) == told


@pytest.mark.parametrize("cell", [(0, 0), (3, 7), (4, 4)])
def test_about_how_often_three_dice_stay_on_the_board(cell):
    chance = SeededChance(b"board")
    x, y = 100 * cell[1] + 50, 100 * cell[0] + 50
    throws = [[chance.scatter(SPREAD) for _die in range(3)] for _throw in range(2000)]
    seen = share(throws, lambda dice: all(on_board(x + dx, y + dy, 8) for dx, dy in dice))
    assert all_on_board(cell, 8) == pytest.approx(seen, abs=0.03)


@pytest.mark.parametrize("total", [(1, 1, 1), (6, 5, 1), (6, 6, 6)])
def test_the_chance_of_another_throw_is_that_at_the_same_place(total):
    """At the corner, where dice fall off; by a count of throws as they are drawn."""
    before = draws(total, (30, 30), (40, 40), (50, 50))
    state, _events = throw_at(yay_match(), throw(0, 0), chance=before)
    (told,) = (why for why in get_game("yay").reasons(get_game("yay").view(state, 0)) if why["say"] == "again")
    assert told["cell"] == (0, 0)
    chance = SeededChance(b"again")
    throws = [(chance.roll(3, 6), [chance.scatter(SPREAD) for _die in range(3)]) for _throw in range(2000)]
    landed = [[(face, *at) for face, at in zip(faces, places, strict=True)] for faces, places in throws]
    seen = share(landed, lambda dice: sum(f for f, x, y in dice if on_board(x, y, 8)) > sum(total))
    assert told["chance"] == pytest.approx(seen, abs=0.03)
