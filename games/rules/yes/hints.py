"""What a seat or a spectator sees of a match of ¥€$, and what the page works out from that."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from games.engine import Turned, View
from games.rules.yes.actions import share
from games.rules.yes.data import (
    ACTIONS,
    CASH_PRIZE,
    COUNTRIES,
    EXCHANGE_PRICE,
    GIVEN_LEFT,
    IN_MONEY,
    REACH,
    RED,
    STEP,
    TRACK,
    Country,
    Holdings,
    progress,
)
from games.rules.yes.state import State, clockwise, leaders


def shown(state: State, seat: int | None) -> View:
    """The game's part of a view: what is open to all, and what is the viewer's own."""
    ask = state.ask
    deal = ask.deal if ask else None
    return {
        "roller": state.roller,
        "actor": state.actor,
        "dice": None if state.dice is None else list(state.dice),
        "kept": state.kept,
        "action": state.action,
        "exchanged": state.exchanged,
        "cash": list(state.cash),
        "countries": {
            country.id: owner for country, owner in zip(COUNTRIES, state.owners, strict=True) if owner is not None
        },
        **_cards(state, seat),
        "marker": state.marker,
        "card": state.card,
        "auction": state.auction and state.auction.shown(),
        "sale": state.sale and state.sale.shown(),
        "deal": deal and deal.shown(),
        "debts": [debt.shown() for debt in state.debts],
        "out": list(state.out),
        "decks": state.decks.shown(),
        "turn": state.turn,
    }


def _cards(state: State, seat: int | None) -> View:
    """Objectives and kept cards: the viewer's own and how many others have; after the end all of them."""
    seen = [list(own) if state.over or owner == seat else len(own) for owner, own in enumerate(state.objectives)]
    return {
        "objectives": seen,
        "met": [] if seat is None else state.met(seat),
        "hand": [] if seat is None else list(state.hands[seat]),
        "hand_counts": [len(hand) for hand in state.hands],
        **({"hands": [list(hand) for hand in state.hands]} if state.over else {}),
    }


def hidden_parts(state: State) -> View:
    """What views hide while a match runs; after the end they show it of every moment."""
    auction, sale = state.auction, state.sale
    return {
        "objectives": [list(own) for own in state.objectives],
        "hands": [list(hand) for hand in state.hands],
        "auction": auction and {**auction.shown(), "bids": auction.given_bids()},
        "sale": sale and {**sale.shown(), "interested": sale.interested},
    }


def unveiled(turns: Sequence[Turned]) -> dict[int, Any]:
    """Which objective was put back in the turns in which one was, by the turn's number."""
    return {
        number: {"objective": move["objective"]}
        for number, move, _draws, _events in turns
        if move["type"] in ("exchange", "put_back")
    }


PRINTED: dict[str, dict[str, Any]] = {
    country.id: {
        "id": country.id,
        "continent": country.continent,
        "good": country.good,
        "price": country.price,
        "thousands": country.price // 1000,
        "double": 2 * country.price,
        "gamble": max(RED[-1], 2 * country.price),
    }
    for country in COUNTRIES
}
"""What never changes of a country; `gamble` is the highest price that the red die can set."""


def hints(view: View) -> dict[str, Any]:
    """What the page shows beside the view.

    `asked`: the phase if the viewer is to move; `may`: the entries of its prompt by type; `cash`: its own.
    `countries` by id (see `_country`); whether any has `uses`, any is `affordable` at its price.
    `spaces` of the CASH track (see `_space`), and those within `reach`.
    `goods`, `wealth` and how far the `objectives` are, per seat (None: not seen).
    `left`: the seat on the actor's left; `heir`: who gets a card given up (None: the deck).
    `dice`, `deal`, `debts`: what lies on the table; `tied`: the equal offers to pick from. `amounts`: what may be
    bid; `after_exchange`: the cash left after an exchange.
    """
    prompt, you = view["prompt"], view["you"]
    may = {entry["type"]: entry for entry in prompt["moves"]} if prompt else {}
    uses = _uses(prompt["moves"]) if prompt else {}
    cash = 0 if you is None else view["cash"][you]
    owned = _owned(view)
    counts = [Counter(name for country in own for name in (country.continent, country.good)) for own in owned]
    spaces = [_space(number, name, view, [each[name] for each in counts]) for number, name in enumerate(TRACK)]
    left = _left(view, view["roller"] if view["actor"] is None else view["actor"])
    return {
        "asked": view["phase"] if prompt else None,
        "may": may,
        "cash": cash,
        "countries": {country.id: _country(country, view, uses.get(country.id, ()), cash) for country in COUNTRIES},
        "uses": bool(uses),
        "affordable": any("buy" in each for each in uses.values()),
        "goods": [len(own) for own in owned],
        "wealth": [
            money + sum(country.price for country in own) for money, own in zip(view["cash"], owned, strict=True)
        ],
        "spaces": spaces,
        "reach": [spaces[(view["marker"] + steps) % len(TRACK)] for steps in REACH],
        "objectives": [_objectives(view, owned, seat) for seat in range(view["seats"])],
        "left": left,
        "heir": left if view["card"] in GIVEN_LEFT else None,
        "dice": _dice(view),
        "deal": view["deal"] and {"seat": view["actor"], **view["deal"]},
        "debts": [_debt(debt, view["cash"][debt["seat"]]) for debt in view["debts"]],
        "tied": _tied(view, may),
        "amounts": [{"amount": bid, "left": cash - bid} for bid in range(STEP, cash + 1, STEP) if "bid" in may],
        "after_exchange": cash - EXCHANGE_PRICE,
    }


