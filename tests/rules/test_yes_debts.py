"""¥€$: debts, the last chance, being out, the end."""

import pytest

from games.rules.yes.data import COUNTRIES
from tests.rules.yes_match import (
    act,
    acted,
    advance,
    buy,
    drawn,
    game,
    liquidate,
    play,
    refused,
    table,
    told,
)

FULL = [country.id for country in COUNTRIES[:15]]


def test_who_is_short_sells_one_card_at_a_time_until_it_can_pay():
    state, _ = drawn(table(2, owns={0: ["canada", "mexico", "kenya"]}, cash=[10_000, 0]), "no_06")
    assert (state.phase, state.to_move) == ("debt", [0])
    assert game.view(state, 1)["debts"] == [{"seat": 0, "amount": 100_000, "to": None}]
    assert game.default_move(state, 0) == liquidate("kenya")
    assert refused(state, 0, liquidate("peru")) == "illegal"
    assert refused(state, 0, {"type": "pass"}) == "illegal"
    assert refused(state, 1, liquidate("canada")) == "not_your_turn"
    state = play(state, (0, liquidate("canada")))
    assert (state.phase, state.cash[0], state.decks.country[-1]) == ("debt", 60_000, "canada")
    assert len(state.decks.no) == 20  # the card's effect is not done yet
    state = play(state, (0, liquidate("mexico")))
    assert (state.phase, state.cash[0], state.debts) == ("roll", 20_000, ())


def test_the_last_card_is_sold_unasked():
    state, happened = drawn(table(2, owns={0: ["panama"]}, cash=[30_000, 0]), "no_06")
    assert happened.paid() == [(None, 0, 80_000), (0, None, 100_000)]
    assert state.phase == "roll"


@pytest.mark.parametrize(
    ("faces", "gift"),
    [([5], 100_000), ([6, 3], 100_000), ([6, 6, 2], 80_000), ([6, 6, 6, 1], 80_000), ([6, 5], 200_000)],
)
def test_the_last_chance(faces, gift):
    """Each ×2 doubles the amount that comes after it."""
    state, happened = drawn(table(2, cash=[20_000, 0]), "no_06", draws=[[face] for face in faces])
    assert happened.paid() == [(None, 0, gift), (0, None, 100_000)]
    assert [event["face"] for event in happened.of("red")] == faces
    assert state.cash[0] == gift - 80_000


def test_who_is_still_short_pays_what_it_has_and_is_out():
    state = table(
        3,
        cash=[20_000, 200_000, 200_000],
        hands={0: ["yes_21", "yes_18"]},
        objectives={0: ("trio", "wealth")},
    )
    state, _ = drawn(state, "no_06", (0, {"type": "suffer"}), draws=[[3]])
    assert (state.out, state.cash[0], state.hands[0], state.objectives[0]) == ((0,), 0, (), ())
    assert state.decks.objective[-2:] == ("trio", "wealth")
    assert state.decks.yes[-2:] == ("yes_21", "yes_18")
    assert (state.roller, state.phase) == (1, "roll")
    assert game.view(state, 0)["out"] == [0]
    assert (game.view(state, 0)["objectives"], game.view(state, 0)["met"]) == ([[], 2, 2], [])


def test_the_creditor_gets_what_the_ruined_has():
    state = table(3, owns={1: ["japan"]}, cash=[0, 0, 0])
    state, happened = acted(state, "buy", (0, buy("japan", True)), draws=[[6], [4]])
    # japan is sold for 140 000, the red die gives 50 000: still less than 280 000
    assert happened.paid() == [(None, 0, 140_000), (None, 0, 50_000), (0, 1, 190_000)]
    assert state.out == (0,)
    assert state.owner("japan") is None


def test_debts_are_settled_one_after_the_other_each_with_its_own_last_chance():
    """Each opponent pays seat 0: seat 1 by its last chance, seat 2 is ruined, seat 3 sells cards."""
    state = table(4, owns={3: ["kenya", "japan"]}, cash=[0, 10_000, 0, 0])
    state, happened = drawn(state, "yes_08", draws=[[1], [1]])
    assert happened.paid() == [(None, 1, 10_000), (1, 0, 20_000), (None, 2, 10_000), (2, 0, 10_000)]
    assert (state.out, state.phase, state.to_move) == ((2,), "debt", [3])
    assert game.view(state, None)["debts"] == [{"seat": 3, "amount": 20_000, "to": 0}]
    state = play(state, (3, liquidate("kenya")))
    assert (state.cash, state.roller) == ((50_000, 0, 0, 10_000), 1)


def test_debts_that_wait_are_shown_behind_the_one_that_is_settled():
    state = table(4, owns={1: ["kenya", "japan"]}, cash=[0, 0, 50_000, 50_000])
    state, _ = drawn(state, "yes_06")
    assert game.view(state, None)["debts"] == [{"seat": seat, "amount": 10_000, "to": 0} for seat in (1, 2, 3)]
    assert state.cash == (0, 0, 50_000, 50_000)


