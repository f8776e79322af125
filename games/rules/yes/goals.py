"""When an objective is met: by the goods a seat owns, its cash, and how many goods others have."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from games.rules.yes.tables import COMMON, CONTINENTS, GOAL, GOODS, Country

DEAREST = 800_000
MANY = 9


class Holdings(Struct, frozen=True):
    """What a seat has, and the most goods that any other seat has."""

    goods: Sequence[Country]
    cash: int
    others_most: int

    @property
    def value(self) -> int:
        """The printed prices of its cards together."""
        return sum(country.price for country in self.goods)

    def per_continent(self) -> Counter[str]:
        return Counter(country.continent for country in self.goods)

    def per_good(self) -> Counter[str]:
        return Counter(country.good for country in self.goods)

    def common(self) -> int:
        """How many tractors, buildings and factories together."""
        return sum(country.good in COMMON for country in self.goods)

    def mixed(self) -> list[Counter[str]]:
        """How many of each good, continent by continent."""
        found: dict[str, Counter[str]] = {}
        for country in self.goods:
            found.setdefault(country.continent, Counter())[country.good] += 1
        return list(found.values())

    def pairs(self) -> int:
        """On how many continents two equal goods stand."""
        return sum(max(goods.values()) >= 2 for goods in self.mixed())

    def kinds(self) -> int:
        """The most different goods on one continent."""
        return max(map(len, self.mixed()), default=0)


def _four_there(place: str) -> Callable[[Holdings], bool]:
    return lambda own: own.per_continent()[place] >= 4


def _four_of(good: str) -> Callable[[Holdings], bool]:
    return lambda own: own.per_good()[good] >= 4


TESTS: dict[str, Callable[[Holdings], bool]] = {
    **{f"four_{place}": _four_there(place) for place in CONTINENTS},
    **{f"four_{good}": _four_of(good) for good in GOODS[:3]},
    "trio": lambda own: own.per_good().keys() >= COMMON,
    "three_kinds": lambda own: own.kinds() >= 3,
    "two_alike": lambda own: own.pairs() >= 1,
    "four_kinds": lambda own: own.kinds() >= 4,
    "six_kinds": lambda own: len(own.per_good()) == len(GOODS),
    "two_pairs": lambda own: own.pairs() >= 2,
    "four_twos": lambda own: sum(count >= 2 for count in own.per_continent().values()) >= 4,
    "seven_common": lambda own: own.common() >= 7,
    "five_rare": lambda own: len(own.goods) - own.common() >= 5,
    "nine_goods": lambda own: len(own.goods) >= MANY,
    "most_goods": lambda own: len(own.goods) >= MANY and len(own.goods) > own.others_most,
    "dearest": lambda own: own.value >= DEAREST,
    "wealth": lambda own: own.cash + own.value >= GOAL,
}


def met(objectives: Iterable[str], own: Holdings) -> list[str]:
    """Those of the objectives that are met."""
    return [objective for objective in objectives if TESTS[objective](own)]
