"""What happens in ¥€$, in words: who paid whom, how much and why; and what its things are called."""

import re

import pytest
from django.template import engines
from django.utils import translation

from games.rules.yes.data import (
    ACTIONS,
    CONTINENTS,
    COUNTRY_IDS,
    GOODS,
    KEPT,
    NO_CARDS,
    OBJECTIVES,
    TRACK,
    YES_CARDS,
)
from tests.look.test_contrast import THEMES, colour, contrast, linear
from tests.look.test_log import entry, table, text

N = " "  # as `text` has every space


def words():
    return engines["jinja"].get_template("games/yes/log.jinja").template.module


def names():
    return engines["jinja"].get_template("games/yes/names.jinja").template.module


def pay(source, to, amount, why, of=None) -> dict:
    return {"type": "pay", "from": source, "to": to, "amount": amount, "why": why, "of": of}


def goods(country, source, to, why, of=None) -> dict:
    return {"type": "goods", "country": country, "from": source, "to": to, "why": why, "of": of}


DEAL = {
    "type": "deal",
    "seat": 0,
    "country": "japan",
    "seller": 1,
    "give": None,
    "gamble": False,
    "price": 140_000,
}
SENTENCES = [
    (pay(0, 1, 30_000, "bid"), f"Ana paid Bob 30{N}000 for the right to move the marker."),
    (pay(None, 0, 100_000, "cash", "bank"), f"The bank paid Ana 100{N}000: the marker came to the bank."),
    (pay(None, 2, 50_000, "cash", "oil"), f"The bank paid Cem 50{N}000 for the most goods: Oil."),
    (pay(0, 1, 90_000, "bought", "brazil"), f"Ana paid Bob 90{N}000 for Brazil."),
    (pay(0, 1, 180_000, "sold", "brazil"), f"Ana paid Bob 180{N}000 for Brazil."),
    (pay(None, 0, 90_000, "bank", "brazil"), f"The bank paid Ana 90{N}000 for Brazil, which goes back."),
    (
        pay(None, 0, 90_000, "liquidated", "brazil"),
        f"The bank paid Ana 90{N}000 for Brazil, sold to pay a debt.",
    ),
    (pay(None, 0, 20_000, "last_chance"), f"The bank helped Ana with 20{N}000, as the red die said."),
    (pay(0, None, 10_000, "ruin"), f"Ana paid the bank what was left: 10{N}000."),
    (pay(0, 2, 10_000, "ruin"), f"Ana paid Cem what was left: 10{N}000."),
    (pay(0, None, 150_000, "exchange"), f"Ana paid the bank 150{N}000 for another objective."),
    (pay(None, 0, 1_000_000, "card", "yes_12"), f"The bank paid Ana 1{N}000{N}000, as the card says."),
    (pay(0, None, 50_000, "card", "no_04"), f"Ana paid the bank 50{N}000, as the card says."),
    (pay(1, 0, 20_000, "card", "yes_08"), f"Bob paid Ana 20{N}000, as the card says."),
    (goods("peru", None, 0, "drawn"), "Ana drew Peru and laid it down."),
    (goods("peru", 1, 0, "bought"), "Ana bought Peru from Bob."),
    (goods("peru", 1, 0, "sold"), "Peru went from Bob to Ana."),
    (goods("peru", 1, 0, "swapped"), "Bob gave Ana Peru in exchange."),
    (goods("peru", 0, None, "card", "no_13"), "Ana gave up Peru, unpaid."),
    (goods("peru", 0, 1, "card", "no_16"), "Ana gave Peru to Bob."),
    (goods("peru", 0, None, "liquidated"), ""),  # the payment tells it
    (goods("peru", 0, None, "bank"), ""),
    ({"type": "roll", "seat": 0, "dice": [1, 6]}, "Ana rolled YES and SELL."),
    ({"type": "again", "seat": 0, "dice": [3, 4]}, "Ana put a card back and rolled again: CASH and COUNTRY."),
    ({"type": "action", "seat": 1, "action": "buy"}, "Bob carries out BUY."),
    ({"type": "card", "seat": 0, "card": "no_06"}, f"Ana drew: “Pay the bank 100{N}000.”"),
    ({"type": "kept", "seat": 0}, "Ana drew a YES card and keeps it in hand."),
    ({"type": "ignored", "seat": 0, "card": "no_06"}, "Ana put a card back and ignores it."),
    ({"type": "suffered", "seat": 0, "card": "no_06"}, "Ana does not ignore it."),
    (
        {"type": "auction", "seat": 0, "asked": [1, 2]},
        "None of the next spaces would pay Ana: the others bid for moving the marker.",
    ),
    (
        {
            "type": "bids",
            "bids": [{"seat": 1, "amount": 30_000, "steps": 2}, {"seat": 2, "amount": 0, "steps": None}],
        },
        f"The bids: Bob 30{N}000, Cem nothing.",
    ),
    ({"type": "accept", "seat": 0, "winner": 2}, "Ana takes the bid of Cem."),
    ({"type": "marker", "seat": 0, "steps": 1, "space": "bank"}, "Ana moved the marker one space: Bank."),
    ({"type": "marker", "seat": 0, "steps": 3, "space": "europe"}, "Ana moved the marker 3 spaces: Europe."),
    ({"type": "marker", "seat": None, "steps": 1, "space": "gold"}, "The marker moves on: Gold."),
    (DEAL, f"Ana would buy Japan from Bob for 140{N}000."),
    (DEAL | {"gamble": True, "price": None}, "Ana gambles for Japan of Bob."),
    (DEAL | {"give": "peru", "price": None}, "Ana would give Peru for Japan of Bob."),
    (
        {"type": "veto", "seat": 1, "buyer": 0, "country": "japan"},
        "Bob put a card back and forbids Ana to take Japan.",
    ),
    ({"type": "allow", "seat": 1}, "Bob lets it happen."),
    (
        {"type": "red", "seat": 0, "face": 5, "price": 100_000, "why": "gamble"},
        f"Ana rolled the red die: 100{N}000.",
    ),
    (
        {"type": "red", "seat": 0, "face": 6, "price": 280_000, "why": "sale"},
        f"Ana rolled the red die: ×2, that is 280{N}000.",
    ),
    (
        {"type": "red", "seat": 0, "face": 6, "price": None, "why": "last_chance"},
        "The red die: ×2, it is rolled again.",
    ),
    (
        {"type": "red", "seat": 0, "face": 1, "price": 20_000, "why": "last_chance"},
        f"The red die for Ana: 20{N}000.",
    ),
    (
        {"type": "offer", "seat": 0, "country": "peru", "bank": True},
        "Ana offers Peru; the bank takes it if nobody does.",
    ),
    ({"type": "offer", "seat": 0, "country": "peru", "bank": False}, "Ana offers Peru, but not to the bank."),
    ({"type": "unsold", "seat": 0, "country": "peru", "bank": True}, "Nobody wants Peru."),
    ({"type": "award", "seat": 0, "winner": 1}, "Ana picks Bob."),
    (
        {"type": "debt", "seat": 0, "to": None, "amount": 50_000},
        f"Ana owes the bank 50{N}000, more than there is.",
    ),
    ({"type": "debt", "seat": 0, "to": 1, "amount": 50_000}, f"Ana owes Bob 50{N}000, more than there is."),
    ({"type": "out", "seat": 0}, "Ana is ruined, and out of the match."),
    ({"type": "exchange", "seat": 0}, ""),  # the payment tells it
    ({"type": "put_back", "seat": 0}, "Ana put back an objective and drew another."),
    ({"type": "pass", "seat": 0}, "Ana passed."),
    ({"type": "nothing", "seat": 0, "why": "nobody_paid"}, "Nobody is paid."),
    ({"type": "nothing", "seat": 0, "why": "full"}, "Ana has 15 goods already: nothing happens."),
    ({"type": "nothing", "seat": 0, "why": "empty"}, "The deck is empty: nothing happens."),
    ({"type": "nothing", "seat": 0, "why": "no_cards"}, "There is no card for it: nothing happens."),
    ({"type": "nothing", "seat": 0, "why": "no_effect"}, "It has no effect."),
    (
        {"type": "end", "winner": 0, "why": "objectives"},
        "Ana meets both objectives and wins: “Four goods or more in Europe” and “Two equal goods on one continent”.",
    ),
    (
        {"type": "end", "winner": 0, "why": "million"},
        f"Ana has a million in cash and wins: 1{N}020{N}000.",
    ),
    ({"type": "end", "winner": 0, "why": "alone"}, "Ana is the last one in and wins."),
    (
        {"type": "end", "winner": None, "why": "rounds"},
        "The last round is over: Bob is the wealthiest and wins.",
    ),
]
ENDED = {
    "cash": [1_020_000, 0, 0],
    "objectives": [["four_europe", "two_alike"], ["wealth", "trio"], []],
    "outcome": {"winners": [1]},
}


