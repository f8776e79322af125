"""Betters an arrangement by exchanging two people at a time for as long as it gets cheaper."""

from collections.abc import Callable, Iterable, Iterator

from games.competitions.pairing.costs import Bins, Costs
from games.engine import Chance

WHOLE = 48  # up to so many people everybody is tried with everybody
WINDOW = 3  # else with those at so many tables further on, unless somebody is in trouble
PASSES = 12
DEAREST = 6  # people of whom one is moved out of a dead end


class Exchange:
    """An arrangement that is being bettered; `bins` is changed in place."""

    def __init__(self, bins: Bins, bench: int, costs: Costs) -> None:
        self.bins, self.bench, self.costs = bins, bench, costs
        self.where = {person: at for at, seated in enumerate(bins) for person in seated}
        self.price: dict[int, int] = {}
        for at in range(len(bins)):
            self._reprice(at)

    def run(self) -> None:
        """Exchange until nothing gets cheaper, or the passes are used up."""
        for _ in range(PASSES):
            found = self._pass(self._troubled(), self._everybody)
            found |= self._pass(self.where, self._everybody if len(self.where) <= WHOLE else self._close)
            if not found:
                return

    def kick(self, chance: Chance) -> None:
        """Move one of the dearest people out of a dead end, to a table by chance, and somebody from there back."""
        dearest = sorted(self.where, key=lambda person: -self.price[person])[:DEAREST]
        person = dearest[chance.roll(1, len(dearest))[0] - 1]
        partners = list(self._everybody(person))
        if partners:
            self._swap(person, partners[chance.roll(1, len(partners))[0] - 1])

    def _pass(self, people: Iterable[int], partners: Callable[[int], Iterator[int]]) -> bool:
        """Make the best exchange for each of these people; return whether any was made."""
        found = False
        for person in list(people):
            other = self._best(person, partners(person))
            if other is not None:
                self._swap(person, other)
                found = True
        return found

    def _troubled(self) -> list[int]:
        return [person for person in self.where if self.price[person] >= self.costs.trouble]

    def _everybody(self, person: int) -> Iterator[int]:
        at = self.where[person]
        for index, seated in enumerate(self.bins):
            if index != at:
                yield from seated

    def _close(self, person: int) -> Iterator[int]:
        at = self.where[person]
        for seated in self.bins[at + 1 : at + 1 + WINDOW]:
            yield from seated

    def _best(self, person: int, partners: Iterable[int]) -> int | None:
        """Return with whom an exchange saves most; None when none saves anything."""
        best, found = 0, None
        for other in partners:
            saved = self.price[person] + self.price[other]
            if saved <= best:
                continue
            saved -= self._at(person, self.where[other], other)
            if saved <= best:
                continue
            saved -= self._at(other, self.where[person], person)
            if saved > best:
                best, found = saved, other
        return found

    def _at(self, person: int, at: int, without: int) -> int:
        if at == self.bench:
            return self.costs.bench[person]
        return self.costs.of(person, self.bins[at], without)

    def _swap(self, one: int, other: int) -> None:
        here, there = self.where[one], self.where[other]
        self.bins[here][self.bins[here].index(one)] = other
        self.bins[there][self.bins[there].index(other)] = one
        self.where[one], self.where[other] = there, here
        self._reprice(here)
        self._reprice(there)

    def _reprice(self, at: int) -> None:
        for person in self.bins[at]:
            self.price[person] = self._at(person, at, -1)
