"""The moves of ¥€$ as they are sent, which of them are legal, and why others are refused."""

from collections.abc import Callable
from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from games.engine import PASS, Move
from games.engine import gettext_noop as _
from games.rules.yes.data import AGAIN, EXCHANGE_PRICE, REACH, STEP, CountryId, ObjectiveId
from games.rules.yes.state import Ask, State

Seat: TypeAlias = Annotated[int, Meta(ge=0)]
Steps: TypeAlias = Annotated[int, Meta(ge=1, le=3)]


class Roll(Struct, frozen=True, forbid_unknown_fields=True, tag="roll"):
    """Roll both white dice."""


class Keep(Struct, frozen=True, forbid_unknown_fields=True, tag="keep"):
    """Choose the white die to carry out; the left neighbour carries out the other."""

    die: Annotated[int, Meta(ge=0, le=1)]


class Again(Struct, frozen=True, forbid_unknown_fields=True, tag="again"):
    """Play a card to roll both white dice once more."""


class Exchange(Struct, frozen=True, forbid_unknown_fields=True, tag="exchange"):
    """Pay to exchange an objective."""

    objective: ObjectiveId


class Advance(Struct, frozen=True, forbid_unknown_fields=True, tag="advance"):
    """Move the CASH marker."""

    steps: Steps


class MakeBid(Struct, frozen=True, forbid_unknown_fields=True, tag="bid"):
    """Bid for the right to move the CASH marker by `steps`; 0 without steps is no bid."""

    amount: Annotated[int, Meta(ge=0)]
    steps: Steps | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.amount % STEP:
            raise ValueError("money is counted in tens of thousands")
        if (self.steps is UNSET) != (self.amount == 0):
            raise ValueError("a bid says its steps, no bid says none")


class Accept(Struct, frozen=True, forbid_unknown_fields=True, tag="accept"):
    """Pick among the highest bids."""

    seat: Seat


class Buy(Struct, frozen=True, forbid_unknown_fields=True, tag="buy"):
    """Buy an opponent's card at its price, or with `gamble` at the price that the red die sets."""

    country: CountryId
    gamble: bool


class Veto(Struct, frozen=True, forbid_unknown_fields=True, tag="veto"):
    """Play a card to forbid the deal."""


class Allow(Struct, frozen=True, forbid_unknown_fields=True, tag="allow"):
    """Let the deal happen."""


class Offer(Struct, frozen=True, forbid_unknown_fields=True, tag="offer"):
    """Put a card up for sale; with `bank` the bank buys it if nobody wants it."""

    country: CountryId
    bank: bool


class Interest(Struct, frozen=True, forbid_unknown_fields=True, tag="interest"):
    """Answer, sealed, whether one rolls for the card on offer."""

    yes: bool


class Award(Struct, frozen=True, forbid_unknown_fields=True, tag="award"):
    """Pick among the highest prices."""

    seat: Seat


class Swap(Struct, frozen=True, forbid_unknown_fields=True, tag="swap"):
    """Exchange one's card for an opponent's."""

    give: CountryId
    take: CountryId


class GiveUp(Struct, frozen=True, forbid_unknown_fields=True, tag="give_up"):
    """Choose the card that a NO card takes."""

    country: CountryId


class PutBack(Struct, frozen=True, forbid_unknown_fields=True, tag="put_back"):
    """Choose the objective that a NO card replaces."""

    objective: ObjectiveId


class Liquidate(Struct, frozen=True, forbid_unknown_fields=True, tag="liquidate"):
    """Sell a card to the bank to pay a debt."""

    country: CountryId


class Ignore(Struct, frozen=True, forbid_unknown_fields=True, tag="ignore"):
    """Play a card to ignore a NO card."""


class Suffer(Struct, frozen=True, forbid_unknown_fields=True, tag="suffer"):
    """Let the NO card act."""


class Pass(Struct, frozen=True, forbid_unknown_fields=True, tag="pass"):
    """Do nothing."""


MOVES = (
    *(Roll, Keep, Again, Exchange, Advance, MakeBid, Accept, Buy, Veto, Allow, Offer, Interest, Award),
    *(Swap, GiveUp, PutBack, Liquidate, Ignore, Suffer, Pass),
)

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
    """The entries of the prompt of a seat that owes a decision."""
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


def _bid(state: State, seat: int, ask: Ask) -> list[Move]:
    amount = {"min": STEP, "max": state.cash[seat], "step": STEP}
    return [NO_BID, {"type": "bid", "amount": amount, "steps": {"one_of": list(REACH)}}]


def _buy(state: State, seat: int, ask: Ask) -> list[Move]:
    on_sale = state.goods_of_others(seat)
    affordable = [country.id for country in on_sale if country.price <= state.cash[seat]]
    gamble = {**_one_of("buy", "country", [country.id for country in on_sale]), "gamble": True}
    if not affordable:
        return [gamble, PASS]
    return [{**_one_of("buy", "country", affordable), "gamble": False}, gamble]


