"""What happens in ¥€$, in words: who paid whom, how much and why; and what its things are called."""

import re

import pytest
from django.template import engines
from django.utils import translation

from games.rules import get_game
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
    (pay(0, 1, 30_000, "bid"), "Ana paid Bob 30,000 to move the marker."),
    (pay(None, 0, 100_000, "cash", "bank"), "The bank paid Ana 100,000."),
    (pay(None, 2, 50_000, "cash", "oil"), "The bank paid Cem 50,000 for the most goods: Oil."),
    (pay(0, 1, 90_000, "bought", "brazil"), "Ana paid Bob 90,000 for Brazil."),
    (pay(0, 1, 180_000, "sold", "bahamas"), "Ana paid Bob 180,000 for the Bahamas."),
    (pay(None, 0, 90_000, "bank", "brazil"), "Ana sold Brazil to the bank for 90,000."),
    (pay(None, 0, 90_000, "liquidated", "brazil"), "Ana sold Brazil to the bank for 90,000."),
    (pay(None, 0, 20_000, "last_chance"), "The bank paid Ana 20,000, as rolled with the red die."),
    (pay(0, None, 10_000, "ruin"), "Ana paid the bank 10,000, all that was left."),
    (pay(0, 2, 10_000, "ruin"), "Ana paid Cem 10,000, all that was left."),
    (pay(0, None, 150_000, "exchange"), "Ana paid the bank 150,000 for a new objective."),
    (pay(None, 0, 1_000_000, "card", "yes_12"), "The bank paid Ana 1,000,000."),
    (pay(0, None, 50_000, "card", "no_04"), "Ana paid the bank 50,000."),
    (pay(1, 0, 20_000, "card", "yes_08"), "Bob paid Ana 20,000."),
    (goods("peru", None, 0, "drawn"), "Ana drew Peru."),
    (goods("peru", 1, 0, "bought"), "Ana bought Peru from Bob."),
    (goods("peru", 1, 0, "sold"), "Ana bought Peru from Bob."),
    (goods("peru", 0, None, "card", "no_13"), "Ana put Peru back under the deck."),
    (goods("peru", 0, 1, "card", "no_16"), "Ana gave Peru to Bob."),
    (goods("peru", 0, None, "liquidated"), ""),  # the payment tells it
    (goods("peru", 0, None, "bank"), ""),
    ({"type": "roll", "seat": 0, "dice": [1, 6]}, "Ana rolled YES and SELL."),
    ({"type": "again", "seat": 0, "dice": [3, 4]}, "Ana used an “Again” card and rolled CASH and COUNTRY."),
    ({"type": "action", "seat": 1, "action": "buy"}, "Bob plays BUY."),
    ({"type": "card", "seat": 0, "card": "no_06"}, "Ana drew “Pay the bank 100,000.”"),
    ({"type": "kept", "seat": 0}, "Ana drew a card to keep."),
    ({"type": "ignored", "seat": 0, "card": "no_06"}, "Ana used an “Ignore” card: the NO card does nothing."),
    ({"type": "suffered", "seat": 0, "card": "no_06"}, "Ana did not ignore it."),
    (
        {"type": "auction", "seat": 0, "asked": [1, 2]},
        "None of the next three spaces would pay Ana: the others bid.",
    ),
    (
        {
            "type": "bids",
            "bids": [{"seat": 1, "amount": 30_000, "steps": 2}, {"seat": 2, "amount": 0, "steps": None}],
        },
        "Bids: Bob 30,000 and Cem nothing.",
    ),
    ({"type": "accept", "seat": 0, "winner": 2}, "Ana took the bid of Cem."),
    ({"type": "marker", "seat": 0, "steps": 1, "space": "bank"}, "Ana moved the marker one space: Bank."),
    ({"type": "marker", "seat": 0, "steps": 3, "space": "europe"}, "Ana moved the marker 3 spaces: Europe."),
    ({"type": "marker", "seat": None, "steps": 1, "space": "gold"}, "The marker moved one space: Gold."),
    (DEAL, "Ana wants to buy Japan from Bob for 140,000."),
    (DEAL | {"gamble": True, "price": None}, "Ana gambles to buy Japan from Bob."),
    (DEAL | {"give": "peru", "price": None}, "Ana wants to give Peru to Bob and take Japan."),
    (
        {"type": "veto", "seat": 1, "buyer": 0, "country": "japan"},
        "Bob used a “Veto” card: Ana does not get Japan.",
    ),
    ({"type": "allow", "seat": 1}, "Bob did not veto it."),
    (
        {"type": "red", "seat": 0, "face": 5, "price": 100_000, "why": "gamble"},
        "Ana rolled the red die: 100,000.",
    ),
    (
        {"type": "red", "seat": 0, "face": 6, "price": 280_000, "why": "sale"},
        "Ana rolled the red die: ×2, that is 280,000.",
    ),
    (
        {"type": "red", "seat": 0, "face": 6, "price": None, "why": "last_chance"},
        "The red die: ×2, it is rolled again.",
    ),
    ({"type": "offer", "seat": 0, "country": "peru", "bank": True}, "Ana offered Peru, or else to the bank."),
    ({"type": "offer", "seat": 0, "country": "peru", "bank": False}, "Ana offered Peru, but not to the bank."),
    ({"type": "unsold", "seat": 0, "country": "peru", "bank": True}, "Nobody wanted Peru."),
    ({"type": "unsold", "seat": 0, "country": "peru", "bank": False}, "Nobody wanted Peru: Ana keeps it."),
    ({"type": "award", "seat": 0, "winner": 1}, "Ana chose Bob."),
    (
        {"type": "debt", "seat": 0, "to": None, "amount": 50_000},
        "Ana owes the bank 50,000 and has too little cash.",
    ),
    ({"type": "debt", "seat": 0, "to": 1, "amount": 50_000}, "Ana owes Bob 50,000 and has too little cash."),
    ({"type": "out", "seat": 0}, "Ana is bankrupt and out of the match."),
    ({"type": "exchange", "seat": 0}, ""),  # the payment tells it
    ({"type": "put_back", "seat": 0}, "Ana put an objective back and drew another."),
    ({"type": "pass", "seat": 0}, "Ana passed."),
    ({"type": "nothing", "seat": 0, "why": "nobody_paid"}, "Nobody is paid."),
    ({"type": "nothing", "seat": 0, "why": "full"}, "Ana already has 15 goods: nothing happens."),
    ({"type": "nothing", "seat": 0, "why": "empty"}, "The deck is empty: nothing happens."),
    ({"type": "nothing", "seat": 0, "why": "no_cards"}, "There is no card to trade: nothing happens."),
    ({"type": "nothing", "seat": 0, "why": "no_effect"}, "It has no effect."),
    (
        {"type": "end", "winner": 0, "why": "objectives"},
        "Ana met both objectives: “Four goods or more in Europe” and “Two of the same good on one continent”.",
    ),
    ({"type": "end", "winner": 0, "why": "million"}, "Ana reached a million in cash: 1,020,000."),
    ({"type": "end", "winner": 0, "why": "alone"}, "Ana is the last player left."),
    ({"type": "end", "winner": None, "why": "rounds"}, "The last round is over. The richest: Bob."),
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
    said = "The last round is over. The richest share the win: Ana and Cem."
    assert text(words().reason(shared)) == text(words().sentence(shared, end)) == said
    assert text(words().reason(table(view=ENDED, log=[entry(8, 1)]))) == ""  # by resignation, or called off


