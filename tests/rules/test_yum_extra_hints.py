"""What the page of Yum EXTRA shows beside the view, and marks of the turns in its log."""

import pytest
from msgspec.structs import replace

from games.rules.yum_extra.sheet import CELLS, Row, Sheet
from games.rules.yum_extra.state import State
from tests.rules.test_yum_extra import closed, game, sheet


def hints_of(state, seat):
    return game.hints(game.view(state, seat))


def test_the_hints_say_what_the_dice_would_give_and_what_gives_most():
    state = State("forced", 0, 0, (sheet(fives=Row(0)), Sheet()), dice=(5, 5, 5, 2, 1), rolls=1)
    hints = hints_of(state, 0)
    assert hints["may"] == ["roll", "die", "all", "score"]
    assert hints["own"]["three_kind"] == {"score": 18}
    assert "fives" not in hints["own"]
    assert hints["best"] == ["three_kind", "high_roll"]
    assert hints_of(replace(state, dice=(6, 6, 5, 4, 2)), 0)["best"] == ["sixes"]
    assert hints_of(state, 1)["own"] == hints_of(state, None)["own"] == {}


def test_a_high_roll_is_the_best_only_as_the_last_row():
    rows = {cell: Row(0) for cell in CELLS if cell != "high_roll"}
    state = State("forced", 0, 0, (sheet(**rows), Sheet()), dice=(6, 5, 5, 2, 1), rolls=3)
    assert hints_of(state, 0)["best"] == ["high_roll"]


def test_the_hints_sort_privileges_by_the_rows_that_they_concern():
    sheets = (sheet(twos=Row(6)), sheet(fours=Row(8)))
    double = State("forced", 0, 1, sheets, dice=(1, 2, 2, 1, 1), rolls=1, combo=0, white=2)
    hints = hints_of(double, 0)
    assert (hints["may"], hints["usable"]) == (["double", "combo", "pass"], ["double"])
    assert (hints["own"], hints["others"]) == ({"twos": {"double": 12}}, {})
    steal = State("forced", 0, 1, sheets, dice=(1, 2, 1, 5, 1), rolls=1, combo=0, white=2)
    assert hints_of(steal, 0)["others"] == {1: {"fours": {"steal": 8}}}
    nothing = State("forced", 0, 1, sheets, dice=(1, 2, 1, 1, 1), rolls=1, combo=0, white=2)
    assert not hints_of(nothing, 0)["usable"]


def test_the_hints_say_what_the_white_die_rolled_again_could_bring():
    sheets = (sheet(twos=Row(6)), sheet(fours=Row(8)))
    state = State("forced", 0, 1, sheets, dice=(1, 2, 2, 5, 1), rolls=1, combo=0, white=4)
    hints = hints_of(state, 0)
    assert hints["again"] == [(1, ["erase"]), (2, ["steal", "double"])]
    assert not hints["blank"]
    blank = replace(state, sheets=(Sheet(), sheets[1]))
    assert (hints_of(blank, 0)["again"], hints_of(blank, 0)["blank"]) == ([(2, ["steal"])], True)
    assert not hints_of(replace(state, sheets=(sheets[0].without_extra("combo"), sheets[1])), 0)["again"]


@pytest.mark.parametrize(
    ("dice", "rows", "answer"),
    [
        ((1, 2, 2, 2, 6), {}, {"type": "pass"}),  # erase and double would find nothing
        ((1, 2, 2, 2, 6), {"ones": Row(3)}, None),
        ((4, 4, 4, 1, 2), {}, None),  # a 4 would steal
    ],
)
def test_a_question_whose_answer_makes_no_difference_needs_none(dice, rows, answer):
    state = State("forced", 0, 1, (sheet(**rows), sheet(twos=Row(6))), dice=dice, rolls=1, combo=0, white=5)
    assert game.prompt(state, 0)["moves"] == [{"type": "extra", "extra": "combo"}, {"type": "pass"}]
    assert game.needless(state, 0) == answer
    assert game.needless(state, 1) is None
    assert game.ordered_move(game.view(state, 0), {}) is None  # the rules ask; the site answers


def test_a_zero_is_risky_where_points_could_be_written():
    state = State("free", 0, 0, (Sheet(), Sheet()), dice=(5, 5, 5, 2, 1), rolls=1)
    assert hints_of(state, 0)["risky"]
    assert not hints_of(replace(state, scratch="forced"), 0)["risky"]
    assert not hints_of(replace(state, sheets=(closed("sixes"), Sheet())), 0)["risky"]


def test_the_hints_say_which_combos_are_near_and_which_lie_there():
    rolling = State("forced", 0, 0, (Sheet(), Sheet()), dice=(1, 4, 2, 1, 1), rolls=1)
    lies = {privilege: states for privilege, _combos, states in hints_of(rolling, 1)["combos"]}
    assert (lies["erase"], lies["double"]) == (("near", "near", ""), ("near", "", ""))
    combo = State("forced", 0, 0, (Sheet(), Sheet()), dice=(1, 4, 2, 1, 1), rolls=1, combo=1, white=3)
    lies = {privilege: states for privilege, _combos, states in hints_of(combo, None)["combos"]}
    assert (lies["erase"], lies["double"]) == (("", "on", ""), ("", "", ""))


def entry(n, *events, **more):
    return {"n": n, "events": events, "fresh": False, "new": False, "latest": False} | more


def test_the_page_marks_the_dice_just_rolled_and_the_rows_just_changed():
    first = entry(1, {"type": "roll", "n": 1, "rolled": [0, 1, 2, 3, 4]})
    second = entry(2, {"type": "roll", "n": 2, "rolled": [1, 3]}, fresh=True)
    assert game.traces([first])["just"] == []
    found = game.traces([first, second])
    assert (found["rolled"], found["thrown"], found["loose"], found["just"]) == (
        [1, 2, 1, 2, 1],
        2,
        2,
        [1, 3],
    )
    written = {"type": "score", "seat": 0, "cell": "ones", "points": 2}
    stolen = {"type": "steal", "seat": 1, "from": 0, "cell": "ones", "points": 2}
    found = game.traces([first, entry(2, written), entry(3, stolen, latest=True)])
    assert (found["written"], found["changed"]) == (written, {"ones": [1, 0]})
    assert game.traces([entry(2, written, new=True), entry(3, stolen)])["changed"] == {"ones": [0]}
    assert game.traces([]) == {
        "rolled": [0] * 5,
        "thrown": -1,
        "loose": 0,
        "just": [],
        "written": None,
        "changed": {},
    }
