"""¥€$'s pages: what each may see and press in every kind of question, orders by form, the rules, the end."""

import json
import re
from collections.abc import Iterator
from html import unescape
from random import Random
from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from games.engine import SeededChance, sample_move
from games.forms.play import NotChosen, read_move
from games.models import Match, Turn
from games.queries.play import seats_of
from games.rules import get_game
from games.rules.yes.data import COUNTRIES, COUNTRY, NO_CARDS, OBJECTIVES, TRACK, YES_CARDS
from games.services.play import moves as play_moves
from games.table import render_table, table_for
from tests.factories import browser_of, play_on, seat, seated, state_of

SEED = 20261128
PHASES = {
    *(
        "roll",
        "choose",
        "advance",
        "bid",
        "accept",
        "buy",
        "veto",
        "offer",
        "interest",
        "award",
        "half_price",
    ),
    *("swap", "give_up", "put_back", "ignore", "debt"),
}
FIELD = re.compile(r"<option value=\"(\d+)\"")


@pytest.fixture
def trio(ann, bob, cem):
    return [ann, bob, cem]


@pytest.fixture
def match(trio):
    return seated(*trio, game_slug="yes")


def page(person, match: Match) -> str:
    return browser_of(person).get(f"/matches/{match.pk}/").content.decode()


def pressed(html: str) -> list[dict]:
    """Return the moves of all buttons, the fields of inputs beside them left out."""
    found = re.findall(r'name="move" value=\'(.*?)\'', html)
    return [json.loads(unescape(value)) for value in found]


def offered(prompt: dict) -> set[str]:
    """Return what the prompt permits, as buttons have it: bids by their spaces, exchanges by their kind."""
    moves = set()
    for move in prompt["moves"]:
        kind, lists = move["type"], [name for name, field in move.items() if isinstance(field, dict)]
        if kind == "swap":
            moves.add('{"type": "swap"}')
        elif kind == "bid" and "steps" in move:
            moves |= {json.dumps({"type": "bid", "steps": steps}) for steps in move["steps"]["one_of"]}
        elif not lists:
            moves.add(json.dumps(move))
        else:
            moves |= {json.dumps(one) for one in spread(move, lists)}
    return moves


def spread(move: dict, lists: list[str]) -> list[dict]:
    first, *rest = lists
    ones = [{**move, first: value} for value in move[first]["one_of"]]
    return [each for one in ones for each in (spread(one, rest) if rest else [one])]


def moments() -> Iterator[Any]:
    """Yield a state of each phase."""
    game, rng, seen = get_game("yes"), Random(SEED), set()
    for number in range(200):
        chance = SeededChance(number.to_bytes(32, "big"))
        state = game.setup(seats=3, options={}, chance=chance)
        for _ in range(400):
            asked_now = game.to_move(state)
            if not asked_now or seen == PHASES:
                break
            if state.phase not in seen:
                seen.add(state.phase)
                yield state
            move = sample_move(game.prompt(state, asked_now[0]), rng)
            state, _events = game.apply(state, asked_now[0], move, chance)
        if seen == PHASES:
            return
    raise AssertionError(f"{PHASES - seen} never came up (seed {SEED})")


@pytest.mark.thin(0)
def test_every_question_shows_exactly_what_its_prompt_permits(match):
    """In each kind of question; whoever is not asked has no button, and nobody sees others' objectives."""
    seats = seats_of(match)
    for state in moments():
        for viewer in (*seats, None):
            table = table_for(match, seats, viewer, state=state)
            check_page(state, viewer.number if viewer else None, table["view"], str(render_table(table)))


def check_page(state, number: int | None, view: dict, html: str) -> None:
    goals = set(re.findall(r'id="goal-(\w+)"', html))
    assert goals == (set() if number is None else set(state.objectives[number]))
    if number not in state.to_move:
        assert pressed(html) == []
        return
    stage = html.partition('id="ya"')[2].partition("</section>")[0]
    for part in (html, stage):
        assert {json.dumps(move) for move in pressed(part)} == offered(view["prompt"]), view["phase"]
    if view["phase"] == "interest":
        check_sale(view["sale"]["country"], html)
    if view["phase"] == "bid":
        amounts = [int(value) for value in FIELD.findall(html)]
        assert amounts == list(range(10_000, view["cash"][number] + 1, 10_000))
    if view["phase"] == "swap":
        swap = view["prompt"]["moves"][0]
        for kind in ("give", "take"):
            shown = set(re.findall(rf'name="swap.one.{kind}" value="(\w+)"', html))
            assert shown == set(swap[kind]["one_of"])
        assert not re.search(r'name="swap[^>]* checked', html)


