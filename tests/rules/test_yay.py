"""YAY!, where a scenario cannot say it: each paragraph of the spec (yay.md) with prepared draws."""

from itertools import product
from random import Random

import pytest

from games.engine import IllegalMove, ScriptedChance, get_game
from games.rules.yay.board import LOCK, Board, Mark
from games.rules.yay.odds import FACES, chance_to_beat, ways_to_beat
from games.rules.yay.state import Opening, State, die_at
from games.rules.yay.state import Throw as Thrown
from tests.rules.playing import positions, setups

game = get_game("yay")
NEVER = ScriptedChance([])


def num(owner, value):
    return Mark(owner, value, True)


def out(owner, value):
    return Mark(owner, value)


def board(marks, size=8):
    cells = [(row, col) for row in range(size) for col in range(size)]
    return Board(size, tuple(marks.get(cell) for cell in cells))


def match(marks=None, *, size=8, seats=2, firsts=True, thrower=0, **more):
    """A match in the middle, by default after everybody's first turn."""
    opening = tuple(Opening(seat, (seat + 1, 1, 1)) for seat in range(seats))
    return State(board(marks or {}, size), opening, thrower, (firsts,) * seats, **more)


def thrown(faces, *places, aim=(400, 400), size=8):
    return Thrown(aim, tuple(die_at(f, x, y, size) for f, (x, y) in zip(faces, places, strict=True)))


def draws(faces, *offsets):
    """A throw: the faces, and where each die lands beside the aim; all at the aim if nothing is said."""
    return [list(faces), *(list(offset) for offset in offsets or [(0, 0)] * 3)]


def play(state, *moves, chance=()):
    """Play moves of the thrower; the state, and the events of all moves."""
    chance, told = ScriptedChance(list(chance)), []
    for move in moves:
        state, events = game.apply(state, state.thrower, move, chance)
        told += events
    assert chance.left == []
    return state, told


def throw(x=400, y=400):
    return {"type": "throw", "x": x, "y": y}


def at(kind, row, col):
    return {"type": kind, "row": row, "col": col}


def refused(state, move, seat=None):
    with pytest.raises(IllegalMove) as caught:
        game.apply(state, state.thrower if seat is None else seat, move, NEVER)
    return caught.value


def grid(state, row, col):
    return game.view(state, None)["grid"][row][col]


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
    assert (error.code, str(error)) == ("illegal", "In your first turn the first throw stands: write it.")


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
    assert (
        refused(match(marks, throws=(thrown([3, 3, 3], *[(450, 450)] * 3),)), at("lock", 4, 4)).code
        == "illegal"
    )


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
                across = {"min": 0, "max": 100 * options["size"]}
                assert moves == [{"type": "throw", "x": across, "y": across}]
                continue
            said = {
                (m["type"], m["row"], c) for m in moves if m["type"] != "throw" for c in m["col"]["one_of"]
            }
            said |= {("throw",) for m in moves if m["type"] == "throw"}
            assert said == allowed(view)
    assert seen == {"throw", "decide", "cross"}


# The end


def filled_lines(size=8):
    """Row 0 and column 0 without (0, 0), with numbers of seat 1 that a 9 does not beat."""
    marks = {(0, col): num(1, 10) for col in range(1, size)}
    return marks | {(row, 0): num(0, 3) for row in range(1, size)}


@pytest.mark.parametrize("size", [6, 8])
def test_a_row_and_a_column_without_free_cells_end_it_whatever_they_hold(size):
    dice = thrown([3, 3, 3], *[(20, 20)] * 3, size=size)
    state, events = play(match(filled_lines(size), size=size, throws=(dice,)), at("lock", 0, 0))
    assert [event["type"] for event in events] == ["lock", "end"]
    assert events[1]["why"] == "lines"
    view = game.view(state, None)
    assert (view["phase"], view["thrower"], view["throws"]) == ("over", 0, [])
    assert (view["full_rows"], view["full_cols"]) == ([0], [0])
    assert view["outcome"] == {"ranks": [2, 1], "scores": [size - 1, size - 1], "winners": [1]}


def test_rows_alone_do_not_end_it():
    marks = {(row, col): num(0, 3) for row in (0, 1) for col in range(8) if (row, col) != (1, 7)}
    state, events = play(match(marks, throws=(thrown([3, 3, 3], *[(750, 150)] * 3),)), at("write", 1, 7))
    assert events[-1]["type"] == "turn"
    assert (game.view(state, 0)["full_rows"], game.view(state, 0)["full_cols"]) == ([0, 1], [])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_three_rounds_without_a_filled_cell_end_it(seats):
    state, told = match(seats=seats), []
    while not state.over:
        state, events = play(state, throw(0, 0), chance=draws([1, 1, 1], (-1, 0), (-1, 0), (-1, 0)))
        told.append(events[-1]["type"])
    assert told == ["turn"] * (3 * seats - 1) + ["end"]
    assert game.view(state, None)["thrower"] == seats - 1
    assert game.outcome(state) == {"ranks": [1] * seats, "scores": [0] * seats, "winners": list(range(seats))}


