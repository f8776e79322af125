"""YAM menteur, paragraph by paragraph (spec: yam-menteur.md); a whole match is in its scenarios."""

from itertools import permutations

import pytest

from games.engine import IllegalMove, ScriptedChance
from games.rules.yam_menteur.sheet import CLAIMS, COMBINATIONS, FIXED, UPPER, points
from tests.rules.yam import announced, answered, apply, begun, game, sheet, tried, turn, with_sheets

ROLL = {"type": "roll"}
FULL = [3, 3, 3, 5, 5]
JUNK = [1, 2, 2, 4, 6]


def refused(state, seat, move) -> str:
    with pytest.raises(IllegalMove) as error:
        apply(state, seat, move)
    assert str(error.value)
    return error.value.code


def row(state, seat, combination):
    return game.view(state, None)["sheets"][seat][combination]


# ——— Sheet
@pytest.mark.parametrize(
    ("dice", "scores"),
    [
        ([1, 1, 1, 1, 1], {"ones": 5, "three_kind": 5, "four_kind": 5, "yam": 50, "chance": 5}),
        ([6, 6, 6, 6, 6], {"sixes": 30, "three_kind": 30, "four_kind": 30, "yam": 50, "chance": 30}),
        (FULL, {"threes": 9, "fives": 10, "three_kind": 19, "full_house": 25, "chance": 19}),
        ([4, 4, 2, 4, 4], {"twos": 2, "fours": 16, "three_kind": 18, "four_kind": 18, "chance": 18}),
        (
            [5, 1, 4, 2, 3],
            {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "small_straight": 30, "chance": 15},
        ),
        (
            [2, 3, 4, 5, 6],
            {"twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6, "large_straight": 40, "chance": 20},
        ),
        ([1, 2, 3, 4, 6], {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "sixes": 6, "chance": 16}),
        ([2, 2, 5, 5, 6], {"twos": 4, "fives": 10, "sixes": 6, "chance": 20}),
    ],
)
def test_what_dice_score(dice, scores):
    assert points(tuple(dice)) == {name: scores.get(name, 0) for name in COMBINATIONS}


def test_what_may_be_claimed():
    for number, name in enumerate(UPPER, 1):
        assert list(CLAIMS[name]) == [number * k for k in (1, 2, 3, 4, 5)]
    assert {name: list(CLAIMS[name]) for name in FIXED} == {
        "full_house": [25],
        "small_straight": [30],
        "large_straight": [40],
        "yam": [50],
    }
    for name in ("three_kind", "four_kind", "chance"):
        assert list(CLAIMS[name]) == list(range(5, 31))


@pytest.mark.parametrize(("sixes", "upper", "bonus"), [(12, 57, 0), (18, 63, 35), (24, 69, 35)])
def test_63_in_the_upper_six_give_35(sixes, upper, bonus):
    state = with_sheets(begun(), s1=sheet(ones=3, twos=6, threes=9, fours=12, fives=15, sixes=sixes, yam=50))
    shown = game.view(state, None)["sheets"][1]
    assert (shown["upper"], shown["bonus"], shown["total"]) == (upper, bonus, upper + bonus + 50)


# ——— Setup
def test_the_opening_is_public_and_ties_roll_again_until_one_is_left():
    draws = [[6] * 5, [5] * 5, [6] * 5, [1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [1] * 5, [2, 1, 1, 1, 1]]
    chance = ScriptedChance(draws)
    state = game.setup(seats=3, options={}, chance=chance)
    view = game.view(state, None)
    assert chance.left == []
    assert (view["thrower"], game.to_move(state)) == (2, [2])
    assert [rolled["seat"] for rolled in view["opening"]] == [0, 1, 2, 0, 2, 0, 2]
    assert [rolled["dice"] for rolled in view["opening"]] == draws


# ——— The thrower's turn
def test_the_first_try_is_of_all_five_and_names_no_dice():
    state = begun()
    assert game.prompt(state, 0) == {"phase": "throw", "moves": [ROLL], "optional": False}
    assert refused(state, 0, {"type": "roll", "dice": [0, 1, 2, 3, 4]}) == "illegal"
    assert refused(state, 0, {"type": "announce", "combination": "chance", "points": 20}) == "illegal"
    assert refused(state, 0, {"type": "answer", "doubt": True}) == "illegal"


def test_later_tries_name_dice_of_the_last_try():
    state = tried(begun(), JUNK)
    assert refused(state, 0, ROLL) == "illegal"
    assert game.prompt(state, 0)["moves"][0]["dice"]["subset_of"] == [0, 1, 2, 3, 4]
    again = apply_roll(state, [4, 1, 3], [6, 5, 1])
    assert (again.dice, game.view(again, 0)["locked"]) == ((1, 6, 2, 5, 1), [0, 2])
    assert game.prompt(again, 0)["moves"][0]["dice"]["subset_of"] == [1, 3, 4]
    for dice in ([0], [2, 3], [0, 1, 2, 3, 4]):
        assert refused(again, 0, {"type": "roll", "dice": dice}) == "illegal"
    third = apply_roll(again, [1, 3, 4], [2, 2, 2])  # all of the last try's
    assert (third.dice, third.tries) == ((1, 2, 2, 2, 2), 3)
    assert refused(third, 0, {"type": "roll", "dice": [1]}) == "illegal"
    assert all(entry["type"] == "announce" for entry in game.prompt(third, 0)["moves"])


def apply_roll(state, dice, drawn):
    return game.apply(state, state.thrower, {"type": "roll", "dice": dice}, ScriptedChance([drawn]))[0]


@pytest.mark.parametrize("dice", [[], [5], [-1], [0, 0], [0, 1, 2, 3, 4, 0], ["0"], [True], [1.0], None, 0, "0"])
def test_dice_that_are_none(dice):
    assert refused(tried(begun(), JUNK), 0, {"type": "roll", "dice": dice}) == "bad_field"


def test_the_others_see_how_many_tries_and_nothing_else():
    few = apply_roll(tried(begun(), JUNK), [0], [3])
    many = apply_roll(tried(begun(), FULL), [0, 1, 2, 3, 4], [1, 2, 3, 4, 5])
    for seat in (None, 1, 2):
        assert game.view(few, seat) == game.view(many, seat)
        assert (game.view(few, seat)["tries"], game.view(few, seat)["dice"]) == (2, None)
        assert game.view(few, seat)["locked"] is None
    assert game.view(few, 0)["dice"] == [3, 2, 2, 4, 6]


def test_a_try_tells_the_log_its_number_alone():
    _, events = game.apply(begun(), 0, ROLL, ScriptedChance([JUNK]))
    assert events == [{"type": "try", "seat": 0, "n": 1}]


def test_the_prompt_has_an_entry_for_each_open_combination():
    state = tried(with_sheets(begun(), s0=sheet(ones=3, yam=50, chance=(None, 2))), JUNK)
    entries = [entry for entry in game.prompt(state, 0)["moves"] if entry["type"] == "announce"]
    assert [entry["combination"] for entry in entries] == [
        name for name in COMBINATIONS if name not in ("ones", "yam", "chance")
    ]
    by_name = {entry["combination"]: entry for entry in entries}
    assert by_name["fours"]["points"] == {"min": 4, "max": 20, "step": 4}
    assert by_name["three_kind"]["points"] == {"min": 5, "max": 30, "step": 1}
    assert by_name["full_house"]["points"] == {"min": 25, "max": 25, "step": 1}
    assert by_name["full_house"]["may_omit"] == ["points"]
    for closed_one in ("ones", "yam", "chance"):
        least = CLAIMS[closed_one][0]
        move = {"type": "announce", "combination": closed_one, "points": least}
        assert refused(state, 0, move) == "illegal"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"combination": "ones", "points": 6}, "illegal"),
        ({"combination": "twos", "points": 5}, "illegal"),
        ({"combination": "sixes", "points": 3}, "illegal"),
        ({"combination": "chance", "points": 4}, "illegal"),
        ({"combination": "full_house", "points": 24}, "illegal"),
        ({"combination": "chance", "points": 40}, "illegal"),
        ({"combination": "yam", "points": 51}, "bad_field"),
        ({"combination": "yam", "points": 0}, "bad_field"),
        ({"combination": "yam", "points": -50}, "bad_field"),
        ({"combination": "yam", "points": 49}, "bad_field"),
        ({"combination": "yam", "points": 50.0}, "bad_field"),
        ({"combination": "yam", "points": True}, "bad_field"),
        ({"combination": "yam", "points": None}, "bad_field"),
        ({"combination": "yam", "points": "50"}, "bad_field"),
        ({"combination": "yam", "points": 10**30}, "bad_field"),
        ({"combination": "chance"}, "bad_field"),
        ({"points": 5}, "bad_field"),
        ({"combination": "yum", "points": 5}, "bad_field"),
        ({"combination": ["yam"], "points": 5}, "bad_field"),
        ({"combination": "yam", "points": 50, "doubt": True}, "bad_field"),
    ],
)
def test_claims_that_are_none(fields, code):
    assert refused(tried(begun(), JUNK), 0, {"type": "announce", **fields}) == code


