"""The rules of ¥€$ (spec: yes.md)."""

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec import UNSET, Struct

from games.engine import (
    FEW,
    OPENING_MOVES,
    PASS,
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
    Reason,
    StateCodec,
    Turned,
    View,
    ranked,
)
from games.rules.yes import actions, cards, moves, turns
from games.rules.yes.bot import BOTS
from games.rules.yes.course import Course
from games.rules.yes.data import COUNTRIES, COUNTRY
from games.rules.yes.hints import hidden_parts, hints, shown, unveiled
from games.rules.yes.moves import MOVES
from games.rules.yes.orders import ORDERS, default_move, kept, order_answers
from games.rules.yes.reasons import reasons
from games.rules.yes.state import Ask, Bid, Deal, State


class Yes(Game[State]):
    """¥€$ for 2 to 6 seats. Objectives, kept cards, bids and interest are hidden."""

    slug = "yes"
    name = "¥€$"
    has_pips = False
    secret = True
    turns_in_log = 24  # two actions, each of which may ask everybody
    min_seats = 2
    explains = True
    changes_by_move = True
    goes_on = frozenset({"roll", "keep", "again", "exchange", "liquidate"})
    sealed = frozenset({"action", "bid", "interest"})
    max_seats = 6
    option_fields: ClassVar = {"rounds": {"one_of": [0, *range(5, 101)], "default": 0}}
    orders: ClassVar = ORDERS
    goods: ClassVar = {country.id: country.good for country in COUNTRIES}
    bots: ClassVar = BOTS
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
        legal = moves.entries(state, seat)
        return {"phase": state.phase, "moves": legal, "optional": PASS in legal}

    def possible(self, state: State, move: Struct) -> bool:
        return not isinstance(move, moves.Accept | moves.Award) or move.seat < state.seats

    def play(self, state: State, seat: int | None, move: Struct, chance: Chance, now: int) -> tuple[State, list[Event]]:
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
        return IllegalMove("illegal", moves.why_not(state, seat, move))

    def shown(self, state: State, seat: int | None) -> View:
        return shown(state, seat)

    def figures(self, state: State) -> list[int]:
        return list(state.cash)

    def outcome(self, state: State) -> Outcome | None:
        """The winner, then those still in by wealth, then those out, last out best (spec: yes.md, End)."""
        if not state.over:
            return None
        standings = [_standing(state, seat) for seat in range(state.seats)]
        return {**ranked(standings), "scores": self.progress(state)}

    def progress(self, state: State) -> list[int]:
        """Each seat's wealth; nothing for those who are out."""
        return [0 if seat in state.out else state.wealth(seat) for seat in range(state.seats)]

    def marks(self, state: State) -> dict[str, Any]:
        """The owner of each country that has one, by the country."""
        owned = zip(COUNTRIES, state.owners, strict=True)
        return {country.id: owner for country, owner in owned if owner is not None}

    def default_move(self, state: State, seat: int) -> Move | None:
        return default_move(state, seat) if seat in state.to_move else None

    def opening_moves(self, options: Options) -> int:
        """Of a seat's three or so in each round; without a number of rounds there are many."""
        rounds: int = options["rounds"]
        return max(2, min(OPENING_MOVES, rounds // 4)) if rounds else OPENING_MOVES

    def carries_on(self, before: State, after: State, seat: int) -> bool:
        """Whether the seat still carries out the die that it chose or was asked about before."""
        return after.actor == seat and before.actor in (None, seat)

    def kept_orders(self, orders: Orders) -> Orders:
        return kept(orders)

    def order_answers(self, view: View, orders: Orders) -> list[Move | None]:
        return order_answers(view, orders)

    def answers(self, view: View, most: int = FEW) -> list[Move]:
        """Without the exchange of an objective, which is beside the question."""
        if view["prompt"] is None:
            return []
        asked = [entry for entry in view["prompt"]["moves"] if entry["type"] != "exchange"]
        return super().answers({**view, "prompt": {**view["prompt"], "moves": asked}}, most)

    def hints(self, view: View) -> dict[str, Any]:
        return hints(view)

    def reasons(self, view: View) -> list[Reason]:
        return reasons(view)

    def opens_paragraph(self, events: Sequence[Event]) -> bool:
        return any(event["type"] == "roll" for event in events)

    def turn(self, state: State) -> int:
        """How many turns are over; the current one counts from when the next roll is due."""
        return state.turn - (state.dice is not None)

    def unsettled(self, state: State) -> int:
        """The sealed bids, or the sealed answers to an offer, that are in."""
        if state.phase == "bid" and state.auction:
            return len(state.auction.given())
        return len(state.sale.answered) if state.phase == "interest" and state.sale else 0

    def opened(self, state: State, seat: int | None) -> View:
        return {**self.view(state, seat), **hidden_parts(state)}

    def unveiled(self, turns: Sequence[Turned]) -> dict[int, Any]:
        return unveiled(turns)


def _standing(state: State, seat: int) -> tuple[int, int]:
    if seat in state.out:
        return 0, state.out.index(seat)
    return (2, 0) if seat == state.winner else (1, state.wealth(seat))


def _decide(course: Course, seat: int, move: Struct) -> None:
    """Carry out a decision of the roller or of a debtor."""
    match move:
        case moves.Roll():
            turns.roll(course)
        case moves.Again():
            turns.again(course)
        case moves.Keep(die=die):
            turns.keep(course, die)
        case moves.Exchange(objective=objective):
            turns.exchange(course, objective)
        case moves.Liquidate(country=country):
            actions.liquidate(course, seat, country)


def _answer(course: Course, seat: int, ask: Ask, move: Struct) -> None:
    """Carry out a decision that an action waited for; its task is off the stack."""
    match move:
        case moves.Advance(steps=steps):
            actions.advance(course, seat, steps)
        case moves.MakeBid(amount=amount, steps=steps):
            actions.bid(course, seat, Bid(amount, None if steps is UNSET else steps))
        case moves.Accept(seat=winner):
            course.tell("accept", seat=seat, winner=winner)
            actions.accept(course, winner)
        case moves.Offer(country=country, bank=bank):
            actions.offer(course, country, bank)
        case moves.Interest(yes=yes):
            actions.interest(course, seat, yes)
        case moves.Award(seat=winner):
            course.tell("award", seat=seat, winner=winner)
            actions.award(course, winner)
        case _:
            _answer_to_a_card(course, seat, ask, move)


def _answer_to_a_card(course: Course, seat: int, ask: Ask, move: Struct) -> None:
    match move:
        case moves.Buy() | moves.Swap():
            actions.propose(course, _deal(course.state, ask, move))
        case moves.Veto() if ask.deal:
            actions.veto(course, ask.deal)
        case moves.Allow() if ask.deal:
            course.tell("allow", seat=seat)
            actions.close(course, ask.deal)
        case moves.GiveUp(country=country):
            course.give(country, ask.to, "card", ask.card)
        case moves.PutBack(objective=objective):
            turns.put_back(course, objective)
        case moves.Ignore() if ask.card:
            cards.ignore(course, ask.card)
        case moves.Suffer() if ask.card:
            cards.suffer(course, ask.card)
        case moves.Pass():
            course.tell("pass", seat=seat)


def _deal(state: State, ask: Ask, move: moves.Buy | moves.Swap) -> Deal:
    card = COUNTRY[move.take if isinstance(move, moves.Swap) else move.country]
    seller = state.owners[card.index] or 0
    if isinstance(move, moves.Swap):
        return Deal(card.id, seller, give=move.give)
    if move.gamble:
        return Deal(card.id, seller, gamble=True)
    return Deal(card.id, seller, card.half if ask.phase == "half_price" else card.price)


GAME = Yes()
