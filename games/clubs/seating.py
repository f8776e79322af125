"""Who sits at which table when one club plays another (spec: clubs.md, Club against club); knows no database."""

from collections.abc import Collection, Sequence

Pairs = Collection[frozenset[int]]
Order = list[int]
MOST_EXCHANGES = 400  # so that a line-up of which nothing can be bettered is given up


def tables(sides: tuple[Sequence[int], Sequence[int]], each: int, most: int, first: int, apart: Pairs) -> list[Order]:
    """Return who sits at each table, in the order of seats; the seats alternate between the two sides.

    `each` of both sit at a table, the first of each line-up at the first; `first` is the side that has the first seat
    there, which alternates from table to table. The shorter line-up says how many tables there are, `most` at most.
    Pairs that are to be `apart` are not seated together if another order of the line-ups avoids it, as near to the
    one given as an exchange of two at a time comes; else they are.
    """
    many = min(most, *(len(side) // each for side in sides))
    if many == 0:
        return []
    ordered = _Line(sides, each, many, apart).ordered()
    found = []
    for table in range(many):
        own = [side[table * each : (table + 1) * each] for side in ordered]
        begins = (first + table) % 2
        found.append([one for seated in zip(own[begins], own[1 - begins], strict=True) for one in seated])
    return found


class _Line:
    """Two line-ups, of which two at a time change places until nobody sits with whom they must not."""

    def __init__(self, sides: tuple[Sequence[int], Sequence[int]], each: int, many: int, apart: Pairs) -> None:
        self.sides: tuple[Order, Order] = (list(sides[0]), list(sides[1]))
        self.wished = {one: place for side in sides for place, one in enumerate(side)}
        self.each, self.many, self.apart = each, many, apart

    def ordered(self) -> tuple[Order, Order]:
        for _exchange in range(MOST_EXCHANGES if self.apart else 0):
            if not self._clashes() or not self._exchange():
                break
        if self._clashes() and self.each == 1:
            self._match()
        return self.sides

    def _clashes(self) -> int:
        return sum(self._of_table(table) for table in range(self.many))

    def _of_table(self, table: int) -> int:
        """Return how many pairs sit at this table that must not."""
        seated = {one for side in self.sides for one in side[table * self.each : (table + 1) * self.each]}
        return sum(pair <= seated for pair in self.apart)

    def _exchange(self) -> bool:
        """Change the places of two of a club by which the fewest clash, who move least; return whether it betters."""
        now, best = self._clashes(), None
        for side in self.sides:
            seated = range(min(len(side), self.many * self.each))
            for one in seated:
                for other in range(one + 1, len(side)):
                    if one // self.each == other // self.each:
                        continue
                    side[one], side[other] = side[other], side[one]
                    price = (self._clashes(), self._moved())
                    if price[0] < now and (best is None or price < best[0]):
                        best = price, side, one, other
                    side[one], side[other] = side[other], side[one]
        if best is None:
            return False
        _price, side, one, other = best
        side[one], side[other] = side[other], side[one]
        return True

    def _moved(self) -> int:
        return sum(abs(self.wished[one] - place) for side in self.sides for place, one in enumerate(side))

    def _match(self) -> None:
        """Find with whom each of the first side sits, two at a table, by augmenting paths: all apart if it can be."""
        own, others = self.sides
        held: dict[int, int] = {}  # who of the first side sits with this one of the other
        seated = 0
        for one in own:
            seated += self._seat(one, others, held, set())
            if seated == self.many:
                break
        if seated < self.many:
            return
        with_whom = {one: other for other, one in held.items()}
        first = sorted(with_whom, key=self.wished.__getitem__)
        for side, chosen in ((own, first), (others, [with_whom[one] for one in first])):
            side[:] = chosen + [one for one in side if one not in set(chosen)]

    def _seat(self, one: int, others: Order, held: dict[int, int], tried: set[int]) -> bool:
        near = sorted(others, key=lambda other: abs(self.wished[other] - self.wished[one]))
        for other in near:
            if other in tried or frozenset((one, other)) in self.apart:
                continue
            tried.add(other)
            if other not in held or self._seat(held[other], others, held, tried):
                held[other] = one
                return True
        return False