def test_fixed_points_may_be_left_out_or_said():
    for name, fixed in FIXED.items():
        for said in (None, fixed):
            assert game.view(announced(begun(), JUNK, name, said), None)["claim"] == {
                "combination": name,
                "points": fixed,
            }


# ——— The answer
def test_all_the_others_answer_and_the_order_does_not_matter():
    claimed = announced(begun(4), FULL, "full_house")
    assert game.to_move(claimed) == [1, 2, 3]
    ends = {game.dump(answered(claimed, doubters=(1, 3), order=list(order))) for order in permutations((1, 2, 3))}
    assert len(ends) == 1


def test_answers_are_sealed_until_the_last():
    claimed = announced(begun(4), FULL, "full_house")
    doubting = apply(claimed, 2, {"type": "answer", "doubt": True})
    believing = apply(claimed, 2, {"type": "answer", "doubt": False})
    for viewer in (None, 0, 1, 3):
        assert game.view(doubting, viewer) == game.view(believing, viewer)
        assert game.view(doubting, viewer)["answered"] == [2]
    assert game.view(doubting, 2)["your_answer"] is True
    assert game.view(believing, 2)["your_answer"] is False
    _, events = game.apply(claimed, 2, {"type": "answer", "doubt": True}, ScriptedChance([]))
    assert events == [{"type": "answer", "seat": 2}]


