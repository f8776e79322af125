"""Why a well-formed move is not permitted now, in a sentence that a player understands."""

from msgspec import Struct

from games.engine import gettext_noop as _
from games.rules.yes.moves import (
    Accept,
    Again,
    Award,
    Buy,
    Exchange,
    GiveUp,
    Liquidate,
    MakeBid,
    Offer,
    Pass,
    PutBack,
    Swap,
)
from games.rules.yes.state import State
from games.rules.yes.tables import AGAIN, EXCHANGE_PRICE

NOT_NOW = _("That is not possible now.")
NO_SUCH_CARD = _("You have no card for that.")
EXCHANGED = _("An objective is exchanged only once a turn.")
EXCHANGE_TOO_DEAR = _("Exchanging an objective costs 150 000, which you do not have.")
NOT_YOUR_OBJECTIVE = _("That objective is not yours.")
BID_TOO_HIGH = _("You cannot bid more than you have.")
NOT_TIED = _("Pick one of the tied players.")
NOT_AN_OPPONENTS = _("None of your opponents has that country.")
NO_GAMBLE = _("This card lets you buy at half the price only, without a gamble.")
TOO_DEAR = _("That costs more than you have.")
NOT_YOURS = _("That country is not yours.")
MUST_BUY = _("You can afford a country, so you must buy one.")
MUST_OFFER = _("As the left neighbour you must offer one of your countries.")
NOT_THE_DEAREST = _("It must be one of your dearest countries.")


def why_not(state: State, seat: int, move: Struct) -> str:
    """The sentence for a move that the prompt does not permit."""
    kind = str(move.__struct_config__.tag)
    match move:
        case Again() if state.phase == "choose" and AGAIN not in state.hands[seat]:
            return NO_SUCH_CARD
        case Exchange() if state.phase in ("roll", "choose"):
            return _no_exchange(state, seat)
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
    return _in_its_phase(state, seat, move)


def _no_exchange(state: State, seat: int) -> str:
    if state.exchanged:
        return EXCHANGED
    return EXCHANGE_TOO_DEAR if state.cash[seat] < EXCHANGE_PRICE else NOT_YOUR_OBJECTIVE


def _in_its_phase(state: State, seat: int, move: Struct) -> str:
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
