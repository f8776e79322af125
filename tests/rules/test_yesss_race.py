"""The cooperative mode of YESSS! with prepared draws, by paragraphs (spec: yesss.md, Cooperative)."""

from random import Random

import pytest

from games.engine import RecordedChance, SeededChance, replay, verify
from games.rules import get_game
from games.rules.yesss.data import PAIRS
from tests.rules.playing import random_step, recorded_match
from tests.rules.yesss_match import answer, apply, clue, code, events_of, game, laid, racing, view

MINUTE = 60_000
TIME_UP = {"type": "time_up"}


def test_nothing_is_shown_before_all_are_ready():
    state = apply(laid(3), 1, {"type": "ready"}, now=5)
    shown = view(state, 1)
    assert (shown["phase"], shown["to_move"], shown["ready"]) == ("ready", [0, 2], [1])
    assert shown["pictures"] is shown["middle"] is shown["ends_at"] is None
    assert (shown["good"], shown["bad"], shown["clues"], shown["score"]) == ([], [], [], 0)
    assert code(state, 1, {"type": "ready"}) == "not_your_turn"
    assert code(state, 0, {"type": "clue", "pair": [1, 2], "word": "mer"}) == "illegal"
    assert game.deadline(state) is None


@pytest.mark.parametrize(("minutes", "ends_at"), [(3, 181_000), (5, 301_000), (0, None)])
def test_the_last_to_be_ready_starts_the_clock(minutes, ends_at):
    state = racing(3, now=1000, minutes=minutes)
    shown = view(state)
    assert (shown["phase"], shown["ends_at"], shown["ready"]) == ("race", ends_at, [0, 1, 2])
    assert game.deadline(state) == ends_at
    assert shown["pictures"] == [0, 2, 4, 6, 8, 10, 12]
    assert shown["middle"] == PAIRS
    assert shown["to_move"] == [0, 1, 2]


def test_a_right_answer_closes_a_clue_and_scores():
    state = answer(clue(racing(), 0, [3, 4]), 1, 0, [3, 4])
    shown = view(state)
    assert (shown["good"], shown["bad"], shown["score"]) == ([[3, 4]], [], 1)
    assert shown["clues"] == [
        {
            "seat": 0,
            "word": "journey",
            "open": False,
            "closed_by": 1,
            "answer": [3, 4],
            "right": True,
            "pair": [3, 4],
        }
    ]
    assert [3, 4] not in shown["middle"]


def test_a_wrong_answer_takes_the_answered_token_to_the_bad_side():
    state = answer(clue(racing(), 0, [3, 4]), 1, 0, [3, 5])
    shown = view(state)
    assert (shown["good"], shown["bad"], shown["score"]) == ([], [[3, 5]], -1)
    assert [3, 4] in shown["middle"]
    assert "pair" not in shown["clues"][0]
    assert "pair" not in view(state, 1)["clues"][0]
    assert view(state, 0)["clues"][0]["pair"] == [3, 4]
    again = clue(state, 2, [3, 4], "danger")  # the pair may be clued again
    assert view(answer(again, 0, 1, [3, 4]))["score"] == 0


def test_the_first_answer_counts():
    state = answer(clue(racing(), 0, [3, 4]), 1, 0, [3, 5])
    assert code(state, 2, {"type": "answer", "clue": 0, "pair": [3, 4]}) == "illegal"


def test_good_and_bad_keep_the_order_in_which_they_were_taken():
    state = racing()
    for number, pair in enumerate(([5, 6], [1, 2], [2, 7])):
        state = answer(clue(state, 0, pair), 1, number, pair)
    for number, pair in enumerate(([6, 7], [1, 3]), 3):
        state = answer(clue(state, 0, [1, 4]), 2, number, pair)
    assert view(state)["good"] == [[5, 6], [1, 2], [2, 7]]
    assert view(state)["bad"] == [[6, 7], [1, 3]]
    assert view(state)["middle"] == [p for p in PAIRS if p not in view(state)["good"] + view(state)["bad"]]


def test_one_open_clue_a_seat():
    state = clue(racing(), 0, [3, 4])
    assert code(state, 0, {"type": "clue", "pair": [1, 2], "word": "mer"}) == "illegal"
    assert code(state, 0, {"type": "clue", "pair": [1, 2], "word": "rouge"}) == "illegal"  # checked last
    assert code(state, 1, {"type": "withdraw"}) == "illegal"
    taken = apply(state, 0, {"type": "withdraw"})
    assert view(taken)["clues"][0]["closed_by"] == "withdrawn"
    assert "pair" not in view(taken, 1)["clues"][0]
    assert code(taken, 1, {"type": "answer", "clue": 0, "pair": [3, 4]}) == "illegal"
    assert code(taken, 0, {"type": "withdraw"}) == "illegal"
    assert view(clue(taken, 0, [1, 2]), 0)["clues"][1]["pair"] == [1, 2]


