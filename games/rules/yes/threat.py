"""What a rival of the strong bot may be up to: its chance to win, over all objectives that it may hold."""

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from math import exp

from games.rules.yes.data import COUNTRIES, MOST_GOODS, OBJECTIVES
from games.rules.yes.outlook import ALMOST, MISSING, SECOND, Estate, Sight, apart_from_goals

PATIENCE = 0.35
"""Less than for the bot itself: what is not stopped early is not stopped at all."""

Ways = tuple[list[float], list[float], float]
"""For each objective what it leaves of the chance as the farther and as the nearer of two; and the chance to fail
by cash and all else."""


class Threat:
    """One rival: its goods and cash are open, its two objectives any that the bot does not hold itself."""

    def __init__(self, sight: Sight, seat: int) -> None:
        self.sight, self.seat = sight, seat
        self.goods = [index for index, owner in sight.owners.items() if owner == seat]
        self.cash = sight.cash[seat]
        self.most = max(count for other, count in enumerate(sight.counts) if other != seat)
        self.unseen = [each for each in OBJECTIVES if each not in sight.objectives]
        far, _near, _fail = self._ways(self.goods, self.cash)
        places = range(len(self.unseen))
        self.pairs = [(a, b) for a, b in combinations(places, 2) if far[a] < 1 or far[b] < 1]

    @cached_property
    def now(self) -> float:
        return self.chance(self.goods, self.cash)

    def chance(self, goods: Sequence[int], cash: int) -> float:
        """About its chance to win with those goods and that cash, over all that it may hold."""
        ways = self._ways(goods, cash)
        return sum(_chance(ways, a, b) for a, b in self.pairs) / len(self.pairs)

    def with_good(self, index: int, cost: int = 0) -> float:
        """What the chance grows by with one good more, for a price."""
        return self.chance([*self.goods, index], self.cash - cost) - self.now

    def without(self, index: int, gain: int = 0) -> float:
        """What the chance changes by with one good less, for a price."""
        return self.chance([other for other in self.goods if other != index], self.cash + gain) - self.now

    def with_cash(self, change: int) -> float:
        return self.chance(self.goods, self.cash + change) - self.now

    def drawing(self) -> float:
        """What a card from the deck brings it, in the mean."""
        deck = self.sight.deck
        if not deck or len(self.goods) >= MOST_GOODS:
            return 0.0
        return sum(self.with_good(index) for index in deck) / len(deck)

    def buying(self) -> float:
        """What the purchase brings it that is best for the objectives it holds, in the mean."""
        offered = [index for index, owner in self.sight.owners.items() if owner != self.seat]
        if not offered or len(self.goods) >= MOST_GOODS:
            return 0.0
        bought = [self._ways([*self.goods, each], self.cash - COUNTRIES[each].price) for each in offered]
        best = sum(max(_chance(ways, a, b) for ways in bought) for a, b in self.pairs)
        return best / len(self.pairs) - self.now

    def _ways(self, goods: Sequence[int], cash: int) -> Ways:
        own = Estate(goods, max(0, cash), self.most)
        missing = [max(0.0, MISSING[each](own)) for each in self.unseen]
        far = [exp(-PATIENCE * each) for each in missing]
        near = [exp(-PATIENCE * SECOND * each) for each in missing]
        return far, near, apart_from_goals(own)


def _chance(ways: Ways, one: int, other: int) -> float:
    far, near, fail = ways
    farther, nearer = (one, other) if far[one] <= far[other] else (other, one)
    if far[farther] == 1:
        return 1.0
    return 1 - (1 - ALMOST * far[farther] * near[nearer]) * fail


FOR_A_RIVAL = {"yes": 0.035, "no": -0.045, "cash": 0.04, "sell": -0.005}
"""About the worth of each action to the rival that carries it out; of the others it is worked out."""


class Rivals:
    """All rivals of the bot that are still in."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.threats = {seat: Threat(sight, seat) for seat in sight.rivals}
        self.share = sight.heed / max(1, len(sight.rivals))

    @property
    def left(self) -> Threat:
        """The next rival in turn."""
        seats = len(self.sight.cash)
        return min(self.threats.values(), key=lambda each: (each.seat - self.sight.me) % seats)

    def cost_of_leaving(self, action: str) -> float:
        """What it costs to leave that action to the left neighbour."""
        if action == "buy":
            return self.share * self.left.buying()
        if action == "country":
            return self.share * self.left.drawing()
        return self.share * FOR_A_RIVAL[action]

    def hurt(self, index: int, price: int = 0) -> float:
        """The gain from its owner losing a good for that price."""
        return -self.share * self.threats[self.sight.owners[index]].without(index, price)

    def helped(self, index: int, price: int = 0) -> float:
        """The most that it costs if a rival gets that good."""
        return self.share * max(each.with_good(index, price) for each in self.threats.values())
