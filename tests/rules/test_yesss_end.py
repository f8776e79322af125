"""The competitive mode of YESSS! from the swaps on: its end, time-outs, orders, what the site asks beside."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from games.engine import ScriptedChance
from tests.rules.yesss_match import (
    CARDS,
    TOKENS,
    answered,
    apply,
    code,
    dealt,
    game,
    guess,
    played,
    selected,
    true_pair,
    view,
    word,
)

BACKWARDS = TOKENS[::-1]


# Swap


def test_a_seat_without_brains_is_not_asked():
    state = played(dealt(4), t0=(2,))  # the wrong guesses give the keepers theirs
    poor = replace(state, brains=(0, 3, 0, 1))
    assert game.to_move(poor) == [1, 3]
    assert code(poor, 0, {"type": "pass"}) == "not_your_turn"


def test_swaps_are_carried_out_in_table_order_each_on_the_table_as_left():
    state = replace(played(dealt(4)), brains=(2, 2, 2, 2))
    state = apply(state, 1, {"type": "swap", "seat": 3})
    assert view(state)["answered"] == [1]
    assert view(state)["brains"] == [2, 2, 2, 2]
    state = apply(state, 3, {"type": "pass"})
    state = apply(state, 2, {"type": "swap", "seat": 1})
    state = apply(state, 0, {"type": "swap", "seat": 1}, BACKWARDS)
    # 0 with 1: 1 0 2 3; then 1 with 3: 3 0 2 1; then 2 with 1: 3 0 1 2
    assert view(state)["table"] == [3, 0, 1, 2]
    assert view(state)["brains"] == [1, 1, 1, 2]
    assert view(state)["last_round"]["swaps"] == [
        {"seat": 0, "with": 1},
        {"seat": 1, "with": 3},
        {"seat": 2, "with": 1},
    ]
    assert view(state, 3)["hand"] == [[6, 7], [5, 7], [5, 6]]  # it sits first now


def test_what_cannot_be_swapped():
    state = replace(played(dealt(4)), brains=(2, 2, 2, 2))
    assert code(state, 1, {"type": "swap", "seat": 1}) == "illegal"
    assert code(state, 1, {"type": "swap", "seat": 4}) == "bad_field"
    assert code(state, 1, {"type": "swap"}) == "bad_field"
    assert game.prompt(state, 1)["optional"]
    assert code(dealt(4), 1, {"type": "swap", "seat": 0}) == "illegal"
    assert code(dealt(4), 1, {"type": "pass"}) == "illegal"


def test_without_swaps_the_next_round_begins_at_once():
    state = selected(dealt(3, swaps=False))
    for token in range(2):
        state = answered(word(state, token), token)
    state = word(state, 2)
    last = {"type": "guess", "token": 2, "pair": true_pair(state, 2)}
    state = apply(state, 1, last, BACKWARDS)
    assert (view(state)["phase"], view(state)["round"], view(state)["direction"]) == ("select", 2, "right")
    assert view(state)["last_round"]["swaps"] == []


def test_the_next_round():
    state = played(dealt(3), t0=(2,))
    for seat in game.to_move(state)[:-1]:
        state = apply(state, seat, {"type": "pass"})
    state = apply(state, game.to_move(state)[0], {"type": "pass"}, BACKWARDS)
    seen = view(state)
    assert (seen["round"], seen["direction"], seen["tokens"]) == (2, "right", [])
    assert seen["pictures"] == [2, 16, 30, 44, 58, 72, 86]
    assert seen["last_round"]["tokens"][0]["word"] == "journey"
    assert seen["last_round"]["pictures"] == [0, 14, 28, 42, 56, 70, 84]
    assert view(state, 2)["last_round"]["tokens"][0]["your_guess"] == [1, 2]
    assert view(selected(state))["tokens"][0]["receiver"] == 2  # to the right now


# End


def test_the_most_brains_win_and_equal_brains_share_the_rank():
    state = played(dealt(4, rounds=1), t0=(2,), t1=(3,))
    outcome = game.outcome(state)
    assert outcome["scores"] == list(state.brains)
    assert outcome["ranks"] == [1 + sum(b > a for b in state.brains) for a in state.brains]
    assert game.to_move(state) == []
    assert code(state, 0, {"type": "pass"}) == "over"


def test_all_rounds_are_played_with_swaps_between_them():
    state = dealt(7)
    rounds, phases = [], []
    while not state.over:
        rounds.append(state.round)
        phases.append(view(state)["phase"])
        seat = game.to_move(state)[0]
        draws = []
        if phases[-1] == "swap" and len(game.to_move(state)) == 1:
            draws = [TOKENS]
        state = apply(state, seat, game.default_move(state, seat), *draws)
    assert sorted(set(rounds)) == [1, 2, 3]
    changes = [b for a, b in pairwise(phases) if a != b]
    assert changes == ["propose", "swap", "select"] * 2 + ["propose"]


def test_moves_of_the_other_mode_and_of_another_phase_are_illegal():
    state = dealt(3)
    for move in (
        {"type": "ready"},
        {"type": "clue", "pair": [1, 2], "word": "mer"},
        {"type": "withdraw"},
        {"type": "answer", "clue": 0, "pair": [1, 2]},
        {"type": "stop"},
        {"type": "refuse"},
        {"type": "word", "token": 0, "word": "rouge"},
        {"type": "guess", "token": 0, "pair": [1, 2]},
        {"type": "object", "token": 0},
    ):
        assert code(state, 0, move) == "illegal"
    assert code(state, 0, {"type": "refuse", "token": 0}) == "bad_field"
    assert code(state, 0, {"type": "guess", "token": 3, "pair": [1, 2]}) == "bad_field"
    assert code(state, None, {"type": "time_up"}) == "not_your_turn"


# Time-out moves, standing orders


def test_time_out_moves_while_selecting_and_swapping():
    assert game.default_move(dealt(3), 1) == {"type": "select", "pair": [1, 5]}
    state = played(dealt(3))
    assert game.default_move(state, game.to_move(state)[0]) == {"type": "pass"}


def test_time_out_moves_while_proposing_come_in_their_order():
    state = word(apply(selected(dealt(4)), 1, {"type": "refuse"}), 2)
    moves = []
    while 0 in game.to_move(state):
        moves.append(game.default_move(state, 0))
        state = apply(state, 0, moves[-1])
    assert moves == [
        {"type": "refuse"},
        {"type": "word", "token": 0, "word": "abeille"},  # picture 0, of the pair 1-2
        {"type": "guess", "token": 2, "pair": [1, 2]},
    ]
    state = word(answered(word(state, 1), 1), 3)
    assert game.default_move(state, 1) == {"type": "guess", "token": 2, "pair": [1, 2]}


def test_a_time_out_guess_is_the_first_pair_that_is_not_revealed():
    state = answered(word(selected(dealt(4)), 0), 0)
    assert game.default_move(word(word(state, 1), 3), 0) == {"type": "guess", "token": 1, "pair": [1, 3]}


@pytest.mark.parametrize(
    ("language", "card", "said"),
    [
        ("fr", 0, "abeille"),
        ("en", 0, "bee"),
        ("fr", 34 // 2, "ciel"),  # arc-en-ciel: the longest part
        ("en", 38 // 2, "shooting"),  # shooting star
        ("fr", 45, "gant"),  # gant de boxe: the first of two
    ],
)
def test_a_time_out_word_is_the_longest_part_of_the_first_pictures_name(language, card, said):
    cards = [card, *(other for other in CARDS if other != card)]
    draws = [cards, [1] * 42, [1], TOKENS]
    state = game.setup(seats=4, options={"language": language}, chance=ScriptedChance(draws))
    state = apply(selected(state), 1, {"type": "refuse"})
    state = apply(state, 0, {"type": "refuse"})
    assert game.default_move(state, 0) == {"type": "word", "token": 0, "word": said}


def test_every_time_out_word_may_be_said():
    states = [
        game.setup(
            seats=3,
            options={"language": language, "rounds": 1},
            chance=ScriptedChance([[card, *(c for c in CARDS if c != card)], [face, *[1] * 48], [1], TOKENS]),
        )
        for language in ("fr", "en")
        for card in range(60)
        for face in (1, 2)
    ]
    for begun in states:
        back = apply(selected(begun), 1, {"type": "refuse"})
        back = apply(back, 0, {"type": "refuse"})
        assert code(back, 0, game.default_move(back, 0)) == ""


def test_the_time_out_word_after_a_void_is_truc():
    state = answered(word(selected(dealt(4, language="en")), 0), 0, objecting=(2, 3))
    assert game.default_move(state, 1) == {"type": "word", "token": 0, "word": "truc"}


def test_standing_orders():
    state = replace(played(dealt(3)), brains=(1, 1, 1))
    seen = view(state, 0)
    assert game.ordered_move(seen, {"swap": "never"}) == {"type": "pass"}
    assert game.ordered_move(seen, {"refuse": "never"}) is None
    assert game.ordered_move(view(dealt(3), 0), {"swap": "never", "refuse": "never"}) is None
    proposing = selected(dealt(3))
    assert game.ordered_move(view(proposing, 1), {"swap": "never", "refuse": "never"}) is None
    game.check_orders({"swap": "never", "refuse": "never"})
    for orders in ({"swap": "always"}, {"swap": None}, {"refuse": True}):
        with pytest.raises(ValueError, match=f"^{next(iter(orders))}: "):
            game.check_orders(orders)


# What the site asks beside


def test_phases_count_as_turns_for_the_clocks():
    state = dealt(3)
    assert game.turn(state) == 0
    assert game.turn(selected(state)) == 1
    assert game.turn(played(state)) == 2
    assert game.turn(played(dealt(3, rounds=1))) == 3


def test_how_moves_came_about_is_told_when_their_pairs_are_revealed():
    state = dealt(3)
    assert game.unsettled(state) == 0
    state = selected(state)
    assert game.unsettled(state) == 3
    state = answered(word(state, 0), 0)
    assert game.unsettled(state) == 5
    state = played(dealt(3))
    assert game.unsettled(state) == 0
    assert len(game.to_move(state)) == 3
    assert game.unsettled(apply(state, 0, {"type": "pass"})) == 1


def test_an_ended_match_lays_every_moment_open():
    state = apply(dealt(3), 0, {"type": "select", "pair": [1, 3]})
    opened = game.opened(state, None)
    assert opened["hands"][1] == [[1, 5], [1, 6], [1, 7]]
    assert opened["selections"] == [[1, 3], None, None]
    state = guess(word(selected(dealt(4)), 0), 2, 0, [3, 4])
    opened = game.opened(state, 1)
    assert opened["tokens"][0]["guesses"] == [None, None, [3, 4], None]
    assert all("pair" in token for token in opened["tokens"])


def test_what_the_log_did_not_tell_is_unveiled_by_turn():
    circle = [30, 36, 42, 50, 60, 70, 80]
    told = {"pair": [2, 3], "word": "mer", "announcer": 1, "keeper": 0, "pictures": [36, 42]}
    event = {"type": "revealed", "void": False, "guesses": [None, None, [2, 3], [1, 3], "object"], **told}
    turns = [
        (1, {"type": "select", "pair": [2, 3]}, [], [{"type": "selected", "seat": 0}]),
        (2, {"type": "refuse"}, [], [{"type": "refused"}]),
        (3, {"type": "object", "token": 0}, [], [{"type": "answered"}, event | {"circle": circle}, {"type": "round"}]),
        (4, {"type": "pass"}, [], []),
        (5, {"type": "select", "pair": [1, 2]}, [], [{"type": "handed", "circle": [1, 2, 3, 4, 5, 6, 7]}]),
        (6, {"type": "guess", "token": 0, "pair": [6, 7]}, [], [{"type": "answered", "seat": 2}]),
        (7, {"type": "clue", "pair": [2, 3], "word": "mer"}, [], []),
    ]
    guesses = [
        {"seat": 2, "guess": [2, 3], "pictures": [36, 42], "is_right": True},
        {"seat": 3, "guess": [1, 3], "pictures": [30, 42], "is_right": False},
        {"seat": 4, "guess": "object", "pictures": None, "is_right": False},
    ]
    counted = {"revealed": True, "void": False, "guesses": guesses, "right": 1, "wrong": 2, "misses": 1}
    assert game.unveiled(turns) == {
        1: {"given": [2, 3], "pictures": [36, 42]},
        3: {"given": "object", "revealed": {**told, **counted}},
        4: {"given": None},
        5: {"given": [1, 2], "pictures": [1, 2]},
        6: {"given": [6, 7], "pictures": [6, 7]},
        7: {"clue": [2, 3]},
    }
    before_circles = game.unveiled([(3, *turns[2][1:3], [event])])[3]["revealed"]
    assert (before_circles["pictures"], before_circles["guesses"][1]["pictures"]) == ([36, 42], None)


def test_a_state_does_not_grow_from_round_to_round():
    state = dealt(7)
    sizes = []
    while not state.over:
        sizes.append(len(game.dump(state)))
        seat = game.to_move(state)[0]
        alone = view(state)["phase"] == "swap" and len(game.to_move(state)) == 1
        state = apply(state, seat, game.default_move(state, seat), *([TOKENS] if alone else []))
    assert max(sizes) < 8000
