"""The course of a match of ¥€$: setup, rolls, the choice of a die, tasks one by one, the end."""

from games.engine import Chance
from games.rules.yes import actions, cards
from games.rules.yes.course import Course
from games.rules.yes.data import (
    ACTIONS,
    AGAIN,
    COUNTRIES,
    EXCHANGE_PRICE,
    GOAL,
    HAND_OF,
    NO_CARDS,
    OBJECTIVES,
    START_CASH,
    YES_CARDS,
)
from games.rules.yes.state import Ask, Carry, Decks, Done, Finish, Next, State

PERFORM = {
    "yes": cards.draw_yes,
    "no": cards.draw_no,
    "cash": actions.cash,
    "country": actions.country,
    "buy": actions.buy,
    "sell": actions.sell,
}


def dealt(seats: int, rounds: int, chance: Chance) -> State:
    """The first state, shuffled and dealt; two objectives met at once are replaced (spec: yes.md, Setup)."""
    countries = [COUNTRIES[k].id for k in chance.shuffle(len(COUNTRIES))]
    objectives = [OBJECTIVES[k] for k in chance.shuffle(len(OBJECTIVES))]
    yes = tuple(YES_CARDS[k] for k in chance.shuffle(len(YES_CARDS)))
    no = tuple(NO_CARDS[k] for k in chance.shuffle(len(NO_CARDS)))
    starter = chance.roll(1, seats)[0] - 1
    hand = HAND_OF[seats]
    owned = {card: place // hand for place, card in enumerate(countries[: seats * hand])}
    state = State(
        rounds=rounds,
        roller=starter,
        cash=(START_CASH,) * seats,
        owners=tuple(owned.get(country.id) for country in COUNTRIES),
        objectives=tuple(tuple(objectives[2 * seat : 2 * seat + 2]) for seat in range(seats)),
        hands=((),) * seats,
        decks=Decks(tuple(countries[seats * hand :]), tuple(objectives[2 * seats :]), yes, no),
    )
    course = Course(state, chance)
    for seat in range(seats):
        while len(course.state.met(seat)) == 2:
            course.renew(seat, course.state.objectives[seat])
    return course.state


def roll(course: Course) -> None:
    """Roll the two white dice."""
    course.change(turn=course.state.turn + 1)
    _throw(course, "roll")


def again(course: Course) -> None:
    """Play a card to roll both once more."""
    course.use(course.state.roller, AGAIN)
    _throw(course, "again")


def _throw(course: Course, kind: str) -> None:
    first, second = course.chance.roll(2)
    course.change(dice=(first, second))
    course.tell(kind, seat=course.state.roller, dice=[first, second])


def keep(course: Course, die: int) -> None:
    """The roller carries out this die, its left neighbour the other."""
    course.change(kept=die)
    course.then(Carry(die), Carry(1 - die), Next())


def exchange(course: Course, objective: str) -> None:
    """Pay for another objective; the seat wins at once if it now meets both."""
    seat = course.state.roller
    course.pay(seat, None, EXCHANGE_PRICE, "exchange")
    course.renew(seat, (objective,))
    course.change(exchanged=True)
    course.tell("exchange", seat=seat)
    if len(course.state.met(seat)) == 2:
        _end(course, seat, "objectives")


def put_back(course: Course, objective: str) -> None:
    """Replace an objective, as a NO card says."""
    course.renew(course.actor, (objective,))
    course.tell("put_back", seat=course.actor)


def go_on(course: Course) -> None:
    """Settle debts and do tasks until somebody is asked."""
    while not course.state.over:
        if course.state.debts:
            if not actions.settle(course):
                return
        elif not course.state.tasks or course.state.ask:
            return
        else:
            _do(course)


def _do(course: Course) -> None:
    match course.next_task():
        case Carry(die=die):
            _carry_out(course, die)
        case Finish(deck=deck, card=card):
            course.put_under(deck, card)
        case Done():
            _check_winner(course)
        case Next():
            _next_turn(course)
        case Ask():  # never: an Ask is answered, not done
            raise AssertionError


def _carry_out(course: Course, die: int) -> None:
    state = course.state
    action = ACTIONS[(state.dice or ())[die] - 1]
    actor = state.roller if die == state.kept else state.left_of(state.roller)
    course.change(actor=actor, action=action, card=None, auction=None, sale=None)
    course.tell("action", seat=actor, action=action)
    course.then(Done())
    PERFORM[action](course)


def _check_winner(course: Course) -> None:
    """After an action: both objectives met or the goal reached, the actor first; or only one seat is left."""
    state, actor = course.state, course.actor
    left = state.clockwise(actor)
    if actor not in state.out:
        left.insert(0, actor)
    for seat in left:
        if len(state.met(seat)) == 2:
            return _end(course, seat, "objectives")
        if state.cash[seat] >= GOAL:
            return _end(course, seat, "million")
    if len(left) == 1:
        _end(course, left[0], "alone")
    return None


def _next_turn(course: Course) -> None:
    """The seat that carried out the other die rolls next; or the last round is over."""
    state = course.state
    if state.rounds and state.turn >= state.rounds * state.seats:
        _end(course, None, "rounds")
        return
    roller = course.actor if course.actor not in state.out else state.left_of(course.actor)
    course.change(roller=roller, dice=None, kept=None, actor=None, action=None, exchanged=False)


def _end(course: Course, winner: int | None, why: str) -> None:
    course.change(over=True, winner=winner, tasks=(), debts=())
    course.tell("end", winner=winner, why=why)
