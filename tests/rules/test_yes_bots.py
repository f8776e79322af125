"""¥€$: what the strong bot does where there is a right thing to do."""

from random import Random

import pytest

from games.engine import SeededChance, permits, sample_move
from games.rules.yes.data import COUNTRIES, OBJECTIVES, met
from games.rules.yes.outlook import MISSING, Estate, Sight
from games.rules.yes.threat import Rivals
from tests.rules.yes_match import PASS, act, bid, buy, drawn, game, offer, play, table

NORTH = ["canada", "mexico", "bahamas"]
GOAL = {0: ("four_north_america", "trio")}


def strong(state, seat=0, seed=1):
    view = game.view(state, seat)
    move = game.bot("strong").choose(view, Random(seed))
    assert permits(view["prompt"], move)
    return move


def test_it_buys_what_wins():
    state = act(table(3, owns={0: NORTH, 1: ["panama", "kenya"]}, objectives=GOAL), "buy")
    assert strong(state) == buy("panama")
    dear = act(table(3, owns={0: NORTH, 1: ["united_states", "kenya"]}, objectives=GOAL, cash=[140_000, 0, 0]), "buy")
    assert strong(dear) == buy("united_states", True)


def test_it_keeps_the_die_that_may_win():
    state = table(3, owns={0: NORTH, 1: ["panama"]}, objectives=GOAL, cash=[100_000, 0, 0])
    state = play(state, (0, {"type": "roll"}), draws=[[3, 5]])
    assert strong(state) == {"type": "keep", "die": 1}
    hopeless = play(table(2, owns={0: ["kenya"]}), (0, {"type": "roll"}), draws=[[2, 4]])
    assert strong(hopeless) == {"type": "keep", "die": 1}


def test_it_exchanges_the_farther_objective_when_another_is_likely_met_already():
    owns = {0: ["canada", "guatemala", "mexico", "bahamas", "germany", "italy", "egypt"]}
    state = table(2, owns=owns, objectives={0: ("five_rare", "two_alike")}, cash=[200_000, 0])
    assert strong(state) == {"type": "exchange", "objective": "five_rare"}
    poor = table(2, owns=owns, objectives={0: ("five_rare", "two_alike")}, cash=[140_000, 0])
    assert strong(poor) == {"type": "roll"}


def test_it_puts_the_farther_objective_back():
    state, _ = drawn(table(2, owns={0: ["canada"]}, objectives={0: ("two_alike", "five_rare")}), "no_19")
    assert strong(state) == {"type": "put_back", "objective": "five_rare"}


@pytest.mark.parametrize(("country", "answer"), [("mexico", "veto"), ("kenya", "allow")])
def test_veto_is_kept_for_what_its_objectives_need(country, answer):
    owns = {1: [*NORTH, "kenya"]}
    state = table(3, owns=owns, objectives={1: GOAL[0]}, hands={1: ["yes_20"]}, cash=[300_000, 50_000, 0])
    assert strong(act(state, "buy", (0, buy(country))), 1) == {"type": answer}


def test_it_bids_for_what_pays_it_and_less_than_that():
    owns = {1: ["mexico", "panama"], 2: ["brazil"], 3: ["india"]}
    state = act(table(4, owns=owns), "cash")
    for seed in range(10):
        move = strong(state, 1, seed)
        assert (move["steps"], 0 < move["amount"] < 100_000) == (1, True)
        assert strong(state, 3, seed) == bid(0)


def test_it_offers_what_it_needs_least_and_lets_the_bank_pay_for_dear_things():
    state = act(table(3, owns={0: [*NORTH, "japan"]}, objectives=GOAL), "sell")
    assert strong(state) in (offer("japan", True), PASS)


def test_it_sells_what_it_needs_least_to_pay_a_debt():
    state, _ = drawn(table(2, owns={0: [*NORTH, "china"]}, objectives=GOAL, cash=[40_000, 0]), "no_06")
    assert strong(state) == {"type": "liquidate", "country": "china"}
    given_up, _ = drawn(table(2, owns={0: [*NORTH, "kenya"]}, objectives=GOAL), "no_13")
    assert strong(given_up) == {"type": "give_up", "country": "kenya"}


def test_it_swaps_for_what_wins():
    state, _ = drawn(table(2, owns={0: [*NORTH, "kenya"], 1: ["panama", "japan"]}, objectives=GOAL), "yes_17")
    assert strong(state) == {"type": "swap", "give": "kenya", "take": "panama"}
    half, _ = drawn(table(2, owns={0: NORTH, 1: ["panama", "peru"]}, objectives=GOAL, cash=[60_000, 0]), "yes_16")
    assert strong(half) == buy("panama")


def test_a_goal_is_met_where_nothing_is_missing_and_only_there():
    """The bot's measure of the way to an objective agrees with the rules, in positions of all kinds."""
    for seed in range(30):
        rng, chance = Random(seed), SeededChance(f"way {seed}".encode())
        state = game.setup(seats=3, options={}, chance=chance)
        while waiting := game.to_move(state):
            state, _ = game.apply(state, waiting[0], sample_move(game.prompt(state, waiting[0]), rng), chance)
            own = state.holdings(0)
            counted = Estate([country.index for country in own.goods], own.cash, own.others_most)
            for objective in OBJECTIVES:
                assert (MISSING[objective](counted) <= 0) == bool(met([objective], own)), objective
    assert len(COUNTRIES) == 30


def test_it_leaves_no_purchase_to_a_neighbour_whom_one_may_win():
    state = table(3, owns={0: ["japan"], 1: NORTH, 2: ["panama", "kenya"]}, cash=[100_000, 200_000, 100_000])
    state = play(state, (0, {"type": "roll"}), draws=[[3, 5]])
    assert strong(state) == {"type": "keep", "die": 1}


def test_what_it_must_give_to_its_neighbour_is_what_helps_that_one_least():
    owns, mine = {0: ["panama", "nigeria"], 1: NORTH}, {0: ("four_europe", "four_south_america")}
    state, _ = drawn(table(3, owns=owns, objectives=mine), "no_16")
    assert strong(state) == {"type": "give_up", "country": "nigeria"}


def test_a_threat_is_of_what_everybody_sees():
    """The bot weighs every pair of objectives that it does not hold itself, never the one that is there."""
    chances = set()
    for pair in (("four_north_america", "trio"), ("five_rare", "nine_goods")):
        state = table(3, owns={0: ["japan"], 1: NORTH}, objectives={0: ("two_alike", "wealth"), 1: pair})
        chances.add(Rivals(Sight(game.view(state, 0))).threats[1].now)
    assert len(chances) == 1
