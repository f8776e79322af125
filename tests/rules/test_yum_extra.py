"""Yum EXTRA, where a scenario cannot say it (spec: yum-extra.md)."""

from collections import Counter
from itertools import combinations, permutations, product
from random import Random

import pytest

from games.engine import IllegalMove, ScriptedChance, SeededChance
from games.engine.throws import KEEPS, THROWS, expectations
from games.rules import get_game
from games.rules.yum_extra.bot import Plan
from games.rules.yum_extra.sheet import CELLS, COMBOS, KINDS, PRIVILEGES, UPPER, Row, Sheet, points
from games.rules.yum_extra.state import State
from tests.rules.playing import positions

game = get_game("yum-extra")

ALL_ROLLS = [
    {"type": "roll"},
    *({"type": "roll", "dice": list(some)} for k in range(1, 6) for some in combinations(range(5), k)),
]
CONCEIVABLE = [
    *ALL_ROLLS,
    *({"type": "extra", "extra": "die", "die": die} for die in range(5)),
    *({"type": "extra", "extra": extra} for extra in ("all", "combo")),
    *({"type": kind, "cell": cell} for kind in ("score", "erase", "double", "triple") for cell in CELLS),
    *({"type": kind, "cell": cell, "seat": seat} for kind in ("steal", "swap") for cell in CELLS for seat in range(3)),
    *({"type": "transform", "cell": cell, "into": into} for cell in UPPER for into in KINDS),
    {"type": "pass"},
]


def sheet(**rows):
    """A sheet with those rows; the others open."""
    return Sheet(tuple(rows.get(cell, Row()) for cell in CELLS))


def closed(*but):
    """A sheet on which all rows but those are written with 1 point."""
    return sheet(**{cell: Row(1) for cell in CELLS if cell not in but})


def allowed(view, seat, move):
    """The rules, told a second time from the spec and from the view alone."""
    sheets = view["sheets"]
    mine = sheets[seat]
    kind = move["type"]
    if view["phase"] == "roll":
        return allowed_roll(view, mine, move)
    if kind == "pass":
        return True
    if kind == "extra":
        return move["extra"] == "combo" and mine["extras"]["combo"]
    if kind not in formed_now(view):
        return False
    row = mine[move["cell"]]
    written = row["pts"] is not None and row["bonus"] is None
    if kind == "erase":
        return written
    if kind in ("double", "triple"):
        return written and row["pts"] > 0
    if kind == "transform":
        return row["open"] and not row["stolen"] and row["as"] is None
    other = sheets[move["seat"]][move["cell"]]
    theirs = other["pts"] is not None and other["bonus"] is None
    if move["seat"] == seat or row["as"] or other["as"]:
        return False
    if kind == "steal":
        return theirs and other["pts"] > 0 and row["bonus"] is None
    return theirs and written


def allowed_roll(view, mine, move):
    if view["dice"] is None:
        return move == {"type": "roll"}
    if move["type"] == "roll":
        return view["rolls"] < 3
    if move["type"] == "extra":
        return move["extra"] != "combo" and mine["extras"][move["extra"]]
    if move["type"] != "score" or not mine[move["cell"]]["open"]:
        return False
    gives = {cell: worth(mine, cell, view["dice"]) for cell in CELLS if mine[cell]["open"]}
    return gives[move["cell"]] > 0 or not any(gives.values())


def worth(mine, cell, dice):
    return points(tuple(dice))[mine[cell]["as"] or cell]


def formed_now(view):
    return [
        privilege
        for privilege in PRIVILEGES
        if any(white == view["white"] and view["dice"][die] == face for white, die, face in COMBOS[privilege])
    ]


@pytest.mark.thin(0)
def test_prompts_say_exactly_what_the_rules_allow():
    seen = Counter()
    for seed in range(3):
        for state in positions(game, 3, {}, seed=seed, end=False):
            seat = game.to_move(state)[0]
            view = game.view(state, seat)
            if view["phase"] == "combo":
                assert view["combos"] == formed_now(view)
            for move in CONCEIVABLE:
                try:
                    game.apply(state, seat, move, SeededChance(b""))
                except IllegalMove as error:
                    assert error.code == "illegal"
                    assert not allowed(view, seat, move), (move, view)
                else:
                    assert allowed(view, seat, move), (move, view)
                    seen[move["type"]] += 1
    assert set(seen) == set(game.moves.types)


