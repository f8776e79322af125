"""Debts: paid where there is cash, else cards are sold, else the red die helps, else one is out."""

from msgspec.structs import replace

from games.rules.yes.course import Course
from games.rules.yes.state import Debt
from games.rules.yes.tables import COUNTRY, RED, TWICE


def settle(course: Course) -> bool:
    """Take the first debt a step further; False where its seat has to say which card it sells."""
    state = course.state
    debt = state.debts[0]
    if debt.seat in state.out or debt.to in state.out:
        _drop(course)
    elif state.cash[debt.seat] >= debt.amount:
        _drop(course)
        course.pay(debt.seat, debt.to, debt.amount, debt.why, debt.of)
    else:
        return _raise_money(course, debt)
    return True


def liquidate(course: Course, seat: int, country: str) -> None:
    """Sell a card to the bank at its printed price."""
    course.give(country, None, "liquidated")
    course.pay(None, seat, COUNTRY[country].price, "liquidated", country)


def _drop(course: Course) -> None:
    course.change(debts=course.state.debts[1:])


def _raise_money(course: Course, debt: Debt) -> bool:
    if not debt.told:
        course.tell("debt", seat=debt.seat, to=debt.to, amount=debt.amount)
        course.change(debts=(replace(debt, told=True), *course.state.debts[1:]))
    goods = course.state.goods(debt.seat)
    if len(goods) > 1:
        return False
    if goods:
        liquidate(course, debt.seat, goods[0].id)
    else:
        _last_chance(course, debt)
    return True


def _last_chance(course: Course, debt: Debt) -> None:
    """The bank pays a face of the red die, twice as much after each ×2; if that is too little, one is out."""
    times = 1
    while (face := course.chance.roll(1)[0]) == TWICE:
        course.tell("red", seat=debt.seat, face=face, price=None, why="last_chance")
        times *= 2
    help = times * RED[face - 1]
    course.tell("red", seat=debt.seat, face=face, price=help, why="last_chance")
    course.pay(None, debt.seat, help, "last_chance")
    if course.state.cash[debt.seat] < debt.amount:
        _drop(course)
        course.pay(debt.seat, debt.to, course.state.cash[debt.seat], "ruin")
        _leave(course, debt.seat)


def _leave(course: Course, seat: int) -> None:
    """A seat is out: its objectives and kept cards go under their decks."""
    state = course.state
    course.put_under("objective", *state.objectives[seat])
    course.put_under("yes", *state.hands[seat])
    course.change(
        objectives=(*state.objectives[:seat], (), *state.objectives[seat + 1 :]),
        hands=(*state.hands[:seat], (), *state.hands[seat + 1 :]),
        out=(*state.out, seat),
    )
    course.tell("out", seat=seat)
