"""What the page shows beside the view, drawn from the view alone: prices, who would be paid where, how far one is."""

from collections.abc import Callable
from typing import Any

from games.engine import View
from games.rules.yes.actions import share
from games.rules.yes.goals import DEAREST, MANY, Holdings, met
from games.rules.yes.tables import CASH_PRIZE, CONTINENTS, COUNTRIES, GOAL, REACH, TRACK, Country

FAR: dict[str, Callable[[Holdings], tuple[int, int]]] = {
    **{f"four_{place}": lambda own, place=place: (own.per_continent()[place], 4) for place in CONTINENTS},
    **{f"four_{good}": lambda own, good=good: (own.per_good()[good], 4) for good in ("tractor", "building", "factory")},
    "trio": lambda own: (sum(own.per_good()[good] > 0 for good in ("tractor", "building", "factory")), 3),
    "three_kinds": lambda own: (own.kinds(), 3),
    "two_alike": lambda own: (max((max(goods.values()) for goods in own.mixed()), default=0), 2),
    "four_kinds": lambda own: (own.kinds(), 4),
    "six_kinds": lambda own: (len(own.per_good()), 6),
    "two_pairs": lambda own: (own.pairs(), 2),
    "four_twos": lambda own: (sum(count >= 2 for count in own.per_continent().values()), 4),
    "seven_common": lambda own: (own.common(), 7),
    "five_rare": lambda own: (len(own.goods) - own.common(), 5),
    "nine_goods": lambda own: (len(own.goods), MANY),
    "most_goods": lambda own: (len(own.goods), max(MANY, own.others_most + 1)),
    "dearest": lambda own: (own.value, DEAREST),
    "wealth": lambda own: (own.cash + own.value, GOAL),
}
"""How much there is of what an objective asks, and how much it asks."""


def hints(view: View) -> dict[str, Any]:
    """Beside the view: all `countries` with their prices and owners; `goods` and `wealth` per seat; for the twelve
    `spaces` of the CASH track whom they would pay now, and how much each; how far the seen `objectives` are, per
    seat (None where they are hidden); the seat on the actor's `left`, and the one that carries out the `other` die.
    """
    owned = [[c for c in COUNTRIES if view["countries"].get(c.id) == seat] for seat in range(view["seats"])]
    return {
        "countries": [_country(country, view) for country in COUNTRIES],
        "goods": [len(own) for own in owned],
        "wealth": [
            cash + sum(country.price for country in own) for cash, own in zip(view["cash"], owned, strict=True)
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
    """A space, the seats with the most goods of its place or kind, how many that is, and what each would get."""
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
        have, need = FAR[objective](holdings)
        found.append({"id": objective, "have": min(have, need), "need": need, "met": objective in done})
    return found


def _left(view: View, seat: int) -> int:
    """The next seat to the left that is still in."""
    around = ((seat + step) % view["seats"] for step in range(1, view["seats"]))
    return next((other for other in around if other not in view["out"]), seat)