@pytest.mark.parametrize(("event", "said"), SENTENCES)
def test_the_reader_is_never_called_by_name(event: dict, said: str) -> None:
    """Each seat in turn reads the sentence: its own name is not in it, but "you" where the name would be."""
    for seat, name in enumerate(("Ana", "Bob", "Cem")):
        own = text(words().sentence(table(seat, view=ENDED), event))
        assert name not in own
        assert (name in said) == bool(re.search(r"\byour?\b", own, re.IGNORECASE)), own
        assert not re.search(r"\b[Yy]ou (is|has|does|was|wants|owes|gambles|plays)\b", own)


@pytest.mark.parametrize(
    ("events", "lines"),
    [
        (
            [DEAL, goods("japan", 1, 0, "bought"), pay(0, 1, 140_000, "bought", "japan")],
            ["Ana bought Japan from you for 140,000."],
        ),
        (
            [
                {"type": "interest", "seat": 1},
                {"type": "red", "seat": 1, "face": 6, "price": 280_000, "why": "sale"},
                goods("japan", 0, 1, "sold"),
                pay(1, 0, 280_000, "sold", "japan"),
            ],
            ["You rolled the red die: ×2, that is 280,000.", "You bought Japan from Ana for 280,000."],
        ),
        (
            [DEAL | {"give": "peru"}, goods("peru", 0, 1, "swapped"), goods("japan", 1, 0, "swapped")],
            ["Ana gave you Peru and took Japan."],
        ),
        (
            [{"type": "action", "seat": 1, "action": "country"}, goods("peru", None, 1, "drawn")],
            ["COUNTRY: You drew Peru."],
        ),
        (
            [
                {"type": "red", "seat": 2, "face": 2, "price": 20_000, "why": "last_chance"},
                pay(None, 2, 20_000, "last_chance"),
            ],
            ["The bank paid Cem 20,000, as rolled with the red die."],
        ),
    ],
)
def test_what_belongs_together_is_told_once(events: list[dict], lines: list[str]) -> None:
    told = str(words().story(table(1, unveiled={}), [entry(1, 0, *events)]))
    assert [text(line) for line in re.findall(r"<p[^>]*>(.*?)</p>", told)] == lines


