"""How a match ended."""

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec import UNSET, Struct

from games.engine import (
    PASS,
    Bot,
    Chance,
    Event,
    Game,
    IllegalMove,
    Move,
    MoveCodec,
    Options,
    Orders,
    Outcome,
    Prompt,
    StateCodec,
    Turned,
    View,
)
from games.rules.yes import actions, cards, turns
from games.rules.yes.actions import liquidate
from games.rules.yes.bot import BOTS
from games.rules.yes.course import Course
from games.rules.yes.data import COUNTRY
from games.rules.yes.hints import hints, laid_open, shown, unveiled
from games.rules.yes.moves import (
    MOVES,
    Accept,
    Advance,
    Again,
    Allow,
    Award,
    Buy,
    Exchange,
    GiveUp,
    Ignore,
    Interest,
    Keep,
    Liquidate,
    MakeBid,
    Offer,
    Pass,
    PutBack,
    Roll,
    Suffer,
    Swap,
    Veto,
    entries,
    why_not,
)
from games.rules.yes.orders import ORDERS, default_move, kept, said
from games.rules.yes.state import Ask, Bid, Deal, State


def outcome(state: State) -> Outcome | None:
    """The winner, then those still in by wealth, then those out, last out best (spec: yes.md, End)."""
    if not state.over:
        return None
    keys = [_key(state, seat) for seat in range(state.seats)]
    ranks = [1 + sum(other > key for other in keys) for key in keys]
    return {
        "ranks": ranks,
        "scores": [0 if seat in state.out else state.wealth(seat) for seat in range(state.seats)],
        "winners": [seat for seat, rank in enumerate(ranks) if rank == 1],
    }


def _key(state: State, seat: int) -> tuple[int, int]:
    if seat in state.out:
        return 0, state.out.index(seat)
    return (2, 0) if seat == state.winner else (1, state.wealth(seat))


class Yes(Game[State]):
    """¥€$ for 2 to 6 seats. Objectives, kept cards, bids and interest are hidden."""

    slug = "yes"
    name = "¥€$"
    secret = True
    turns_told = 24  # two actions, each of which may ask everybody
    min_seats = 2
    max_seats = 6
    option_fields: ClassVar = {"rounds": {"one_of": [0, *range(5, 101)], "default": 0}}
    orders: ClassVar = ORDERS
    moves = MoveCodec(*MOVES)
    states = StateCodec(State)

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        return turns.dealt(seats, options["rounds"], chance)

    def seat_count(self, state: State) -> int:
        return state.seats

    def phase(self, state: State) -> str:
        return state.phase

    def to_move(self, state: State) -> list[int]:
        return state.to_move

    def prompt(self, state: State, seat: int) -> Prompt | None:
        if seat not in state.to_move:
            return None
        moves = entries(state, seat)
        return {"phase": state.phase, "moves": moves, "optional": PASS in moves}

    def possible(self, state: State, move: Struct) -> bool:
        return not isinstance(move, Accept | Award) or move.seat < state.seats

    def play(
        self, state: State, seat: int | None, move: Struct, chance: Chance, now: int
    ) -> tuple[State, list[Event]]:
        course = Course(state, chance)
        ask = state.ask
        if seat is None:
            return state, []
        if ask is None:
            _decide(course, seat, move)
        else:
            course.next_task()
            _answer(course, seat, ask, move)
        turns.go_on(course)
        return course.state, course.events

    def refusal(self, state: State, seat: int, move: Struct) -> IllegalMove:
        return IllegalMove("illegal", why_not(state, seat, move))

    def shown(self, state: State, seat: int | None) -> View:
        return shown(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        return outcome(state)

    def default_move(self, state: State, seat: int) -> Move | None:
        return default_move(state, seat) if seat in state.to_move else None

    def kept_orders(self, orders: Orders) -> Orders:
        return kept(orders)

    def said(self, view: View, orders: Orders) -> list[Move | None]:
        return said(view, orders)

    def hints(self, view: View) -> dict[str, Any]:
        return hints(view)

    def turn(self, state: State) -> int:
        """How many turns are over: of the last one that was rolled, only when the next is to be rolled."""
        return state.turn - (state.dice is not None)

    def unsettled(self, state: State) -> int:
        """The sealed bids, or the sealed answers to an offer, that are in."""
        if state.phase == "bid" and state.auction:
            return len(state.auction.given())
        return len(state.sale.answered) if state.phase == "interest" and state.sale else 0

    def opened(self, state: State, seat: int | None) -> View:
        return {**self.view(state, seat), **laid_open(state)}

    def unveiled(self, turns: Sequence[Turned]) -> dict[int, Any]:
        return unveiled(turns)

    def bot(self, level: str) -> Bot:
        return BOTS[level]()


def _decide(course: Course, seat: int, move: Struct) -> None:
    """The roller's own decisions, and those of a debtor."""
    match move:
        case Roll():
            turns.roll(course)
        case Again():
            turns.again(course)
        case Keep(die=die):
            turns.keep(course, die)
        case Exchange(objective=objective):
            turns.exchange(course, objective)
        case Liquidate(country=country):
            liquidate(course, seat, country)


def _answer(course: Course, seat: int, ask: Ask, move: Struct) -> None:
    """A decision that an action waits for; the ask is off the stack."""
    match move:
        case Advance(steps=steps):
            actions.advance(course, seat, steps)
        case MakeBid(amount=amount, steps=steps):
            actions.bid(course, seat, Bid(amount, None if steps is UNSET else steps))
        case Accept(seat=winner):
            course.tell("accept", seat=seat, winner=winner)
            actions.accept(course, winner)
        case Offer(country=country, bank=bank):
            actions.offer(course, country, bank)
        case Interest(yes=yes):
            actions.interest(course, seat, yes)
        case Award(seat=winner):
            course.tell("award", seat=seat, winner=winner)
            actions.award(course, winner)
        case _:
            _answer_to_a_card(course, seat, ask, move)


def _answer_to_a_card(course: Course, seat: int, ask: Ask, move: Struct) -> None:
    match move:
        case Buy() | Swap():
            actions.propose(course, _deal(course.state, ask, move))
        case Veto() if ask.deal:
            actions.veto(course, ask.deal)
        case Allow() if ask.deal:
            course.tell("allow", seat=seat)
            actions.close(course, ask.deal)
        case GiveUp(country=country):
            course.give(country, ask.to, "card", ask.card)
        case PutBack(objective=objective):
            turns.put_back(course, objective)
        case Ignore() if ask.card:
            cards.ignore(course, ask.card)
        case Suffer() if ask.card:
            cards.suffer(course, ask.card)
        case Pass():
            course.tell("pass", seat=seat)


def _deal(state: State, ask: Ask, move: Buy | Swap) -> Deal:
    card = COUNTRY[move.take if isinstance(move, Swap) else move.country]
    seller = state.owners[card.index] or 0
    if isinstance(move, Swap):
        return Deal(card.id, seller, give=move.give)
    if move.gamble:
        return Deal(card.id, seller, gamble=True)
    return Deal(card.id, seller, card.half if ask.phase == "half_price" else card.price)


GAME = Yes()
