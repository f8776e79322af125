"""A view of ¥€$ as the bots weigh it: what changes for its seat if cards and money move."""

from collections.abc import Sequence

from games.engine import View
from games.rules.yes.outlook import worth
from games.rules.yes.tables import (
    CASH_PRIZE,
    COUNTRIES,
    COUNTRY,
    OBJECTIVES,
    REACH,
    RED,
    STEP,
    TRACK,
    Country,
)

SHORTFALL = 0.12
"""What each 100 000 that one cannot pay costs, beside the cash."""


class Sight:
    """What a seat knows. Cards are counted by their index in the table."""

    def __init__(self, view: View) -> None:
        self.view = view
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
        """What it is worth to have those goods and that much money; owing is worse than having nothing."""
        debt = max(0, -money) / 100_000
        return worth(self.objectives, goods, max(0, money), self.most) - SHORTFALL * debt

    def with_cash(self, change: int) -> float:
        return self.value(self.mine, self.money + change)

    def with_good(self, index: int, cost: int = 0) -> float:
        return self.value([*self.mine, index], self.money - cost)

    def without(self, index: int, gain: int = 0) -> float:
        return self.value([other for other in self.mine if other != index], self.money + gain)

    def swapped(self, give: int, take: int) -> float:
        return self.value([*(other for other in self.mine if other != give), take], self.money)

    def with_objective(self, old: str, cost: int = 0) -> float:
        """What it is worth to put an objective back, over all that may come for it."""
        [kept] = [objective for objective in self.objectives if objective != old]
        unseen = [each for each in OBJECTIVES if each not in self.objectives]
        money = self.money - cost
        return sum(worth((kept, new), self.mine, money, self.most) for new in unseen) / len(unseen)

    def share_of_rivals(self) -> float:
        """How much it hurts what a rival gains: the more, the fewer they are."""
        return 0.9 / max(1, len(self.rivals))

    def pays(self, steps: int, without_me: bool = False) -> dict[int, int]:
        """Whom the space so many steps ahead pays how much; space 0 pays None, the mover, as seat -1."""
        space = (self.view["marker"] + steps) % len(TRACK)
        if not space:
            return {-1: CASH_PRIZE}
        name = TRACK[space]
        counts = [0] * self.view["seats"]
        for index, owner in self.owners.items():
            country = COUNTRIES[index]
            if name in (country.continent, country.good) and not (without_me and owner == self.me):
                counts[owner] += 1
        most = max(counts)
        best = [seat for seat, count in enumerate(counts) if count == most] if most else []
        return {seat: CASH_PRIZE // len(best) // STEP * STEP for seat in best}

    def gain_of(self, steps: int, mover_is_me: bool = True) -> float:
        """What it brings to see the marker moved so many steps."""
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
"""What 100 000 are worth to a rival."""


def gamble_prices(country: Country) -> list[int]:
    """What the six faces of the red die would make a card cost."""
    return [*RED, 2 * country.price]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
