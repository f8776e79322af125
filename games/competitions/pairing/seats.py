"""The order of seats: over a tournament nobody is first much more often than others (spec: tournaments.md, Seats)."""

from collections.abc import Iterable, Sequence

from games.competitions.pairing.plan import Result, Table
from games.engine import Chance

SHARE = 840  # a whole in parts that every size of table up to 8 divides


class Seats:
    """Counts how much more often than their share people sat in each seat, and orders tables by it."""

    def __init__(self, results: Iterable[Result]) -> None:
        self._over: dict[tuple[int, int], int] = {}
        for result in results:
            self._count(result.table)

    def ordered(self, tables: Sequence[Table], chance: Chance, matches: int = 1) -> list[Table]:
        """Return the tables with their people in the order of seats.

        Each seat in turn goes to whoever of the rest sat there least beyond their share; ties by chance. Where
        several matches are played and the seats move on, the first few are the first ones in turn.
        """
        numbers = sorted(number for table in tables for number in table)
        lots = dict(zip(numbers, chance.shuffle(len(numbers)), strict=True))
        return [self._order(table, lots, matches) for table in tables]

    def _order(self, table: Table, lots: dict[int, int], matches: int) -> Table:
        left, order = list(table), []
        for place in range(len(table)):
            seat = 0 if place < matches else place
            keys = {number: (self._over.get((number, seat), 0), lots[number]) for number in left}
            order.append(min(left, key=keys.__getitem__))
            left.remove(order[-1])
        return tuple(order)

    def _count(self, table: Table) -> None:
        for seat, number in enumerate(table if len(table) > 1 else ()):
            for other in table:
                self._over[other, seat] = self._over.get((other, seat), 0) - SHARE // len(table)
            self._over[number, seat] += SHARE


def rotated(table: Table, matches: int) -> list[Table]:
    """Return so many tables of the same people, each with the seats moved on by one."""
    turns = [match % len(table) for match in range(matches)]
    return [table[turn:] + table[:turn] for turn in turns]
