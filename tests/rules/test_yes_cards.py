"""¥€$: every YES and NO card."""

import pytest

from games.engine import ScriptedChance
from games.rules.yes.data import COUNTRIES, KEPT, NO_CARDS, YES_CARDS
from tests.rules.yes_match import (
    FACE,
    PASS,
    act,
    acted,
    advance,
    buy,
    changed,
    drawn,
    game,
    play,
    refused,
    table,
    told,
)

FULL = [country.id for country in COUNTRIES[:15]]
FAR = ("four_africa", "four_asia_oceania")
OWNS = {0: ["canada", "mexico", "germany"], 1: ["kenya", "japan"], 2: ["india"]}


@pytest.mark.parametrize(
    ("card", "paid"),
    [
        *((card, [(None, 0, 50_000)]) for card in ("yes_01", "yes_02", "yes_03")),
        *((card, [(None, 0, 100_000)]) for card in ("yes_04", "yes_05")),
        *((card, [(1, 0, 10_000), (2, 0, 10_000)]) for card in ("yes_06", "yes_07")),
        ("yes_08", [(1, 0, 20_000), (2, 0, 20_000)]),
        ("yes_12", [(None, 0, 30_000)]),
        ("yes_13", [(None, 0, 40_000)]),
        ("yes_14", [(1, 0, 50_000)]),
        *((card, [(0, None, 20_000)]) for card in ("no_01", "no_02", "no_03")),
        *((card, [(0, None, 50_000)]) for card in ("no_04", "no_05")),
        ("no_06", [(0, None, 100_000)]),
        *((card, [(0, 1, 10_000), (0, 2, 10_000)]) for card in ("no_07", "no_08")),
        ("no_09", [(0, 1, 20_000), (0, 2, 20_000)]),
        ("no_10", [(0, None, 30_000)]),
        ("no_11", [(0, None, 40_000)]),
        ("no_12", [(0, 1, 50_000)]),
        ("no_21", [(0, None, 110_000)]),
    ],
)
def test_cards_that_move_money(card, paid):
    """Seat 0 has three goods on two continents, two of them factories."""
    state, happened = drawn(table(3, owns=OWNS, cash=[230_000, 200_000, 200_000]), card)
    assert happened.paid() == paid
    assert all(event["of"] == card for event in happened.of("pay"))
    assert getattr(state.decks, card.split("_")[0])[-1] == card


@pytest.mark.parametrize("card", ["yes_12", "yes_13", "no_10", "no_11", "no_13", "no_16", "no_18", "no_21"])
def test_a_card_with_nothing_to_act_on_does_nothing(card):
    before = table(3, owns={1: ["kenya"], 2: ["india"]}, cash=[0, 50_000, 50_000])
    state, happened = drawn(before, card)
    assert happened.paid() == []
    assert happened.of("nothing")
    assert (state.cash, state.phase) == (before.cash, "roll")


def test_the_richest_and_the_poorest_are_sought_clockwise():
    """Seat 1 is the actor of the second die: seats 2, 3, 0 come in this order."""
    for kind, cash, paid in (
        ("yes", [300_000, 0, 200_000, 300_000], (3, 1, 50_000)),
        ("yes", [300_000, 0, 200_000, 200_000], (0, 1, 50_000)),
        ("no", [90_000, 80_000, 90_000, 90_000], (1, 2, 50_000)),
        ("no", [20_000, 80_000, 90_000, 20_000], (1, 3, 50_000)),
    ):
        state = table(4, cash=cash, tops={"yes": ["yes_14"], "no": ["no_12"]})
        _state, happened = acted(state, "country", second=kind)
        assert happened.paid() == [paid]


@pytest.mark.parametrize("card", ["yes_09", "yes_10", "yes_11"])
def test_a_card_for_a_country(card):
    state, happened = drawn(table(2, tops={"country": ["japan", "india"]}), card)
    assert game.view(state, None)["countries"] == {"japan": 0, "india": 1}
    assert happened.of("goods")[0]["to"] == 0


