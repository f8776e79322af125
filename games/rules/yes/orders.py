"""Time-out moves (spec: yes.md, Time-out moves) and standing orders of ¥€$."""

from typing import Any

from games.engine import PASS, Move, Orders, View
from games.rules.yes.actions import share
from games.rules.yes.data import (
    ACTIONS,
    CASH_PRIZE,
    CONTINENTS,
    COUNTRIES,
    COUNTRY,
    COUNTRY_IDS,
    GOAL,
    GOODS,
    REACH,
    STEP,
    TRACK,
    Country,
)
from games.rules.yes.moves import ALLOW, IGNORE_IT, INTERESTED, NO_BID, NOT_INTERESTED, ROLL, VETO_IT
from games.rules.yes.outlook import Sight, nearer
from games.rules.yes.state import Ask, State, leaders

KEPT_FIRST = ("country", "yes", "cash", "sell", "buy", "no")
FIXED = {"bid": NO_BID, "interest": NOT_INTERESTED, "veto": ALLOW, "ignore": IGNORE_IT}
FIXED |= {"swap": PASS, "half_price": PASS}
"""The time-out moves that depend on the phase alone."""


def default_move(state: State, seat: int) -> Move:
    """The time-out move of a seat that owes a decision."""
    if state.debts:
        return {"type": "liquidate", "country": cheapest(state.goods(seat))}
    if state.ask is not None:
        return _asked(state, seat, state.ask)
    if state.dice is None:
        return ROLL
    order = [KEPT_FIRST.index(ACTIONS[face - 1]) for face in state.dice]
    return {"type": "keep", "die": order.index(min(order))}


def _asked(state: State, seat: int, ask: Ask) -> Move:
    match ask.phase:
        case "advance":
            return {"type": "advance", "steps": max(REACH, key=lambda steps: _income(state, seat, steps))}
        case "accept" | "award":
            return {"type": ask.phase, "seat": ask.seats[0]}
        case "offer":
            return {"type": "offer", "country": cheapest(state.goods(seat)), "bank": False}
        case "buy":
            affordable = [c for c in state.goods_of_others(seat) if c.price <= state.cash[seat]]
            return {"type": "buy", "country": cheapest(affordable), "gamble": False} if affordable else PASS
        case "give_up":
            return {"type": "give_up", "country": cheapest([COUNTRY[country] for country in ask.countries])}
        case "put_back":
            return {"type": "put_back", "objective": state.objectives[seat][0]}
    return FIXED[ask.phase]


def _income(state: State, seat: int, steps: int) -> int:
    """The money that a seat gets for moving the marker so many steps."""
    space = (state.marker + steps) % len(TRACK)
    paid = state.paid_at(space)
    if not space:
        return CASH_PRIZE
    return share(len(paid)) if seat in paid else 0


def cheapest(countries: list[Country]) -> str:
    """The cheapest card, the first in the table's order."""
    return min(countries, key=lambda country: country.price).id


WANTED = (*GOODS, *CONTINENTS)
DEAREST_CARD = max(country.price for country in COUNTRIES)
MONEY = {"min": 0, "max": GOAL - STEP, "step": STEP}

SPACES = [*TRACK, *range(len(TRACK))]
"""A space is given by its name or by its number."""

ORDERS: dict[str, dict[str, Any]] = {
    "interest": {"subset_of": list(WANTED), "min": 0, "max": len(WANTED)},
    "serving": {"one_of": [True, False]},
    "max_price": {"min": STEP, "max": DEAREST_CARD, "step": STEP},
    "min_cash": MONEY,
    "bid_share": {"min": 10, "max": 100, "step": 10},
    "bid": {"list_of": {"space": {"one_of": SPACES}, "amount": MONEY}},
    "never_gamble": {"one_of": [True, False]},
    "veto": {"subset_of": list(COUNTRY_IDS), "min": 0, "max": len(COUNTRY_IDS)},
    "ignore": {"one_of": ["always"]},
}


NO_VETO: tuple[str, list[str]] = ("veto", [])
OF_SALES = ("serving", "max_price", "min_cash")
"""What narrows `interest`, and says nothing without it."""


def kept(orders: Orders) -> dict[str, Any]:
    """The same orders in one form: each space by name, once, with its highest bid; what says nothing left out."""
    found = {name: order for name, order in orders.items() if order not in (None, False) and (name, order) != NO_VETO}
    if "interest" not in found:
        found = {name: order for name, order in found.items() if name not in OF_SALES}
    if "bid" in orders:
        most: dict[str, int] = {}
        for wish in orders["bid"]:
            space = wish["space"] if isinstance(wish["space"], str) else TRACK[wish["space"]]
            most[space] = max(wish["amount"], most.get(space, 0))
        found["bid"] = [{"space": space, "amount": amount} for space, amount in most.items()]
    return found


def order_answers(view: View, orders: Orders) -> list[Move | None]:
    """The answers of the orders that apply to the current decision."""
    match view["phase"]:
        case "interest" if "interest" in orders:
            return [_interest(view, orders)]
        case "bid" if "bid" in orders or "bid_share" in orders:
            return [_bid(view, orders)]
        case "buy" if orders.get("never_gamble") and PASS in view["prompt"]["moves"]:
            return [PASS]
        case "veto" if view["deal"]["country"] in orders.get("veto", ()):
            return [VETO_IT]
        case "ignore" if orders.get("ignore") == "always":
            return [IGNORE_IT]
    return []


def _interest(view: View, orders: Orders) -> Move:
    """Interested in a card that is wanted, at a printed price up to the highest, with enough cash in hand.

    Wanted is what is named, and what serves an objective; where neither is ordered but a price, every card.
    """
    country, names, serving = COUNTRY[view["sale"]["country"]], orders["interest"], orders.get("serving", False)
    wanted = country.good in names or country.continent in names or (serving and _serves(view, country))
    if not names and not serving:
        wanted = "max_price" in orders
    is_cheap = country.price <= orders.get("max_price", DEAREST_CARD)
    is_rich = view["cash"][view["you"]] >= orders.get("min_cash", 0)
    return INTERESTED if wanted and is_cheap and is_rich else NOT_INTERESTED


def _serves(view: View, country: Country) -> bool:
    """Whether the card brings the seat nearer to an objective that it does not meet yet."""
    sight = Sight(view)
    return bool(nearer(sight, [*sight.mine, country.index]))


def _bid(view: View, orders: Orders) -> Move:
    """The highest bid among the spaces in reach, the nearer on a tie, up to the seat's cash."""
    best, steps = 0, 0
    for reach in REACH:
        space = (view["marker"] + reach) % len(TRACK)
        wishes = [wish["amount"] for wish in orders.get("bid", ()) if wish["space"] == TRACK[space]]
        by_share = _pays(view, space) * orders.get("bid_share", 0) // 100 // STEP * STEP
        if (amount := max([by_share, *wishes])) > best:
            best, steps = amount, reach
    if not best:
        return NO_BID
    return {"type": "bid", "amount": min(best, view["cash"][view["you"]]), "steps": steps}


def _pays(view: View, space: int) -> int:
    """What a space pays the seat if the marker moves there; space 0 is never auctioned."""
    counts = [0] * view["seats"]
    for name, owner in view["countries"].items():
        counts[owner] += TRACK[space] in (COUNTRY[name].continent, COUNTRY[name].good)
    paid = leaders(counts)
    return share(len(paid)) if view["you"] in paid else 0
