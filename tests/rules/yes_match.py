"""Matches of ¥€$ set up by hand, and turns with prepared draws."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from games.engine import IllegalMove, ScriptedChance
from games.rules import get_game
from games.rules.yes.data import ACTIONS, COUNTRIES, COUNTRY, COUNTRY_IDS, NO_CARDS, OBJECTIVES, YES_CARDS
from games.rules.yes.state import Decks, Finish, State

game = get_game("yes")
FACE = {action: face for face, action in enumerate(ACTIONS, 1)}
NEVER_MET = ("four_europe", "six_kinds", "nine_goods", "most_goods", "dearest", "five_rare", "seven_common")
OTHERS = [objective for objective in OBJECTIVES if objective not in NEVER_MET]
PASS = {"type": "pass"}


def deck(cards: Sequence[str], used: Iterable[str], top: Sequence[str]) -> tuple[str, ...]:
    """A deck of the cards that are not used elsewhere, those of `top` first."""
    rest = set(cards) - set(used) - set(top)
    return (*top, *(card for card in cards if card in rest))


def table(
    seats: int = 3,
    *,
    owns: Mapping[int, Sequence[str]] | None = None,
    cash: Sequence[int] | None = None,
    objectives: Mapping[int, Sequence[str]] | None = None,
    hands: Mapping[int, Sequence[str]] | None = None,
    tops: Mapping[str, Sequence[str]] | None = None,
    **more: Any,
) -> State:
    """A match in which seat 0 is to roll. What is not said: no cards, 200 000 each, objectives far away."""
    tops, wanted = tops or {}, dict(objectives or {})
    free = iter([o for o in (*NEVER_MET, *OTHERS) if o not in [x for own in wanted.values() for x in own]])
    aims = [tuple(wanted[seat]) if seat in wanted else (next(free), next(free)) for seat in range(seats)]
    held = [tuple((hands or {}).get(seat, ())) for seat in range(seats)]
    owner = {country: seat for seat, own in (owns or {}).items() for country in own}
    fields = {
        "rounds": 0,
        "roller": 0,
        "cash": tuple(cash or [200_000] * seats),
        "owners": tuple(owner.get(country.id) for country in COUNTRIES),
        "objectives": tuple(aims),
        "hands": tuple(held),
        "decks": Decks(
            country=deck(COUNTRY_IDS, owner, tops.get("country", ())),
            objective=deck(OBJECTIVES, [o for aim in aims for o in aim], tops.get("objective", ())),
            yes=deck(YES_CARDS, [card for hand in held for card in hand], tops.get("yes", ())),
            no=deck(NO_CARDS, (), tops.get("no", ())),
        ),
    }
    state = State(**{**fields, **more})
    check(state)
    return state


class Told(list[dict[str, Any]]):
    """Events, asked for by their type."""

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self if event["type"] == kind]

    def paid(self) -> list[tuple[int | None, int | None, int]]:
        return [(event["from"], event["to"], event["amount"]) for event in self.of("pay")]


def play(state: State, *moves: tuple[int, dict[str, Any]], draws: Sequence[list[int]] = ()) -> State:
    """The state after moves by seats; every prepared draw must be used."""
    return told(state, *moves, draws=draws)[0]


def told(state: State, *moves: tuple[int, dict[str, Any]], draws: Sequence[list[int]] = ()) -> tuple[State, Told]:
    """The state after moves by seats, and the events of all of them."""
    chance, events = ScriptedChance(list(draws)), Told()
    for seat, move in moves:
        before = state
        state, happened = game.apply(state, seat, move, chance)
        check(state)
        books_agree(before, state, happened)
        events += happened
    assert chance.left == []
    return state, events


def act(
    state: State,
    first: str,
    *moves: tuple[int, dict[str, Any]],
    second: str = "country",
    draws: Sequence[list[int]] = (),
) -> State:
    """The roller rolls and keeps `first`; then further moves. The left neighbour has `second`."""
    return acted(state, first, *moves, second=second, draws=draws)[0]


def acted(
    state: State,
    first: str,
    *moves: tuple[int, dict[str, Any]],
    second: str = "country",
    draws: Sequence[list[int]] = (),
) -> tuple[State, Told]:
    roller = state.roller
    opening = ((roller, {"type": "roll"}), (roller, {"type": "keep", "die": 0}))
    return told(state, *opening, *moves, draws=[[FACE[first], FACE[second]], *draws])


def drawn(
    state: State, card: str, *moves: tuple[int, dict[str, Any]], draws: Sequence[list[int]] = ()
) -> tuple[State, Told]:
    """Seat 0 draws that YES or NO card; then further moves. Seat 1 draws a country after it."""
    kind = card.split("_", maxsplit=1)[0]
    cards = getattr(state.decks, kind)
    state = changed(state, kind, (card, *(other for other in cards if other != card)))
    return acted(state, kind, *moves, draws=draws)


def changed(state: State, name: str, cards: tuple[str, ...]) -> State:
    from_decks = {each: getattr(state.decks, each) for each in Decks.__struct_fields__}
    fields = {each: getattr(state, each) for each in State.__struct_fields__}
    return State(**{**fields, "decks": Decks(**{**from_decks, name: cards})})


def refused(state: State, seat: int, move: dict[str, Any]) -> str:
    """The code of the refusal; the sentence is there."""
    with pytest.raises(IllegalMove) as refusal:
        game.apply(state, seat, move, ScriptedChance([]))
    assert str(refusal.value)
    return refusal.value.code


def check(state: State) -> None:
    """Every card is in exactly one place; cash is there, in tens of thousands; nobody has too many goods."""
    held = [card for hand in state.hands for card in hand]
    played = {"yes": [], "no": []}
    for task in state.tasks:
        if isinstance(task, Finish):
            played[task.deck].append(task.card)
    lying = [COUNTRIES[index].id for index, owner in enumerate(state.owners) if owner is not None]
    assert sorted((*state.decks.yes, *held, *played["yes"])) == sorted(YES_CARDS)
    assert sorted((*state.decks.no, *played["no"])) == sorted(NO_CARDS)
    assert sorted((*state.decks.country, *lying)) == sorted(COUNTRY_IDS)
    aims = [objective for own in state.objectives for objective in own]
    assert sorted((*state.decks.objective, *aims)) == sorted(OBJECTIVES)
    assert [len(own) for own in state.objectives] == [0 if seat in state.out else 2 for seat in range(state.seats)]
    for seat, cash in enumerate(state.cash):
        assert cash >= 0
        assert cash % 10_000 == 0
        assert state.owners.count(seat) <= 15
        if seat in state.out:
            assert (cash, state.owners.count(seat), state.hands[seat]) == (0, 0, ())


def books_agree(before: State, after: State, events: list[dict[str, Any]]) -> None:
    """Money and COUNTRY cards have moved as the events say, and not otherwise."""
    cash, owners = list(before.cash), list(before.owners)
    for event in events:
        if event["type"] == "pay":
            assert event["amount"] > 0
            assert event["amount"] % 10_000 == 0
            if event["from"] is not None:
                cash[event["from"]] -= event["amount"]
                assert cash[event["from"]] >= 0
            if event["to"] is not None:
                cash[event["to"]] += event["amount"]
        elif event["type"] == "goods":
            index = COUNTRY[event["country"]].index
            assert owners[index] == event["from"]
            owners[index] = event["to"]
    assert tuple(cash) == after.cash
    assert tuple(owners) == after.owners


def advance(steps: int) -> dict[str, Any]:
    return {"type": "advance", "steps": steps}


def bid(amount: int, steps: int | None = None) -> dict[str, Any]:
    return {"type": "bid", "amount": amount, **({} if steps is None else {"steps": steps})}


def buy(country: str, gamble: bool = False) -> dict[str, Any]:
    return {"type": "buy", "country": country, "gamble": gamble}


def offer(country: str, bank: bool = False) -> dict[str, Any]:
    return {"type": "offer", "country": country, "bank": bank}


def interest(yes: bool) -> dict[str, Any]:
    return {"type": "interest", "yes": yes}


def liquidate(country: str) -> dict[str, Any]:
    return {"type": "liquidate", "country": country}
