"""¥€$: setup, the turn, exchanging, CASH, COUNTRY; one test for each ruling (spec: yes.md)."""

import pytest

from games.engine import ScriptedChance
from games.rules.yes.data import COUNTRIES, OBJECTIVES
from tests.rules.yes_match import (
    act,
    acted,
    advance,
    bid,
    game,
    play,
    refused,
    table,
    told,
)

ROLL, KEEP = {"type": "roll"}, {"type": "keep", "die": 0}
SAME = list(range(21))


def setup(seats, countries, objectives):
    """A match dealt from those cards on; the other cards in their order."""

    def order(first, count):
        return [*first, *(k for k in range(count) if k not in first)]

    aims = [OBJECTIVES.index(objective) for objective in objectives]
    lands = [next(c.index for c in COUNTRIES if c.id == country) for country in countries]
    draws = [order(lands, 30), order(aims, 21), SAME, SAME, [1]]
    chance = ScriptedChance(draws)
    state = game.setup(seats=seats, options={}, chance=chance)
    assert not chance.left
    return state


def test_the_material_is_as_printed():
    assert len(COUNTRIES) == 30
    goods = [country.good for country in COUNTRIES]
    counts = {good: goods.count(good) for good in set(goods)}
    assert counts == {"tractor": 7, "building": 7, "factory": 7, "gold": 3, "oil": 3, "satellite": 3}
    printed = {country.id: (country.continent, country.good, country.price // 1000) for country in COUNTRIES}
    assert printed["united_states"] == ("north_america", "satellite", 150)
    assert printed["ecuador"] == ("south_america", "oil", 120)
    assert printed["united_kingdom"] == ("europe", "factory", 80)
    assert printed["south_africa"] == ("africa", "gold", 130)
    assert printed["japan"] == ("asia_oceania", "satellite", 140)
    assert sum(country.price for country in COUNTRIES) == 2_560_000


@pytest.mark.parametrize(("seats", "each"), [(2, 4), (3, 4), (4, 4), (5, 3), (6, 3)])
def test_cards_dealt_by_the_number_of_seats(seats, each):
    state = setup(seats, [], [])
    for seat in range(seats):
        assert [country.index for country in state.goods(seat)] == list(range(each * seat, each * (seat + 1)))
        if seat:
            assert state.objectives[seat] == OBJECTIVES[2 * seat : 2 * seat + 2]
    assert state.cash == (200_000,) * seats


def test_a_hand_that_wins_as_dealt_is_dealt_again_until_it_does_not():
    """The old cards go under the deck first; seat 0 comes before seat 1."""
    countries = ["canada", "guatemala", "mexico", "bahamas", "germany", "italy", "united_kingdom", "brazil"]
    objectives = ["trio", "two_alike", "four_factory", "two_alike"]
    objectives[3] = "three_kinds"
    rest = ["four_north_america", "four_tractor", "nine_goods", "wealth"]
    state = setup(2, countries, [*objectives, *rest])
    # seat 0 met trio and two_alike; it then drew four_north_america (met) and four_tractor (not met)
    assert state.objectives[0] == ("four_north_america", "four_tractor")
    assert state.objectives[1] == ("four_factory", "three_kinds")
    assert state.decks.objective[0] == "nine_goods"
    assert state.decks.objective[-2:] == ("trio", "two_alike")


def test_a_second_hand_that_wins_is_dealt_again_too():
    countries = ["canada", "guatemala", "mexico", "bahamas", "germany", "italy", "united_kingdom", "brazil"]
    objectives = ["trio", "two_alike", "four_africa", "four_factory", "three_kinds", "four_north_america"]
    state = setup(2, countries, [*objectives, "four_tractor", "nine_goods", "wealth"])
    assert state.objectives[0] == ("four_tractor", "nine_goods")
    assert state.decks.objective[-4:] == ("trio", "two_alike", "three_kinds", "four_north_america")


def test_both_seats_may_be_dealt_anew():
    countries = ["canada", "guatemala", "mexico", "bahamas", "argentina", "venezuela", "colombia", "brazil"]
    objectives = ["trio", "two_alike", "three_kinds", "four_south_america"]
    state = setup(2, countries, [*objectives, "four_africa", "four_europe", "wealth", "dearest"])
    assert state.objectives == (("four_africa", "four_europe"), ("wealth", "dearest"))
    assert state.decks.objective[-4:] == ("trio", "two_alike", "three_kinds", "four_south_america")


def test_the_left_neighbour_must_carry_out_the_other_die_then_it_rolls():
    state = table(3, owns={0: ["canada"], 1: ["mexico"]}, tops={"yes": ["yes_04"]})
    state = play(state, (0, ROLL), draws=[[1, 6]])
    assert (state.phase, game.view(state, 0)["actor"]) == ("choose", None)
    state = play(state, (0, KEEP))
    assert (state.phase, state.actor, state.action, state.cash[0]) == ("offer", 1, "sell", 300_000)
    assert not game.prompt(state, 1)["optional"]
    assert refused(state, 1, {"type": "pass"}) == "illegal"
    state = play(
        state,
        (1, {"type": "offer", "country": "mexico", "bank": False}),
        *[(seat, {"type": "interest", "yes": False}) for seat in (0, 2)],
    )
    assert (state.roller, state.phase, state.turn, state.dice, state.kept) == (1, "roll", 1, None, None)


def test_die_1_may_be_kept_and_alike_dice_are_both_carried_out():
    state = table(2, tops={"country": ["japan", "india"]})
    state = play(state, (0, ROLL), (0, {"type": "keep", "die": 1}), draws=[[4, 4]])
    assert game.view(state, None)["countries"] == {"india": 1, "japan": 0}
    assert state.kept is None


def test_an_objective_is_exchanged_for_150_000_once_a_turn():
    state = table(2, objectives={0: ("dearest", "wealth")}, tops={"objective": ["trio", "two_alike"]})
    state, happened = told(state, (0, {"type": "exchange", "objective": "dearest"}))
    assert state.objectives[0] == ("trio", "wealth")
    assert state.decks.objective[-1] == "dearest"
    assert happened.paid() == [(0, None, 150_000)]
    assert (state.phase, game.view(state, None)["exchanged"]) == ("roll", True)
    assert refused(state, 0, {"type": "exchange", "objective": "trio"}) == "illegal"
    state = play(state, (0, ROLL), draws=[[4, 4]])
    assert refused(state, 0, {"type": "exchange", "objective": "trio"}) == "illegal"
    state = play(state, (0, KEEP))
    assert not state.exchanged


def test_an_exchange_after_the_roll_and_what_it_needs():
    state = table(2, objectives={0: ("dearest", "wealth")}, cash=[150_000, 140_000])
    state = play(state, (0, ROLL), draws=[[4, 4]])
    assert refused(state, 0, {"type": "exchange", "objective": "trio"}) == "illegal"
    assert refused(state, 1, {"type": "exchange", "objective": "trio"}) == "not_your_turn"
    state = play(state, (0, {"type": "exchange", "objective": "wealth"}))
    assert (state.phase, state.cash[0]) == ("choose", 0)
    state = play(state, (0, KEEP))
    assert refused(state, 1, {"type": "exchange", "objective": state.objectives[1][0]}) == "illegal"
    assert [move["type"] for move in game.prompt(state, 1)["moves"]] == ["roll"]


def test_an_exchange_wins_only_for_the_exchanger():
    owns = {0: ["canada", "guatemala", "mexico", "bahamas"], 1: ["brazil", "argentina", "colombia"]}
    objectives = {0: ("dearest", "four_north_america"), 1: ("trio", "three_kinds")}
    state = table(2, owns=owns, objectives=objectives, tops={"objective": ["two_alike"]})
    same = play(state, (0, {"type": "exchange", "objective": "dearest"}))
    assert same.over
    assert game.outcome(same)["winners"] == [0]
    assert (same.dice, same.actor, same.kept) == (None, None, None)
    other = table(2, owns=owns, objectives=objectives, tops={"objective": ["four_europe"]})
    assert not play(other, (0, {"type": "exchange", "objective": "dearest"})).over


def test_again_rolls_both_dice_and_counts_no_second_roll():
    state = table(2, hands={0: ["yes_21"]}, tops={"country": ["japan"]})
    assert refused(state, 0, {"type": "again"}) == "illegal"
    state = play(state, (0, ROLL), (0, {"type": "again"}), draws=[[2, 2], [4, 4]])
    assert (state.dice, state.turn, state.hands[0]) == ((4, 4), 1, ())
    assert state.decks.yes[-1] == "yes_21"
    assert refused(state, 0, {"type": "again"}) == "illegal"


# CASH
@pytest.mark.parametrize(
    ("owns", "steps", "paid"),
    [
        ({0: ["canada", "mexico"], 1: ["panama"]}, 1, {0: 100_000}),
        ({0: ["canada"], 1: ["panama"], 2: ["mexico", "brazil"]}, 1, {0: 30_000, 1: 30_000, 2: 30_000}),
        ({0: ["canada"], 1: ["brazil", "peru"], 2: ["ecuador"]}, 2, {1: 100_000}),
        ({0: ["canada"], 1: ["brazil"], 2: ["ecuador"]}, 2, {1: 50_000, 2: 50_000}),
        ({0: ["canada"]}, 3, {}),
    ],
)
def test_the_marker_pays_who_has_most_there(owns, steps, paid):
    """Whoever moved it; nobody where no such good stands."""
    state, happened = acted(table(3, owns=owns), "cash", (0, advance(steps)))
    assert {event["to"]: event["amount"] for event in happened.of("pay")} == paid
    assert state.marker == steps


def test_spaces_of_goods_pay_too_and_the_track_is_round():
    owns = {0: ["nigeria"], 1: ["canada"]}
    state, happened = acted(table(2, owns=owns, marker=5), "cash", (0, advance(1)))
    assert happened.of("marker")[0]["space"] == "oil"
    assert happened.paid() == [(None, 0, 100_000)]
    state, happened = acted(table(2, owns=owns, marker=10), "cash", (0, advance(3)))
    assert state.marker == 1
    assert happened.paid() == [(None, 1, 100_000)]


def test_space_0_in_reach_pays_the_mover_without_an_auction():
    state = act(table(2, marker=9), "cash")
    assert state.phase == "advance"
    state, happened = told(state, (0, advance(3)))
    assert happened.paid() == [(None, 0, 100_000)]
    assert state.marker == 0


def test_six_who_tie_get_10_000_each():
    owns = dict(enumerate(["canada"], 0)) and {
        seat: [country]
        for seat, country in enumerate(["canada", "guatemala", "mexico", "bahamas", "panama", "united_states"])
    }
    _state, happened = acted(table(6, owns=owns), "cash", (0, advance(1)))
    assert {event["amount"] for event in happened.of("pay")} == {10_000}
    assert len(happened.of("pay")) == 6


AUCTION = {1: ["mexico"], 2: ["brazil"], 3: ["france"]}


def test_an_auction_asks_the_others_that_have_cash():
    state = act(table(4, owns=AUCTION, cash=[0, 50_000, 0, 100_000]), "cash")
    assert (state.phase, state.to_move) == ("bid", [1, 3])
    assert game.view(state, None)["auction"] == {"answered": [], "bids": None}
    assert [entry.get("amount") for entry in game.prompt(state, 1)["moves"]] == [
        0,
        {"min": 10_000, "max": 50_000, "step": 10_000},
    ]


def test_bids_are_sealed_until_all_are_in_then_open_clockwise_from_the_actor():
    owns = {0: ["france"], 1: ["japan"], 2: ["brazil"], 3: ["poland"]}
    state = table(4, owns=owns, roller=1, marker=3, tops={"country": ["india"]})
    state = act(state, "country", second="cash")
    assert state.to_move == [0, 1, 3]
    state = play(state, (1, bid(50_000, 2)))
    for seat in (None, 0, 1, 2, 3):
        assert game.view(state, seat)["auction"] == {"answered": [1], "bids": None}
    state = play(state, (0, bid(0)))
    state, happened = told(state, (3, bid(20_000, 1)))
    opened = [
        {"seat": 3, "amount": 20_000, "steps": 1},
        {"seat": 0, "amount": 0, "steps": None},
        {"seat": 1, "amount": 50_000, "steps": 2},
    ]
    assert game.view(state, None)["auction"] == {"answered": [0, 1, 3], "bids": opened}
    assert happened.of("bids")[0]["bids"] == opened
    assert happened.paid() == [(1, 2, 50_000), (None, 1, 100_000)]
    assert state.marker == 5


def test_the_actor_picks_among_tied_bids():
    state = act(table(4, owns=AUCTION), "cash", (1, bid(40_000, 1)), (2, bid(40_000, 2)), (3, bid(10_000, 3)))
    assert (state.phase, state.to_move) == ("accept", [0])
    assert refused(state, 0, {"type": "accept", "seat": 3}) == "illegal"
    assert refused(state, 0, {"type": "accept", "seat": 4}) == "bad_field"
    assert refused(state, 1, {"type": "accept", "seat": 1}) == "not_your_turn"
    assert game.default_move(state, 0) == {"type": "accept", "seat": 1}
    state, happened = told(state, (0, {"type": "accept", "seat": 2}))
    assert happened.paid() == [(2, 0, 40_000), (None, 2, 100_000)]
    assert (state.marker, state.phase) == (2, "roll")


def test_no_bid_lets_the_actor_advance():
    state = act(table(4, owns=AUCTION), "cash", *[(seat, bid(0)) for seat in (1, 2, 3)])
    assert (state.phase, state.to_move) == ("advance", [0])
    assert [each["steps"] for each in game.view(state, 0)["auction"]["bids"]] == [None] * 3
    state, happened = told(state, (0, advance(2)))
    assert happened.paid() == [(None, 2, 100_000)]


def test_nobody_with_cash_is_asked():
    state = act(table(3, owns={1: ["mexico"]}, cash=[0, 0, 0]), "cash")
    assert (state.phase, state.to_move, game.view(state, 0)["auction"]) == ("advance", [0], None)


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (bid(60_000, 1), "illegal"),
        (bid(10_000), "bad_field"),
        (bid(0, 1), "bad_field"),
        (bid(15_000, 1), "bad_field"),
        (bid(-10_000, 1), "bad_field"),
        (bid(10_000, 4), "bad_field"),
        (bid(10_000, 0), "bad_field"),
        ({"type": "bid", "amount": 10_000.0, "steps": 1}, "bad_field"),
        ({"type": "bid", "amount": 10_000, "steps": None}, "bad_field"),
        ({"type": "bid", "amount": True, "steps": 1}, "bad_field"),
        ({"type": "bid"}, "bad_field"),
        ({"type": "pass"}, "illegal"),
        (advance(1), "illegal"),
        (advance(4), "bad_field"),
    ],
)
def test_bids_that_are_refused(move, code):
    state = act(table(3, owns={1: ["mexico"]}, cash=[0, 50_000, 0]), "cash")
    assert refused(state, 1, move) == code


# COUNTRY
def test_country_lays_the_top_card_down():
    state = act(table(2, tops={"country": ["japan", "india"]}), "country", second="yes", draws=[])
    assert game.view(state, None)["countries"] == {"japan": 0}


def test_nobody_has_a_sixteenth_good_and_an_empty_deck_gives_nothing():
    full = [country.id for country in COUNTRIES[:15]]
    state, happened = acted(table(2, owns={0: full}, tops={"country": ["japan"]}), "country")
    assert happened.of("nothing")[0] == {"type": "nothing", "why": "full", "seat": 0}
    assert game.view(state, None)["countries"]["japan"] == 1
    rest = [country.id for country in COUNTRIES[15:]]
    far = {1: ("four_africa", "four_asia_oceania"), 2: ("four_north_america", "four_europe")}
    state, happened = acted(table(3, owns={1: full, 2: rest}, objectives=far), "country")
    assert [event["why"] for event in happened.of("nothing")] == ["empty", "full"]
