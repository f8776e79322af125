"""The competitive mode of YESSS! with prepared draws, by paragraphs (spec: yesss.md, Competitive)."""

import pytest

from games.engine import ScriptedChance
from games.rules.yesss.data import PAIRS
from tests.rules.yesss_match import (
    answered,
    apply,
    code,
    dealt,
    events_of,
    game,
    guess,
    guessers,
    played,
    selected,
    view,
    word,
)


# Setup
@pytest.mark.parametrize(("seats", "rounds"), [(3, 7), (4, 6), (5, 5), (6, 4), (7, 3)])
def test_piles_and_rounds_by_the_number_of_seats(seats, rounds):
    state = dealt(seats)
    assert view(state)["rounds"] == rounds
    assert [len(pile) for pile in state.piles] == [rounds] * 7
    assert view(state)["pictures"] == [2 * rounds * pile for pile in range(7)]


def test_a_roll_of_two_shows_the_second_face():
    faces = [1] * 42
    faces[0] = faces[6] = 2  # the tops of piles 1 and 2
    assert view(dealt(4, faces=faces))["pictures"] == [1, 13, 24, 36, 48, 60, 72]


def test_fewer_rounds_leave_the_draws_as_they_are():
    state = dealt(4, rounds=2)
    assert view(state)["rounds"] == 2
    assert [len(pile) for pile in state.piles] == [6] * 7


@pytest.mark.parametrize(
    ("seats", "options", "named"),
    [
        (2, {}, "seats"),
        (2, {"mode": "competitive", "rounds": 1}, "seats"),
        (8, {}, "seats"),
        (8, {"mode": "cooperative"}, "seats"),
        (1, {"mode": "cooperative"}, "seats"),
        (4, {"minutes": 3}, "minutes"),
        (4, {"mode": "competitive", "minutes": 0}, "minutes"),
        (4, {"mode": "cooperative", "rounds": 1}, "rounds"),
        (4, {"mode": "cooperative", "swaps": True}, "swaps"),
        (4, {"mode": "cooperative", "minutes": 4}, "minutes"),
        (4, {"rounds": 7}, "rounds"),
        (4, {"rounds": 0}, "rounds"),
        (4, {"rounds": None}, "rounds"),
        (4, {"rounds": 2.0}, "rounds"),
        (4, {"swaps": 1}, "swaps"),
        (4, {"language": "de"}, "language"),
        (4, {"mode": "both"}, "mode"),
    ],
)
def test_what_setup_refuses(seats, options, named):
    with pytest.raises(ValueError, match=f"^{named}: "):
        game.setup(seats=seats, options=options, chance=ScriptedChance([]))


def test_all_options_at_their_defaults():
    assert game.full_options(5, {}) == {
        "mode": "competitive",
        "language": "fr",
        "swaps": True,
        "rounds": 5,
    }
    assert game.full_options(2, {"mode": "cooperative"}) == {
        "mode": "cooperative",
        "language": "fr",
        "minutes": 3,
    }


# Select
def test_each_seat_draws_three_tokens_by_its_place_at_the_table():
    hands = [view(dealt(3), seat)["hand"] for seat in range(3)]
    assert hands == [PAIRS[0:3], PAIRS[3:6], PAIRS[6:9]]
    assert view(dealt(3))["hand"] is None


def test_a_selection_is_sealed_and_only_who_selected_is_public():
    state = apply(dealt(3), 1, {"type": "select", "pair": [1, 6]})
    assert view(state)["answered"] == [1]
    assert view(state)["to_move"] == [0, 2]
    assert view(state, 1)["selected"] == [1, 6]
    assert view(state, 0)["selected"] is view(state)["selected"] is None
    assert events_of(dealt(3), 1, {"type": "select", "pair": [1, 6]}) == [{"type": "selected", "seat": 1}]


def test_what_cannot_be_selected():
    state = dealt(3)
    assert code(state, 0, {"type": "select", "pair": [6, 7]}) == "illegal"  # in nobody's hand
    assert code(state, 0, {"type": "select", "pair": [1, 5]}) == "illegal"  # in another's
    for pair in ([2, 1], [1, 1], [0, 1], [1, 8], [1], [1, 2, 3], [1.0, 2], "12", None, [True, 2], [[1], 2]):
        assert code(state, 0, {"type": "select", "pair": pair}) == "bad_field"
    once = apply(state, 0, {"type": "select", "pair": [1, 2]})
    assert code(once, 0, {"type": "select", "pair": [1, 3]}) == "not_your_turn"