def test_who_pays_each_opponent_pays_the_first_of_them_first():
    """20 000 to seat 1 from its cash; then twice 10 000 and 10 000 from the bank for the other two."""
    state, happened = drawn(table(4, cash=[30_000, 0, 0, 0]), "no_09", draws=[[6], [1], [1]])
    gifts = [(None, 0, 20_000), (0, 2, 20_000), (None, 0, 10_000), (0, 3, 20_000)]
    assert happened.paid() == [(0, 1, 20_000), *gifts]
    assert (state.cash, state.out) == ((0, 20_000, 20_000, 20_000), ())


def test_each_debt_has_its_own_last_chance():
    state, happened = drawn(table(4, cash=[0, 0, 0, 0]), "no_09", draws=[[2], [2], [1]])
    assert happened.paid() == [
        *[(None, 0, 20_000), (0, 1, 20_000)],
        *[(None, 0, 20_000), (0, 2, 20_000)],
        *[(None, 0, 10_000), (0, 3, 10_000)],
    ]
    assert state.out == (0,)


def test_debts_of_who_is_out_lapse():
    state, happened = drawn(table(4, cash=[0, 0, 0, 0]), "no_09", draws=[[1]])
    assert happened.paid() == [(None, 0, 10_000), (0, 1, 10_000)]
    assert (state.out, state.debts, state.phase, state.roller) == ((0,), (), "roll", 1)
    assert state.decks.no[-1] == "no_09"


def test_the_left_neighbour_of_who_is_out_carries_out_the_other_die():
    state = table(4, cash=[0, 50_000, 50_000, 50_000], tops={"no": ["no_06"], "country": ["japan"]})
    state = act(state, "no", draws=[[1]])
    assert state.out == (0,)
    assert (state.owner("japan"), state.roller) == (1, 1)


def test_a_neighbour_who_is_ruined_first_is_passed_over():
    state = table(3, cash=[0, 0, 50_000], tops={"yes": ["yes_08"], "country": ["japan"]})
    state = act(state, "yes", draws=[[1]])
    assert (state.out, state.owner("japan"), state.roller) == ((1,), 2, 2)


def test_the_turn_goes_on_to_the_left_of_who_is_ruined_by_the_other_die():
    state = table(4, cash=[50_000, 0, 50_000, 50_000], tops={"no": ["no_06"]})
    state = act(state, "country", second="no", draws=[[1]])
    assert (state.out, state.roller) == ((1,), 2)


def test_who_is_out_is_passed_over_in_everything():
    gone = {"out": (1,), "objectives": {1: ()}, "cash": [100_000, 0, 100_000, 100_000]}
    _state, happened = drawn(table(4, **gone), "yes_06")
    assert [event["from"] for event in happened.of("pay")] == [2, 3]
    _state, happened = drawn(table(4, **gone), "no_07")
    assert [event["to"] for event in happened.of("pay")] == [2, 3]
    _state, happened = drawn(table(4, **gone), "no_12")
    assert happened.paid() == [(0, 2, 50_000)]
    assert act(table(4, owns={2: ["mexico"], 3: ["brazil"]}, **gone), "cash").to_move == [2, 3]
    sale = act(
        table(4, owns={0: ["mexico"]}, **gone),
        "sell",
        (0, {"type": "offer", "country": "mexico", "bank": True}),
    )
    assert sale.to_move == [2, 3]
    assert refused(sale, 1, {"type": "interest", "yes": True}) == "not_your_turn"


# The end
def winning(**more):
    owns = {0: ["canada", "guatemala", "mexico"], 1: ["argentina", "venezuela", "colombia"], 2: ["japan"]}
    return table(3, owns=owns, **more)


def test_both_objectives_met_win_at_once_and_the_other_die_is_left():
    state = winning(objectives={0: ("four_north_america", "two_alike")}, tops={"country": ["bahamas"]})
    state = act(state, "country")
    assert state.over
    assert game.outcome(state) == {"ranks": [1, 2, 3], "scores": [430_000, 350_000, 340_000], "winners": [0]}
    view = game.view(state, None)
    assert (view["roller"], view["actor"], view["dice"], view["kept"], view["action"]) == (
        0,
        0,
        [4, 4],
        0,
        "country",
    )
    assert view["objectives"][0] == ["four_north_america", "two_alike"]
    assert view["hands"] == [[], [], []]


def test_a_goal_met_in_the_middle_of_an_action_counts_only_at_its_end():
    """A million reached by one payment, and a card given up by the same NO card."""
    state = table(
        2,
        owns={0: ["canada", "guatemala", "mexico", "bahamas"]},
        objectives={0: ("four_north_america", "two_alike")},
    )
    state, _ = drawn(state, "no_13", (0, {"type": "give_up", "country": "bahamas"}))
    assert not state.over


