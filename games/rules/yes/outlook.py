"""The strong bot's evaluation of a view: what positions, cards, money and dice are worth to its seat."""

from collections.abc import Callable, Sequence
from math import exp

from games.engine import View
from games.rules.yes.actions import share
from games.rules.yes.data import (
    CASH_PRIZE,
    COMMON,
    CONTINENTS,
    COUNTRIES,
    COUNTRY,
    DEAREST,
    GOAL,
    GOODS,
    MANY,
    MOST_GOODS,
    OBJECTIVES,
    REACH,
    RED,
    TRACK,
    Country,
)
from games.rules.yes.state import leaders

SHORTFALL = 0.12
"""The penalty for each 100 000 of debt that the seat cannot pay."""


HEED = 25.0
"""The weight of what a single rival gains beside an own gain; several share it."""

WON = 0.1
"""What a win is worth beyond the chance of one, for each unit of heed: nothing that rivals may do outweighs it."""


class Sight:
    """What a seat knows, and how much it heeds its rivals. Cards are numbered by their index in COUNTRIES."""

    def __init__(self, view: View, heed: float = HEED) -> None:
        self.view, self.heed = view, heed
        self.me: int = view["you"]
        self.cash: list[int] = view["cash"]
        self.money = self.cash[self.me]
        self.objectives: list[str] = view["objectives"][self.me]
        self.owners = {COUNTRY[country].index: seat for country, seat in view["countries"].items()}
        self.mine = sorted(index for index, seat in self.owners.items() if seat == self.me)
        self.theirs = sorted(index for index, seat in self.owners.items() if seat != self.me)
        self.deck = [index for index in range(len(COUNTRIES)) if index not in self.owners]
        self.rivals = [s for s in range(view["seats"]) if s != self.me and s not in view["out"]]
        self.counts = [sum(owner == seat for owner in self.owners.values()) for seat in range(view["seats"])]
        self.most = max((self.counts[seat] for seat in self.rivals), default=0)
        self.now = self.with_cash(0)

    def value(self, goods: Sequence[int], money: int) -> float:
        """The worth of having those goods and that much money; a debt is worse than nothing."""
        debt = max(0, -money) / 100_000
        chance = worth(self.objectives, goods, max(0, money), self.most)
        return chance + (WON * self.heed if chance == 1 else 0) - SHORTFALL * debt

    def with_cash(self, change: int) -> float:
        return self.value(self.mine, self.money + change)

    def with_good(self, index: int, cost: int = 0) -> float:
        return self.value([*self.mine, index], self.money - cost)

    def without(self, index: int, gain: int = 0) -> float:
        return self.value([other for other in self.mine if other != index], self.money + gain)

    def swapped(self, give: int, take: int) -> float:
        return self.value([*(other for other in self.mine if other != give), take], self.money)

    def with_objective(self, old: str, cost: int = 0) -> float:
        """The mean worth after replacing an objective, over all that can be drawn instead."""
        [kept] = [objective for objective in self.objectives if objective != old]
        unseen = [each for each in OBJECTIVES if each not in self.objectives]
        money = self.money - cost
        return sum(worth((kept, new), self.mine, money, self.most) for new in unseen) / len(unseen)

    def share_of_rivals(self) -> float:
        """The weight of what a rival gains: the fewer rivals, the more it counts."""
        return 0.9 / max(1, len(self.rivals))

    def pays(self, steps: int, without_me: bool = False) -> dict[int, int]:
        """What the space so many steps ahead pays to each seat; space 0 pays the mover, as seat -1."""
        space = (self.view["marker"] + steps) % len(TRACK)
        if not space:
            return {-1: CASH_PRIZE}
        name = TRACK[space]
        counts = [0] * self.view["seats"]
        for index, owner in self.owners.items():
            country = COUNTRIES[index]
            if name in (country.continent, country.good) and not (without_me and owner == self.me):
                counts[owner] += 1
        best = leaders(counts)
        return {seat: share(len(best)) for seat in best}

    def gain_of(self, steps: int, mover_is_me: bool = True) -> float:
        """The gain from the marker being moved so many steps."""
        paid = self.pays(steps)
        mine = paid.get(self.me, 0) + (paid.get(-1, 0) if mover_is_me else 0)
        theirs = sum(amount for seat, amount in paid.items() if seat not in (self.me, -1))
        return self.with_cash(mine) - self.now - MONEY * self.share_of_rivals() * theirs / 100_000

    def paid_to(self, seat: int, steps: int) -> int:
        """What the seat itself is paid if it moves the marker so many steps."""
        paid = self.pays(steps)
        return paid.get(seat, 0) + paid.get(-1, 0)

    def best_steps(self) -> int:
        return max(REACH, key=self.gain_of)


