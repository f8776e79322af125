"""¥€$: BUY and SELL, vetoes, the fifteen goods; one test for each paragraph (spec: yes.md)."""

import pytest

from games.rules.yes.data import COUNTRIES
from tests.rules.yes_match import (
    PASS,
    act,
    acted,
    buy,
    game,
    interest,
    liquidate,
    offer,
    play,
    refused,
    table,
    told,
)

FULL = [country.id for country in COUNTRIES[:15]]
FAR = ("four_africa", "four_asia_oceania")
VETO, ALLOW = {"type": "veto"}, {"type": "allow"}


# BUY
def test_a_purchase_at_the_printed_price():
    state, happened = acted(table(2, owns={1: ["germany", "italy"]}), "buy", (0, buy("italy")))
    assert happened.paid() == [(0, 1, 70_000)]
    assert (state.owner("italy"), state.owner("germany")) == (0, 1)


def test_without_gamble_only_what_cash_allows_and_no_passing_then():
    state = act(table(2, owns={0: ["canada"], 1: ["germany", "japan"]}, cash=[80_000, 0]), "buy")
    assert game.prompt(state, 0) == {
        "phase": "buy",
        "moves": [
            {"type": "buy", "country": {"one_of": ["germany"]}, "gamble": False},
            {"type": "buy", "country": {"one_of": ["germany", "japan"]}, "gamble": True},
        ],
        "optional": False,
    }
    for move in (PASS, buy("japan"), buy("canada"), buy("canada", True), buy("kenya")):
        assert refused(state, 0, move) == "illegal"
    for move in (buy("atlantis"), {"type": "buy", "country": "germany"}, buy("germany", 1)):
        assert refused(state, 0, move) == "bad_field"


def test_with_nothing_affordable_one_gambles_or_passes():
    state = act(table(2, owns={1: ["germany"]}, cash=[70_000, 0]), "buy")
    assert game.prompt(state, 0)["optional"]
    assert [move["type"] for move in game.prompt(state, 0)["moves"]] == ["buy", "pass"]
    assert refused(state, 0, buy("germany")) == "illegal"
    assert game.default_move(state, 0) == PASS
    passed, happened = told(state, (0, PASS))
    assert (passed.owner("germany"), happened.paid()) == (1, [])
    assert play(state, (0, buy("germany", True)), draws=[[1]]).cash == (60_000, 10_000)


@pytest.mark.parametrize(("face", "price"), list(enumerate([10_000, 20_000, 50_000, 50_000, 100_000, 260_000], 1)))
def test_each_face_of_the_red_die_in_a_gamble(face, price):
    _state, happened = acted(
        table(2, owns={1: ["sweden"]}, cash=[300_000, 0]), "buy", (0, buy("sweden", True)), draws=[[face]]
    )
    assert happened.paid() == [(0, 1, price)]
    assert happened.of("red") == [{"type": "red", "seat": 0, "face": face, "price": price, "why": "gamble"}]


def test_nobody_has_a_card_to_buy():
    state, happened = acted(table(2, owns={0: ["canada"]}), "buy")
    assert happened.of("nothing")[0]["why"] == "no_cards"
    assert state.phase == "roll"


def test_with_fifteen_goods_one_buys_nothing():
    state, happened = acted(table(2, owns={0: FULL, 1: ["japan"]}, objectives={0: FAR}), "buy")
    assert happened.of("nothing")[0]["why"] == "full"
    assert state.owner("japan") == 1


def test_the_buyer_takes_the_card_then_pays_and_may_sell_that_very_card():
    state = table(2, owns={0: ["canada"], 1: ["germany"]}, cash=[50_000, 0])
    state = act(state, "buy", (0, buy("germany", True)), draws=[[6]])
    assert (state.phase, state.owner("germany")) == ("debt", 0)
    assert game.view(state, 1)["debts"] == [{"seat": 0, "amount": 160_000, "to": 1}]
    state, happened = told(state, (0, liquidate("germany")))
    # 130 000 is not enough: the last card goes by itself
    assert happened.paid() == [(None, 0, 80_000), (None, 0, 50_000), (0, 1, 160_000)]