def test_a_million_in_cash_wins():
    state, happened = drawn(table(3, cash=[900_000, 0, 0]), "yes_04")
    assert game.outcome(state)["winners"] == [0]
    assert happened.of("end") == [{"type": "end", "winner": 0, "why": "million"}]
    assert not drawn(table(3, cash=[890_000, 0, 0]), "yes_04")[0].over


def test_another_than_the_actor_may_win():
    state = table(3, owns={2: ["japan"], 0: ["mexico"]}, marker=3, cash=[0, 0, 900_000])
    state = act(state, "cash", (2, {"type": "bid", "amount": 0}), (0, advance(2)))
    assert game.outcome(state)["winners"] == [2]


def test_of_several_who_reach_the_goal_the_actor_is_first_then_clockwise():
    """All four tie for building: each is paid 20 000 and has a million; the actor, seat 1, wins."""
    owns = {0: ["bahamas"], 1: ["panama"], 2: ["brazil"], 3: ["france"]}
    state = table(4, owns=owns, marker=10, cash=[980_000, 980_000, 980_000, 980_000])
    state = act(state, "country", (1, advance(1)), second="cash")
    assert game.outcome(state)["winners"] == [1]
    assert game.outcome(state)["ranks"][1] == 1
    state = table(4, owns=owns, marker=10, cash=[980_000, 970_000, 980_000, 980_000])
    state = act(state, "country", (1, advance(1)), second="cash")
    assert game.outcome(state)["winners"] == [2]


def test_the_last_one_left_wins_and_the_ruined_rank_by_how_late_they_left():
    state = table(3, cash=[0, 0, 50_000], out=(1,), objectives={1: ()})
    state, happened = drawn(state, "no_06", draws=[[1]])
    assert happened.of("end") == [{"type": "end", "winner": 2, "why": "alone"}]
    assert game.outcome(state) == {"ranks": [2, 3, 1], "scores": [0, 0, 50_000], "winners": [2]}
    assert state.decks.no[-1] == "no_06"


def test_two_ruined_by_one_card():
    state, _ = drawn(table(3, cash=[0, 0, 0]), "yes_08", draws=[[1], [1]])
    assert game.outcome(state) == {"ranks": [1, 3, 2], "scores": [20_000, 0, 0], "winners": [0]}


def test_equal_wealth_shares_the_rank():
    state = table(4, owns={1: ["mexico"]}, cash=[950_000, 100_000, 160_000, 0], out=(3,), objectives={3: ()})
    state, _ = drawn(state, "yes_01")
    assert game.outcome(state)["ranks"] == [1, 2, 2, 4]
    assert game.outcome(state)["scores"] == [1_000_000, 160_000, 160_000, 0]


def test_after_the_last_round_the_wealthiest_win():
    def last_roll(cash, turn):
        return act(table(3, cash=cash, rounds=5, turn=turn, tops={"country": ["kenya", "guatemala"]}), "country")

    assert not last_roll([200_000, 200_000, 200_000], 13).over
    state = last_roll([200_000, 200_000, 230_000], 14)
    assert game.outcome(state) == {"ranks": [1, 1, 1], "scores": [230_000] * 3, "winners": [0, 1, 2]}
    assert game.outcome(last_roll([200_000, 200_000, 240_000], 14))["ranks"] == [2, 2, 1]
    view = game.view(state, None)
    assert (view["roller"], view["actor"], view["dice"], view["action"], view["turn"]) == (
        0,
        1,
        [4, 4],
        "country",
        15,
    )


def test_rounds_count_the_seats_of_the_start():
    state = table(3, rounds=5, turn=13, out=(1,), objectives={1: ()}, cash=[100_000, 0, 100_000])
    state = act(state, "country")
    assert (state.over, state.turn, state.roller) == (False, 14, 2)
    state = play(state, (2, {"type": "roll"}), (2, {"type": "keep", "die": 0}), draws=[[4, 4]])
    assert state.over


def test_a_goal_met_in_the_last_round_comes_before_wealth():
    state = table(3, cash=[900_000, 950_000, 0], rounds=5, turn=14, tops={"yes": ["yes_01"]})
    state, happened = acted(state, "country", second="yes")
    assert happened.of("end")[0]["why"] == "million"
    assert game.outcome(state)["winners"] == [1]


@pytest.mark.parametrize("rounds", [1, 4, 101, -5, 5.0, True, "5", None])
def test_rounds_that_there_are_not(rounds):
    with pytest.raises(ValueError, match=r"^rounds: "):
        game.setup(seats=2, options={"rounds": rounds}, chance=None)


def test_nothing_is_done_after_the_end():
    state, _ = drawn(table(2, cash=[900_000, 0]), "yes_04")
    assert (state.phase, state.to_move, state.tasks, state.debts) == ("over", [], (), ())
    assert refused(state, 0, {"type": "roll"}) == "over"
    assert told(table(2))[1] == []
