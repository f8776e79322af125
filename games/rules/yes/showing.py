"""What a seat, or a spectator, sees of a match of ¥€$."""

from collections.abc import Sequence
from typing import Any

from games.engine import Turned, View
from games.rules.yes.state import State
from games.rules.yes.tables import COUNTRIES


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
            country.id: owner
            for country, owner in zip(COUNTRIES, state.owners, strict=True)
            if owner is not None
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
    """Objectives and kept cards: one's own, the number of others', everybody's after the end."""
    objectives = [
        list(own) if state.over or owner == seat else len(own) for owner, own in enumerate(state.objectives)
    ]
    hands = {"hands": [list(hand) for hand in state.hands]} if state.over else {}
    return {
        "objectives": objectives,
        "met": [] if seat is None else state.met(seat),
        "hand": [] if seat is None else list(state.hands[seat]),
        "hand_counts": [len(hand) for hand in state.hands],
        **hands,
    }


def laid_open(state: State) -> View:
    """What a view hides while a match runs, to be shown of its moments after the end."""
    auction, sale = state.auction, state.sale
    bids = auction and [
        {"seat": seat, "amount": bid.amount, "steps": bid.steps} for seat, bid in auction.given().items()
    ]
    return {
        "objectives": [list(own) for own in state.objectives],
        "hands": [list(hand) for hand in state.hands],
        "auction": auction and {**auction.shown(), "bids": bids},
        "sale": sale and {**sale.shown(), "interested": sale.interested},
    }


def unveiled(turns: Sequence[Turned]) -> dict[int, Any]:
    """Which objective was put back in the turns in which one was, by the turn's number."""
    return {
        number: {"objective": move["objective"]}
        for number, move, _draws, _events in turns
        if move["type"] in ("exchange", "put_back")
    }
