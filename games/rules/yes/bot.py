"""The bots of ¥€$."""

from collections.abc import Callable
from random import Random

from games.engine import PASS, Bot, Move, View, sample_move
from games.rules.yes import moves, outlook
from games.rules.yes.data import ACTIONS, COUNTRIES, COUNTRY, EXCHANGE_PRICE, REACH, STEP
from games.rules.yes.outlook import Sight, gamble_prices, mean

NICE = ("country", "yes", "cash", "buy", "sell", "no")
WHIM = 0.25
"""How often it moves at random."""

MOST_BID = 4 * STEP
RICH = 100_000
"""With this much cash it is sometimes interested in a sale."""

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
    """Weighs what each decision changes in its chance of both objectives or the million."""

    def choose(self, view: View, rng: Random) -> Move:
        return DECIDE[view["phase"]](Sight(view), rng)


def _roll(sight: Sight, rng: Random) -> Move:
    """Exchange an objective first if the mean of what can come is worth the price."""
    if all(move["type"] != "exchange" for move in sight.view["prompt"]["moves"]):
        return moves.ROLL
    gain, objective = max((sight.with_objective(each, EXCHANGE_PRICE), each) for each in sight.objectives)
    return {"type": "exchange", "objective": objective} if gain > sight.now + 0.01 else moves.ROLL


def _choose(sight: Sight, rng: Random) -> Move:
    worths = [outlook.die_worth(sight, die) for die in (0, 1)]
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
    """Award the card to the seat with the fewest goods."""
    seats = sight.view["prompt"]["moves"][0]["seat"]["one_of"]
    return {"type": "award", "seat": min(seats, key=lambda seat: sight.counts[seat])}


def _buy(sight: Sight, rng: Random) -> Move:
    found = outlook.best_purchase(sight)
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
    gains = {index: sight.without(index, outlook.SOLD_FOR) - sight.now for index in sight.mine}
    best = max(gains, key=lambda index: gains[index])
    if PASS in sight.view["prompt"]["moves"] and gains[best] < 0.01:
        return PASS
    bank = sight.without(best, COUNTRIES[best].price) > sight.now
    return {"type": "offer", "country": COUNTRIES[best].id, "bank": bank}


def _interest(sight: Sight, rng: Random) -> Move:
    card = COUNTRY[sight.view["sale"]["country"]]
    worth = mean([sight.with_good(card.index, price) for price in gamble_prices(card)])
    return moves.INTERESTED if worth > sight.now else moves.NOT_INTERESTED


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
    offered = sight.view["prompt"]["moves"][0]["country"]["one_of"]
    return {"type": "give_up", "country": max(offered, key=lambda each: sight.without(COUNTRY[each].index))}


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

BOTS: dict[str, type[Bot]] = {"easy": Easy, "strong": Strong}
