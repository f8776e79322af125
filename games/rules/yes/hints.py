"""What the page shows beside the view, drawn from it: prices, whom a space would pay, how far one is."""

from collections.abc import Callable
from typing import Any

from games.engine import View
from games.rules.yes.actions import share
from games.rules.yes.goals import DEAREST, MANY, Holdings, met
from games.rules.yes.tables import CASH_PRIZE, COMMON, CONTINENTS, COUNTRIES, GOAL, REACH, TRACK, Country


def _on(place: str) -> Callable[[Holdings], int]:
    return lambda own: own.per_continent()[place]


def _of(good: str) -> Callable[[Holdings], int]:
    return lambda own: own.per_good()[good]


HAVE: dict[str, Callable[[Holdings], int]] = {
    **{f"four_{place}": _on(place) for place in CONTINENTS},
    **{f"four_{good}": _of(good) for good in COMMON},
    "trio": lambda own: len(own.per_good().keys() & COMMON),
    "three_kinds": lambda own: own.kinds(),
    "two_alike": lambda own: max((max(goods.values()) for goods in own.mixed()), default=0),
    "four_kinds": lambda own: own.kinds(),
    "six_kinds": lambda own: len(own.per_good()),
    "two_pairs": lambda own: own.pairs(),
    "four_twos": lambda own: sum(count >= 2 for count in own.per_continent().values()),
    "seven_common": lambda own: own.common(),
    "five_rare": lambda own: len(own.goods) - own.common(),
    "nine_goods": lambda own: len(own.goods),
    "most_goods": lambda own: len(own.goods),
    "dearest": lambda own: own.value,
    "wealth": lambda own: own.cash + own.value,
}
"""How much there is of what an objective asks."""

NEED = {
    **dict.fromkeys(HAVE, 4),
    "trio": 3,
    "three_kinds": 3,
    "two_alike": 2,
    "six_kinds": 6,
    "two_pairs": 2,
    "seven_common": 7,
    "five_rare": 5,
    "nine_goods": MANY,
    "most_goods": MANY,
    "dearest": DEAREST,
    "wealth": GOAL,
}
"""How much it asks; of the most goods, more than anybody else has beside."""


def hints(view: View) -> dict[str, Any]:
    """All `countries` with their prices and owners; `goods` and `wealth` per seat; whom each of the twelve
    `spaces` of the CASH track would pay now, and how much each; the spaces within `reach`; how far the seen
    `objectives` are, per seat (None where they are hidden); the seat on the actor's `left`, and the one that
    carries out the `other` die.
    """
    owned = [[c for c in COUNTRIES if view["countries"].get(c.id) == seat] for seat in range(view["seats"])]
    return {
        "countries": [_country(country, view) for country in COUNTRIES],
        "goods": [len(own) for own in owned],
        "wealth": [
            cash + sum(country.price for country in own)
            for cash, own in zip(view["cash"], owned, strict=True)
        ],
        "spaces": [_space(name, owned) for name in TRACK],
        "reach": [(view["marker"] + steps) % len(TRACK) for steps in REACH],
        "objectives": [_objectives(view, owned, seat) for seat in range(view["seats"])],
        "left": _left(view, view["roller"] if view["actor"] is None else view["actor"]),
        "other": _left(view, view["roller"]),
    }


def _country(country: Country, view: View) -> dict[str, Any]:
    return {
        "id": country.id,
        "continent": country.continent,
        "good": country.good,
        "price": country.price,
        "half": country.half,
        "owner": view["countries"].get(country.id),
    }


def _space(name: str, owned: list[list[Country]]) -> dict[str, Any]:
    """A space, the seats with the most goods there, how many that is, and what each would be paid."""
    counts = [sum(name in (country.continent, country.good) for country in own) for own in owned]
    most = max(counts)
    paid = [seat for seat, count in enumerate(counts) if count == most] if most else []
    return {"name": name, "most": most, "paid": paid, "share": share(len(paid)) if paid else CASH_PRIZE}


def _objectives(view: View, owned: list[list[Country]], seat: int) -> list[dict[str, Any]] | None:
    """How far the objectives of a seat are, where the viewer sees them."""
    seen = view["objectives"][seat]
    if isinstance(seen, int):
        return None
    others = max(len(own) for other, own in enumerate(owned) if other != seat)
    holdings = Holdings(owned[seat], view["cash"][seat], others)
    done = met(seen, holdings)
    found = []
    for objective in seen:
        have, need = HAVE[objective](holdings), NEED[objective]
        if objective == "most_goods":
            need = max(need, others + 1)
        found.append({"id": objective, "have": min(have, need), "need": need, "met": objective in done})
    return found


def _left(view: View, seat: int) -> int:
    """The next seat to the left that is still in."""
    around = ((seat + step) % view["seats"] for step in range(1, view["seats"]))
    return next((other for other in around if other not in view["out"]), seat)
