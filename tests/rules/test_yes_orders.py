"""¥€$: standing orders, moves of whose time runs out, refusals in their order."""

import pytest

from games.rules.yes.moves import MOVES
from tests.rules.yes_match import (
    PASS,
    act,
    bid,
    buy,
    drawn,
    game,
    interest,
    offer,
    play,
    refused,
    table,
)


def ordered(state, seat, orders):
    game.check_orders(orders)
    return game.ordered_move(game.view(state, seat), orders)


@pytest.fixture
def sale():
    """Kenya, a tractor in Africa, is on offer; seat 1 has 200 000."""
    return act(table(3, owns={0: ["kenya"]}), "sell", (0, offer("kenya")))


@pytest.mark.parametrize(
    ("orders", "answer"),
    [
        ({}, None),
        ({"interest": []}, interest(False)),
        ({"interest": ["tractor"]}, interest(True)),
        ({"interest": ["africa", "gold"]}, interest(True)),
        ({"interest": ["gold", "europe"]}, interest(False)),
        ({"interest": ["africa"], "min_cash": 200_000}, interest(True)),
        ({"interest": ["africa"], "min_cash": 210_000}, interest(False)),
        ({"min_cash": 0}, None),
        ({"min_cash": 990_000}, None),
        ({"veto": ["kenya"], "bid": [], "never_gamble": True, "ignore": "always", "pass_always": True}, None),
    ],
)
def test_interest_by_orders(sale, orders, answer):
    assert ordered(sale, 1, orders) == answer


def auction(cash=200_000, marker=0):
    owns = {1: ["mexico"], 2: ["brazil"], 3: ["kenya"]}
    return act(table(4, owns=owns, cash=[0, cash, 10_000, 10_000], marker=marker), "cash")


@pytest.mark.parametrize(
    ("wishes", "answer"),
    [
        ([], bid(0)),
        ([("europe", 40_000)], bid(40_000, 3)),
        ([("north_america", 40_000), ("south_america", 50_000)], bid(50_000, 2)),
        ([("europe", 50_000), ("south_america", 50_000)], bid(50_000, 2)),
        ([("oil", 90_000)], bid(0)),
        ([("europe", 0)], bid(0)),
        ([("europe", 300_000)], bid(200_000, 3)),
        ([("north_america", 250_000), ("europe", 300_000)], bid(200_000, 3)),
        ([("europe", 30_000), ("europe", 60_000)], bid(60_000, 3)),
        ([(3, 40_000)], bid(40_000, 3)),
    ],
)
def test_bids_by_orders(wishes, answer):
    orders = {"bid": [{"space": space, "amount": amount} for space, amount in wishes]}
    state = auction()
    assert ordered(state, 1, orders) == answer
    play(state, (1, answer))


@pytest.mark.parametrize(
    ("orders", "kept"),
    [
        ({}, {}),
        ({"veto": []}, {}),
        ({"min_cash": 20_000, "max_price": 20_000, "serving": True, "never_gamble": False}, {}),
        ({"veto": ["kenya"], "interest": [], "bid": []}, {"veto": ["kenya"], "interest": [], "bid": []}),
        ({"bid": [{"space": 0, "amount": 0}]}, {"bid": [{"space": "bank", "amount": 0}]}),
        (
            {"bid": [{"space": s, "amount": n} for s, n in ((3, 10_000), ("oil", 0), ("europe", 20_000))]},
            {"bid": [{"space": "europe", "amount": 20_000}, {"space": "oil", "amount": 0}]},
        ),
    ],
)
def test_orders_are_kept_with_named_spaces_and_without_empty_vetoes(orders, kept):
    game.check_orders(orders)
    assert game.kept_orders(orders) == kept
    game.check_orders(kept)
    for state in (auction(), auction(marker=8)):
        assert ordered(state, 1, kept) == ordered(state, 1, orders)


@pytest.mark.parametrize(
    ("orders", "cash", "answer"),
    [
        ({"bid_share": 50}, 200_000, bid(50_000, 1)),
        ({"bid_share": 100}, 200_000, bid(100_000, 1)),
        ({"bid_share": 70}, 30_000, bid(30_000, 1)),
        ({"bid_share": 50, "bid": [{"space": "south_america", "amount": 60_000}]}, 200_000, bid(60_000, 2)),
        ({"bid_share": 80, "bid": [{"space": "north_america", "amount": 60_000}]}, 200_000, bid(80_000, 1)),
        ({"bid_share": 50, "bid": []}, 200_000, bid(50_000, 1)),
    ],
)
def test_bids_by_a_share_of_what_a_space_would_pay(orders, cash, answer):
    """The space of North America, one step ahead, would pay seat 1 alone: 100 000."""
    state = auction(cash)
    assert ordered(state, 1, orders) == answer
    play(state, (1, answer))


def test_a_share_of_what_is_shared_is_rounded_down_and_of_nothing_is_no_bid():
    owns = {1: ["mexico"], 2: ["canada"], 3: ["kenya"]}
    shared = act(table(4, owns=owns), "cash")
    assert ordered(shared, 1, {"bid_share": 30}) == bid(10_000, 1)
    assert ordered(shared, 3, {"bid_share": 100}) == bid(0)