MONEY = 0.05
"""The worth of 100 000 to a rival."""


def nearer(sight: Sight, goods: Sequence[int]) -> list[str]:
    """The objectives not met yet, `wealth` aside, to which those goods are nearer than what the seat has."""
    before, after = Estate(sight.mine, 0, sight.most), Estate(goods, 0, sight.most)
    unmet = [each for each in sight.objectives if each not in {*sight.view["met"], "wealth"}]
    return [each for each in unmet if MISSING[each](after) < MISSING[each](before)]


def farther(sight: Sight, goods: Sequence[int]) -> list[str]:
    """The objectives, `wealth` aside, from which those goods are farther, or which they meet no more."""
    before, after = Estate(sight.mine, 0, sight.most), Estate(goods, 0, sight.most)
    return [
        each for each in sight.objectives if each != "wealth" and MISSING[each](after) > max(0.0, MISSING[each](before))
    ]


def gamble_prices(country: Country) -> list[int]:
    """The prices that the six faces of the red die would set for a card."""
    return [*RED, 2 * country.price]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


PLACE = [CONTINENTS.index(country.continent) for country in COUNTRIES]
KIND = [GOODS.index(country.good) for country in COUNTRIES]
PRICE = [country.price for country in COUNTRIES]
IS_COMMON = [country.good in COMMON for country in COUNTRIES]
PAIRABLE = [place for place in range(5) if len(set(KIND[6 * place : 6 * place + 6])) < 6]
"""The continents on which two equal goods can stand."""

A_GOOD = 100_000
"""The value that counts as one good where an objective is in money."""

SECOND = 0.6
"""The weight of the nearer of two objectives in the distance to both: some goods serve both."""

PATIENCE, ALMOST = 0.55, 0.85
FREE_GOOD, PRICED_GOOD = 0.012, 0.1


class Estate:
    """The goods of a seat, counted."""

    __slots__ = ("cash", "goods", "kinds", "others_most", "places", "stand", "value")

    def __init__(self, goods: Sequence[int], cash: int, others_most: int) -> None:
        self.goods, self.cash, self.others_most = len(goods), cash, others_most
        self.value = 0
        self.places, self.kinds = [0] * 5, [0] * 6
        self.stand = [[0] * 6 for _ in range(5)]
        for index in goods:
            self.places[PLACE[index]] += 1
            self.kinds[KIND[index]] += 1
            self.stand[PLACE[index]][KIND[index]] += 1
            self.value += PRICE[index]

    def common(self) -> int:
        return self.kinds[0] + self.kinds[1] + self.kinds[2]

    def on_one(self, kinds: int) -> float:
        """How many goods are missing to that many different ones on one continent."""
        return kinds - max(sum(map(bool, stand)) for stand in self.stand)

    def pairs(self, wanted: int) -> float:
        """How many goods are missing to two equal ones on each of that many continents."""
        missing = sorted(2 - min(2, max(self.stand[place])) for place in PAIRABLE)
        return sum(missing[:wanted])

    def twos(self) -> float:
        return sum(sorted(2 - min(2, count) for count in self.places)[:4])


def _there(place: int) -> Callable[[Estate], float]:
    return lambda own: 4 - own.places[place]


def _of(kind: int) -> Callable[[Estate], float]:
    return lambda own: 4 - own.kinds[kind]


MISSING: dict[str, Callable[[Estate], float]] = {
    **{f"four_{name}": _there(place) for place, name in enumerate(CONTINENTS)},
    **{f"four_{name}": _of(kind) for kind, name in enumerate(GOODS[:3])},
    "trio": lambda own: own.kinds[:3].count(0),
    "three_kinds": lambda own: own.on_one(3),
    "two_alike": lambda own: own.pairs(1),
    "four_kinds": lambda own: own.on_one(4),
    "six_kinds": lambda own: own.kinds.count(0),
    "two_pairs": lambda own: own.pairs(2),
    "four_twos": Estate.twos,
    "seven_common": lambda own: 7 - own.common(),
    "five_rare": lambda own: 5 - (own.goods - own.common()),
    "nine_goods": lambda own: MANY - own.goods,
    "most_goods": lambda own: max(MANY, own.others_most + 1) - own.goods,
    "dearest": lambda own: (DEAREST - own.value) / A_GOOD,
    "wealth": lambda own: (GOAL - own.cash - own.value) / A_GOOD,
}
"""For each objective, about how many goods are missing."""


def distance(objectives: Sequence[str], own: Estate) -> float:
    """About how many goods are missing to all of the objectives; 0 when they are met."""
    ways = sorted(max(0.0, MISSING[objective](own)) for objective in objectives)
    return ways[-1] + SECOND * sum(ways[:-1])