def test_a_card_for_a_country_gives_no_sixteenth():
    state, _ = drawn(table(2, owns={0: FULL}, objectives={0: FAR}, tops={"country": ["japan"]}), "yes_09")
    assert state.owner("japan") == 1


def test_a_card_for_the_marker():
    """The actor moves it, whether that pays it or not; no auction."""
    state, _ = drawn(table(3, owns=OWNS), "yes_15")
    assert (state.phase, state.to_move, state.action) == ("advance", [0], "yes")
    state, happened = told(state, (0, advance(1)))
    assert happened.paid() == [(None, 0, 100_000)]
    state, _ = drawn(table(3, owns={1: ["mexico"]}), "yes_15")
    assert state.phase == "advance"
    assert len(state.decks.yes) == 20  # the card is out until its effect is done
    assert len(play(state, (0, advance(3))).decks.yes) == 21


def test_a_card_to_buy_at_half_the_price():
    """Rounded up to 10 000, within one's cash, no gamble, and one may pass."""
    state, _ = drawn(table(2, owns={1: ["canada", "panama", "united_states"]}, cash=[40_000, 0]), "yes_16")
    assert game.prompt(state, 0) == {
        "phase": "half_price",
        "moves": [{"type": "buy", "country": {"one_of": ["canada", "panama"]}, "gamble": False}, PASS],
        "optional": True,
    }
    assert refused(state, 0, buy("canada", True)) == "illegal"
    assert refused(state, 0, buy("united_states")) == "illegal"
    assert game.default_move(state, 0) == PASS
    bought, happened = told(state, (0, buy("canada")))
    assert happened.paid() == [(0, 1, 30_000)]
    assert bought.decks.yes[-1] == "yes_16"
    _passed, happened = told(state, (0, PASS))
    assert happened.paid() == []


@pytest.mark.parametrize(
    "match",
    [
        table(2, owns={1: ["united_states"]}, cash=[70_000, 0]),
        table(2, owns={0: ["united_states"]}),
        table(2, owns={0: FULL, 1: ["japan"]}, objectives={0: FAR}),
    ],
)
def test_nothing_to_buy_at_half_the_price(match):
    state, happened = drawn(match, "yes_16")
    assert happened.of("nothing")[0]["why"] == "no_effect"
    assert state.phase == "roll"


def test_half_a_price_is_rounded_up():
    halves = {country.price: country.half for country in COUNTRIES}
    assert halves[150_000] == 80_000
    assert halves[130_000] == 70_000
    assert halves[90_000] == 50_000
    assert halves[70_000] == 40_000
    assert halves[50_000] == 30_000
    assert halves[30_000] == 20_000
    assert halves[80_000] == 40_000


def test_a_veto_against_half_the_price():
    state, _ = drawn(table(2, owns={1: ["canada"]}, hands={1: ["yes_20"]}), "yes_16", (0, buy("canada")))
    deal = {"country": "canada", "give": None, "gamble": False, "price": 30_000, "seller": 1}
    assert game.view(state, 0)["deal"] == deal
    stopped = play(state, (1, {"type": "veto"}))
    assert stopped.owner("canada") == 1
    assert stopped.decks.yes[-2:] == ("yes_20", "yes_16")
    assert play(state, (1, {"type": "allow"})).cash == (170_000, 230_000)


def test_a_card_to_exchange_goods():
    state, _ = drawn(table(3, owns=OWNS), "yes_17")
    assert (state.phase, game.prompt(state, 0)["optional"]) == ("swap", True)
    assert game.default_move(state, 0) == PASS
    for give, take in (("kenya", "japan"), ("canada", "germany"), ("canada", "poland"), ("poland", "kenya")):
        assert refused(state, 0, {"type": "swap", "give": give, "take": take}) == "illegal"
    assert refused(state, 0, {"type": "swap", "give": "canada"}) == "bad_field"
    swapped, happened = told(state, (0, {"type": "swap", "give": "canada", "take": "japan"}))
    assert (swapped.owner("canada"), swapped.owner("japan"), happened.paid()) == (1, 0, [])
    _passed, happened = told(state, (0, PASS))
    assert [event["why"] for event in happened.of("goods")] == ["drawn"]


