"""How good it is to have certain goods and cash with certain objectives: what the strong bot weighs."""

from collections.abc import Callable, Sequence
from math import exp

from games.rules.yes.goals import DEAREST, MANY
from games.rules.yes.tables import COMMON, CONTINENTS, COUNTRIES, GOAL, GOODS

PLACE = [CONTINENTS.index(country.continent) for country in COUNTRIES]
KIND = [GOODS.index(country.good) for country in COUNTRIES]
PRICE = [country.price for country in COUNTRIES]
IS_COMMON = [country.good in COMMON for country in COUNTRIES]
PAIRABLE = [place for place in range(5) if len(set(KIND[6 * place : 6 * place + 6])) < 6]
"""The continents on which two equal goods can stand."""

A_GOOD = 100_000
"""What a good counts for where an objective asks for value."""

SECOND = 0.6
"""What the nearer of two objectives adds to the way to both: some goods serve both."""

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
        """What is missing to so many different goods on one continent."""
        return kinds - max(sum(map(bool, stand)) for stand in self.stand)

    def pairs(self, wanted: int) -> float:
        """What is missing to two equal goods on each of so many continents."""
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
    """From 0 to 1: 1 is won. More or less the chance to win, with what goods and cash are good for beside."""
    own = Estate(goods, cash, others_most)
    way = distance(objectives, own)
    if not way or cash >= GOAL:
        return 1.0
    by_goals = ALMOST * exp(-PATIENCE * way)
    share = cash / GOAL
    by_cash = 0.45 * share + 0.5 * share**3
    beside = FREE_GOOD * own.goods + PRICED_GOOD * own.value / GOAL
    return min(0.97, 1 - (1 - by_goals) * (1 - by_cash) * (1 - min(0.5, beside)))