@pytest.mark.parametrize(("direction", "receivers"), [(1, [1, 2, 3, 0]), (2, [3, 0, 1, 2])])
def test_the_pair_goes_to_the_neighbour_in_the_rounds_direction(direction, receivers):
    tokens = view(selected(dealt(4, direction=direction)))["tokens"]
    assert [token["selector"] for token in tokens] == [0, 1, 2, 3]
    assert [token["receiver"] for token in tokens] == receivers
    assert [token["announcer"] for token in tokens] == receivers
    assert [token["keeper"] for token in tokens] == [0, 1, 2, 3]


def test_the_hand_is_gone_when_all_have_selected():
    state = selected(dealt(4))
    assert view(state, 0)["hand"] is None
    assert view(state, 0)["selected"] == [1, 2]
    assert view(state)["phase"] == "propose"


# Propose and guess
def test_only_announcer_and_keeper_know_a_pair():
    state = selected(dealt(4))
    knowing = [seat for seat in range(4) if "pair" in view(state, seat)["tokens"][0]]
    assert knowing == [0, 1]
    assert "pair" not in view(state)["tokens"][0]


def test_refusing_swaps_the_roles_once():
    state = apply(selected(dealt(4)), 1, {"type": "refuse"})
    token = view(state)["tokens"][0]
    assert (token["announcer"], token["keeper"], token["selector"], token["receiver"]) == (0, 1, 0, 1)
    assert code(state, 1, {"type": "refuse"}) == "not_your_turn"
    assert code(state, 0, {"type": "word", "token": 0, "word": "mer"}) == ""
    assert view(state)["to_move"] == [0, 2, 3]


def test_the_selector_cannot_refuse_and_may_have_two_pairs_to_announce_in_any_order():
    state = apply(selected(dealt(4)), 1, {"type": "refuse"})
    entries = game.prompt(state, 0)["moves"]
    assert [entry for entry in entries if entry["type"] == "word"] == [
        {"type": "word", "token": 0, "word": {"text": {"max_length": 40}}},
        {"type": "word", "token": 3, "word": {"text": {"max_length": 40}}},
    ]
    assert {"type": "refuse"} in entries  # the one it received
    back = apply(state, 0, {"type": "refuse"})
    assert code(back, 0, {"type": "refuse"}) == "illegal"  # not the one that came back
    for first, then in ((0, 3), (3, 0)):
        assert word(word(state, first), then, "mer")


def test_no_refusal_after_a_first_word_even_when_it_was_void():
    state = word(word(selected(dealt(4)), 0), 3)
    assert code(state, 1, {"type": "refuse"}) == "illegal"
    void = answered(state, 0, objecting=(2, 3))
    assert view(void)["tokens"][0]["word"] is None
    assert {"type": "refuse"} not in game.prompt(void, 1)["moves"]
    assert code(void, 1, {"type": "refuse"}) == "illegal"


def test_who_may_say_a_word_for_what():
    state = selected(dealt(4))
    assert code(state, 0, {"type": "word", "token": 0, "word": "mer"}) == "illegal"  # the keeper
    assert code(state, 2, {"type": "word", "token": 0, "word": "mer"}) == "illegal"
    said = word(state, 0)
    assert code(word(said, 1), 2, {"type": "word", "token": 1, "word": "mer"}) == "illegal"  # once
    for token in (4, -1, 10**20, "0", 1.0, None, True):
        assert code(state, 1, {"type": "word", "token": token, "word": "mer"}) == "bad_field"
    for bad in (None, 3, ["mer"], {}):
        assert code(state, 1, {"type": "word", "token": 0, "word": bad}) == "bad_field"


def test_the_word_is_checked_last():
    state = selected(dealt(4))
    assert code(state, 0, {"type": "word", "token": 0, "word": "rouge"}) == "illegal"
    assert code(state, 0, {"type": "word", "token": 0, "word": "x" * 99}) == "illegal"
    assert code(state, 1, {"type": "word", "token": 0, "word": "rouge"}) == "bad_word"
    assert code(state, 1, {"type": "word", "token": 0, "word": "x" * 99}) == "bad_word"
    assert code(state, 1, {"type": "word", "token": 9, "word": "rouge"}) == "bad_field"


def test_guesses_need_a_word_and_a_seat_that_does_not_know():
    state = selected(dealt(4))
    assert code(state, 2, {"type": "guess", "token": 0, "pair": [1, 2]}) == "illegal"
    state = word(word(state, 0), 2)
    for knowing in (0, 1):
        assert code(state, knowing, {"type": "guess", "token": 0, "pair": [1, 2]}) == "illegal"
        assert code(state, knowing, {"type": "object", "token": 0}) == "illegal"
    once = guess(word(state, 1), 3, 0, [1, 2])
    assert code(once, 3, {"type": "guess", "token": 0, "pair": [1, 3]}) == "illegal"
    assert code(once, 3, {"type": "object", "token": 0}) == "illegal"