def worth(objectives: Sequence[str], goods: Sequence[int], cash: int, others_most: int) -> float:
    """About the chance to win, from 0 to 1 (won): by objectives, by cash, and a little for what is owned."""
    own = Estate(goods, cash, others_most)
    way = distance(objectives, own)
    if not way or cash >= GOAL:
        return 1.0
    return min(0.97, 1 - (1 - ALMOST * exp(-PATIENCE * way)) * apart_from_goals(own))


def apart_from_goals(own: Estate) -> float:
    """The chance, from 0 to 1, that neither cash nor what else is owned wins."""
    part = min(1.0, own.cash / GOAL)
    by_cash = 0.45 * part + 0.5 * part**3
    beside = FREE_GOOD * own.goods + PRICED_GOOD * own.value / GOAL
    return (1 - by_cash) * (1 - min(0.5, beside))


KEPT_CARD = 0.03
"""The worth of a kept card in hand."""

AUCTIONED = 30_000
"""About what the highest bid pays for the right to move the marker."""

SOLD_FOR = 60_000


def country(sight: Sight) -> float:
    """The mean over all cards still in the deck."""
    if len(sight.mine) >= MOST_GOODS or not sight.deck:
        return 0.0
    return mean([sight.with_good(index) for index in sight.deck]) - sight.now


def yes(sight: Sight) -> float:
    """The mean over all 21 YES cards, as if none had been seen."""
    total = sum(sight.with_cash(amount) - sight.now for amount in paid_by_yes(sight))
    total += 3 * country(sight) + max(map(sight.gain_of, REACH)) + 4 * KEPT_CARD + 2 * KEPT_CARD
    return total / 21


def paid_by_yes(sight: Sight) -> list[int]:
    """What each YES card brings that is about money."""
    rivals = len(sight.rivals)
    places = len({COUNTRIES[index].continent for index in sight.mine})
    amounts = [50_000] * 4 + [100_000] * 2 + [rivals * 10_000] * 2 + [rivals * 20_000]
    return [*amounts, 10_000 * len(sight.mine), 20_000 * places]


def no(sight: Sight) -> float:
    """The mean over all 21 NO cards."""
    total = sum(sight.with_cash(-amount) - sight.now for amount in asked_by_no(sight))
    return (total + 6 * least_loss(sight)) / 21


def asked_by_no(sight: Sight) -> list[int]:
    """What each NO card costs that is about money."""
    rivals = len(sight.rivals)
    factories = sum(COUNTRIES[index].good == "factory" for index in sight.mine)
    amounts = [20_000] * 3 + [50_000] * 3 + [100_000] + [rivals * 10_000] * 2 + [rivals * 20_000]
    return [*amounts, 10_000 * len(sight.mine), 20_000 * factories, sight.money // 2]


def least_loss(sight: Sight) -> float:
    """The cost of giving up the good that the seat misses least."""
    return max((sight.without(index) - sight.now for index in sight.mine), default=0.0)


def cash(sight: Sight) -> float:
    """The best of the three spaces if any pays the seat; else the highest bid, less a rival's gain."""
    if any(sight.paid_to(sight.me, steps) for steps in REACH):
        return max(map(sight.gain_of, REACH))
    return sight.with_cash(AUCTIONED) - sight.now - MONEY * sight.share_of_rivals()


def buy(sight: Sight) -> float:
    """The best purchase; forced where something can be afforded."""
    return max((gain for gain, _index, _gambles in purchases(sight)), default=0.0)


def purchases(sight: Sight) -> list[tuple[float, int, bool]]:
    """(gain, card, whether to gamble) of every possible purchase."""
    if len(sight.mine) >= MOST_GOODS:
        return []
    sure = [(sight.with_good(i, PRICE[i]) - sight.now, i, False) for i in sight.theirs if PRICE[i] <= sight.money]
    return sure + [(gamble(sight, index) - sight.now, index, True) for index in sight.theirs]


def sure_first(purchase: tuple[float, int, bool]) -> tuple[float, bool, float]:
    """Of purchases about as good, one without a gamble."""
    gain, _index, gambles = purchase
    return round(gain, 2), not gambles, gain


def gamble(sight: Sight, index: int) -> float:
    """The worth of buying a card at the price that the red die sets."""
    prices = gamble_prices(COUNTRIES[index])
    return mean([sight.with_good(index, price) for price in prices])


def sell(sight: Sight) -> float:
    """The best sale at the mean price of the red die; 0 for none."""
    return max([0.0, *(sight.without(index, SOLD_FOR) - sight.now - 0.01 for index in sight.mine)])


PROSPECTS = {"yes": yes, "no": no, "cash": cash, "country": country, "buy": buy, "sell": sell}