@pytest.mark.parametrize(
    ("orders", "aims", "answer"),
    [
        ({"interest": [], "serving": True}, ["four_africa", "five_rare"], True),
        ({"interest": [], "serving": True}, ["five_rare", "four_tractor"], True),
        ({"interest": [], "serving": True}, ["five_rare", "wealth"], False),
        ({"interest": ["tractor"], "serving": True}, ["five_rare", "wealth"], True),
        ({"interest": [], "serving": True, "max_price": 20_000}, ["four_africa", "five_rare"], False),
        ({"interest": [], "max_price": 30_000}, ["five_rare", "wealth"], True),
        ({"interest": ["gold"], "max_price": 30_000}, ["five_rare", "wealth"], False),
        ({"interest": ["tractor"], "max_price": 20_000}, ["five_rare", "wealth"], False),
        ({"serving": True, "max_price": 90_000}, ["four_africa", "five_rare"], None),
    ],
)
def test_interest_in_what_serves_an_objective_or_up_to_a_price(orders, aims, answer):
    """Kenya, a tractor in Africa, costs 30 000."""
    state = act(table(3, owns={0: ["kenya"]}, objectives={1: aims}), "sell", (0, offer("kenya")))
    assert ordered(state, 1, orders) == (None if answer is None else interest(answer))


def test_a_card_serves_no_objective_that_is_met():
    owns = {0: ["kenya"], 1: ["morocco", "egypt", "senegal", "nigeria"]}
    state = act(table(3, owns=owns, objectives={1: ["four_africa", "five_rare"]}), "sell", (0, offer("kenya")))
    assert ordered(state, 1, {"interest": [], "serving": True}) == interest(False)


def test_what_belongs_to_a_decision_begun_by_hand():
    """The roller's own die is; the left neighbour's die is not, though it begins after its answer to a sale."""
    rolled = play(table(2, owns={0: ["canada", "peru"], 1: ["japan"]}), (0, {"type": "roll"}), draws=[[6, 5]])
    kept = play(rolled, (0, {"type": "keep", "die": 0}))
    assert (kept.phase, game.carries_on(rolled, kept, 0)) == ("offer", True)
    offered = play(kept, (0, offer("canada")))
    unsold = play(offered, (1, interest(False)))
    assert (unsold.phase, unsold.to_move, game.carries_on(offered, unsold, 1)) == ("buy", [1], False)


def test_bids_by_orders_around_the_track():
    state = act(table(3, owns={1: ["egypt"], 2: ["peru"]}, marker=8), "cash")
    assert ordered(state, 1, {"bid": [{"space": "building", "amount": 20_000}]}) == bid(20_000, 3)
    assert ordered(state, 1, {"bid": [{"space": "bank", "amount": 20_000}]}) == bid(0)
    assert ordered(state, 1, {"pass_always": True}) is None


def test_never_gamble_passes_where_a_gamble_is_the_only_purchase():
    owns = {1: ["germany"]}
    poor = act(table(2, owns=owns, cash=[70_000, 0]), "buy")
    assert ordered(poor, 0, {"never_gamble": True}) == PASS
    assert ordered(poor, 0, {"never_gamble": False}) is None
    assert ordered(poor, 0, {"pass_always": True}) == PASS
    assert ordered(act(table(2, owns=owns), "buy"), 0, {"never_gamble": True, "pass_always": True}) is None


def test_vetoes_by_orders_are_for_the_named_countries():
    owns = {1: ["germany", "italy"]}
    state = act(table(2, owns=owns, hands={1: ["yes_20"]}), "buy", (0, buy("germany")))
    assert ordered(state, 1, {"veto": ["kenya", "germany"]}) == {"type": "veto"}
    assert ordered(state, 1, {"veto": ["italy"]}) is None
    assert ordered(state, 1, {}) is None


def test_ignoring_by_orders():
    state, _ = drawn(table(2, hands={0: ["yes_18"]}), "no_01")
    assert ordered(state, 0, {"ignore": "always"}) == {"type": "ignore"}
    assert ordered(state, 0, {"pass_always": True}) is None


def test_passing_always_where_one_may_pass():
    swap, _ = drawn(table(2, owns={0: ["canada"], 1: ["japan"]}), "yes_17")
    half, _ = drawn(table(2, owns={1: ["canada"]}), "yes_16")
    sell = act(table(2, owns={0: ["canada"], 1: ["japan"]}), "sell", second="sell")
    for state in (swap, half, sell):
        assert ordered(state, 0, {"pass_always": True}) == PASS
    assert ordered(play(sell, (0, PASS)), 1, {"pass_always": True}) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("interest", ["oil", "oil"]),
        ("interest", ["bank"]),
        ("interest", None),
        ("min_cash", 15_000),
        ("min_cash", -10_000),
        ("min_cash", 1_000_000),
        ("serving", "yes"),
        ("max_price", 160_000),
        ("bid_share", 55),
        ("bid_share", 110),
        ("bid", [{"space": "moon", "amount": 0}]),
        ("bid", [{"space": "europe"}]),
        ("bid", [{"space": "europe", "amount": 5_000}]),
        ("bid", [{"space": "europe", "amount": 0, "steps": 1}]),
        ("bid", {"space": "europe", "amount": 0}),
        ("never_gamble", "yes"),
        ("veto", ["atlantis"]),
        ("ignore", "never"),
        ("ignore", True),
    ],
)
def test_orders_that_there_are_not(name, value):
    with pytest.raises(ValueError, match=f"^{name}: "):
        game.check_orders({name: value})


