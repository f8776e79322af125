"""What NO cards take from whoever suffers them, from a seat's view."""

from collections.abc import Callable

from games.rules.yes.data import COUNTRIES
from games.rules.yes.outlook import Sight

COSTS: dict[str, Callable[[Sight], int]] = {
    **dict.fromkeys(("no_01", "no_02", "no_03"), lambda sight: 20_000),
    **dict.fromkeys(("no_04", "no_05", "no_12"), lambda sight: 50_000),
    "no_06": lambda sight: 100_000,
    **dict.fromkeys(("no_07", "no_08"), lambda sight: 10_000 * len(sight.rivals)),
    "no_09": lambda sight: 20_000 * len(sight.rivals),
    "no_10": lambda sight: 10_000 * len(sight.mine),
    "no_11": lambda sight: 20_000 * sum(COUNTRIES[index].good == "factory" for index in sight.mine),
    "no_21": lambda sight: sight.money // 20_000 * 10_000,
}
"""What each NO card about money costs whoever suffers it."""

TAKES = ("no_13", "no_14", "no_15", "no_16", "no_17", "no_18")
"""The NO cards that take a country."""
DEAREST_GOES = "no_18"