def test_a_veto_against_an_exchange():
    swap = {"type": "swap", "give": "canada", "take": "japan"}
    state, _ = drawn(table(3, owns=OWNS, hands={1: ["yes_20"]}), "yes_17", (0, swap))
    deal = {"country": "japan", "give": "canada", "gamble": False, "price": None, "seller": 1}
    assert game.view(state, 1)["deal"] == deal
    assert play(state, (1, {"type": "veto"})).owner("japan") == 1
    assert play(state, (1, {"type": "allow"})).owner("japan") == 0


def test_fifteen_goods_may_be_exchanged():
    state = table(2, owns={0: FULL, 1: ["japan"]}, objectives={0: FAR})
    state, _ = drawn(state, "yes_17", (0, {"type": "swap", "give": "canada", "take": "japan"}))
    assert state.owner("japan") == 0


@pytest.mark.parametrize("owns", [{0: ["canada"]}, {1: ["canada"]}])
def test_nothing_to_exchange(owns):
    _state, happened = drawn(table(2, owns=owns), "yes_17")
    assert happened.of("nothing")[0]["why"] == "no_cards"


@pytest.mark.parametrize("card", sorted(KEPT))
def test_kept_cards_are_the_actors_secret(card):
    state, happened = drawn(table(3), card)
    assert state.hands == ((card,), (), ())
    assert not happened.of("card")
    assert card not in str(happened)
    assert (game.view(state, 0)["hand"], game.view(state, 1)["hand"]) == ([card], [])
    assert game.view(state, 1)["hand_counts"] == [1, 0, 0]
    assert game.view(state, None)["card"] is None


def test_ignore_uses_the_card_that_was_held_longer():
    state, _ = drawn(table(3, hands={0: ["yes_21", "yes_19", "yes_18"]}), "no_06")
    assert (state.phase, state.to_move, game.view(state, 1)["card"]) == ("ignore", [0], "no_06")
    assert game.default_move(state, 0) == {"type": "ignore"}
    put_off, happened = told(state, (0, {"type": "ignore"}))
    assert (put_off.hands[0], happened.paid()) == (("yes_21", "yes_18"), [])
    assert (put_off.decks.yes[-1], put_off.decks.no[-1]) == ("yes_19", "no_06")
    suffered, happened = told(state, (0, {"type": "suffer"}))
    assert (suffered.hands[0], happened.paid()) == (state.hands[0], [(0, None, 100_000)])


def test_only_the_actor_may_ignore():
    state, happened = drawn(table(3, hands={1: ["yes_18"], 0: ["yes_20"]}), "no_06")
    assert happened.paid() == [(0, None, 100_000)]
    assert state.hands[1] == ("yes_18",)


@pytest.mark.parametrize("card", ["no_13", "no_14", "no_15"])
def test_a_country_goes_back_unpaid(card):
    state, _ = drawn(table(3, owns=OWNS), card)
    assert (state.phase, state.to_move) == ("give_up", [0])
    assert game.default_move(state, 0) == {"type": "give_up", "country": "canada"}
    assert refused(state, 0, {"type": "give_up", "country": "kenya"}) == "illegal"
    state, happened = told(state, (0, {"type": "give_up", "country": "mexico"}))
    assert (state.owner("mexico"), happened.paid()) == (None, [])
    assert state.decks.country[-1] == "mexico"


@pytest.mark.parametrize(("card", "to"), [("no_13", None), ("no_16", 1), ("no_18", None)])
def test_a_single_possibility_is_carried_out_unasked(card, to):
    state, _ = drawn(table(3, owns={0: ["canada"]}, tops={"country": ["japan"]}), card)
    assert (state.owner("canada"), state.phase) == (to, "roll")


