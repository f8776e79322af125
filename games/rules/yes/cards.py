"""The YES and NO cards: drawing, ignoring and suffering them, and the effect of each."""

from collections.abc import Callable

from games.engine import put
from games.rules.yes import actions
from games.rules.yes.course import Course
from games.rules.yes.data import GIVEN_LEFT, IGNORE, KEPT, STEP
from games.rules.yes.state import Ask, Finish

Effect = Callable[[Course, str], None]


def draw_yes(course: Course) -> None:
    """Draw a YES card: it is kept, or shown and acts."""
    card = course.draw("yes")
    if card is None:
        course.tell("nothing", why="empty", seat=course.actor)
    elif card in KEPT:
        hands = course.state.hands
        course.change(hands=put(hands, course.actor, (*hands[course.actor], card)))
        course.tell("kept", seat=course.actor)
    else:
        _show(course, "yes", card)
        EFFECTS[card](course, card)


def draw_no(course: Course) -> None:
    """Draw a NO card: it is shown, and acts unless it may be ignored."""
    card = course.draw("no")
    if card is None:
        course.tell("nothing", why="empty", seat=course.actor)
        return
    _show(course, "no", card)
    if ignore_card(course, course.actor):
        course.then(Ask("ignore", card=card))
    else:
        EFFECTS[card](course, card)


def ignore_card(course: Course, seat: int) -> str | None:
    """The card that the seat would play to ignore a NO card: the one it has held longest."""
    return next((card for card in course.state.hands[seat] if card in IGNORE), None)


def ignore(course: Course, card: str) -> None:
    """Play a kept card so that the NO card has no effect."""
    if held := ignore_card(course, course.actor):
        course.use(course.actor, held)
        course.tell("ignored", seat=course.actor, card=card)


def suffer(course: Course, card: str) -> None:
    """Let the NO card act although it could be ignored."""
    course.tell("suffered", seat=course.actor, card=card)
    EFFECTS[card](course, card)


def _show(course: Course, deck: str, card: str) -> None:
    course.change(card=card)
    course.tell("card", seat=course.actor, card=card)
    course.then(Finish(deck, card))


def _bank_pays(amount: int, each: Callable[[Course], int] = lambda course: 1) -> Effect:
    def effect(course: Course, card: str) -> None:
        due = amount * each(course)
        course.pay(None, course.actor, due, "card", card)
        _tell_if_nothing(course, due)

    return effect


def _pay_bank(amount: int, each: Callable[[Course], int] = lambda course: 1) -> Effect:
    def effect(course: Course, card: str) -> None:
        due = amount * each(course)
        course.owe(course.actor, None, due, "card", card)
        _tell_if_nothing(course, due)

    return effect


def _all_pay(amount: int) -> Effect:
    def effect(course: Course, card: str) -> None:
        for seat in course.state.clockwise(course.actor):
            course.owe(seat, course.actor, amount, "card", card)

    return effect


def _pay_all(amount: int) -> Effect:
    def effect(course: Course, card: str) -> None:
        for seat in course.state.clockwise(course.actor):
            course.owe(course.actor, seat, amount, "card", card)

    return effect


def _tell_if_nothing(course: Course, moved: int) -> None:
    if not moved:
        course.tell("nothing", why="no_effect", seat=course.actor)


def _goods(course: Course) -> int:
    return len(course.state.goods(course.actor))


def _continents(course: Course) -> int:
    return len({country.continent for country in course.state.goods(course.actor)})


def _factories(course: Course) -> int:
    return sum(country.good == "factory" for country in course.state.goods(course.actor))


def _half_cash(course: Course) -> int:
    """Half of the actor's cash, rounded down, in steps of money."""
    return course.state.cash[course.actor] // (2 * STEP)


def _richest_pays(course: Course, card: str) -> None:
    cash = course.state.cash
    richest = max(course.state.clockwise(course.actor), key=lambda seat: cash[seat])
    course.owe(richest, course.actor, 50_000, "card", card)


def _poorest_is_paid(course: Course, card: str) -> None:
    cash = course.state.cash
    poorest = min(course.state.clockwise(course.actor), key=lambda seat: cash[seat])
    course.owe(course.actor, poorest, 50_000, "card", card)


def _half_price(course: Course, card: str) -> None:
    state, actor = course.state, course.actor
    affordable = any(country.half <= state.cash[actor] for country in state.goods_of_others(actor))
    if affordable and not state.is_full(actor):
        course.then(Ask("half_price"))
    else:
        course.tell("nothing", why="no_effect", seat=actor)


def _swap(course: Course, card: str) -> None:
    state, actor = course.state, course.actor
    if state.goods(actor) and state.goods_of_others(actor):
        course.then(Ask("swap"))
    else:
        course.tell("nothing", why="no_cards", seat=actor)


def _give_up(course: Course, card: str) -> None:
    _lose_one(course, card, [country.id for country in course.state.goods(course.actor)], None)


def _give_left(course: Course, card: str) -> None:
    left = course.state.left_of(course.actor)
    full = course.state.is_full(left)
    own = [] if full else [country.id for country in course.state.goods(course.actor)]
    _lose_one(course, card, own, left)


def _give_up_dearest(course: Course, card: str) -> None:
    own = course.state.goods(course.actor)
    most = max((country.price for country in own), default=0)
    _lose_one(course, card, [country.id for country in own if country.price == most], None)


def _lose_one(course: Course, card: str, among: list[str], to: int | None) -> None:
    """Give up one of these cards: the actor chooses where there are several."""
    if len(among) > 1:
        course.then(Ask("give_up", card=card, countries=tuple(among), to=to))
    elif among:
        course.give(among[0], to, "card", card)
    else:
        course.tell("nothing", why="no_effect", seat=course.actor)


EFFECTS: dict[str, Effect] = {
    **dict.fromkeys(("yes_01", "yes_02", "yes_03"), _bank_pays(50_000)),
    **dict.fromkeys(("yes_04", "yes_05"), _bank_pays(100_000)),
    **dict.fromkeys(("yes_06", "yes_07"), _all_pay(10_000)),
    "yes_08": _all_pay(20_000),
    **dict.fromkeys(("yes_09", "yes_10", "yes_11"), lambda course, card: actions.country(course)),
    "yes_12": _bank_pays(10_000, _goods),
    "yes_13": _bank_pays(20_000, _continents),
    "yes_14": _richest_pays,
    "yes_15": lambda course, card: course.then(Ask("advance")),
    "yes_16": _half_price,
    "yes_17": _swap,
    **dict.fromkeys(("no_01", "no_02", "no_03"), _pay_bank(20_000)),
    **dict.fromkeys(("no_04", "no_05"), _pay_bank(50_000)),
    "no_06": _pay_bank(100_000),
    **dict.fromkeys(("no_07", "no_08"), _pay_all(10_000)),
    "no_09": _pay_all(20_000),
    "no_10": _pay_bank(10_000, _goods),
    "no_11": _pay_bank(20_000, _factories),
    "no_12": _poorest_is_paid,
    **dict.fromkeys(("no_13", "no_14", "no_15"), _give_up),
    **dict.fromkeys(GIVEN_LEFT, _give_left),
    "no_18": _give_up_dearest,
    "no_19": lambda course, card: course.then(Ask("put_back")),
    "no_20": lambda course, card: actions.advance(course, None, 1, without=course.actor),
    "no_21": _pay_bank(STEP, _half_cash),
}
"""The effect of each card that acts at once."""