@pytest.mark.parametrize(("event", "said"), SENTENCES)
def test_a_sentence(event: dict, said: str) -> None:
    assert text(words().sentence(table(view=ENDED), event)) == said


def test_equal_wealth_shares_the_win_and_the_result_says_so() -> None:
    end = {"type": "end", "winner": None, "why": "rounds"}
    shared = table(view=ENDED | {"outcome": {"winners": [0, 2]}}, log=[entry(8, 1), entry(9, 1, end)])
    said = "The last round is over: Ana, Cem are equally wealthy and share the win."
    assert text(words().reason(shared)) == text(words().sentence(shared, end)) == said
    assert text(words().reason(table(view=ENDED, log=[entry(8, 1)]))) == ""  # by resignation, or called off


@pytest.mark.parametrize("language", ["en", "fr"])
def test_everything_has_a_name(language: str) -> None:
    with translation.override(language):
        known = names()
        assert set(known.COUNTRIES) == set(COUNTRY_IDS)
        assert set(known.GOODS) == set(GOODS)
        assert set(known.CONTINENTS) == set(CONTINENTS)
        assert set(known.SPACES) == set(TRACK)
        assert known.FACES == ACTIONS
        assert set(known.ACTIONS) == set(ACTIONS)
        assert set(known.OBJECTIVES) == set(OBJECTIVES)
        assert set(known.CARDS) == {*YES_CARDS, *NO_CARDS}
        assert set(known.KEPT) == KEPT