@pytest.mark.parametrize("card", ["no_16", "no_17"])
def test_a_country_for_the_left_neighbour(card):
    state, _ = drawn(table(3, owns=OWNS), card)
    assert state.phase == "give_up"
    assert play(state, (0, {"type": "give_up", "country": "germany"})).owner("germany") == 1
    gone = table(3, owns={0: ["germany"]}, out=(1,), objectives={1: ()}, cash=[200_000, 0, 200_000])
    assert drawn(gone, card)[0].owner("germany") == 2


@pytest.mark.parametrize("card", ["no_16", "no_17"])
def test_a_left_neighbour_with_fifteen_goods_is_given_nothing(card):
    state, happened = drawn(table(2, owns={0: ["japan", "india"], 1: FULL}, objectives={1: FAR}), card)
    assert happened.of("nothing")[0]["why"] == "no_effect"
    assert state.owner("japan") == 0


def test_the_dearest_goes_back_and_of_equals_ones_choice():
    state, _ = drawn(table(2, owns={0: ["mexico", "canada"]}, tops={"country": ["japan"]}), "no_18")
    assert (state.owner("mexico"), state.owner("canada")) == (None, 0)
    state, _ = drawn(table(2, owns={0: ["germany", "canada", "china", "egypt"]}), "no_18")
    assert game.prompt(state, 0)["moves"] == [{"type": "give_up", "country": {"one_of": ["germany", "egypt"]}}]
    assert refused(state, 0, {"type": "give_up", "country": "canada"}) == "illegal"
    assert play(state, (0, {"type": "give_up", "country": "egypt"})).owner("egypt") is None


def test_an_objective_is_put_back_for_another():
    state = table(2, objectives={0: ("trio", "wealth")}, tops={"objective": ["dearest"]})
    state, _ = drawn(state, "no_19")
    assert (state.phase, game.default_move(state, 0)) == (
        "put_back",
        {"type": "put_back", "objective": "trio"},
    )
    assert refused(state, 0, {"type": "put_back", "objective": "dearest"}) == "illegal"
    assert refused(state, 0, {"type": "put_back", "objective": "peace"}) == "bad_field"
    state, happened = told(state, (0, {"type": "put_back", "objective": "wealth"}))
    assert (state.objectives[0], happened.paid()) == (("trio", "dearest"), [])
    assert state.decks.objective[-1] == "wealth"


def test_the_marker_moves_as_if_one_owned_nothing_there():
    owns = {0: ["canada", "mexico"], 1: ["panama"], 2: ["bahamas"]}
    state, happened = drawn(table(3, owns=owns), "no_20")
    assert happened.paid() == [(None, 1, 50_000), (None, 2, 50_000)]
    assert state.marker == 1
    _state, happened = drawn(table(3, owns={0: ["canada"]}), "no_20")
    assert happened.paid() == []
    state, happened = drawn(table(3, owns=owns, marker=11), "no_20")
    assert (happened.paid(), state.marker) == ([], 0)


@pytest.mark.parametrize("kind", ["yes", "no"])
def test_an_empty_deck_gives_no_card(kind):
    """It cannot happen, as only four cards are ever kept; the rule is there."""
    state = changed(table(2, tops={"country": ["japan"]}), kind, ())
    chance = ScriptedChance([[FACE[kind], FACE["country"]]])
    for move in ({"type": "roll"}, {"type": "keep", "die": 0}):
        state, events = game.apply(state, 0, move, chance)
    assert events[1] == {"type": "nothing", "why": "empty", "seat": 0}
    assert (state.owner("japan"), state.phase) == (1, "roll")


def test_every_card_is_tested_here():
    with open(__file__, encoding="utf-8") as file:
        text = file.read()
    assert [card for card in (*YES_CARDS, *NO_CARDS) if card not in text and card not in KEPT] == []


def test_a_card_stays_open_until_the_next_action():
    state = act(table(2, tops={"no": ["no_01"]}), "country", second="no")
    assert (state.phase, game.view(state, None)["card"]) == ("roll", "no_01")
