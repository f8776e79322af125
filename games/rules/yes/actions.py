"""The actions CASH, COUNTRY, BUY and SELL of the white dice, and how debts are settled."""

from msgspec.structs import replace

from games.engine import put
from games.rules.yes.course import Course
from games.rules.yes.data import (
    CASH_PRIZE,
    COUNTRY,
    MOST_GOODS,
    REACH,
    RED,
    STEP,
    TRACK,
    TWICE,
    VETO,
    red_price,
)
from games.rules.yes.state import Ask, Auction, Bid, Deal, Debt, Rolled, Sale, State


def cash(course: Course) -> None:
    """CASH: the actor moves the marker if that can pay it; otherwise the right to move it is auctioned."""
    state, actor = course.state, course.actor
    asked = tuple(seat for seat in state.clockwise(actor) if state.cash[seat])
    if pays_in_reach(state, actor) or not asked:
        course.then(Ask("advance"))
        return
    course.change(auction=Auction(asked, (None,) * len(asked)))
    course.tell("auction", seat=actor, asked=list(asked))
    course.then(Ask("bid"))


def pays_in_reach(state: State, seat: int) -> bool:
    """Whether one of the next three spaces would pay that seat."""
    spaces = [(state.marker + steps) % len(TRACK) for steps in REACH]
    return any(not space or seat in state.paid_at(space) for space in spaces)


def bid(course: Course, seat: int, given: Bid) -> None:
    """Seal a bid; the last one opens all."""
    auction = course.state.auction
    if auction is None:
        return
    auction = replace(auction, bids=put(auction.bids, auction.asked.index(seat), given))
    course.change(auction=auction)
    course.tell("bid", seat=seat)
    if auction.owing:
        course.then(Ask("bid"))
    else:
        course.tell("bids", bids=auction.given_bids())
        _end_auction(course, auction)


def _end_auction(course: Course, auction: Auction) -> None:
    most = max(bid.amount for bid in auction.given().values())
    best = tuple(seat for seat, bid in auction.given().items() if bid.amount == most)
    if not most:
        course.then(Ask("advance"))
    elif len(best) > 1:
        course.then(Ask("accept", seats=best))
    else:
        accept(course, best[0])


def accept(course: Course, seat: int) -> None:
    """The winner pays its bid to the actor and moves the marker."""
    auction = course.state.auction
    won = auction and auction.given().get(seat)
    if won and won.steps:
        course.pay(seat, course.actor, won.amount, "bid")
        advance(course, seat, won.steps)


def advance(course: Course, mover: int | None, steps: int, without: int | None = None) -> None:
    """Move the marker and pay: on space 0 the mover, elsewhere who has most there, `without` left out."""
    space = (course.state.marker + steps) % len(TRACK)
    course.change(marker=space)
    course.tell("marker", seat=mover, steps=steps, space=TRACK[space])
    paid = course.state.paid_at(space, without)
    if not space:
        paid = [] if mover is None else [mover]
    for seat in paid:
        course.pay(None, seat, share(len(paid)), "cash", TRACK[space])
    if not paid:
        course.tell("nothing", why="nobody_paid", seat=mover)


def share(tied: int) -> int:
    """The money for each of so many tied seats."""
    return CASH_PRIZE // tied // STEP * STEP


def country(course: Course) -> None:
    """COUNTRY: the actor draws a card."""
    if course.state.is_full(course.actor):
        course.tell("nothing", why="full", seat=course.actor)
    elif card := course.draw("country"):
        course.give(card, course.actor, "drawn")
    else:
        course.tell("nothing", why="empty", seat=course.actor)


def buy(course: Course) -> None:
    """BUY: the actor is asked, if a purchase is possible."""
    if course.state.is_full(course.actor):
        course.tell("nothing", why="full", seat=course.actor)
    elif course.state.goods_of_others(course.actor):
        course.then(Ask("buy"))
    else:
        course.tell("nothing", why="no_cards", seat=course.actor)


def propose(course: Course, deal: Deal) -> None:
    """Carry a deal out, or ask its seller first if it can forbid it."""
    course.tell("deal", seat=course.actor, **deal.shown())
    if VETO in course.state.hands[deal.seller]:
        course.then(Ask("veto", deal=deal))
    else:
        close(course, deal)