def test_french_countries_have_their_articles() -> None:
    with translation.override("fr"):
        said = [
            text(words().sentence(table(you), event))
            for you, event in (
                (2, goods("venezuela", 1, 0, "bought")),
                (1, goods("united_states", 1, 0, "bought")),
                (0, goods("south_africa", None, 0, "drawn")),
                (0, pay(0, 1, 140_000, "sold", "egypt")),
            )
        ]
    assert said == [
        "Ana achète le Venezuela à Bob.",
        "Ana vous achète les États-Unis.",
        "Vous piochez l’Afrique du Sud.",
        "Vous payez 140 000 à Bob pour l’Égypte.",
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_everything_has_a_name(language: str) -> None:
    with translation.override(language):
        known = names()
        assert set(known.COUNTRIES) == set(known.LANDS) == set(COUNTRY_IDS)
        assert set(known.GOODS) == set(GOODS)
        assert set(known.CONTINENTS) == set(CONTINENTS)
        assert set(known.SPACES) == set(TRACK)
        assert known.FACES == ACTIONS
        assert set(known.ACTIONS) == set(ACTIONS)
        assert set(known.OBJECTIVES) == set(OBJECTIVES)
        assert set(known.CARDS) == {*YES_CARDS, *NO_CARDS}
        assert set(known.KEPT) == KEPT


@pytest.mark.parametrize(
    ("language", "told"), [("en", ["0", "90,000", "1,250,000"]), ("fr", ["0", "90\u202f000", "1\u202f250\u202f000"])]
)
def test_money_is_told_as_the_language_writes_it(language: str, told: list[str]) -> None:
    with translation.override(language):
        assert [str(names().money(n)) for n in (0, 90_000, 1_250_000)] == told


def test_a_turn_is_one_item_and_sealed_answers_are_told_by_name_alone() -> None:
    roll = {"type": "roll", "seat": 0, "dice": [3, 6]}
    sealed = [entry(2, 1, {"type": "bid", "seat": 1}), entry(3, 2, {"type": "bid", "seat": 2})]
    opened = {
        "type": "bids",
        "bids": [{"seat": 1, "amount": 0, "steps": None}, {"seat": 2, "amount": 10_000, "steps": 1}],
    }
    told = str(words().story(table(unveiled={}), [entry(1, 0, roll), *sealed]))
    assert told.count("<li") == 1
    assert "Answered: Bob and Cem" in text(told)
    told = str(
        words().story(
            table(unveiled={}),
            [entry(1, 0, roll), sealed[0], entry(3, 2, {"type": "bid", "seat": 2}, opened)],
        )
    )
    assert "Answered" not in told
    assert "Bids: Bob nothing and Cem 10,000." in text(told)
    assert get_game("yes").opens_paragraph([roll]) and not get_game("yes").opens_paragraph(sealed[0]["events"])
    told = str(words().story(table(unveiled={}), [entry(1, 0, roll), entry(2, 0, roll, paragraph=2)]))
    assert told.count("<li") == 2


def test_how_a_move_came_about_stands_with_its_own_event() -> None:
    roll = {"type": "roll", "seat": 0, "dice": [3, 6]}
    bids = [{"seat": 1, "amount": 0, "steps": None}, {"seat": 2, "amount": 10_000, "steps": 1}]
    entries = [
        entry(1, 0, roll, by="clock"),
        entry(2, 1, {"type": "bid", "seat": 1}, by="clock"),
        entry(3, 2, {"type": "bid", "seat": 2}, {"type": "bids", "bids": bids}),
        entry(4, 2, {"type": "pass", "seat": 2}),
    ]
    told = str(words().story(table(unveiled={}), entries))
    assert [text(line) for line in re.findall(r"<p[^>]*>(.*?)</p>", told)] == [
        "Ana rolled CASH and SELL. (as time ran out)",
        "Time ran out for Bob",
        "Bids: Bob nothing and Cem 10,000.",
        "Cem passed.",
    ]


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