def _owned(view: View) -> list[list[Country]]:
    """The cards of each seat, in the table's order."""
    owned: list[list[Country]] = [[] for _ in range(view["seats"])]
    for country in COUNTRIES:
        if (owner := view["countries"].get(country.id)) is not None:
            owned[owner].append(country)
    return owned


def _uses(entries: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """What a prompt lets one do with each card: a move's type, "gamble", or "give" or "take" in a swap."""
    uses: dict[str, list[str]] = {}
    for entry in entries:
        for field in entry.keys() & {"country", "give", "take"}:
            use = field if field != "country" else "gamble" if entry.get("gamble") else entry["type"]
            for country in entry[field]["one_of"]:
                uses.setdefault(country, []).append(use)
    return uses


def _country(country: Country, view: View, uses: Sequence[str], cash: int) -> dict[str, Any]:
    """A card, its owner and its `uses`; if any, its cost and the viewer's cash after a purchase or sale."""
    found = PRINTED[country.id] | {"owner": view["countries"].get(country.id), "uses": uses}
    if uses:
        cost = country.half if view["phase"] == "half_price" else country.price
        found |= {"cost": cost, "after_buying": cash - cost, "after_selling": cash + country.price}
    return found


def _space(number: int, name: str, view: View, counts: list[int]) -> dict[str, Any]:
    """A space of the CASH track and what it would pay now, given how many goods each seat has there.

    `paid`: the seats with the most goods there, `share`: the money for each; `pays`: "you", "others", "both"
    or "nobody", from the viewer's side; `figure`: the number on it; `steps`: its distance from the marker.
    """
    paid = leaders(counts)
    is_bank, steps = name == TRACK[0], (number - view["marker"]) % len(TRACK)
    return {
        "name": name,
        "number": number,
        "steps": steps,
        "is_here": not steps,
        "in_reach": steps in REACH,
        "figure": CASH_PRIZE // 1000 if is_bank else max(counts),
        "paid": paid,
        "share": share(len(paid)) if paid else CASH_PRIZE,
        "pays": "you" if is_bank else _whom(paid, view["you"]),
    }


def _whom(paid: list[int], you: int | None) -> str:
    if not paid:
        return "nobody"
    if you not in paid:
        return "others"
    return "both" if len(paid) > 1 else "you"


def _dice(view: View) -> list[dict[str, Any]]:
    """The white dice: the action of each, who carries it out (None: not chosen yet), whether that is now."""
    if view["dice"] is None:
        return []
    actions = [ACTIONS[face - 1] for face in view["dice"]]
    seats: list[int | None] = [None, None]
    if view["kept"] is not None:
        seats = [_left(view, view["roller"])] * 2
        seats[view["kept"]] = view["roller"]
    return [
        {
            "action": action,
            "other": actions[1 - number],
            "seat": seat,
            "is_now": seat is not None and (view["action"], view["actor"]) == (action, seat),
        }
        for number, (action, seat) in enumerate(zip(actions, seats, strict=True))
    ]


def _debt(debt: View, cash: int) -> dict[str, Any]:
    there = min(cash, debt["amount"])
    return {**debt, "cash": cash, "there": there, "missing": debt["amount"] - there}


def _tied(view: View, may: dict[str, Any]) -> list[dict[str, Any]]:
    """The equal offers among which the viewer picks: seat, amount, space to which the marker would move."""
    if "accept" in may:
        bids = {bid["seat"]: bid for bid in view["auction"]["bids"]}
        tied = [bids[seat] for seat in may["accept"]["seat"]["one_of"]]
        spaces = [TRACK[(view["marker"] + bid["steps"]) % len(TRACK)] for bid in tied]
        return [
            {"seat": bid["seat"], "amount": bid["amount"], "space": space}
            for bid, space in zip(tied, spaces, strict=True)
        ]
    if "award" in may:
        prices = {roll["seat"]: roll["price"] for roll in view["sale"]["rolls"]}
        return [{"seat": seat, "amount": prices[seat], "space": None} for seat in may["award"]["seat"]["one_of"]]
    return []


def _objectives(view: View, owned: list[list[Country]], seat: int) -> list[dict[str, Any]] | None:
    """How far the objectives of a seat are; None where the viewer does not see them."""
    seen = view["objectives"][seat]
    if isinstance(seen, int):
        return None
    others = max(len(own) for other, own in enumerate(owned) if other != seat)
    own = Holdings(owned[seat], view["cash"][seat], others)
    return [_objective(each, *progress(each, own)) for each in seen]


def _objective(objective: str, needed: int, had: int) -> dict[str, Any]:
    in_money = objective in IN_MONEY
    return {
        "id": objective,
        "have": min(had, needed),
        "need": needed,
        "met": had >= needed,
        "in_money": in_money,
    }


def _left(view: View, seat: int) -> int:
    """The next seat to the left that is still in."""
    return next((other for other in clockwise(seat, view["seats"]) if other not in view["out"]), seat)
