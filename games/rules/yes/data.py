"""The printed material of ¥€$: countries, goods, objectives, YES and NO cards, dice, the CASH track."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

NorthAmerica: TypeAlias = Literal["canada", "guatemala", "mexico", "bahamas", "panama", "united_states"]
SouthAmerica: TypeAlias = Literal["argentina", "venezuela", "colombia", "brazil", "peru", "ecuador"]
Europe: TypeAlias = Literal["poland", "germany", "italy", "united_kingdom", "france", "sweden"]
Africa: TypeAlias = Literal["kenya", "morocco", "egypt", "senegal", "south_africa", "nigeria"]
AsiaOceania: TypeAlias = Literal["india", "china", "indonesia", "australia", "saudi_arabia", "japan"]
CountryId: TypeAlias = Literal[NorthAmerica, SouthAmerica, Europe, Africa, AsiaOceania]

OnContinents: TypeAlias = Literal[
    "four_north_america", "four_south_america", "four_europe", "four_africa", "four_asia_oceania"
]
OfCommonGoods: TypeAlias = Literal["four_tractor", "four_building", "four_factory"]
OfKinds: TypeAlias = Literal["trio", "three_kinds", "two_alike", "four_kinds", "six_kinds", "two_pairs"]
OfNumbers: TypeAlias = Literal["four_twos", "seven_common", "five_rare", "nine_goods", "most_goods"]
OfMoney: TypeAlias = Literal["dearest", "wealth"]
ObjectiveId: TypeAlias = Literal[OnContinents, OfCommonGoods, OfKinds, OfNumbers, OfMoney]

CONTINENTS = ("north_america", "south_america", "europe", "africa", "asia_oceania")
GOODS = ("tractor", "building", "factory", "gold", "oil", "satellite")
COMMON = frozenset({"tractor", "building", "factory"})

STEP = 10_000
"""Every amount of money is a multiple of this."""

GOOD_OF = (
    *("tractor", "tractor", "factory", "building", "building", "satellite"),
    *("tractor", "tractor", "factory", "building", "gold", "oil"),
    *("tractor", "factory", "factory", "factory", "building", "satellite"),
    *("tractor", "factory", "building", "building", "gold", "oil"),
    *("tractor", "factory", "building", "gold", "oil", "satellite"),
)
PRICES = (
    *(50, 30, 60, 90, 80, 150),
    *(50, 40, 60, 90, 120, 120),
    *(40, 80, 70, 80, 100, 130),
    *(30, 60, 80, 70, 130, 130),
    *(40, 70, 80, 140, 150, 140),
)
"""In thousands, in the table's order."""


class Country(Struct, frozen=True, gc=False):
    """A COUNTRY card: the good that stands there, its continent and printed price."""

    id: str
    index: int
    continent: str
    good: str
    price: int

    @property
    def half(self) -> int:
        """Half the price, rounded up."""
        return -(-self.price // (2 * STEP)) * STEP


COUNTRY_IDS: tuple[str, ...] = get_args(CountryId)
COUNTRIES = tuple(
    Country(id, index, CONTINENTS[index // 6], GOOD_OF[index], PRICES[index] * 1000)
    for index, id in enumerate(COUNTRY_IDS)
)
"""The deck, in the order of its shuffle: the table's, row by row."""

COUNTRY = {country.id: country for country in COUNTRIES}

OBJECTIVES: tuple[str, ...] = get_args(ObjectiveId)
IN_MONEY = frozenset({"dearest", "wealth"})
"""The objectives that are counted in money."""

EXCHANGE_PRICE = 150_000

YES_CARDS = tuple(f"yes_{number:02}" for number in range(1, 22))
NO_CARDS = tuple(f"no_{number:02}" for number in range(1, 22))
IGNORE = ("yes_18", "yes_19")
VETO = "yes_20"
AGAIN = "yes_21"
KEPT = frozenset({*IGNORE, VETO, AGAIN})
"""The YES cards that are kept in hand until they are used."""

GIVEN_LEFT = ("no_16", "no_17")
"""The NO cards that give a COUNTRY card to the left neighbour."""

ACTIONS = ("yes", "no", "cash", "country", "buy", "sell")
"""The white faces 1 to 6."""

RED = (10_000, 20_000, 50_000, 50_000, 100_000)
"""The red faces 1 to 5; the sixth is twice the printed price."""

TWICE = 6

TRACK = ("bank", *CONTINENTS, "oil", "tractor", "satellite", "factory", "gold", "building")
"""The CASH track, clockwise."""

CASH_PRIZE = 100_000
REACH = (1, 2, 3)
START_CASH = 200_000
GOAL = 1_000_000
MOST_GOODS = 15
HAND_OF = {2: 4, 3: 4, 4: 4, 5: 3, 6: 3}
"""COUNTRY cards dealt to each seat, by the number of seats."""


def red_price(face: int, country: Country) -> int:
    """The price that a face of the red die sets for a card."""
    return 2 * country.price if face == TWICE else RED[face - 1]


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


def _in(place: str) -> Callable[[Holdings], int]:
    return lambda own: own.per_continent()[place]


def _of(good: str) -> Callable[[Holdings], int]:
    return lambda own: own.per_good()[good]


GOALS: dict[str, tuple[int, Callable[[Holdings], int]]] = {
    **{f"four_{place}": (4, _in(place)) for place in CONTINENTS},
    **{f"four_{good}": (4, _of(good)) for good in GOODS[:3]},
    "trio": (3, lambda own: len(own.per_good().keys() & COMMON)),
    "three_kinds": (3, lambda own: own.kinds()),
    "two_alike": (2, lambda own: max((max(goods.values()) for goods in own.mixed()), default=0)),
    "four_kinds": (4, lambda own: own.kinds()),
    "six_kinds": (6, lambda own: len(own.per_good())),
    "two_pairs": (2, lambda own: own.pairs()),
    "four_twos": (4, lambda own: sum(count >= 2 for count in own.per_continent().values())),
    "seven_common": (7, lambda own: own.common()),
    "five_rare": (5, lambda own: len(own.goods) - own.common()),
    "nine_goods": (MANY, lambda own: len(own.goods)),
    "most_goods": (MANY, lambda own: len(own.goods)),
    "dearest": (DEAREST, lambda own: own.value),
    "wealth": (GOAL, lambda own: own.cash + own.value),
}
"""For each objective: how much it asks, and how much of that a seat has."""


def progress(objective: str, own: Holdings) -> tuple[int, int]:
    """(needed, had); `most_goods` also needs more than any other seat has."""
    needed, count = GOALS[objective]
    return max(needed, own.others_most + 1) if objective == "most_goods" else needed, count(own)


def met(objectives: Iterable[str], own: Holdings) -> list[str]:
    """Those of the objectives that are met."""
    progresses = {objective: progress(objective, own) for objective in objectives}
    return [objective for objective, (needed, had) in progresses.items() if had >= needed]