def test_a_veto_forbids_a_purchase_before_the_red_die_is_rolled():
    state = table(3, owns={1: ["germany"], 2: ["japan"]}, hands={1: ["yes_20"]})
    state = act(state, "buy", (0, buy("germany", True)))
    assert (state.phase, state.to_move) == ("veto", [1])
    deal = {"country": "germany", "give": None, "gamble": True, "price": None, "seller": 1}
    assert game.view(state, None)["deal"] == deal
    assert refused(state, 0, ALLOW) == "not_your_turn"
    assert refused(state, 1, PASS) == "illegal"
    stopped, happened = told(state, (1, VETO))
    assert (stopped.owner("germany"), stopped.hands[1], stopped.decks.yes[-1]) == (1, (), "yes_20")
    assert happened.paid() == []
    assert game.view(stopped, None)["deal"] is None
    allowed, happened = told(state, (1, ALLOW), draws=[[2]])
    assert (allowed.owner("germany"), allowed.hands[1]) == (0, ("yes_20",))
    assert happened.paid() == [(0, 1, 20_000)]


def test_only_the_holder_of_veto_is_asked_and_of_a_purchase_sees_the_price():
    owns = {1: ["germany"], 2: ["italy"]}
    state = act(table(3, owns=owns, hands={1: ["yes_20"]}), "buy")
    assert play(state, (0, buy("italy"))).owner("italy") == 0
    asked = play(state, (0, buy("germany")))
    assert game.view(asked, 0)["deal"]["price"] == 80_000
    assert game.default_move(asked, 1) == ALLOW


# SELL
def test_the_roller_may_decline_to_sell_and_the_neighbour_may_not():
    state = act(table(2, owns={0: ["canada"], 1: ["japan"]}), "sell", second="sell")
    assert game.prompt(state, 0)["optional"]
    state = play(state, (0, PASS))
    assert (state.actor, game.prompt(state, 1)["optional"]) == (1, False)
    assert refused(state, 1, PASS) == "illegal"


def test_an_offer_is_of_ones_own():
    state = act(table(2, owns={0: ["canada"], 1: ["japan"]}), "sell")
    assert refused(state, 0, offer("japan")) == "illegal"
    assert refused(state, 0, offer("kenya")) == "illegal"
    assert refused(state, 0, offer("narnia")) == "bad_field"
    assert refused(state, 0, {"type": "offer", "country": "canada"}) == "bad_field"


def test_without_cards_nothing_is_sold():
    _state, happened = acted(table(2, owns={1: ["japan"]}), "sell")
    assert happened.of("nothing")[0]["why"] == "no_cards"


def test_interest_is_sealed_until_all_have_answered():
    state = act(table(4, owns={0: ["canada"]}), "sell", (0, offer("canada", True)), (3, interest(True)))
    for viewer in (None, 0, 1, 2, 3):
        sale = game.view(state, viewer)["sale"]
        assert sale == {"country": "canada", "bank": True, "answered": [3], "rolls": []}
    assert state.to_move == [1, 2]
    assert refused(state, 3, interest(False)) == "not_your_turn"
    assert refused(state, 1, {"type": "interest", "yes": 1}) == "bad_field"


def test_the_interested_roll_clockwise_from_the_actor_and_the_highest_takes_it():
    """The first die was seat 0's, so seat 1 sells; seats 3, then 0, roll."""
    state = table(4, owns={1: ["canada"]}, tops={"country": ["japan"]})
    state = act(state, "country", (1, offer("canada")), second="sell")
    state, happened = told(state, (0, interest(True)), (2, interest(False)), (3, interest(True)), draws=[[3], [5]])
    assert game.view(state, None)["sale"]["rolls"] == [
        {"seat": 3, "face": 3, "price": 50_000},
        {"seat": 0, "face": 5, "price": 100_000},
    ]
    assert happened.paid() == [(0, 1, 100_000)]
    assert (state.owner("canada"), state.roller) == (0, 1)