def test_nobody_answers_twice_or_for_others():
    claimed = announced(begun(4), FULL, "full_house")
    once = apply(claimed, 2, {"type": "answer", "doubt": True})
    for seat in (0, 2):
        assert refused(once, seat, {"type": "answer", "doubt": False}) == "not_your_turn"
    assert refused(once, 1, ROLL) == "illegal"
    assert refused(once, 1, {"type": "announce", "combination": "yam"}) == "illegal"


@pytest.mark.parametrize("doubt", [None, 0, 1, "true", [], 1.0])
def test_an_answer_is_yes_or_no(doubt):
    assert refused(announced(begun(), FULL, "yam"), 1, {"type": "answer", "doubt": doubt}) == "bad_field"


@pytest.mark.parametrize(
    ("dice", "combination", "claimed", "true"),
    [
        (FULL, "full_house", 25, True),
        (FULL, "threes", 9, True),
        (FULL, "threes", 6, True),
        (FULL, "threes", 12, False),
        (FULL, "three_kind", 19, True),
        (FULL, "three_kind", 20, False),
        (FULL, "four_kind", 5, False),
        (FULL, "chance", 19, True),
        ([2] * 5, "full_house", 25, False),
        ([2] * 5, "four_kind", 10, True),
        ([2, 3, 4, 5, 6], "small_straight", 30, False),
    ],
)
def test_true_is_at_least_the_claimed_points(dice, combination, claimed, true):
    state = turn(begun(), dice, combination, claimed, doubters=[1])
    assert game.view(state, None)["last"]["true"] is true


