"""The moves of a seat whose time has run out (spec: yes.md, Time-out moves)."""

from games.engine import PASS, Move
from games.rules.yes.actions import share
from games.rules.yes.entries import ALLOW, IGNORE_IT, NO_BID, NOT_INTERESTED, ROLL
from games.rules.yes.state import Ask, State
from games.rules.yes.tables import ACTIONS, CASH_PRIZE, COUNTRY, REACH, TRACK, Country

KEPT_FIRST = ("country", "yes", "cash", "sell", "buy", "no")
FIXED = {
    "bid": NO_BID,
    "interest": NOT_INTERESTED,
    "veto": ALLOW,
    "ignore": IGNORE_IT,
    "swap": PASS,
    "half_price": PASS,
}


def default_move(state: State, seat: int) -> Move:
    """The move of a seat that owes one."""
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
            return {"type": "advance", "steps": max(REACH, key=lambda steps: _paid(state, seat, steps))}
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


def _paid(state: State, seat: int, steps: int) -> int:
    """What a seat would be paid for moving the marker so many steps."""
    space = (state.marker + steps) % len(TRACK)
    paid = state.paid_at(space)
    if not space:
        return CASH_PRIZE
    return share(len(paid)) if seat in paid else 0


def cheapest(countries: list[Country]) -> str:
    """The cheapest card, the first in the table's order."""
    return min(countries, key=lambda country: country.price).id