def check_sale(country: str, html: str) -> None:
    """The map marks the card, and the button that takes part names what it may cost."""
    assert f'<details class="place sold" name="place" id="p-{country}">' in html
    button = re.sub(r"<[^>]+>", " ", html.partition('id="want"')[2].partition("</button>")[0])
    assert f"for 10,000 to {max(100_000, 2 * COUNTRY[country].price):,}" in button


@pytest.mark.parametrize("fields", ["", "&swap.one.give=&swap.one.take=peru", "&swap.one.give=kenya&swap.one.take="])
def test_an_exchange_needs_both_cards_to_be_chosen(fields):
    """Nothing is chosen beforehand: whoever presses at once gives nothing away."""
    begun = 'ask=1&key=k&move={"type":"swap"}&swap.one.give=&swap.one.take='
    with pytest.raises(NotChosen, match="A choice is missing"):
        read_move(QueryDict(begun + fields))
    post = QueryDict(begun + "&swap.one.give=kenya&swap.one.take=peru")
    assert read_move(post).move == {"type": "swap", "give": "kenya", "take": "peru"}


def test_the_stage_tells_what_just_happened_and_always_has_something_to_show(match, ann):
    """A sale and its prices stay in sight after the next die is rolled; nobody is called by their own name."""
    html = page(ann, match)
    assert "starts, drawn at random" in html or "You start, drawn at random" in html
    red = [{"type": "red", "seat": seat, "face": 3, "price": 50_000, "why": "sale"} for seat in (0, 1)]
    sold = {"country": "peru", "from": 2, "to": 0}
    told = [
        [{"type": "interest", "seat": 1}, *red],
        [
            {"type": "award", "seat": 2, "winner": 0},
            {"type": "goods", **sold, "why": "sold", "of": None},
            {"type": "pay", "from": 0, "to": 2, "amount": 50_000, "why": "sold", "of": "peru"},
        ],
        [{"type": "roll", "seat": 0, "dice": [1, 2]}],
    ]
    turns = [Turn(match=match, number=n, seat=0, by="person", at=0, events=e) for n, e in enumerate(told, 1)]
    seats = seats_of(match)
    stage = str(render_table(table_for(match, seats, seats[0], turns))).split('class="told"')[1].split("</div>")[0]
    said = " ".join(re.sub(r"<[^>]+>", "", stage).split())
    assert stage.count('class="die red') == 2
    assert "You bought Peru from cem for 50,000." in said
    assert said.endswith("You rolled YES and NO.")
    assert "ann" not in said


def test_a_watcher_sees_no_objective_and_no_button(match, eve):
    html = page(eve, match)
    assert pressed(html) == []
    assert "goal-" not in html
    assert html.count('class="place') == 30


def test_the_map_the_ring_and_the_table_show_every_country_and_space(match, ann):
    html = page(ann, match)
    state = state_of(match)
    for country in COUNTRIES:
        assert f'class="at-{country.id}"' in html
        assert f'id="row-{country.id}"' in html
    assert html.count('class="space ') == len(TRACK)
    owned = sum(owner is not None for owner in state.owners)
    assert html.count('class="piece seat-') == 3 * owned  # on the map, on its card, in the table


