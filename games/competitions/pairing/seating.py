"""Divides a party of people over tables: a good start, exchanges, and exact search where that does not do."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from games.competitions.pairing.costs import Bins, Costs, prices
from games.competitions.pairing.exchange import Exchange
from games.competitions.pairing.plan import Result, Table
from games.competitions.pairing.search import LOOKS, Apart, Budget, Cheapest
from games.competitions.pairing.sizes import divisions
from games.engine import Chance

FEW = 12  # up to so many people the cheapest arrangement is searched for exactly
SOME = 64  # up to so many, an arrangement in which some meet again is disturbed and bettered anew so often:
KICKS = 12
EVERY = 16  # up to so many, every division is tried where blocks leave no better one; of more
TRIES, LEAST_TRIES = 40, 3  # so many, and fewer the more people there are
CROWDS = 3  # people from whom on those are looked for who all block one another


@dataclass(frozen=True)
class Party:
    """Who is to be seated, and what is known of them."""

    people: Sequence[int]
    """Entrant numbers, the best first; ties are broken."""
    level: Sequence[int] | None
    """Where each stands, for tables of neighbours; None: strength, in the order of `people`, is spread."""
    seeded: bool
    """Spread by the order alone, not by chance within a pot."""
    rest: Sequence[int]
    """For each person: who has a bye sooner (the lowest first)."""
    met: Mapping[int, Mapping[int, int]]
    """How often two sat together."""
    byes: Mapping[int, int]
    """How many byes somebody had."""
    apart: Mapping[int, set[int]]
    """Who is never seated with whom."""
    even: int = 0
    """Above 0: that all meet is worth more than that nobody meets often, the smaller the more."""


def meetings(results: Iterable[Result]) -> dict[int, dict[int, int]]:
    """Return how often each entrant sat at a table with each other; voided tables count."""
    found: dict[int, dict[int, int]] = {}
    for result in results:
        table = result.table
        for one in table:
            own = found.setdefault(one, {})
            for other in table:
                if other != one:
                    own[other] = own.get(other, 0) + 1
    return found


def byes_had(results: Iterable[Result]) -> dict[int, int]:
    """Return how many byes each entrant had, of those who had any."""
    found: dict[int, int] = {}
    for result in results:
        if len(result.places) == 1:
            found[result.places[0][0]] = found.get(result.places[0][0], 0) + 1
    return found


def kept_apart(apart: Iterable[frozenset[int]]) -> dict[int, set[int]]:
    """Return, for each entrant whom it concerns, with whom they are never seated."""
    found: dict[int, set[int]] = {}
    for pair in apart:
        for one in pair:
            found.setdefault(one, set()).update(pair - {one})
    return found


def seat(party: Party, seats: int, least: int, most: int, chance: Chance) -> list[Table]:
    """Return tables for everybody, byes as tables of one at the end; empty when no table at all is possible.

    Nobody sits with whom they are kept apart from: other sizes are tried for it, and then byes.
    """
    people = len(party.people)
    lonely, crowd, budget = _lonely(party, least), _crowd(party), Budget(None if people <= EVERY else LOOKS)
    kinds = (
        (byes, sizes)
        for byes, sizes in divisions(people, seats, least, most)
        if byes >= lonely and byes + len(sizes) >= crowd
    )
    for byes, sizes in (
        kinds if people <= EVERY else islice(kinds, max(LEAST_TRIES, min(TRIES, TRIES * SOME // people)))
    ):
        bins = Arrangement(party, byes, sizes, chance, budget).found()
        if bins is not None:
            return _tables(party, bins[: len(sizes)], [person for rested in bins[len(sizes) :] for person in rested])
    return _scraped(party, seats, least)


def _lonely(party: Party, least: int) -> int:
    """Return how many cannot but have a bye: there are too few whom they may sit with."""
    present = set(party.people)
    free = (len(present) - 1 - len(party.apart.get(number, set()) & present) for number in present)
    return sum(others < least - 1 for others in free)


def _crowd(party: Party) -> int:
    """Return how many are found who all block one another: each needs a table without the others, or a bye."""
    present = set(party.people)
    kept = {number: party.apart.get(number, set()) & present for number in party.people}
    largest = 1
    for first in sorted(present, key=lambda number: (-len(kept[number]), number))[:CROWDS]:
        crowd, left = 1, set(kept[first])
        while left:
            nearest = max(left, key=lambda number: (len(kept[number] & left), number))
            crowd, left = crowd + 1, left & kept[nearest]
        largest = max(largest, crowd)
    return largest


def _scraped(party: Party, seats: int, least: int) -> list[Table]:
    """Return tables of whoever can sit together, one after the other, for a large party almost all of whom cannot."""
    left, tables, rested = list(range(len(party.people))), [], []
    while left:
        table = [left.pop(0)]
        for person in list(left):
            kept = party.apart.get(party.people[person], set())
            if len(table) < seats and not any(party.people[other] in kept for other in table):
                table.append(person)
                left.remove(person)
        if len(table) >= least:
            tables.append(table)
        else:
            rested += table
    return _tables(party, tables, rested)


def _tables(party: Party, seated: Bins, rested: Sequence[int]) -> list[Table]:
    """Return the numbers for indexes, who is best in front; nothing when nobody sits with anybody."""
    tables = sorted(sorted(table) for table in seated)
    found = [tuple(party.people[person] for person in table) for table in tables]
    return found + [(party.people[person],) for person in sorted(rested)] if found else []


class Arrangement:
    """One division of a party over tables of given sizes; people are indexes into it."""

    def __init__(self, party: Party, byes: int, sizes: Sequence[int], chance: Chance, budget: Budget) -> None:
        self.party, self.byes, self.sizes, self.chance, self.budget = party, byes, sizes, chance, budget
        self.people = range(len(party.people))
        self.index = {number: index for index, number in enumerate(party.people)}
        self.bench = len(sizes) if byes else -1
        self.apart = [self._indexes(party.apart.get(number, ())) for number in party.people]

    def found(self) -> Bins | None:
        """Return the bins, the bench last if there is one; None when somebody would sit with whom they must not."""
        bins, level = self._start()
        costs = self._costs(level)
        Exchange(bins, self.bench, costs).run()
        price = costs.whole(bins, self.bench)
        if price >= costs.block:
            feasible = Apart([len(seated) for seated in bins], self.bench, self.apart, self.budget).found()
            if feasible is None:
                return None
            bins = feasible
            Exchange(bins, self.bench, costs).run()
            price = costs.whole(bins, self.bench)
        return self._better(bins, costs) if price >= costs.trouble else bins

    def _better(self, bins: Bins, costs: Costs) -> Bins:
        """Return an arrangement at most as dear, where some meet again: the cheapest, or after further tries."""
        if len(self.people) <= FEW:
            return Cheapest(bins, self.bench, costs).found()
        found, best = bins, costs.whole(bins, self.bench)
        for _ in range(KICKS if len(self.people) <= SOME else 0):
            other = Exchange([list(seated) for seated in found], self.bench, costs)
            other.kick(self.chance)
            other.run()
            price = costs.whole(other.bins, self.bench)
            if price < best:
                found, best = other.bins, price
        return found

    def _start(self) -> tuple[Bins, Sequence[int]]:
        """Return a good arrangement that knows nothing of blocks and meetings, and where each person is."""
        rested = self._rested()
        seated = [person for person in self.people if person not in rested]
        if self.party.level is not None:
            bins, level = self._neighbours(seated), self.party.level
        else:
            bins, level = self._spread(seated)
        return bins + ([sorted(rested)] if self.byes else []), level

    def _rested(self) -> set[int]:
        def sooner(person: int) -> tuple[int, int]:
            return self.party.byes.get(self.party.people[person], 0), self.party.rest[person]

        return set(sorted(self.people, key=sooner)[: self.byes])

    def _neighbours(self, seated: Sequence[int]) -> Bins:
        order = iter(seated)
        return [[next(order) for _ in range(size)] for size in self.sizes]

    def _spread(self, seated: Sequence[int]) -> tuple[Bins, list[int]]:
        """Give each table one of each pot: the best are the first pot, and so on."""
        bins: Bins = [[] for _ in self.sizes]
        level = [person * max(self.sizes) // len(self.people) for person in self.people]
        order, lots = iter(seated), self.chance.shuffle(len(self.people))
        for pot in range(max(self.sizes)):
            room = [table for table, size in zip(bins, self.sizes, strict=True) if size > pot]
            drawn = [next(order) for _ in room]
            if not self.party.seeded:
                drawn.sort(key=lots.__getitem__)
            elif pot % 2:
                drawn.reverse()
            for table, person in zip(room, drawn, strict=True):
                table.append(person)
                level[person] = pot
        return bins, level

    def _costs(self, level: Sequence[int]) -> Costs:
        party = self.party
        span = max(level) + 1
        near = [distance * distance for distance in range(span)]
        if party.level is None:
            near = [span * span - square for square in near]
            near[0] += span * span
        met = [self._met(party.met.get(number, {})) for number in party.people]
        byes = [party.byes.get(number, 0) for number in party.people]
        pairs = sum(size * (size - 1) // 2 for size in self.sizes)
        return prices(
            met=met, apart=self.apart, byes=byes, rest=party.rest, level=level, near=near, pairs=pairs, even=party.even
        )

    def _met(self, counts: Mapping[int, int]) -> dict[int, int]:
        return {self.index[other]: count for other, count in counts.items() if other in self.index}

    def _indexes(self, numbers: Iterable[int]) -> set[int]:
        return {self.index[number] for number in numbers if number in self.index}