def test_money_is_told_in_groups_of_three() -> None:
    assert [str(names().money(n)) for n in (0, 90_000, 1_250_000)] == [
        "0",
        "90\u202f000",
        "1\u202f250\u202f000",
    ]


def test_a_turn_is_one_item_and_sealed_answers_are_told_by_name_alone() -> None:
    roll = {"type": "roll", "seat": 0, "dice": [3, 6]}
    sealed = [entry(2, 1, {"type": "bid", "seat": 1}), entry(3, 2, {"type": "bid", "seat": 2})]
    opened = {
        "type": "bids",
        "bids": [{"seat": 1, "amount": 0, "steps": None}, {"seat": 2, "amount": 10_000, "steps": 1}],
    }
    told = str(words().story(table(unveiled={}), [entry(1, 0, roll), *sealed]))
    assert told.count("<li") == 1
    assert "Answered: Bob, Cem" in text(told)
    told = str(
        words().story(
            table(unveiled={}),
            [entry(1, 0, roll), sealed[0], entry(3, 2, {"type": "bid", "seat": 2}, opened)],
        )
    )
    assert "Answered" not in told
    assert "The bids" in told
    told = str(words().story(table(unveiled={}), [entry(1, 0, roll), entry(2, 0, roll)]))
    assert told.count("<li") == 2


def test_after_the_end_it_is_told_which_objective_was_exchanged() -> None:
    exchange = [pay(0, None, 150_000, "exchange"), {"type": "exchange", "seat": 0}]
    told = str(words().story(table(unveiled={}), [entry(1, 0, *exchange)]))
    assert "Nine goods" not in told
    told = str(words().story(table(unveiled={1: {"objective": "nine_goods"}}), [entry(1, 0, *exchange)]))
    assert "It was: Nine goods or more." in text(told)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("seat", range(6))
def test_a_good_stands_out_from_its_base(theme: str, seat: int) -> None:
    """By 3 to 1: the good is drawn in white by day, in the night's paper by night."""
    good = {"light": "#ffffff", "dark": "#14101f"}[theme]
    assert contrast(linear(good), linear(colour(f"seat-{seat}", theme))) >= 3


def test_the_sheet_speaks_of_no_colour_alone() -> None:
    piece = str(engines["jinja"].get_template("games/yes/parts.jinja").template.module.piece("oil", 3))
    assert 'href="#seat-3"' in piece
    assert re.search(r'href="#g-oil"', piece)
