"""The standing orders of ¥€$: what they may say, and what they answer (spec: yes.md, Standing orders)."""

from typing import Any

from games.engine import PASS, Move, Orders, View
from games.rules.yes.entries import IGNORE_IT, INTERESTED, NO_BID, NOT_INTERESTED, VETO_IT
from games.rules.yes.tables import CONTINENTS, COUNTRY, COUNTRY_IDS, GOAL, GOODS, REACH, STEP, TRACK

WANTED = (*GOODS, *CONTINENTS)
MONEY = {"min": 0, "max": GOAL - STEP, "step": STEP}

SPACES = [*TRACK, *range(len(TRACK))]
"""A space is named, or numbered as the marker's is."""

ORDERS: dict[str, dict[str, Any]] = {
    "interest": {"subset_of": list(WANTED), "min": 0, "max": len(WANTED)},
    "min_cash": MONEY,
    "bid": {"list_of": {"space": {"one_of": SPACES}, "amount": MONEY}},
    "never_gamble": {"one_of": [True, False]},
    "veto": {"subset_of": list(COUNTRY_IDS), "min": 0, "max": len(COUNTRY_IDS)},
    "ignore": {"one_of": ["always"]},
}


def kept(orders: Orders) -> dict[str, Any]:
    """The same orders with every space named, once, with the most that is bid for it; no veto on nothing."""
    found = {name: order for name, order in orders.items() if name != "veto" or order}
    if "bid" in orders:
        most: dict[str, int] = {}
        for wish in orders["bid"]:
            space = wish["space"] if isinstance(wish["space"], str) else TRACK[wish["space"]]
            most[space] = max(wish["amount"], most.get(space, 0))
        found["bid"] = [{"space": space, "amount": amount} for space, amount in most.items()]
    return found


def said(view: View, orders: Orders) -> list[Move | None]:
    """What the orders answer to what is asked now; [] where they say nothing."""
    match view["phase"]:
        case "interest" if "interest" in orders:
            return [_interest(view, orders)]
        case "bid" if "bid" in orders:
            return [_bid(view, orders["bid"])]
        case "buy" if orders.get("never_gamble") and PASS in view["prompt"]["moves"]:
            return [PASS]
        case "veto" if view["deal"]["country"] in orders.get("veto", ()):
            return [VETO_IT]
        case "ignore" if orders.get("ignore") == "always":
            return [IGNORE_IT]
    return []


def _interest(view: View, orders: Orders) -> Move:
    country = COUNTRY[view["sale"]["country"]]
    wanted = country.good in orders["interest"] or country.continent in orders["interest"]
    rich = view["cash"][view["you"]] >= orders.get("min_cash", 0)
    return INTERESTED if wanted and rich else NOT_INTERESTED


def _bid(view: View, wishes: list[dict[str, Any]]) -> Move:
    """The dearest of the spaces that can be reached, the nearer on a tie; or one's cash, if that is less."""
    best, steps = 0, 0
    for reach in REACH:
        space = (view["marker"] + reach) % len(TRACK)
        names = (space, TRACK[space])
        amount = max((wish["amount"] for wish in wishes if wish["space"] in names), default=0)
        if amount > best:
            best, steps = amount, reach
    if not best:
        return NO_BID
    return {"type": "bid", "amount": min(best, view["cash"][view["you"]]), "steps": steps}
