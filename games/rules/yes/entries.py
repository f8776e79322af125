"""The prompts of ¥€$: what each phase lets a seat do."""

from collections.abc import Callable

from games.engine import PASS, Move
from games.rules.yes.state import Ask, State
from games.rules.yes.tables import AGAIN, EXCHANGE_PRICE, REACH, STEP

ROLL: Move = {"type": "roll"}
ROLL_AGAIN: Move = {"type": "again"}
KEEP: Move = {"type": "keep", "die": {"one_of": [0, 1]}}
ADVANCE: Move = {"type": "advance", "steps": {"one_of": list(REACH)}}
NO_BID: Move = {"type": "bid", "amount": 0}
VETO_IT: Move = {"type": "veto"}
ALLOW: Move = {"type": "allow"}
IGNORE_IT: Move = {"type": "ignore"}
SUFFER: Move = {"type": "suffer"}
INTEREST: Move = {"type": "interest", "yes": {"one_of": [True, False]}}
INTERESTED: Move = {"type": "interest", "yes": True}
NOT_INTERESTED: Move = {"type": "interest", "yes": False}


def entries(state: State, seat: int) -> list[Move]:
    """What a seat that owes a decision may do."""
    if state.debts:
        return [_one_of("liquidate", "country", [country.id for country in state.goods(seat)])]
    ask = state.ask
    if ask is not None:
        return ASKED[ask.phase](state, seat, ask)
    if state.dice is None:
        return [ROLL, *_exchanges(state)]
    again = [ROLL_AGAIN] if AGAIN in state.hands[seat] else []
    return [KEEP, *again, *_exchanges(state)]


def _one_of(kind: str, field: str, values: object) -> Move:
    return {"type": kind, field: {"one_of": values}}


def _exchanges(state: State) -> list[Move]:
    if state.exchanged or state.cash[state.roller] < EXCHANGE_PRICE:
        return []
    return [_one_of("exchange", "objective", list(state.objectives[state.roller]))]


def _advance(state: State, seat: int, ask: Ask) -> list[Move]:
    return [ADVANCE]


def _bid(state: State, seat: int, ask: Ask) -> list[Move]:
    amount = {"min": STEP, "max": state.cash[seat], "step": STEP}
    return [NO_BID, {"type": "bid", "amount": amount, "steps": {"one_of": list(REACH)}}]


def _accept(state: State, seat: int, ask: Ask) -> list[Move]:
    return [_one_of("accept", "seat", list(ask.seats))]


def _award(state: State, seat: int, ask: Ask) -> list[Move]:
    return [_one_of("award", "seat", list(ask.seats))]


def _buy(state: State, seat: int, ask: Ask) -> list[Move]:
    there = state.goods_of_others(seat)
    affordable = [country.id for country in there if country.price <= state.cash[seat]]
    gamble = {**_one_of("buy", "country", [country.id for country in there]), "gamble": True}
    if not affordable:
        return [gamble, PASS]
    return [{**_one_of("buy", "country", affordable), "gamble": False}, gamble]


def _half_price(state: State, seat: int, ask: Ask) -> list[Move]:
    affordable = [country.id for country in state.goods_of_others(seat) if country.half <= state.cash[seat]]
    return [{**_one_of("buy", "country", affordable), "gamble": False}, PASS]


def _veto(state: State, seat: int, ask: Ask) -> list[Move]:
    return [VETO_IT, ALLOW]


def _offer(state: State, seat: int, ask: Ask) -> list[Move]:
    own = [country.id for country in state.goods(seat)]
    offers = [{**_one_of("offer", "country", own), "bank": {"one_of": [True, False]}}]
    return [*offers, PASS] if seat == state.roller else offers


def _interest(state: State, seat: int, ask: Ask) -> list[Move]:
    return [INTEREST]


def _swap(state: State, seat: int, ask: Ask) -> list[Move]:
    own = [country.id for country in state.goods(seat)]
    theirs = [country.id for country in state.goods_of_others(seat)]
    return [{**_one_of("swap", "give", own), "take": {"one_of": theirs}}, PASS]


def _give_up(state: State, seat: int, ask: Ask) -> list[Move]:
    return [_one_of("give_up", "country", list(ask.countries))]


def _put_back(state: State, seat: int, ask: Ask) -> list[Move]:
    return [_one_of("put_back", "objective", list(state.objectives[seat]))]


def _ignore(state: State, seat: int, ask: Ask) -> list[Move]:
    return [IGNORE_IT, SUFFER]


ASKED: dict[str, Callable[[State, int, Ask], list[Move]]] = {
    "advance": _advance,
    "bid": _bid,
    "accept": _accept,
    "buy": _buy,
    "veto": _veto,
    "offer": _offer,
    "interest": _interest,
    "award": _award,
    "half_price": _half_price,
    "swap": _swap,
    "give_up": _give_up,
    "put_back": _put_back,
    "ignore": _ignore,
}