def test_words_resolve_independently_and_guesses_are_sealed():
    state = word(word(selected(dealt(4)), 0), 1)
    state = guess(state, 3, 1, [6, 7])
    state = guess(state, 3, 0, [1, 2])
    token = view(state, 2)["tokens"][0]
    assert token["answered"] == [3]
    assert token["your_guess"] is None
    assert "guesses" not in token
    assert view(state, 3)["tokens"][0]["your_guess"] == [1, 2]
    assert [e["type"] for e in events_of(state, 2, {"type": "object", "token": 0})] == [
        "answered",
        "revealed",
    ]
    first = events_of(word(selected(dealt(5)), 0), 2, {"type": "object", "token": 0})
    assert first == [{"type": "answered", "seat": 2, "token": 0}]
    assert first == events_of(
        word(selected(dealt(5)), 0), 2, {"type": "guess", "token": 0, "pair": [1, 2]}
    )  # a guess and an objection look alike


def test_brains_for_right_and_wrong_guesses():
    state = answered(word(selected(dealt(5)), 0), 0, right=(2, 4))
    assert view(state)["brains"] == [1, 2, 1, 0, 1]
    assert view(state)["tokens"][0]["guesses"] == [None, None, [1, 2], [1, 3], [1, 2]]


def test_brains_after_a_refusal_go_by_the_new_roles():
    state = apply(selected(dealt(4)), 1, {"type": "refuse"})
    state = answered(word(state, 0), 0, right=(2,))
    assert view(state)["brains"] == [1, 1, 1, 0]  # announcer 0, keeper 1


def test_a_revealed_pair_may_be_guessed_and_is_merely_wrong():
    state = word(answered(word(selected(dealt(4)), 0), 0, right=(2, 3)), 1)
    assert view(state)["tokens"][0]["revealed"]
    assert [1, 2] in next(e for e in game.prompt(state, 0)["moves"] if e["type"] == "guess")["pair"]["one_of"]
    state = guess(guess(state, 0, 1, [1, 2]), 3, 1, [1, 2])
    assert view(state)["tokens"][1]["guesses"] == [[1, 2], None, None, [1, 2]]
    assert code(state, 3, {"type": "guess", "token": 1, "pair": [1, 2]}) == "illegal"


@pytest.mark.parametrize(
    ("seats", "objecting", "is_void"),
    [(3, 1, True), (4, 1, False), (4, 2, True), (5, 1, False), (5, 2, True), (6, 2, False), (6, 3, True)],
)
def test_more_than_half_of_the_guessers_make_a_word_void(seats, objecting, is_void):
    state = word(selected(dealt(seats)), 0)
    state = answered(state, 0, objecting=tuple(guessers(state, 0)[:objecting]))
    token = view(state)["tokens"][0]
    assert token["voids"] == is_void
    assert token["revealed"] is not is_void
    assert token["word"] == (None if is_void else "journey")
    if is_void:
        assert token["answered"] == []
        assert view(state)["brains"] == [0] * seats
    else:  # an objection counts as wrong
        assert view(state)["brains"][0] == seats - 2


def test_all_guess_anew_after_a_void_word():
    state = answered(word(selected(dealt(4)), 0), 0, objecting=(2, 3))
    assert code(state, 2, {"type": "guess", "token": 0, "pair": [1, 2]}) == "illegal"
    state = answered(word(state, 0, "holiday"), 0, right=(2, 3))
    assert view(state)["brains"] == [0, 2, 1, 1]
    assert view(state)["tokens"][0]["voids"] == 1


def test_a_second_void_ends_the_pair_for_the_keeper():
    state = selected(dealt(4))
    state = answered(word(state, 0), 0, objecting=(2, 3))
    state = word(state, 0, "holiday")
    state = guess(guess(state, 2, 0, "object"), 3, 0, "object")
    token = view(state)["tokens"][0]
    assert (token["voids"], token["revealed"], token["pair"]) == (2, True, [1, 2])
    assert token["word"] == "holiday"
    assert token["guesses"] == [None, None, "object", "object"]
    assert view(state)["brains"] == [2, 0, 0, 0]


def test_a_right_guess_beside_a_second_void_scores_nothing():
    state = selected(dealt(5))
    state = answered(word(state, 0), 0, objecting=(2, 3))
    state = answered(word(state, 0), 0, objecting=(2, 3), right=(4,))
    assert view(state)["brains"] == [3, 0, 0, 0, 0]


def test_revealed_pairs_stay_through_the_swap_and_after_the_end():
    state = played(dealt(3), t0=(2,))
    assert view(state)["phase"] == "swap"
    assert all(token["revealed"] and "guesses" in token for token in view(state)["tokens"])
    over = played(dealt(3, rounds=1), t0=(2,))
    assert view(over)["phase"] == "over"
    assert [token["pair"] for token in view(over)["tokens"]] == [[1, 2], [1, 5], [2, 3]]
