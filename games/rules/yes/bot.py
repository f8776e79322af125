"""The bots of ¥€$."""

from collections.abc import Callable
from random import Random

from games.engine import PASS, Bot, Move, View, sample_move
from games.rules.yes import moves, outlook
from games.rules.yes.data import ACTIONS, COUNTRIES, COUNTRY, EXCHANGE_PRICE, REACH, STEP
from games.rules.yes.outlook import PROSPECTS, Sight, gamble_prices, mean
from games.rules.yes.threat import Rivals

NICE = ("country", "yes", "cash", "buy", "sell", "no")
WHIM = 0.25
"""How often it moves at random."""

MOST_BID = 4 * STEP
RICH = 100_000
"""With this much cash it is sometimes interested in a sale."""

GIVEN_LEFT = ("no_16", "no_17")
"""The NO cards by which the left neighbour gets a card."""

ALWAYS: dict[str, Move] = {"roll": moves.ROLL, "ignore": moves.IGNORE_IT}


class Easy:
    """Prefers new countries and low prices, and ignores its objectives."""

    def choose(self, view: View, rng: Random) -> Move:
        phase = view["phase"]
        if phase in ALWAYS:
            return ALWAYS[phase]
        if phase == "choose":
            return {"type": "keep", "die": self._die(view, rng)}
        if phase == "bid":
            return self._bid(view, rng)
        if phase == "interest":
            rich = view["cash"][view["you"]] >= RICH
            return moves.INTERESTED if rich and rng.random() < 0.5 else moves.NOT_INTERESTED
        if phase == "buy" and rng.random() > WHIM:
            return self._cheapest(view)
        return sample_move(view["prompt"], rng)

    def _die(self, view: View, rng: Random) -> int:
        if rng.random() < WHIM:
            return rng.randrange(2)
        order = [NICE.index(ACTIONS[face - 1]) for face in view["dice"]]
        return order.index(min(order))

    def _bid(self, view: View, rng: Random) -> Move:
        most = min(MOST_BID, view["cash"][view["you"]] // 2)
        amount = STEP * rng.randint(0, most // STEP)
        return {"type": "bid", "amount": amount, "steps": rng.choice(REACH)} if amount else moves.NO_BID

    def _cheapest(self, view: View) -> Move:
        """Buy the cheapest country of the first entry: without a gamble where that is possible."""
        entry = view["prompt"]["moves"][0]
        country = min(entry["country"]["one_of"], key=lambda each: COUNTRY[each].price)
        return {"type": "buy", "country": country, "gamble": entry["gamble"]}


WORTH_A_CARD = 0.03
"""The loss from which it uses a kept card."""

HOPE = 0.02
"""About the worth of another roll of the white dice."""


class Strong:
    """Weighs what each decision changes in its chance of both objectives or the million, and in those of the others."""

    def choose(self, view: View, rng: Random) -> Move:
        return DECIDE[view["phase"]](Sight(view), rng)


ABSENT = 0.15
"""How often the regular bot decides as a beginner does."""


class Regular:
    """Weighs decisions as the strong bot does, but for itself alone, and not always."""

    def choose(self, view: View, rng: Random) -> Move:
        if rng.random() < ABSENT:
            return Easy().choose(view, rng)
        return DECIDE[view["phase"]](Sight(view, heed=0.0), rng)


def _roll(sight: Sight, rng: Random) -> Move:
    """Exchange an objective first if the mean of what can come is worth the price."""
    if all(move["type"] != "exchange" for move in sight.view["prompt"]["moves"]):
        return moves.ROLL
    gain, objective = max((sight.with_objective(each, EXCHANGE_PRICE), each) for each in sight.objectives)
    return {"type": "exchange", "objective": objective} if gain > sight.now + 0.01 else moves.ROLL


def _choose(sight: Sight, rng: Random) -> Move:
    actions, rivals = [ACTIONS[face - 1] for face in sight.view["dice"]], Rivals(sight)
    worths = [PROSPECTS[keep](sight) - rivals.cost_of_leaving(leave) for keep, leave in (actions, actions[::-1])]
    if moves.ROLL_AGAIN in sight.view["prompt"]["moves"] and max(worths) < HOPE:
        return moves.ROLL_AGAIN
    return {"type": "keep", "die": worths.index(max(worths))}


def _advance(sight: Sight, rng: Random) -> Move:
    return {"type": "advance", "steps": sight.best_steps()}


def _bid(sight: Sight, rng: Random) -> Move:
    """About half of what the best space pays, less where no rival would be paid."""
    steps = max(REACH, key=lambda each: (sight.gain_of(each), -each))
    paid = sight.paid_to(sight.me, steps)
    if not paid:
        return moves.NO_BID
    bidders = [seat for seat in sight.rivals if seat != sight.view["actor"] and sight.cash[seat]]
    rivals = sum(any(sight.paid_to(seat, each) for each in REACH) for seat in bidders)
    wish = min(paid - STEP, (3 + 2 * min(rivals, 1) + rng.randrange(2)) * paid // 10 // STEP * STEP)
    amount = min(wish, sight.money)
    return {"type": "bid", "amount": amount, "steps": steps} if amount > 0 else moves.NO_BID


def _accept(sight: Sight, rng: Random) -> Move:
    """Accept the bid whose move of the marker costs least."""
    seats = sight.view["prompt"]["moves"][0]["seat"]["one_of"]
    steps = {bid["seat"]: bid["steps"] for bid in sight.view["auction"]["bids"]}
    return {"type": "accept", "seat": max(seats, key=lambda seat: sight.gain_of(steps[seat], False))}


def _award(sight: Sight, rng: Random) -> Move:
    """Award the card to the rival that it helps least."""
    seats = sight.view["prompt"]["moves"][0]["seat"]["one_of"]
    card = COUNTRY[sight.view["sale"]["country"]].index
    threats = Rivals(sight).threats
    return {"type": "award", "seat": min(seats, key=lambda seat: threats[seat].with_good(card))}


def best_purchase(sight: Sight, rivals: Rivals) -> tuple[float, int, bool] | None:
    """(gain, card, whether to gamble) of the best purchase, for oneself and against its owner."""
    found = [
        (gain + rivals.hurt(index, COUNTRIES[index].price), index, gambles)
        for gain, index, gambles in outlook.purchases(sight)
    ]
    return max(found, key=outlook.sure_first, default=None)


def _buy(sight: Sight, rng: Random) -> Move:
    found = best_purchase(sight, Rivals(sight))
    if found is None or (PASS in sight.view["prompt"]["moves"] and found[0] <= 0):
        return PASS
    return {"type": "buy", "country": COUNTRIES[found[1]].id, "gamble": found[2]}


def _half_price(sight: Sight, rng: Random) -> Move:
    offered = [COUNTRY[each] for each in sight.view["prompt"]["moves"][0]["country"]["one_of"]]
    best = max(offered, key=lambda each: sight.with_good(each.index, each.half))
    if sight.with_good(best.index, best.half) <= sight.now:
        return PASS
    return {"type": "buy", "country": best.id, "gamble": False}


def _swap(sight: Sight, rng: Random) -> Move:
    worth, give, take = max((sight.swapped(give, take), give, take) for give in sight.mine for take in sight.theirs)
    if worth <= sight.now:
        return PASS
    return {"type": "swap", "give": COUNTRIES[give].id, "take": COUNTRIES[take].id}


def _offer(sight: Sight, rng: Random) -> Move:
    """Offer the card that is missed least; to the bank too where its price makes up for it."""
    rivals = Rivals(sight)
    gains = {
        index: sight.without(index, outlook.SOLD_FOR) - sight.now - rivals.helped(index, outlook.SOLD_FOR)
        for index in sight.mine
    }
    best = max(gains, key=lambda index: gains[index])
    if PASS in sight.view["prompt"]["moves"] and gains[best] < 0.01:
        return PASS
    bank = sight.without(best, COUNTRIES[best].price) > sight.now
    return {"type": "offer", "country": COUNTRIES[best].id, "bank": bank}


def _interest(sight: Sight, rng: Random) -> Move:
    """Buy what helps, or what would help the others more."""
    card = COUNTRY[sight.view["sale"]["country"]]
    worth = mean([sight.with_good(card.index, price) for price in gamble_prices(card)])
    threats = [each for seat, each in Rivals(sight).threats.items() if seat != sight.view["actor"]]
    denied = max((each.with_good(card.index, outlook.SOLD_FOR) for each in threats), default=0.0)
    return moves.INTERESTED if worth + Rivals(sight).share * denied > sight.now else moves.NOT_INTERESTED


def _veto(sight: Sight, rng: Random) -> Move:
    deal = sight.view["deal"]
    card = COUNTRY[deal["country"]]
    if deal["give"]:
        after = sight.swapped(card.index, COUNTRY[deal["give"]].index)
    else:
        prices = gamble_prices(card) if deal["gamble"] else [deal["price"]]
        after = mean([sight.without(card.index, price) for price in prices])
    return moves.VETO_IT if sight.now - after > WORTH_A_CARD else moves.ALLOW


def _give_up(sight: Sight, rng: Random) -> Move:
    """Give up what is missed least; where the left neighbour gets it, what helps it least as well."""
    given, rivals = sight.view["card"] in GIVEN_LEFT, Rivals(sight)

    def after(country: str) -> float:
        index = COUNTRY[country].index
        return sight.without(index) - (rivals.share * rivals.left.with_good(index) if given else 0)

    offered = sight.view["prompt"]["moves"][0]["country"]["one_of"]
    return {"type": "give_up", "country": max(offered, key=after)}


def _debt(sight: Sight, rng: Random) -> Move:
    def after(country: str) -> float:
        card = COUNTRY[country]
        return sight.without(card.index, card.price)

    return {"type": "liquidate", "country": max((COUNTRIES[index].id for index in sight.mine), key=after)}


def _put_back(sight: Sight, rng: Random) -> Move:
    return {"type": "put_back", "objective": max(sight.objectives, key=sight.with_objective)}


def _ignore(sight: Sight, rng: Random) -> Move:
    """Suffer cards that cost little."""
    return moves.SUFFER if sight.view["card"] in ("no_01", "no_02", "no_03", "no_19") else moves.IGNORE_IT


DECIDE: dict[str, Callable[[Sight, Random], Move]] = {
    "roll": _roll,
    "choose": _choose,
    "advance": _advance,
    "bid": _bid,
    "accept": _accept,
    "award": _award,
    "buy": _buy,
    "half_price": _half_price,
    "swap": _swap,
    "offer": _offer,
    "interest": _interest,
    "veto": _veto,
    "give_up": _give_up,
    "debt": _debt,
    "put_back": _put_back,
    "ignore": _ignore,
}
"""The decision in each phase."""

BOTS: dict[str, type[Bot]] = {"easy": Easy, "regular": Regular, "strong": Strong}
