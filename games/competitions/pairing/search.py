"""Exact searches, each with a budget of steps: a seating that keeps blocks, and the cheapest one of few people."""

from collections.abc import Sequence
from contextlib import suppress

from games.competitions.pairing.costs import Bins, Costs

STEPS = 20_000
LOOKS = 600_000  # at tables, in all divisions of one draw together: however many block one another, it takes no second


class Spent(Exception):
    """The budget of steps is used up."""


class Budget:
    """The looks that are left to all searches of one draw: a number, no time, so that a draw can be checked.

    None: as many as they take.
    """

    def __init__(self, looks: int | None = LOOKS) -> None:
        self.left = looks

    def spend(self, looks: int) -> None:
        """Take off so many. Spent."""
        if self.left is None:
            return
        self.left -= looks
        if self.left < 0:
            raise Spent


class Apart:
    """Looks for a division of people into bins in which nobody sits with whom they must not.

    Only who is kept apart from somebody matters: the rest fill up what is free.
    """

    def __init__(self, capacity: Sequence[int], bench: int, apart: Sequence[set[int]], budget: Budget) -> None:
        self.capacity, self.bench, self.apart, self.budget = capacity, bench, apart, budget
        self.bins: Bins = [[] for _ in capacity]
        self.people = sorted((p for p, kept in enumerate(apart) if kept), key=lambda p: -len(apart[p]))
        self.steps = 0

    def found(self) -> Bins | None:
        """Return a division of all people; None when there is none, or none was found in time."""
        try:
            if not self._seat(0):
                return None
        except Spent:
            return None
        free = [person for person, kept in enumerate(self.apart) if not kept]
        for seated, size in zip(self.bins, self.capacity, strict=True):
            while len(seated) < size:
                seated.append(free.pop(0))
        return self.bins

    def _seat(self, index: int) -> bool:
        if index == len(self.people):
            return True
        self.steps += 1
        if self.steps > STEPS:
            raise Spent
        self.budget.spend(len(self.bins))
        person, kept, tried = self.people[index], self.apart[self.people[index]], set()
        for at, seated in enumerate(self.bins):
            alike = (self.capacity[at], at == self.bench, frozenset(seated))
            if alike in tried or len(seated) == self.capacity[at]:
                continue
            tried.add(alike)
            if at == self.bench or kept.isdisjoint(seated):
                seated.append(person)
                if self._seat(index + 1):
                    return True
                seated.pop()
        return False


class Cheapest:
    """Looks for the cheapest division of few people: each in turn to every bin, what is dearer is cut off."""

    def __init__(self, bins: Bins, bench: int, costs: Costs) -> None:
        self.bench, self.costs = bench, costs
        self.capacity = [len(seated) for seated in bins]
        self.people = sum(self.capacity)
        self.best, self.price = [list(seated) for seated in bins], costs.whole(bins, bench)
        self.bins: Bins = [[] for _ in bins]
        self.steps = 0

    def found(self) -> Bins:
        """Return the cheapest division; the best that was found, once the steps are used up."""
        with suppress(Spent):
            self._seat(0, 0)
        return self.best

    def _seat(self, person: int, price: int) -> None:
        if price >= self.price:
            return
        if person == self.people:
            self.best, self.price = [list(seated) for seated in self.bins], price
            return
        self.steps += 1
        if self.steps > STEPS:
            raise Spent
        for more, at in sorted(self._choices(person)):
            self.bins[at].append(person)
            self._seat(person + 1, price + more)
            self.bins[at].pop()

    def _choices(self, person: int) -> list[tuple[int, int]]:
        """Return what the person costs in each bin with a free place; of empty ones of a size the first."""
        found, empty = [], set()
        for at, seated in enumerate(self.bins):
            if len(seated) == self.capacity[at] or (not seated and at != self.bench and self.capacity[at] in empty):
                continue
            if not seated and at != self.bench:
                empty.add(self.capacity[at])
            found.append((self.costs.bench[person] if at == self.bench else self.costs.of(person, seated), at))
        return found