def test_a_clue_is_for_the_others_to_answer():
    state = clue(racing(), 0, [3, 4])
    assert code(state, 0, {"type": "answer", "clue": 0, "pair": [3, 4]}) == "illegal"
    assert code(state, 1, {"type": "answer", "clue": 1, "pair": [3, 4]}) == "illegal"
    for number in (-1, 0.0, "0", None, True, [0]):
        assert code(state, 1, {"type": "answer", "clue": number, "pair": [3, 4]}) == "bad_field"
    assert code(state, 1, {"type": "answer", "clue": 10**30, "pair": [3, 4]}) == "illegal"
    for pair in ([4, 3], [0, 1], [7, 8], [1, 2, 3]):
        assert code(state, 1, {"type": "answer", "clue": 0, "pair": pair}) == "bad_field"


def test_tokens_that_have_gone_cannot_be_used():
    state = answer(clue(racing(), 0, [3, 4]), 1, 0, [3, 4])
    state = clue(state, 0, [1, 2])
    assert code(state, 1, {"type": "clue", "pair": [3, 4], "word": "mer"}) == "illegal"
    assert code(state, 1, {"type": "answer", "clue": 1, "pair": [3, 4]}) == "illegal"


@pytest.mark.parametrize("said", [[3, 4], [3, 5]])
def test_an_open_clue_whose_token_has_gone_is_void(said):
    """Whether it went to the good side or to the bad."""
    state = clue(clue(racing(), 0, said), 1, [3, 4], "danger")
    state = answer(state, 2, 0, [3, 4])
    shown = view(state)["clues"][1]
    assert (shown["open"], shown["closed_by"], shown["answer"], shown["right"]) == (False, "void", None, None)
    assert "pair" not in shown
    assert code(state, 2, {"type": "answer", "clue": 1, "pair": [1, 2]}) == "illegal"
    kinds = [event["type"] for event in events_of(clue(clue(racing(), 0, said), 1, [3, 4]), 2, _third)]
    assert kinds == ["closed", "void"]


_third = {"type": "answer", "clue": 0, "pair": [3, 4]}


def test_from_the_deadline_on_moves_are_refused_and_the_clock_ends_the_match():
    state = clue(racing(2, now=1000), 0, [3, 4])
    end = 1000 + 3 * MINUTE
    assert code(state, 1, {"type": "answer", "clue": 0, "pair": [3, 4]}, now=end - 1) == ""
    for now in (end, end + 1, end + MINUTE):
        for seat in (0, 1, 9, "x"):
            assert code(state, seat, {"type": "answer", "clue": 0, "pair": [3, 4]}, now=now) == "over"
    assert code(state, None, TIME_UP, now=end - 1) == "illegal"
    assert code(state, None, {"type": "end"}, now=end) == "unknown_move"
    assert code(state, None, {"type": "time_up", "x": 1}, now=end) == "bad_field"
    assert code(state, None, {"type": "withdraw"}, now=end) == "unknown_move"
    over = apply(state, None, TIME_UP, now=end)
    assert game.outcome(over) == {"ranks": [1, 1], "scores": [0, 0], "winners": [0, 1]}
    assert view(over)["clues"][0] == {
        "seat": 0,
        "word": "journey",
        "open": False,
        "closed_by": None,
        "answer": None,
        "right": None,
        "pair": [3, 4],
    }
    assert code(over, None, TIME_UP, now=end) == "over"
    assert game.deadline(over) is None


def test_a_race_without_a_clock_knows_no_time_up():
    state = racing(2, minutes=0)
    assert code(state, None, TIME_UP, now=10**15) == "not_your_turn"
    assert code(state, 0, {"type": "clue", "pair": [1, 2], "word": "mer"}, now=10**15) == ""


def test_stopping_is_final_and_ends_the_race_when_all_have():
    state = apply(clue(racing(3, minutes=0), 0, [3, 4]), 0, {"type": "stop"})
    assert view(state)["stopped"] == [0]
    assert game.to_move(state) == [1, 2]
    assert code(state, 0, {"type": "withdraw"}) == "not_your_turn"
    state = answer(state, 1, 0, [3, 4])  # its clue may still be answered
    state = apply(apply(state, 2, {"type": "stop"}), 1, {"type": "stop"})
    assert view(state)["phase"] == "over"
    assert view(state)["stopped"] == [0, 1, 2]
    assert game.outcome(state) == {"ranks": [1, 1, 1], "scores": [1, 1, 1], "winners": [0, 1, 2]}