def test_standing_orders_by_form(match, ann):
    post = {
        "use_interest": "1",
        "interest": ["gold", "europe"],
        "min_cash": "50000",
        "use_bid": "1",
        "serving": "1",
        "max_price": "90000",
        "bid_share": "50",
        "bid.gold": "30000",
        "bid.oil": "",
        "never_gamble": "1",
        "use_veto": "1",
        "veto": ["japan"],
        "ignore": "always",
    }
    answer = browser_of(ann).post(reverse("orders", args=[match.pk]), post)
    assert answer.status_code == 302
    orders = seat(match, 0).orders
    assert orders == {
        "interest": ["gold", "europe"],
        "serving": True,
        "max_price": 90_000,
        "min_cash": 50_000,
        "bid_share": 50,
        "bid": [{"space": "gold", "amount": 30_000}],
        "never_gamble": True,
        "veto": ["japan"],
        "ignore": "always",
    }
    html = page(ann, match)
    assert re.search(r'name="interest" value="gold" checked', html)
    assert re.search(r'name="bid.gold"[^>]* value="30000"', html)
    assert re.search(r'name="veto" value="japan" checked', html)


def test_an_empty_form_of_orders_gives_none(match, ann):
    browser_of(ann).post(reverse("orders", args=[match.pk]), {"use_veto": "1", "veto": ["japan"]})
    form = {"use_veto": "1", "min_cash": "", "bid.bank": ""}
    assert 'name="use_veto" value="1"' in page(ann, match)
    assert browser_of(ann).post(reverse("orders", args=[match.pk]), form).status_code == 302
    assert seat(match, 0).orders == {}
    assert '<details class="more" id="orders">' in page(ann, match)


def test_a_numbered_space_stands_in_the_form_by_its_name(match, ann):
    orders = {"bid": [{"space": 6, "amount": 40_000}, {"space": "oil", "amount": 50_000}]}
    play_moves.give_orders(match_id=match.pk, user=ann, orders=orders)
    assert re.findall(r'name="bid.(\w+)"[^>]* value="(\d+)"', page(ann, match)) == [("oil", "50000")]


@pytest.mark.parametrize(
    "post",
    [
        {"use_interest": "1", "interest": ["moon"]},
        {"use_bid": "1", "bid.moon": "10000"},
        {"use_bid": "1", "bid.bank": "ten"},
        {"use_bid": "1", "bid.bank": "15000"},
        {"min_cash": "-5"},
        {"ignore": "sometimes"},
        {"use_veto": "1", "veto": ["atlantis"]},
    ],
)
def test_orders_that_make_no_sense_are_refused_in_words(match, ann, post):
    answer = browser_of(ann).post(reverse("orders", args=[match.pk]), post)
    assert 400 <= answer.status_code < 500
    assert seat(match, 0).orders in (None, {})


def test_the_end_lays_everything_open(match, trio, eve):
    match = play_on(match, Random(SEED))
    assert match.status == Match.Status.ENDED
    state = state_of(match)
    for person in (*trio, eve):
        html = page(person, match)
        goals = re.findall(r'id="goal-(\w+)"', html)
        assert sorted(goals) == sorted(goal for own in state.objectives for goal in own)
        assert pressed(html) == []
    for step in (0, 1, match.turns // 2, match.turns):
        replay = browser_of(eve).get(f"/matches/{match.pk}/replay/{step}/")
        assert replay.status_code == 200


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_rules_list_every_country_objective_and_card(language):
    with translation.override(language):
        html = " ".join(unescape(render_to_string(f"games/yes/rules.{language}.html")).split())
        names = {
            message: translation.gettext(message) for message in ("Saudi Arabia", "Ecuador", "All six kinds of goods")
        }
    for name in names.values():
        assert name in html
    for country in COUNTRIES:
        assert f", {country.price // 1000}" in html
    counts = {"objectives": len(OBJECTIVES), "yes": len(YES_CARDS), "no": len(NO_CARDS)}
    for part, count in counts.items():
        section = re.search(rf'id="{part}">.*?</ul>', html, re.S)
        assert section and str(count) in section[0].split("</h2>")[0]
        assert cards_in(section[0]) == count


WORDS = {"two": 2, "three": 3, "five": 5, "deux": 2, "trois": 3, "cinq": 5}


def cards_in(section: str) -> int:
    """Return how many cards a list of the rules tells: the numbers in brackets, else one for each item."""
    total = 0
    for item in re.findall(r"<li>(.*?)</li>", section, re.S):
        bracketed = re.findall(r"\((\w+)(?: cards?| cartes?)?\)", item)
        total += sum(WORDS.get(word, 1) for word in bracketed) or 1
    return total