def _half_price(state: State, seat: int, ask: Ask) -> list[Move]:
    affordable = [country.id for country in state.goods_of_others(seat) if country.half <= state.cash[seat]]
    return [{**_one_of("buy", "country", affordable), "gamble": False}, PASS]


def _offer(state: State, seat: int, ask: Ask) -> list[Move]:
    own = [country.id for country in state.goods(seat)]
    offers = [{**_one_of("offer", "country", own), "bank": {"one_of": [True, False]}}]
    return [*offers, PASS] if seat == state.roller else offers


def _swap(state: State, seat: int, ask: Ask) -> list[Move]:
    own = [country.id for country in state.goods(seat)]
    theirs = [country.id for country in state.goods_of_others(seat)]
    return [{**_one_of("swap", "give", own), "take": {"one_of": theirs}}, PASS]


ASKED: dict[str, Callable[[State, int, Ask], list[Move]]] = {
    "advance": lambda state, seat, ask: [ADVANCE],
    "bid": _bid,
    "accept": lambda state, seat, ask: [_one_of("accept", "seat", list(ask.seats))],
    "buy": _buy,
    "veto": lambda state, seat, ask: [VETO_IT, ALLOW],
    "offer": _offer,
    "interest": lambda state, seat, ask: [INTEREST],
    "award": lambda state, seat, ask: [_one_of("award", "seat", list(ask.seats))],
    "half_price": _half_price,
    "swap": _swap,
    "give_up": lambda state, seat, ask: [_one_of("give_up", "country", list(ask.countries))],
    "put_back": lambda state, seat, ask: [_one_of("put_back", "objective", list(state.objectives[seat]))],
    "ignore": lambda state, seat, ask: [IGNORE_IT, SUFFER],
}
"""The entries of a prompt, by the phase of the decision that an action waits for."""

NOT_NOW = _("This is not possible now.")
NO_SUCH_CARD = _("You have no card for that.")
EXCHANGED = _("You can exchange an objective only once a turn.")
EXCHANGE_TOO_DEAR = _("Exchanging an objective costs 150,000, which you do not have.")
NOT_YOUR_OBJECTIVE = _("That objective is not yours.")
BID_TOO_HIGH = _("You cannot bid more than you have.")
NOT_TIED = _("Pick one of the tied players.")
NOT_AN_OPPONENTS = _("None of your opponents has that country.")
NO_GAMBLE = _("With this card you buy at half price and cannot gamble.")
TOO_DEAR = _("That costs more than you have.")
NOT_YOURS = _("That country is not yours.")
MUST_BUY = _("You can afford a country, so you must buy one.")
MUST_OFFER = _("As the player on the left you must offer one of your countries.")
NOT_THE_DEAREST = _("It must be one of your most expensive countries.")


def why_not(state: State, seat: int, move: Struct) -> str:
    """The reason, as a sentence, why the prompt does not permit a move."""
    kind = str(move.__struct_config__.tag)
    match move:
        case Again() if state.phase == "choose" and AGAIN not in state.hands[seat]:
            return NO_SUCH_CARD
        case Exchange() if state.phase in ("roll", "choose"):
            return _why_no_exchange(state, seat)
        case Pass() if state.phase in ("buy", "offer"):
            return MUST_BUY if state.phase == "buy" else MUST_OFFER
        case Buy(country=country, gamble=gamble) if state.phase in ("buy", "half_price"):
            if state.owner(country) in (None, seat):
                return NOT_AN_OPPONENTS
            return NO_GAMBLE if gamble else TOO_DEAR
        case Liquidate() if state.phase == "debt":
            return NOT_YOURS
        case _ if kind != state.phase:
            return NOT_NOW
    return _why_not_in_phase(state, seat, move)


def _why_no_exchange(state: State, seat: int) -> str:
    if state.exchanged:
        return EXCHANGED
    return EXCHANGE_TOO_DEAR if state.cash[seat] < EXCHANGE_PRICE else NOT_YOUR_OBJECTIVE


def _why_not_in_phase(state: State, seat: int, move: Struct) -> str:
    match move:
        case MakeBid():
            return BID_TOO_HIGH
        case Accept() | Award():
            return NOT_TIED
        case Offer():
            return NOT_YOURS
        case Swap(give=give):
            return NOT_AN_OPPONENTS if state.owner(give) == seat else NOT_YOURS
        case GiveUp(country=country):
            return NOT_THE_DEAREST if state.owner(country) == seat else NOT_YOURS
        case PutBack():
            return NOT_YOUR_OBJECTIVE
    return NOT_NOW