def test_a_filled_cell_begins_the_count_anew():
    state, _ = play(match(idle=5, throws=(thrown([1, 1, 1], *[(450, 450)] * 3),)), at("write", 4, 4))
    assert (state.idle, state.over) == (0, False)


def test_a_crossing_out_that_is_due_comes_before_the_end():
    marks = {(0, 0): num(0, 7), (0, 2): num(0, 9)}
    state = match(marks, idle=5, throws=(thrown([3, 3, 3], *[(450, 450)] * 3),))
    state, events = play(state, throw(), chance=draws([1, 1, 1]))
    assert (events[-1]["type"], state.phase, game.outcome(state)) == ("fail", "cross", None)
    state, events = play(state, at("cross", 0, 0))
    assert events[-1] == {"type": "end", "why": "idle"}
    assert game.outcome(state)["scores"] == [1, 0]


def test_equal_cells_are_told_apart_by_the_sum_and_equal_sums_share():
    marks = {(0, 0): num(0, 9), (0, 2): num(1, 10), (0, 4): num(2, 10), (0, 6): num(3, 4), (2, 0): num(3, 4)}
    outcome = game.outcome(match(marks | {(4, 4): out(0, 18)}, seats=4, over=True))
    assert outcome == {"ranks": [4, 2, 2, 1], "scores": [1, 1, 1, 2], "winners": [3]}


# Refusals


@pytest.mark.parametrize(
    ("size", "move", "code"),
    [
        (6, throw(601, 0), "bad_field"),
        (8, throw(0, 801), "bad_field"),
        (8, throw(-1, 0), "bad_field"),
        (8, {"type": "throw", "x": 400.0, "y": 4}, "bad_field"),
        (8, {"type": "throw", "x": True, "y": 4}, "bad_field"),
        (8, {"type": "throw", "x": 4}, "bad_field"),
        (8, {"type": "throw", "x": 4, "y": 4, "z": 4}, "bad_field"),
        (6, at("write", 6, 0), "bad_field"),
        (6, at("cross", 0, 6), "bad_field"),
        (8, at("lock", 8, 0), "bad_field"),
        (8, at("write", 7, 7), "illegal"),
        (8, at("lock", 7, 7), "illegal"),
        (8, at("cross", 7, 7), "illegal"),
        (8, {"type": "pass"}, "unknown_move"),
        (8, ["throw"], "unknown_move"),
    ],
)
def test_what_is_refused_before_the_throw(size, move, code):
    assert refused(match(size=size), move).code == code


def test_each_refusal_says_why():
    marks = {(0, 0): num(0, 7), (0, 2): num(0, 9)}
    before = match(marks)
    decide = match(marks, throws=(thrown([3, 3, 3], *[(450, 450)] * 3),))
    crossing = match(marks, crossing=True, throws=decide.throws * 2)
    said = [
        (before, at("write", 1, 1), "Throw the dice first."),
        (before, at("cross", 0, 0), "You have nothing to cross out now."),
        (decide, at("write", 1, 1), "None of your dice touches that cell, or it is not free."),
        (decide, at("lock", 4, 4), "Lock a cell only when there is none to write in."),
        (crossing, throw(), "Your throw failed: cross out one of your numbers."),
        (crossing, at("write", 1, 1), "Your throw failed: cross out one of your numbers."),
        (crossing, at("cross", 5, 5), "That is not a valid number of yours."),
    ]
    for state, move, sentence in said:
        assert str(refused(state, move)) == sentence
    assert refused(before, throw(), seat=1).code == "not_your_turn"
    assert refused(match(over=True), throw()).code == "over"


# The view


def test_the_view_has_what_the_spec_names():
    assert set(game.view(match(), 0)) == {
        *("game", "seats", "phase", "to_move", "you", "prompt", "outcome"),
        *("grid", "thrower", "first_turns", "throws", "last_turn", "touched", "enterable", "cells", "sums"),
        *("full_rows", "full_cols", "opening"),
    }


def test_the_state_holds_no_more_of_a_match_than_its_last_turn():
    sizes = [len(game.dump(state)) for state in positions(game, 2, {}, seed=8)]
    assert max(sizes) < 8000


# Time-out moves


def test_a_late_throw_goes_where_there_is_most_room_and_nearest_to_the_middle():
    assert game.default_move(match(), 0) == throw(350, 350)
    assert game.default_move(match(size=6), 0) == throw(250, 250)
    middle_taken = {(r, c): LOCK for r in (3, 4) for c in (3, 4)}
    assert game.default_move(match(middle_taken), 0) == throw(350, 150)


