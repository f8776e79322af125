"""What the page of ¥€$ is told beside the view: drawn from the view alone, and right."""

from random import Random

import pytest

from games.engine import SeededChance, sample_move
from games.rules import get_game
from games.rules.yes.data import CASH_PRIZE, COUNTRIES, EXCHANGE_PRICE, GOALS, OBJECTIVES, TRACK
from games.rules.yes.hints import hints
from games.rules.yes.state import Ask, Auction, Bid, Debt
from tests.rules.yes_match import FACE, table

game = get_game("yes")
SEED = 20261128


def test_every_objective_has_a_measure() -> None:
    assert set(GOALS) == set(OBJECTIVES)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_what_is_told_agrees_with_the_rules_all_through_a_match(seats: int) -> None:
    rng, chance = Random(SEED), SeededChance(bytes([seats] * 32))
    state = game.setup(seats=seats, options={"rounds": 15}, chance=chance)
    while game.outcome(state) is None:
        seat = game.to_move(state)[0]
        found = hints(game.view(state, seat))
        check(state, seat, found)
        state, _events = game.apply(state, seat, sample_move(game.prompt(state, seat), rng), chance)
    found = hints(game.opened(state, None))
    for number in range(seats):
        assert [goal["id"] for goal in found["objectives"][number]] == list(state.objectives[number])


def check(state, seat: int, found: dict) -> None:
    assert found["wealth"] == [state.wealth(other) for other in range(state.seats)]
    assert found["goods"] == [len(state.goods(other)) for other in range(state.seats)]
    assert [space["paid"] for space in found["spaces"]] == [
        state.paid_at(space) if space else [] for space in range(len(TRACK))
    ]
    assert found["spaces"][0]["share"] == CASH_PRIZE
    assert [country["owner"] for country in found["countries"].values()] == list(state.owners)
    if state.kept is not None:
        assert found["dice"][state.kept]["seat"] == state.roller
        assert found["dice"][1 - state.kept]["seat"] == state.left_of(state.roller)
    for other, goals in enumerate(found["objectives"]):
        assert (goals is None) == (other != seat)
    own = found["objectives"][seat]
    assert [goal["id"] for goal in own if goal["met"]] == state.met(seat)
    assert all(goal["have"] == goal["need"] if goal["met"] else goal["have"] < goal["need"] for goal in own)


def test_the_page_learns_nothing_from_what_is_hidden() -> None:
    state = table(3, owns={0: ["japan"], 1: ["peru"]}, objectives={1: ["trio", "nine_goods"]})
    other = table(3, owns={0: ["japan"], 1: ["peru"]}, objectives={1: ["dearest", "six_kinds"]})
    assert hints(game.view(state, None)) == hints(game.view(other, None))
    assert len(hints(game.view(state, None))["countries"]) == len(COUNTRIES)


def test_what_may_be_done_with_a_card_and_what_is_left_then() -> None:
    owns = {0: ["peru"], 1: ["mexico", "japan"]}
    buying = table(2, owns=owns, cash=[100_000, 0], tasks=(Ask("buy"),), actor=0)
    countries = hints(game.view(buying, 0))["countries"]
    assert (countries["mexico"]["uses"], countries["mexico"]["after_buying"]) == (["buy", "gamble"], 40_000)
    assert (countries["japan"]["uses"], countries["japan"]["gamble"]) == (["gamble"], 280_000)
    assert countries["peru"]["uses"] == countries["canada"]["uses"] == ()
    assert hints(game.view(buying, 0))["affordable"]
    assert not hints(game.view(buying, 1))["uses"]
    halved = table(2, owns=owns, cash=[100_000, 0], tasks=(Ask("half_price"),), actor=0)
    assert hints(game.view(halved, 0))["countries"]["japan"]["cost"] == 70_000
    swapping = table(2, owns=owns, tasks=(Ask("swap"),), actor=0)
    countries = hints(game.view(swapping, 0))["countries"]
    assert [countries[country]["uses"] for country in ("peru", "japan")] == [["give"], ["take"]]


def test_a_debtor_sees_what_is_missing_and_what_a_sale_would_leave() -> None:
    debt = Debt(0, 50_000, None, "card", None)
    found = hints(game.view(table(2, owns={0: ["peru"]}, cash=[20_000, 0], debts=(debt,)), 0))
    assert [(debt["there"], debt["missing"]) for debt in found["debts"]] == [(20_000, 30_000)]
    assert found["asked"] == "debt"
    assert found["countries"]["peru"]["after_selling"] == 140_000


def test_a_card_given_up_goes_to_the_left_or_under_the_deck() -> None:
    for card, heir in (("no_16", 1), ("no_13", None)):
        giving = table(3, owns={0: ["peru"]}, card=card, actor=0)
        assert hints(game.view(giving, 0))["heir"] == heir


def test_the_dice_say_who_carries_them_out() -> None:
    rolled = table(3, dice=(FACE["cash"], FACE["buy"]), turn=1)
    assert [die["seat"] for die in hints(game.view(rolled, 0))["dice"]] == [None, None]
    kept = table(3, dice=(FACE["cash"], FACE["buy"]), turn=1, kept=1, actor=0, action="buy")
    assert [(die["other"], die["seat"], die["is_now"]) for die in hints(game.view(kept, None))["dice"]] == [
        ("buy", 1, False),
        ("cash", 0, True),
    ]


def test_equal_bids_to_pick_from_say_where_the_marker_would_go() -> None:
    bids = (Bid(20_000, 1), Bid(0, None), Bid(20_000, 3))
    tied = table(4, tasks=(Ask("accept", seats=(1, 3)),), actor=0, auction=Auction((1, 2, 3), bids), marker=11)
    found = hints(game.view(tied, 0))
    assert found["tied"] == [
        {"seat": 1, "amount": 20_000, "space": TRACK[0]},
        {"seat": 3, "amount": 20_000, "space": TRACK[2]},
    ]


def test_a_bidder_sees_every_amount_and_whom_each_space_would_pay() -> None:
    owns = {0: ["peru"], 1: ["canada"], 2: ["brazil", "mexico"]}
    auction = Auction((1, 2), (None, None))
    bidding = table(3, owns=owns, cash=[0, 30_000, 0], tasks=(Ask("bid"),), actor=0, auction=auction)
    found = hints(game.view(bidding, 1))
    assert found["amounts"] == [
        {"amount": 10_000, "left": 20_000},
        {"amount": 20_000, "left": 10_000},
        {"amount": 30_000, "left": 0},
    ]
    assert found["after_exchange"] == 30_000 - EXCHANGE_PRICE
    pays = {space["name"]: (space["pays"], space["share"]) for space in found["spaces"]}
    assert pays["bank"] == ("you", CASH_PRIZE)
    assert pays["north_america"] == ("both", 50_000)
    assert (pays["south_america"][0], pays["europe"][0]) == ("others", "nobody")
    assert [space["steps"] for space in found["reach"]] == [1, 2, 3]