def test_nobody_stops_where_the_clock_does():
    state = racing(2)
    assert code(state, 0, {"type": "stop"}) == "illegal"
    assert {"type": "stop"} not in game.prompt(state, 0)["moves"]
    assert {"type": "stop"} in game.prompt(racing(2, minutes=0), 0)["moves"]


@pytest.mark.parametrize("minutes", [0, 3])
def test_an_empty_middle_ends_the_race(minutes):
    state = racing(2, minutes=minutes)
    for number, pair in enumerate(PAIRS):
        state = answer(clue(state, number % 2, pair), 1 - number % 2, number, pair)
    assert (view(state)["phase"], view(state)["score"], view(state)["middle"]) == ("over", 21, [])
    assert game.outcome(state) == {"ranks": [1, 1], "scores": [21, 21], "winners": [0, 1]}


def test_time_out_moves():
    assert game.default_move(laid(2), 0) == {"type": "ready"}
    assert game.default_move(laid(2, minutes=0), 0) == {"type": "ready"}
    assert game.default_move(racing(2, minutes=0), 0) == {"type": "stop"}
    assert game.default_move(racing(2), 0) is None


def test_moves_of_the_other_mode_are_illegal():
    state = racing(2)
    for move in (
        {"type": "select", "pair": [1, 2]},
        {"type": "refuse"},
        {"type": "word", "token": 0, "word": "mer"},
        {"type": "guess", "token": 1, "pair": [1, 2]},
        {"type": "object", "token": 1},
        {"type": "swap", "seat": 1},
        {"type": "pass"},
        {"type": "ready"},
    ):
        assert code(state, 0, move) == "illegal"
    assert code(state, 0, {"type": "swap", "seat": 2}) == "bad_field"
    assert code(state, 0, {"type": "clue", "pair": [1, 2], "word": "un"}) == "bad_word"
    assert code(state, 0, {"type": "clue", "pair": [1, 2], "word": "x" * 41}) == "bad_word"
    assert game.ordered_move(view(state, 0), {"swap": "never", "pass_always": True}) is None


def test_it_is_cooperative_and_the_other_mode_is_not():
    assert game.is_cooperative(game.full_options(2, {"mode": "cooperative"}))
    assert not game.is_cooperative(game.full_options(3, {}))


def test_an_ended_race_lays_its_pairs_open_at_every_moment():
    state = clue(racing(2), 0, [3, 4])
    assert game.opened(state, 1)["clues"][0]["pair"] == [3, 4]
    assert game.opened(laid(2), 1)["pictures"] == [0, 2, 4, 6, 8, 10, 12]


def test_a_race_that_the_clock_ended_replays_from_its_record():
    record = recorded_match("yesss", 3, {"mode": "cooperative"}, seed=3)
    rng, moves = Random(3), record["moves"][:30]
    state = replay(record | {"moves": moves, "outcome": None}, get_game)
    ends_at = game.deadline(state)
    chance = RecordedChance(SeededChance(b""))
    move, state, _events = random_step(game, state, 1, rng, chance, ends_at - 1)
    moves += [
        {"n": 31, "seat": 1, "move": move, "draws": [], "at": ends_at - 1},
        {"n": 32, "seat": None, "move": TIME_UP, "draws": [], "at": ends_at},
    ]
    over = apply(state, None, TIME_UP, now=ends_at)
    ended = record | {"moves": moves, "outcome": game.outcome(over)}
    assert verify(ended, get_game).sound, verify(ended, get_game).problem
    assert replay(ended, get_game) == over
    moves[-1]["at"] -= 1
    assert "not legal (illegal)" in verify(ended, get_game).problem


def test_bots_wait_for_answers_and_stop_when_nobody_is_left_to_answer():
    rng = Random(1)
    state = racing(2, minutes=0, language="fr")
    assert not game.waits(view(state, 0))
    said = apply(state, 0, game.bot("strong").choose(view(state, 0), rng))
    assert game.waits(view(said, 0))
    assert not game.waits(view(said, 1))
    alone = apply(said, 1, {"type": "stop"})
    assert not game.waits(view(alone, 0))
    assert game.bot("strong").choose(view(alone, 0), rng) == {"type": "stop"}
    assert not game.waits(view(laid(2), 0))
