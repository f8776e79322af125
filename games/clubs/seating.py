"""Who sits at which table when one club plays another (spec: clubs.md, Club against club); knows no database."""

from collections.abc import Collection, Sequence

Pairs = Collection[frozenset[int]]
Order = list[int]
MOST_TRIED = 60_000  # changes of two places, or pairs, which take less than a second: the database waits meanwhile


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
        self.each, self.many = each, many
        self.left = MOST_TRIED
        self.foes: dict[int, set[int]] = {}  # from whom each is to be apart
        for one, other in (tuple(pair) for pair in apart):
            self.foes.setdefault(one, set()).add(other)
            self.foes.setdefault(other, set()).add(one)

    def ordered(self) -> tuple[Order, Order]:
        betters = bool(self.foes)
        while betters:
            clashing = [table for table in range(self.many) if self._of_table(table)]
            betters = sum(self._better(table) for table in clashing) > 0  # each of them once
        if self.each == 1 and any(self._of_table(table) for table in range(self.many)):
            self.left = MOST_TRIED
            self._match()
        return self.sides

    def _spends(self) -> bool:
        """Return whether one more may be tried."""
        self.left -= 1
        return self.left >= 0

    def _of_table(self, table: int) -> int:
        """Return how many pairs sit at this table that must not; none where nobody is seated."""
        if table >= self.many:
            return 0
        seated = [one for side in self.sides for one in side[table * self.each : (table + 1) * self.each]]
        return sum(len(self.foes[one].intersection(seated)) for one in seated if one in self.foes) // 2

    def _better(self, table: int) -> bool:
        """Change the places of two of a club, of whom one sits at this table, so that fewer clash, the nearest first.

        Return whether there were two.
        """
        seats = range(table * self.each, (table + 1) * self.each)
        for far in range(1, max(map(len, self.sides))):
            found = [
                (price, side, one, other)
                for side in self.sides
                for one in seats
                for other in (one + far, one - far)
                if 0 <= other < len(side) and other // self.each != table and self._spends()
                if (price := self._price(side, one, other))[0] < 0
            ]
            if found:
                _price, side, one, other = min(found, key=lambda change: change[0])
                side[one], side[other] = side[other], side[one]
                return True
        return False

    def _price(self, side: Order, one: int, other: int) -> tuple[int, int]:
        """Return how many more clash when these two have changed places, and how much further they sit from theirs."""
        tables = one // self.each, other // self.each
        before, near = sum(map(self._of_table, tables)), self._moved(side, one, other)
        side[one], side[other] = side[other], side[one]
        price = sum(map(self._of_table, tables)) - before, self._moved(side, one, other) - near
        side[one], side[other] = side[other], side[one]
        return price

    def _moved(self, side: Order, *places: int) -> int:
        return sum(abs(self.wished[side[place]] - place) for place in places)

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
        if self.left < 0:
            return False
        near = sorted(others, key=lambda other: abs(self.wished[other] - self.wished[one]))
        for other in near:
            if other in tried or other in self.foes.get(one, ()) or not self._spends():
                continue
            tried.add(other)
            if other not in held or self._seat(held[other], others, held, tried):
                held[other] = one
                return True
        return False
