"""A turn of YAY!, where a scenario cannot say it: each paragraph with prepared draws (spec: yay.md)."""

from itertools import product

import pytest

from games.engine import ScriptedChance
from games.rules.yay.board import LOCK
from tests.rules.playing import positions, setups
from tests.rules.yay_match import NEVER, at, draws, game, grid, match, num, out, play, refused, throw, thrown

# Setup


def test_the_tied_roll_again_among_themselves_until_one_is_left():
    first, second, third = (
        [[6, 6, 6], [1, 1, 1], [6, 6, 6], [6, 6, 6]],
        [[2, 2, 2], [2, 2, 1], [2, 2, 2]],
        [[1, 1, 2], [2, 1, 2]],
    )
    chance = ScriptedChance(first + second + third)
    state = game.setup(seats=4, options={}, chance=chance)
    assert chance.left == []
    assert [roll["seat"] for roll in game.view(state, None)["opening"]] == [0, 1, 2, 3, 0, 2, 3, 0, 3]
    assert state.thrower == 3


@pytest.mark.parametrize("options", [{"size": 7}, {"size": "8"}, {"size": 8.0}, {"size": True}, {"board": 8}])
def test_no_other_board(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        game.setup(seats=2, options=options, chance=NEVER)


@pytest.mark.parametrize("seats", [1, 5])
def test_two_to_four_seats(seats):
    with pytest.raises(ValueError, match="seats"):
        game.setup(seats=seats, options={}, chance=NEVER)


# A turn: the throw


def test_a_throw_draws_faces_then_three_scatters_and_lies_at_aim_plus_scatter():
    state, events = play(match(), throw(150, 250), chance=draws([2, 3, 4], (10, -20), (-151, 0), (40, 40)))
    dice = [
        {"face": 2, "x": 160, "y": 230, "on_board": True},
        {"face": 3, "x": -1, "y": 250, "on_board": False},
        {"face": 4, "x": 190, "y": 290, "on_board": True},
    ]
    assert events == [{"type": "throw", "seat": 0, "n": 1, "aim": [150, 250], "dice": dice, "sum": 6}]
    assert game.view(state, 1)["throws"] == [{"aim": [150, 250], "dice": dice, "sum": 6}]


def test_all_dice_off_the_board_sum_to_nothing_and_the_turn_ends():
    state, events = play(match(), throw(0, 0), chance=draws([6, 6, 6], (-1, 0), (0, -1), (-9, -9)))
    assert [event["type"] for event in events] == ["throw", "nothing", "turn"]
    assert events[0]["sum"] == 0
    assert state.thrower == 1


def test_the_far_rim_may_be_aimed_at_but_is_off_the_board():
    state, _ = play(match(), throw(800, 800), chance=draws([1, 1, 1], (0, 0), (-1, -1), (0, -1)))
    assert [die.on_board for die in state.throws[0].dice] == [False, True, False]


# A failed repeat


def test_an_equal_throw_fails_and_with_one_number_it_is_crossed_out_at_once():
    state = match({(0, 0): num(0, 7), (0, 1): num(1, 5)}, throws=(thrown([3, 3, 3], *[(450, 450)] * 3),))
    state, events = play(state, throw(), chance=draws([1, 2, 6]))
    assert [event["type"] for event in events] == ["throw", "fail", "cross", "turn"]
    assert events[1] == {"type": "fail", "seat": 0, "sum": 9, "before": 9, "owes": True}
    assert events[2] == {"type": "cross", "seat": 0, "cell": [0, 0], "owner": 0, "value": 7}
    assert grid(state, 0, 0) == {"owner": 0, "value": 7, "valid": False}
    assert grid(state, 0, 1)["valid"]
    last = game.view(state, None)["last_turn"]
    assert (last["result"], last["cell"], last["crossed"], len(last["throws"])) == ("fail", None, [[0, 0]], 2)


def test_with_no_number_of_ones_own_a_failed_throw_costs_nothing():
    state = match({(0, 0): out(0, 7), (0, 1): num(1, 5)}, throws=(thrown([3, 3, 3], *[(450, 450)] * 3),))
    state, events = play(state, throw(), chance=draws([1, 1, 1]))
    assert [event["type"] for event in events] == ["throw", "fail", "turn"]
    assert events[1]["owes"] is False
    assert state.last_turn.crossed == ()
    assert state.thrower == 1


def test_with_several_the_thrower_chooses_anywhere_and_nothing_else():
    marks = {(0, 0): num(0, 7), (7, 7): num(0, 12), (3, 0): out(0, 9), (0, 1): num(1, 5), (5, 5): LOCK}
    state = match(marks, throws=(thrown([3, 3, 3], *[(450, 450)] * 3),))
    state, events = play(state, throw(), chance=draws([1, 1, 1]))
    assert [event["type"] for event in events] == ["throw", "fail"]
    view = game.view(state, 0)
    assert (view["phase"], view["touched"], view["enterable"]) == ("cross", [], [])
    assert view["prompt"]["moves"] == [
        {"type": "cross", "row": 0, "col": {"one_of": [0]}},
        {"type": "cross", "row": 7, "col": {"one_of": [7]}},
    ]
    for move in (at("cross", 3, 0), at("cross", 0, 1), at("cross", 5, 5), at("cross", 1, 1)):
        assert refused(state, move).code == "illegal"
    state, events = play(state, at("cross", 7, 7))
    assert [event["type"] for event in events] == ["cross", "turn"]
    assert game.view(state, 0)["cells"] == [1, 1]


def test_the_sum_is_compared_before_anything_is_touched():
    """A repeat that is too low and touches nothing free has failed; it does not pass freely."""
    marks = {(0, 0): num(0, 7)}
    state = match(marks, throws=(thrown([3, 3, 3], *[(450, 450)] * 3),))
    _, events = play(state, throw(20, 20), chance=draws([2, 2, 2]))
    assert [event["type"] for event in events] == ["throw", "fail", "cross", "turn"]


def test_dice_off_the_board_make_a_repeat_fail():
    state = match({(0, 0): num(0, 7)}, throws=(thrown([3, 3, 3], *[(450, 450)] * 3),))
    _, events = play(state, throw(5, 5), chance=draws([6, 6, 6], (0, 0), (-6, 0), (0, -6)))
    assert events[1] == {"type": "fail", "seat": 0, "sum": 6, "before": 9, "owes": True}


def test_a_higher_repeat_that_touches_nothing_free_ends_the_turn_without_penalty():
    state = match({(0, 0): num(0, 7)}, throws=(thrown([3, 3, 3], *[(450, 450)] * 3),))
    state, events = play(state, throw(20, 20), chance=draws([6, 6, 6]))
    assert [event["type"] for event in events] == ["throw", "nothing", "turn"]
    assert grid(state, 0, 0)["valid"]
    assert state.last_turn.result == "nothing"


def test_one_may_throw_again_as_often_as_one_dares_and_only_the_last_throw_counts():
    chance = [draw for faces in ([1, 1, 2], [1, 2, 2], [2, 2, 2]) for draw in draws(faces)]
    state, events = play(match(), throw(150, 150), throw(350, 350), throw(650, 650), chance=chance)
    assert [event["n"] for event in events] == [1, 2, 3]
    assert game.view(state, 0)["touched"] == [[r, c] for r in (5, 6, 7) for c in (5, 6, 7)]
    assert refused(state, at("write", 1, 1)).code == "illegal"
    state, _ = play(state, at("write", 5, 7))
    assert grid(state, 5, 7) == {"owner": 0, "value": 6, "valid": True}


# The first turn


def test_in_the_first_turn_the_first_throw_stands():
    state, _ = play(match(firsts=False), throw(), chance=draws([1, 1, 1]))
    assert {move["type"] for move in game.prompt(state, 0)["moves"]} == {"write"}
    error = refused(state, throw())
    assert (error.code, str(error)) == ("illegal", "In your first turn you throw only once.")


def test_a_first_turn_that_passed_is_over_all_the_same():
    state, _ = play(match(firsts=False), throw(0, 0), chance=draws([1, 1, 1], (-1, 0), (-1, 0), (-1, 0)))
    assert game.view(state, None)["first_turns"] == [True, False]
    state, _ = play(state, throw(0, 0), chance=draws([1, 1, 1], (-1, 0), (-1, 0), (-1, 0)))
    state, _ = play(state, throw(), chance=draws([1, 1, 1]))
    assert {"throw", "write"} == {move["type"] for move in game.prompt(state, 0)["moves"]}


# Writing and locking


def test_what_hinders_and_what_does_not():
    """Around (3, 3): an own higher number, a crossed one, a lock and a lower number do not keep out."""
    marks = {(2, 3): num(0, 18), (3, 2): out(1, 18), (3, 4): LOCK, (4, 3): num(1, 8), (2, 2): num(1, 18)}
    state = match(marks, throws=(thrown([3, 3, 3], *[(350, 350)] * 3),))
    assert [3, 3] in game.view(state, 0)["enterable"]
    state, events = play(state, at("write", 3, 3))
    crossed = [{"cell": [4, 3], "owner": 1, "value": 8}]
    assert events[0] == {"type": "write", "seat": 0, "cell": [3, 3], "value": 9, "crossed": crossed}
    assert game.view(state, None)["last_turn"]["crossed"] == [[4, 3]]
    assert (grid(state, 2, 3)["valid"], grid(state, 2, 2)["valid"]) == (True, True)


def test_several_numbers_of_several_seats_are_crossed_out_in_row_order():
    marks = {(2, 3): num(2, 8), (3, 2): num(1, 8), (3, 4): num(1, 3), (4, 3): num(2, 5)}
    state = match(marks, seats=3, throws=(thrown([3, 3, 3], *[(350, 350)] * 3),))
    state, _ = play(state, at("write", 3, 3))
    assert game.view(state, None)["last_turn"]["crossed"] == [[2, 3], [3, 2], [3, 4], [4, 3]]
    assert game.view(state, None)["cells"] == [1, 0, 0]


def test_one_higher_neighbour_keeps_out_whatever_the_others_are():
    marks = {(2, 3): num(1, 3), (4, 3): num(1, 9)}
    state = match(marks, throws=(thrown([3, 3, 3], *[(350, 350)] * 3),))
    error = refused(state, at("write", 3, 3))
    assert (error.code, str(error)) == (
        "illegal",
        "An equal or higher number beside that cell keeps you out.",
    )


def test_any_touched_cell_may_be_locked_when_none_is_enterable():
    """The dice touch (0, 0) and (0, 1), each beside an 18; whoever holds it, both may be locked."""
    marks = {(1, 0): num(1, 18), (0, 2): num(1, 18), (1, 1): out(0, 3)}
    state = match(marks, throws=(thrown([3, 3, 3], *[(60, 20)] * 3),))
    view = game.view(state, 0)
    assert (view["touched"], view["enterable"]) == ([[0, 0], [0, 1]], [])
    assert view["prompt"]["moves"][0] == {"type": "lock", "row": 0, "col": {"one_of": [0, 1]}}
    state, events = play(state, at("lock", 0, 1))
    assert events[0] == {"type": "lock", "seat": 0, "cell": [0, 1], "sum": 9}
    assert grid(state, 0, 1) == {"locked": True}
    assert refused(match(marks, throws=(thrown([3, 3, 3], *[(450, 450)] * 3),)), at("lock", 4, 4)).code == "illegal"


def test_a_filled_cell_is_never_free_again():
    for state in positions(game, 3, {}, seed=5):
        filled = [cell for cell, mark in state.board.cells() if mark]
        assert not set(state.touched()) & set(filled)


def allowed(view):
    """Every move of the decide and cross phases, told a second time from the spec and from the view alone."""
    grid, me, size = view["grid"], view["thrower"], len(view["grid"])
    if view["phase"] == "cross":
        mine = [c for c in product(range(size), repeat=2) if is_valid(at_cell(grid, c), me, own=True)]
        return {("cross", *cell) for cell in mine}
    dice = [die for die in view["throws"][-1]["dice"] if die["on_board"]]
    total = sum(die["face"] for die in dice)
    near = {
        (r, c)
        for r, c in product(range(size), repeat=2)
        for die in dice
        if grid[r][c] is None and abs(die["x"] - 100 * c - 50) < 110 and abs(die["y"] - 100 * r - 50) < 110
    }
    writable = {cell for cell in near if all(value < total for value in rivals(grid, cell, me))}
    kind = "write" if writable else "lock"
    return {(kind, *cell) for cell in writable or near} | ({("throw",)} if view["first_turns"][me] else set())


def at_cell(grid, cell):
    row, col = cell
    return grid[row][col] if 0 <= row < len(grid) and 0 <= col < len(grid) else None


def is_valid(mark, me, own):
    return bool(mark) and mark.get("valid", False) and (mark["owner"] == me) == own


def rivals(grid, cell, me):
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    marks = [at_cell(grid, (cell[0] + down, cell[1] + right)) for down, right in steps]
    return [mark["value"] for mark in marks if is_valid(mark, me, own=False)]


@pytest.mark.parametrize(("seats", "options"), [(s, o) for slug, s, o in setups() if slug == "yay"])
def test_the_prompt_is_what_the_spec_allows(seats, options):
    seen = set()
    for seed in range(6):
        for state in positions(game, seats, options, seed=seed, end=False):
            view = game.view(state, state.thrower)
            seen.add(view["phase"])
            moves = view["prompt"]["moves"]
            if view["phase"] == "throw":
                across = {"min": 0, "max": 100 * options.get("size", 8)}
                assert moves == [{"type": "throw", "x": across, "y": across}]
                continue
            said = {(m["type"], m["row"], c) for m in moves if m["type"] != "throw" for c in m["col"]["one_of"]}
            said |= {("throw",) for m in moves if m["type"] == "throw"}
            assert said == allowed(view)
    assert seen == {"throw", "decide", "cross"}