def test_twice_the_printed_price_may_be_less_than_another_face():
    state = table(3, owns={0: ["guatemala"]})
    state, happened = acted(
        state,
        "sell",
        (0, offer("guatemala")),
        *[(1, interest(True)), (2, interest(True))],
        draws=[[6], [5]],
    )
    assert [event["price"] for event in happened.of("red")] == [60_000, 100_000]
    assert state.owner("guatemala") == 2


def test_the_actor_picks_among_equal_prices():
    """50 000 is on two faces; twice 50 000 equals 100 000."""
    state = table(4, owns={0: ["canada"]})
    moves = [(0, offer("canada")), *((seat, interest(True)) for seat in (1, 2, 3))]
    state = act(state, "sell", *moves, draws=[[6], [4], [5]])
    assert (state.phase, state.to_move) == ("award", [0])
    assert game.prompt(state, 0)["moves"] == [{"type": "award", "seat": {"one_of": [1, 3]}}]
    assert refused(state, 0, {"type": "award", "seat": 2}) == "illegal"
    assert refused(state, 0, {"type": "award", "seat": 9}) == "bad_field"
    assert refused(state, 0, {"type": "accept", "seat": 1}) == "illegal"
    assert game.default_move(state, 0) == {"type": "award", "seat": 1}
    state, happened = told(state, (0, {"type": "award", "seat": 3}))
    assert happened.paid() == [(3, 0, 100_000)]


def test_a_price_beyond_ones_cash_is_a_debt():
    state = table(3, owns={0: ["japan"], 1: ["kenya", "canada"]}, cash=[0, 250_000, 0])
    moves = [(0, offer("japan")), (1, interest(True)), (2, interest(False))]
    state = act(state, "sell", *moves, draws=[[6]])
    assert (state.phase, state.to_move, state.owner("japan")) == ("debt", [1], 1)
    state = play(state, (1, liquidate("kenya")))
    assert (state.cash, state.phase) == ((280_000, 0, 0), "roll")


@pytest.mark.parametrize("bank", [True, False])
def test_nobody_interested(bank):
    state = table(3, owns={0: ["japan"]}, tops={"country": ["india"]})
    moves = [(0, offer("japan", bank)), (1, interest(False)), (2, interest(False))]
    state, happened = acted(state, "sell", *moves)
    assert happened.paid() == ([(None, 0, 140_000)] if bank else [])
    assert state.owner("japan") == (None if bank else 0)
    assert (state.decks.country[-1] == "japan") == bank


def test_who_has_fifteen_goods_is_not_asked():
    state = table(3, owns={0: ["japan"], 1: FULL}, objectives={1: FAR})
    assert act(state, "sell", (0, offer("japan", True))).to_move == [2]
    alone = table(2, owns={0: ["japan"], 1: FULL}, objectives={1: FAR}, tops={"yes": ["yes_01"]})
    alone, happened = acted(alone, "sell", (0, offer("japan", True)), second="yes")
    assert happened.paid()[0] == (None, 0, 140_000)
    kept = table(2, owns={0: ["japan"], 1: FULL}, objectives={1: FAR}, tops={"yes": ["yes_01"]})
    assert act(kept, "sell", (0, offer("japan", False)), second="yes").owner("japan") == 0


def test_what_an_action_showed_stays_until_the_next_begins():
    state = table(2, owns={1: ["japan"]}, tops={"country": ["india"]})
    state = act(state, "country", (1, offer("japan")), (0, interest(False)), second="sell")
    assert state.phase == "roll"
    assert game.view(state, None)["sale"]["country"] == "japan"
    state = play(state, (1, {"type": "roll"}), draws=[[4, 4]])
    assert game.view(state, None)["sale"]
    assert game.view(play(state, (1, {"type": "keep", "die": 0})), None)["sale"] is None