def test_cells_beyond_the_rim_are_not_room():
    marks = {(r, c): LOCK for r, c in product(range(8), repeat=2) if (r, c) not in {(0, 0), (4, 4), (0, 1)}}
    assert game.default_move(match(marks), 0) == throw(150, 50)  # as roomy as (0, 0), and nearer


def test_a_late_decision_crosses_out_most_then_the_first_in_row_order():
    marks = {(3, 3): num(1, 2), (5, 3): num(1, 2), (4, 2): out(1, 2)}
    state = match(marks, throws=(thrown([3, 3, 3], *[(350, 450)] * 3),))
    assert game.default_move(state, 0) == at("write", 4, 3)
    assert game.default_move(match(throws=state.throws), 0) == at("write", 3, 2)
    barred = {(0, 1): num(1, 18), (1, 0): num(1, 18), (1, 1): LOCK}
    state = match(barred, throws=(thrown([3, 3, 3], *[(20, 20)] * 3),))
    assert game.default_move(state, 0) == at("lock", 0, 0)


def test_a_late_crossing_out_takes_the_lowest_first_in_row_order():
    marks = {(0, 5): num(0, 9), (2, 0): num(0, 4), (2, 6): num(0, 4), (7, 7): num(1, 3), (1, 1): out(0, 2)}
    state = match(marks, crossing=True, throws=(thrown([3, 3, 3], *[(450, 450)] * 3),) * 2)
    assert game.default_move(state, 0) == at("cross", 2, 0)
    assert game.default_move(state, 1) is None


# Odds, hints, bots


def test_the_chance_to_beat_a_sum_is_exact():
    assert (ways_to_beat(0), ways_to_beat(3), ways_to_beat(10), ways_to_beat(17)) == (216, 215, 108, 1)
    assert ways_to_beat(18) == 0
    for total in range(19):
        assert chance_to_beat(total) == sum(sum(faces) > total for faces in FACES) / 216


def test_the_hints_say_what_each_cell_would_cross_out():
    marks = {(3, 3): num(1, 2), (5, 3): num(1, 2)}
    state = match(marks, throws=(thrown([3, 3, 3], *[(350, 450)] * 3),))
    view = game.view(state, 0)
    hints = game.hints(view)
    assert hints["ways"] == ways_to_beat(9)
    assert dict(zip(map(tuple, view["enterable"]), hints["crossing"], strict=True))[4, 3] == [[3, 3], [5, 3]]
    assert game.hints(game.view(state, 1)) == {}
    assert game.hints(game.view(match(), 0))["aim"] == [350, 350]


def test_easy_writes_in_the_first_cell_and_never_throws_again():
    bot = game.bot("easy")
    for state in positions(game, 3, {}, seed=21, end=False):
        view = game.view(state, state.thrower)
        move = bot.choose(view, Random(1))
        if view["phase"] == "decide" and view["enterable"]:
            assert move == at("write", *view["enterable"][0])
        else:
            assert move == game.default_move(state, state.thrower)


def decision(state):
    return game.bot("strong").choose(game.view(state, state.thrower), Random(3))


def test_strong_keeps_an_18_and_throws_again_after_a_3():
    stands = match({(0, 0): num(0, 7)}, throws=(thrown([6, 6, 6], *[(450, 450)] * 3),))
    assert decision(stands)["type"] == "write"
    weak = match({(3, 3): num(1, 8), (3, 4): num(1, 8)}, throws=(thrown([1, 1, 1], *[(450, 650)] * 3),))
    assert decision(weak)["type"] == "throw"


def test_strong_aims_at_what_it_can_cross_out():
    move = decision(match({(1, 1): num(1, 4), (1, 2): num(1, 4), (2, 2): num(1, 4), (2, 1): num(1, 4)}))
    assert move["type"] == "throw"
    assert max(move["x"], move["y"]) <= 400


def test_strong_ends_the_match_when_that_wins_and_not_when_it_loses():
    """Only (0, 0) is missing for both lines; the dice also touch (1, 1)."""
    dice = (thrown([6, 6, 5], *[(100, 100)] * 3),)
    lines = {(0, col): num(0, 12) for col in range(1, 8)} | {(row, 0): num(0, 12) for row in range(1, 8)}
    assert decision(match(lines, throws=dice)) == at("write", 0, 0)
    rest = {(row, col): num(1, 12) for row in (3, 5, 7) for col in range(2, 8)}
    lost = {cell: out(0, 12) for cell in lines} | rest
    assert decision(match(lost, throws=dice)) != at("write", 0, 0)