def test_points_of_every_throw():
    for dice in product(range(1, 7), repeat=5):
        got = points(dice)
        counts = sorted(Counter(dice).values())
        total = sum(dice)
        assert [got[cell] for cell in UPPER] == [face * dice.count(face) for face in range(1, 7)]
        assert got["three_kind"] == (total if counts[-1] >= 3 else 0)
        assert got["four_kind"] == (total if counts[-1] >= 4 else 0)
        assert got["high_roll"] == total
        assert got["full_house"] == (25 if counts == [2, 3] else 0)
        assert got["yum"] == (30 if counts == [5] else 0)
        assert got["short_straight"] == (15 if any({a, a + 1, a + 2, a + 3} <= set(dice) for a in (1, 2, 3)) else 0)
        assert got["long_straight"] == (20 if set(dice) in ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6}) else 0)


def test_the_combos_are_eighteen_three_to_a_number_and_a_privilege():
    combos = [combo for privilege in COMBOS.values() for combo in privilege]
    assert len(set(combos)) == 18
    assert Counter(white for white, _, _ in combos) == dict.fromkeys(range(1, 7), 3)
    assert all(len(privilege) == 3 for privilege in COMBOS.values())


def test_the_view_has_exactly_these_keys():
    state = State("forced", 0, 0, (Sheet(), Sheet()))
    view = game.view(state, 0)
    assert set(view) == {
        *("game", "seats", "phase", "to_move", "you", "prompt", "outcome"),
        *("dice", "rolls", "white", "active", "combos", "sheets", "starter"),
    }
    assert set(view["sheets"][0]) == {*CELLS, "extras", "lucky", "upper", "lower", "total"}
    assert view["sheets"][0]["ones"] == {
        "pts": None,
        "bonus": None,
        "stolen": False,
        "as": None,
        "open": True,
    }


def test_the_events_of_a_turn():
    chance = ScriptedChance([[1], [4, 4, 4, 1, 2], [6, 6], [4], [5], [3]])
    state = game.setup(seats=2, options={}, chance=chance)
    said = []
    for seat, move in [
        (0, {"type": "roll"}),
        (0, {"type": "roll", "dice": [4, 3]}),
        (0, {"type": "extra", "extra": "die", "die": 3}),
        (0, {"type": "score", "cell": "four_kind"}),
        (1, {"type": "extra", "extra": "combo"}),
    ]:
        state, events = game.apply(state, seat, move, chance)
        said += events
    dice = [4, 4, 4, 4, 6]
    assert said == [
        {"type": "roll", "seat": 0, "dice": [4, 4, 4, 1, 2], "rolled": [0, 1, 2, 3, 4], "n": 1},
        {"type": "roll", "seat": 0, "dice": [4, 4, 4, 6, 6], "rolled": [3, 4], "n": 2},
        {"type": "extra", "seat": 0, "extra": "die", "dice": dice, "rolled": [3]},
        {"type": "score", "seat": 0, "cell": "four_kind", "points": 22, "column": "pts"} | {"as": None, "dice": dice},
        {"type": "white", "seat": 1, "die": 5, "combos": [], "again": False, "asked": True},
        {"type": "white", "seat": 1, "die": 3, "combos": ["erase"], "again": True, "asked": False},
        {"type": "turn", "seat": 1},
    ]


COMBO = {"scratch": "forced", "starter": 0, "active": 0, "combo": 1, "rolls": 1}


@pytest.mark.parametrize(
    ("white", "dice", "move", "event"),
    [
        (1, (1, 2, 2, 2, 6), {"type": "erase", "cell": "ones"}, {"points": 3}),
        (2, (2, 2, 3, 5, 6), {"type": "steal", "cell": "twos", "seat": 0}, {"from": 0, "points": 4}),
        (3, (2, 2, 3, 5, 6), {"type": "triple", "cell": "ones"}, {"points": 9}),
        (2, (2, 2, 2, 4, 6), {"type": "double", "cell": "ones"}, {"points": 6}),
        (1, (2, 2, 2, 5, 3), {"type": "swap", "cell": "ones", "seat": 0}, {"with": 0, "gets": 2, "gives": 3}),
        (
            2,
            (2, 1, 3, 4, 6),
            {"type": "transform", "cell": "sixes", "into": "high_roll"},
            {"into": "high_roll"},
        ),
    ],
)
def test_the_event_of_each_privilege(white, dice, move, event):
    sheets = (sheet(ones=Row(2), twos=Row(4)), sheet(ones=Row(3)))
    state = State(**COMBO, sheets=sheets, dice=dice, white=white)
    _, events = game.apply(state, 1, move, ScriptedChance([]))
    assert events == [
        {"type": move["type"], "seat": 1, "cell": move["cell"], **event},
        {"type": "turn", "seat": 1},
    ]