# Time-out moves that other tests do not show


@pytest.mark.parametrize(
    ("dice", "die"),
    [((4, 1), 0), ((1, 4), 1), ((3, 1), 1), ((6, 3), 1), ((5, 6), 1), ((2, 5), 1), ((2, 2), 0)],
)
def test_the_die_that_is_kept_when_time_runs_out(dice, die):
    state = play(table(2), (0, {"type": "roll"}), draws=[list(dice)])
    assert game.default_move(state, 0) == {"type": "keep", "die": die}
    assert game.default_move(state, 1) is None
    assert game.default_move(table(2), 0) == {"type": "roll"}


def test_the_space_that_pays_most_when_time_runs_out():
    owns = {0: ["canada", "peru", "ecuador"], 1: ["panama"]}
    shared_then_alone = act(table(2, owns=owns), "cash")
    assert game.default_move(shared_then_alone, 0) == {"type": "advance", "steps": 2}
    alike = act(table(2, owns={0: ["canada", "peru"]}), "cash")
    assert game.default_move(alike, 0) == {"type": "advance", "steps": 1}
    bank = act(table(2, owns={0: ["egypt"]}, marker=10), "cash")
    assert game.default_move(bank, 0) == {"type": "advance", "steps": 1}
    nothing, _ = drawn(table(2), "yes_15")
    assert game.default_move(nothing, 0) == {"type": "advance", "steps": 1}


def test_other_moves_when_time_runs_out():
    assert game.default_move(auction(), 1) == bid(0)
    state = act(table(2, owns={0: ["japan", "kenya", "guatemala"], 1: ["peru", "india"]}), "sell")
    assert game.default_move(state, 0) == offer("guatemala")
    state = play(state, (0, offer("guatemala")))
    assert game.default_move(state, 1) == interest(False)
    state = act(table(2, owns={1: ["peru", "india", "poland"]}), "buy")
    assert game.default_move(state, 0) == buy("poland")


# Refusals in their order


def test_every_move_in_a_wrong_phase_is_illegal_and_with_a_bad_field_bad():
    """In phase `offer`, of the roller, who may pass."""
    state = act(table(2, owns={0: ["canada"], 1: ["japan"]}), "sell")
    fields = {
        "keep": {"die": 0},
        "exchange": {"objective": "trio"},
        "advance": {"steps": 1},
        "bid": {"amount": 0},
        "accept": {"seat": 0},
        "award": {"seat": 1},
        "buy": {"country": "japan", "gamble": False},
        "interest": {"yes": True},
        "swap": {"give": "canada", "take": "japan"},
        "give_up": {"country": "canada"},
        "put_back": {"objective": "trio"},
        "liquidate": {"country": "canada"},
    }
    for kind in (str(move.__struct_config__.tag) for move in MOVES):
        move = {"type": kind, **fields.get(kind, {})}
        if kind not in ("offer", "pass"):
            assert refused(state, 0, move) == "illegal", kind
        assert refused(state, 0, {**move, "more": 1}) == "bad_field"
        assert refused(state, 1, move) == "not_your_turn"
        for name in fields.get(kind, {}):
            assert refused(state, 0, {**move, name: "nonsense"}) == "bad_field"
            assert refused(state, 0, {**move, name: 1.0}) == "bad_field"
            assert refused(state, 0, {key: value for key, value in move.items() if key != name}) == "bad_field"
    assert refused(state, 0, {"type": "sell"}) == "unknown_move"


@pytest.mark.parametrize(
    "move",
    [
        {"type": "keep", "die": 2},
        {"type": "keep", "die": -1},
        {"type": "advance", "steps": 0},
        {"type": "accept", "seat": 2},
        {"type": "award", "seat": 2},
        {"type": "accept", "seat": -1},
        {"type": "accept", "seat": 10**30},
        {"type": "exchange", "objective": "canada"},
        {"type": "swap", "give": "canada", "take": "bank"},
    ],
)
def test_values_that_there_never_are(move):
    assert refused(table(2), 0, move) == "bad_field"


def test_before_the_roll_nothing_is_kept():
    assert refused(table(2), 0, {"type": "keep", "die": 0}) == "illegal"
    rolled = play(table(2), (0, {"type": "roll"}), draws=[[1, 2]])
    assert refused(rolled, 0, {"type": "roll"}) == "illegal"