def test_nobody_doubts_the_claim_is_written_true_or_not():
    state = turn(begun(), JUNK, "yam")
    assert row(state, 0, "yam") == {"points": 50, "crosses": 0, "barred": False, "open": False}
    for viewer in (None, 0, 1, 2):
        view = game.view(state, viewer)
        assert (view["dice"], view["last"]["dice"], view["last"]["true"]) == (None, None, None)
        assert view["last"]["revealed"] is False
    assert game.view(turn(begun(), [4] * 5, "yam"), None) == game.view(state, None)


def test_doubted_and_true_the_doubters_cross():
    state = turn(begun(4), FULL, "threes", 6, doubters=[1, 3])
    assert row(state, 0, "threes")["points"] == 6
    assert [row(state, seat, "threes")["crosses"] for seat in range(4)] == [0, 1, 0, 1]
    assert game.view(state, None)["last"] == {
        "thrower": 0,
        "claim": {"combination": "threes", "points": 6},
        "doubters": [1, 3],
        "revealed": True,
        "dice": FULL,
        "true": True,
    }


def test_a_caught_bluff_is_crossed_and_each_doubter_with_an_open_cell_writes():
    state = with_sheets(begun(6), s2=sheet(fours=(4, 1)), s3=sheet(fours=(None, 2)), s5=sheet(fours=(None, 1)))
    state = turn(state, JUNK, "fours", 16, doubters=[1, 2, 3, 5])
    told = [(row(state, n, "fours")["points"], row(state, n, "fours")["crosses"]) for n in range(6)]
    assert told == [(None, 1), (16, 0), (4, 1), (None, 2), (None, 0), (16, 1)]


def test_nobody_but_the_thrower_ever_writes_a_yam():
    state = turn(begun(), JUNK, "yam", doubters=[1, 2])
    assert [row(state, seat, "yam")["points"] for seat in range(3)] == [None, None, None]
    assert [row(state, seat, "yam")["crosses"] for seat in range(3)] == [1, 0, 0]
    true = turn(begun(), [4] * 5, "yam", doubters=[1])
    assert [row(true, seat, "yam")["points"] for seat in range(3)] == [50, None, None]


def test_the_second_cross_bars_and_annuls_and_further_ones_change_nothing():
    state = with_sheets(begun(), s1=sheet(threes=(9, 1)), s2=sheet(threes=(None, 2)))
    state = turn(state, FULL, "threes", 9, doubters=[1, 2])
    barred = {"points": None, "crosses": 2, "barred": True, "open": False}
    assert row(state, 1, "threes") == row(state, 2, "threes") == barred
    assert row(state, 0, "threes")["points"] == 9


def test_the_throwers_own_second_cross_bars_too():
    state = turn(with_sheets(begun(), s0=sheet(sixes=(None, 1))), JUNK, "sixes", 30, doubters=[2])
    assert row(state, 0, "sixes") == {"points": None, "crosses": 2, "barred": True, "open": False}
    assert row(state, 2, "sixes")["points"] == 30


def test_annulled_points_take_the_bonus_with_them():
    full = sheet(ones=3, twos=6, threes=9, fours=12, fives=15, sixes=(18, 1))
    state = turn(with_sheets(begun(), s1=full), [6, 6, 1, 2, 3], "sixes", 12, doubters=[1])
    shown = game.view(state, None)["sheets"][1]
    assert (shown["upper"], shown["bonus"], shown["total"]) == (45, 0, 45)


def test_what_the_log_is_told_of_a_settled_turn():
    claimed = announced(with_sheets(begun(), s1=sheet(threes=(None, 1))), FULL, "threes", 9)
    state = apply(claimed, 2, {"type": "answer", "doubt": False})
    _, events = game.apply(state, 1, {"type": "answer", "doubt": True}, ScriptedChance([]))
    assert events == [
        {"type": "answer", "seat": 1},
        {"type": "settled", "seat": 0, "combination": "threes", "points": 9, "tries": 1, "doubters": [1]}
        | {"dice": FULL, "true": True, "written": [0], "barred": [1]},
    ]


# What the page shows beside the view