def test_points_written_again_after_a_theft_are_told_as_a_bonus():
    sheets = (sheet(sixes=Row(stolen=True), ones=Row(into="high_roll")), Sheet())
    state = State("forced", 0, 0, sheets, dice=(6, 6, 6, 1, 1), rolls=3)
    _, events = game.apply(state, 0, {"type": "score", "cell": "sixes"}, ScriptedChance([[1]]))
    assert (events[0]["column"], events[0]["points"], events[0]["as"]) == ("bonus", 18, None)
    _, events = game.apply(state, 0, {"type": "score", "cell": "ones"}, ScriptedChance([[1]]))
    assert (events[0]["column"], events[0]["points"], events[0]["as"]) == ("pts", 20, "high_roll")


@pytest.mark.parametrize(("die", "won"), [(1, 0), (3, 0), (4, 25), (6, 25)])
def test_the_lucky_roll_is_made_once(die, won):
    state = State("forced", 0, 0, (closed("sixes", "yum"), Sheet()), dice=(6, 6, 6, 6, 1), rolls=1)
    chance = ScriptedChance([[die], [1]])
    state, events = game.apply(state, 0, {"type": "score", "cell": "sixes"}, chance)
    assert events[1] == {"type": "lucky", "seat": 0, "die": die, "points": won}
    assert game.view(state, 0)["sheets"][0]["lucky"] == won
    again = State(
        "forced",
        0,
        0,
        (Sheet(closed("sixes", "yum").rows, lucky=won), Sheet()),
        dice=(6, 6, 6, 6, 1),
        rolls=1,
    )
    _, events = game.apply(again, 0, {"type": "score", "cell": "sixes"}, ScriptedChance([[1]]))
    assert [event["type"] for event in events] == ["score", "white"]


def test_the_match_ends_with_the_round_whatever_its_combo_turns_change():
    """Seat 0 closes its sheet; seat 1 robs it and so opens a row of it: the match ends all the same."""
    state = State("forced", 0, 0, (closed("fives"), closed("fives", "yum")), dice=(2, 2, 5, 5, 1), rolls=1)
    state, _ = game.apply(state, 0, {"type": "score", "cell": "fives"}, ScriptedChance([[1], [2]]))
    assert game.view(state, 1)["combos"] == ["steal"]
    state, events = game.apply(state, 1, {"type": "steal", "cell": "fives", "seat": 0}, ScriptedChance([[6]]))
    assert [event["type"] for event in events] == ["steal", "lucky", "end"]
    assert game.outcome(state) == {"ranks": [2, 1], "scores": [12, 46], "winners": [1]}


def test_equal_totals_share_the_rank():
    over = State("forced", 0, 0, (closed(), closed(), sheet(), sheet(ones=Row(13))), over=True)
    assert game.outcome(over) == {"ranks": [1, 1, 4, 1], "scores": [13, 13, 0, 13], "winners": [0, 1, 3]}


def test_the_order_of_dice_does_not_matter_to_their_worth():
    for throw in THROWS[::10]:
        assert all(points(dice) == points(throw) for dice in permutations(throw))


def test_expectations_are_exact():
    """Keeping nothing is worth the mean over all 7776 throws; keeping four, the mean over six faces."""
    value = {throw: points(throw)["high_roll"] + points(throw)["yum"] for throw in THROWS}
    expected = dict(zip(KEEPS, expectations([value[throw] for throw in THROWS]), strict=True))
    whole = sum(value[tuple(sorted(dice))] for dice in product(range(1, 7), repeat=5)) / 6**5
    assert expected[()] == pytest.approx(whole)
    assert expected[(6, 6, 6, 6)] == pytest.approx((25 + 26 + 27 + 28 + 29 + 30 + 30) / 6)


def test_a_plan_waits_for_the_five_alike_it_is_sure_enough_of():
    plan = Plan([points(throw)["yum"] for throw in THROWS], die_cost=None, all_cost=None)
    assert plan.choose((6, 6, 1, 6, 6), 1) == ("roll", (6, 6, 6, 6))
    assert plan.choose((6, 6, 6, 6, 6), 2) == ("score", (6, 6, 6, 6, 6))
    cheap = Plan([points(throw)["yum"] for throw in THROWS], die_cost=1, all_cost=1)
    assert cheap.choose((6, 6, 1, 6, 6), 0) == ("die", (6, 6, 6, 6))
    dear = Plan([points(throw)["yum"] for throw in THROWS], die_cost=6, all_cost=6)
    assert dear.choose((6, 6, 1, 6, 6), 0)[0] == "score"


def test_privileged_orders_leave_the_rolling_alone():
    rng = Random(3)
    for state in positions(game, 2, {}, seed=rng.randrange(100), end=False):
        view = game.view(state, game.to_move(state)[0])
        if view["phase"] == "roll":
            assert game.ordered_move(view, {"keep_extra": True, "privileges": [], "pass_always": True}) is None