def close(course: Course, deal: Deal) -> None:
    """Carry a deal out: the card for its price, or for the other card of an exchange."""
    actor, price = course.actor, deal.price or 0
    if deal.gamble:
        face = course.chance.roll(1)[0]
        price = red_price(face, COUNTRY[deal.country])
        course.tell("red", seat=actor, face=face, price=price, why="gamble")
    if deal.give:
        course.give(deal.give, deal.seller, "swapped")
        course.give(deal.country, actor, "swapped")
    else:
        course.give(deal.country, actor, "bought")
        course.owe(actor, deal.seller, price, "bought", deal.country)


def veto(course: Course, deal: Deal) -> None:
    """The seller plays its card and keeps the other."""
    course.tell("veto", seat=deal.seller, buyer=course.actor, country=deal.country)
    course.use(deal.seller, VETO)


def sell(course: Course) -> None:
    """SELL: the actor is asked for an offer, if it has a card."""
    if course.state.goods(course.actor):
        course.then(Ask("offer"))
    else:
        course.tell("nothing", why="no_cards", seat=course.actor)


def offer(course: Course, country: str, bank: bool) -> None:
    """Put a card up for sale to all seats that may have one more."""
    actor = course.actor
    counts = course.state.owners
    asked = tuple(seat for seat in course.state.clockwise(actor) if counts.count(seat) < MOST_GOODS)
    sale = Sale(country, bank, asked, (None,) * len(asked))
    course.change(sale=sale)
    course.tell("offer", seat=actor, country=country, bank=bank)
    if asked:
        course.then(Ask("interest"))
    else:
        _unsold(course, sale)


def interest(course: Course, seat: int, yes: bool) -> None:
    """Seal an answer; after the last one all who are interested roll."""
    sale = course.state.sale
    if sale is None:
        return
    sale = replace(sale, answers=put(sale.answers, sale.asked.index(seat), yes))
    course.change(sale=sale)
    course.tell("interest", seat=seat)
    if sale.owing:
        course.then(Ask("interest"))
    elif sale.interested:
        _roll_prices(course, sale)
    else:
        _unsold(course, sale)


def _roll_prices(course: Course, sale: Sale) -> None:
    """Each interested seat rolls for its price; the highest takes the card."""
    rolls = []
    for seat in sale.interested:
        face = course.chance.roll(1)[0]
        rolls.append(Rolled(seat, face, red_price(face, COUNTRY[sale.country])))
        course.tell("red", seat=seat, face=face, price=rolls[-1].price, why="sale")
    course.change(sale=replace(sale, rolls=tuple(rolls)))
    most = max(rolled.price for rolled in rolls)
    best = tuple(rolled.seat for rolled in rolls if rolled.price == most)
    if len(best) > 1:
        course.then(Ask("award", seats=best))
    else:
        award(course, best[0])


def award(course: Course, seat: int) -> None:
    """Sell the card to a seat for the price that it rolled."""
    sale = course.state.sale
    prices = {rolled.seat: rolled.price for rolled in sale.rolls} if sale else {}
    if sale:
        course.give(sale.country, seat, "sold")
        course.owe(seat, course.actor, prices[seat], "sold", sale.country)


def _unsold(course: Course, sale: Sale) -> None:
    """Nobody wants the card: the bank buys it, or it is kept."""
    course.tell("unsold", seat=course.actor, country=sale.country, bank=sale.bank)
    if sale.bank:
        course.give(sale.country, None, "bank")
        course.pay(None, course.actor, COUNTRY[sale.country].price, "bank", sale.country)


def settle(course: Course) -> bool:
    """Take the first debt a step further; False where its seat has to choose a card to sell."""
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
    """The bank pays what the red die shows, doubled by each ×2 before; too little puts the seat out."""
    times = 1
    while (face := course.chance.roll(1)[0]) == TWICE:
        course.tell("red", seat=debt.seat, face=face, price=None, why="last_chance")
        times *= 2
    amount = times * RED[face - 1]
    course.tell("red", seat=debt.seat, face=face, price=amount, why="last_chance")
    course.pay(None, debt.seat, amount, "last_chance")
    if course.state.cash[debt.seat] < debt.amount:
        _drop(course)
        course.pay(debt.seat, debt.to, course.state.cash[debt.seat], "ruin")
        _eliminate(course, debt.seat)


def _eliminate(course: Course, seat: int) -> None:
    """Take a seat out of the match: its objectives and kept cards go under their decks."""
    state = course.state
    course.put_under("objective", *state.objectives[seat])
    course.put_under("yes", *state.hands[seat])
    course.change(
        objectives=put(state.objectives, seat, ()),
        hands=put(state.hands, seat, ()),
        out=(*state.out, seat),
    )
    course.tell("out", seat=seat)
