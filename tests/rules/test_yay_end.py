"""How YAY! ends, what it refuses, shows and plays for whoever is late; its bots (spec: yay.md)."""

from itertools import product
from random import Random

import pytest
from msgspec.structs import fields

from games.rules.yay.board import LOCK
from games.rules.yay.bot import FACES, chance_to_beat, ways_to_beat
from tests.rules.playing import positions
from tests.rules.yay_match import at, draws, game, match, num, out, play, refused, throw, thrown


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


def test_the_state_is_what_the_view_shows_and_no_chance_to_come():
    names = [field.name for field in fields(match())]
    assert names == [
        *("board", "opening", "thrower", "first_turns", "throws", "crossing", "idle", "last_turn", "over"),
    ]


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
    assert [row for row, _col in view["enterable"]] == [row for row, cols in hints["spots"].items() for _ in cols]
    assert hints["spots"][4][3] == {
        "value": 9,
        "crossed": [
            {"owner": 1, "value": 2, "cell": [3, 3], "side": "n"},
            {"owner": 1, "value": 2, "cell": [5, 3], "side": "s"},
        ],
    }
    assert (hints["kind"], hints["crosses"], hints["tappable"]) == ("write", True, len(view["enterable"]))
    assert game.hints(game.view(state, 1))["spots"] == {}
    assert not {"aim", "beats"} & game.hints(game.view(state, 1)).keys()
    assert game.hints(game.view(match(), 0))["aim"] == [350, 350]


def test_the_hints_name_the_number_that_closes_a_cell():
    """The highest of others beside it that is valid; none for cells in which the sum can be written."""
    marks = {(3, 3): num(1, 9), (5, 3): num(1, 12), (4, 2): num(0, 15), (2, 4): out(1, 18)}
    state = match(marks, throws=(thrown([3, 3, 3], (350, 450), (350, 450), (450, 350)),))
    closed = game.hints(game.view(state, 0))["closed"]
    view = game.view(state, 0)
    assert [f"{row}/{col}" for row, col in view["touched"] if [row, col] not in view["enterable"]] == list(closed)
    assert {"4/3": 12, "3/4": 9}.items() <= closed.items()
    assert "4/4" not in closed


def test_the_hints_name_the_numbers_on_which_dice_lie():
    """Those whose figures a die covers, not those that it merely touches; none for dice off the board."""
    numbers = {(4, 4): num(1, 12), (4, 5): out(1, 9), (6, 4): num(0, 3), (0, 0): num(0, 5)}
    dice = thrown([3, 3, 3], (450, 450), (580, 540), (-20, 40))
    assert game.hints(game.view(match(numbers, throws=(dice,)), None))["veiled"] == [(4, 4)]
    nearer = thrown([3, 3, 3], (470, 450), (580, 500), (-20, 40))
    assert game.hints(game.view(match(numbers, throws=(nearer,)), None))["veiled"] == [(4, 4), (4, 5)]
    assert game.hints(game.view(match(numbers), None))["veiled"] == []


def test_bots_wait_after_what_ends_a_turn_at_once_or_crosses_out():
    beaten = {"type": "write", "seat": 0, "cell": [0, 0], "value": 9, "crossed": [{"value": 4}]}
    assert all(game.pauses_after([event]) for event in ({"type": "fail"}, {"type": "nothing"}, beaten))
    assert not any(game.pauses_after([event]) for event in ({"type": "throw"}, beaten | {"crossed": []}))


def test_the_hints_name_a_cell_for_an_aim_at_the_far_rim():
    state = match(throws=(thrown([3, 3, 3], *[(750, 750)] * 3, aim=(800, 800)),))
    hints = game.hints(game.view(state, 0))
    assert (hints["aim"], hints["aim_cell"]) == ([800, 800], [7, 7])


def test_the_hints_say_what_touched_cells_are_for_and_what_may_be_crossed_out():
    state = match({(4, 4): num(1, 12)}, throws=(thrown([3, 3, 3], *[(450, 350)] * 3),))
    hints = game.hints(game.view(state, 1))
    assert {use for _row, _col, use in hints["lit"]} == {"write", "no"}
    assert (hints["kind"], hints["may_throw"]) == ("", False)
    state = match({(0, 5): num(0, 9), (2, 0): num(0, 4)}, crossing=True, throws=(thrown([3], (450, 450)),) * 2)
    hints = game.hints(game.view(state, 0))
    assert hints["kind"] == "cross"
    assert (hints["spots"][0][5], hints["spots"][2][0]["value"]) == ({"value": 9, "crossed": []}, 4)


def test_the_page_knows_how_the_last_turn_ended_and_whether_its_throw_is_fresh():
    state, events = play(match({(3, 3): num(1, 2)}, throws=(thrown([3, 3, 3], *[(350, 450)] * 3),)), at("write", 4, 3))
    hints = game.hints(game.view(state, None))
    assert hints["crossed"] == [{"owner": 1, "value": 2, "cell": [3, 3]}]
    assert (hints["new"], hints["thrower"], hints["last_throw"]["sum"]) == ([[4, 3], [3, 3]], 0, 9)
    log = [
        {"n": 6, "fresh": True, "events": [{"type": "throw"}]},
        {"n": 7, "fresh": True, "events": events},
    ]
    assert game.traces(log) == {"thrown_in": 6, "made_since": 1}
    assert game.traces(log[1:]) == {"thrown_in": None, "made_since": None}
    assert game.traces([log[0] | {"fresh": False}])["made_since"] is None


def test_the_hints_say_at_the_end_who_is_tied():
    state, _events = play(
        match(filled_lines() | {(3, 3): num(1, 2)}, throws=(thrown([3, 3, 3], *[(20, 20)] * 3),)),
        at("lock", 0, 0),
    )
    assert game.hints(game.view(state, None))["tied"] == []
    even = match(seats=2, idle=5)
    even, _events = play(even, throw(0, 0), chance=draws([1, 1, 1], (-1, 0), (-1, 0), (-1, 0)))
    assert game.hints(game.view(even, None))["tied"] == [0, 1]


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
