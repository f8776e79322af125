"""What no draw can do better: the largest number of meetings of two at a table, and byes."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from games.competitions.pairing import Plan, Result, Table
from tests.competitions import naive

EXHAUSTED = 8
"""Up to so many people all byes are tried."""
Pairs = Collection[frozenset[int]]


def met(results: Iterable[Result]) -> Counter[frozenset[int]]:
    """In how many rounds two sat together: the matches of a group in a round are one meeting."""
    tables = {(result.round, frozenset(result.table)) for result in results}
    return Counter(frozenset(pair) for _, table in tables for pair in combinations(table, 2))


def worst(tables: Iterable[Table], before: Counter[frozenset[int]]) -> int:
    """The largest number of former meetings of two who sit together."""
    return max((before[frozenset(pair)] for table in tables for pair in combinations(table, 2)), default=0)


def first_beyond_share(results: Iterable[Result]) -> Fraction:
    """By how much whoever was first in the order of seats most often is above their share of all tables."""
    over: dict[int, Fraction] = {}
    for result in results:
        for seat, number in enumerate(result.table if len(result.table) > 1 else ()):
            over[number] = over.get(number, Fraction(0)) + (seat == 0) - Fraction(1, len(result.table))
    return max(over.values(), default=Fraction(0))


def kept(tables: Iterable[Table], apart: Pairs) -> bool:
    """Nobody sits with whom they must not."""
    return not any(frozenset(pair) in apart for table in tables for pair in combinations(table, 2))


def needless(tables: Sequence[Table], before: Counter[frozenset[int]], apart: Pairs) -> int:
    """By how much the largest number of former meetings at a table is above what must be, for these sizes and byes.

    Exact up to 1: whoever is not within one of what must be by pigeonholes is compared with all divisions.
    """
    found = worst(tables, before)
    if found - _pigeonholes(tables, before, apart) <= 1:
        return 1
    seated = [table for table in tables if len(table) > 1]
    people = [number for table in seated for number in table]
    pairs = map(frozenset, combinations(people, 2))
    allowed = {pair for pair in pairs if before[pair] < found - 1 and pair not in apart}
    return 2 if divisible(people, [len(table) for table in seated], allowed) else 1


def divisible(people: Sequence[int], sizes: Sequence[int], allowed: Pairs) -> bool:
    """Whether people can be divided over tables of these sizes so that only allowed pairs sit together."""
    friends = {one: {other for other in people if frozenset((one, other)) in allowed} for one in people}

    def circles(candidates: set[int], count: int) -> Iterator[frozenset[int]]:
        if count == 0:
            yield frozenset()
        for one in sorted(candidates):
            if len(candidates) < count:
                return
            candidates = candidates - {one}
            for others in circles(candidates & friends[one], count - 1):
                yield others | {one}

    def seatable(left: frozenset[int], open_sizes: tuple[int, ...]) -> bool:
        if not left:
            return True
        one = min(left, key=lambda number: (len(friends[number] & left), number))
        for size in sorted(set(open_sizes)):
            rest = list(open_sizes)
            rest.remove(size)
            for others in circles(friends[one] & left, size - 1):
                if seatable(left - others - {one}, tuple(rest)):
                    return True
        return False

    return seatable(frozenset(people), tuple(sizes))


def _pigeonholes(tables: Sequence[Table], before: Counter[frozenset[int]], apart: Pairs) -> int:
    """With k others, somebody sits at least with the one whom they met k-th most seldom.

    Those for whom that is worst could have the byes, and are left out.
    """
    people = [number for table in tables for number in table]
    byes = sum(len(table) == 1 for table in tables)
    others = min(len(table) for table in tables if len(table) > 1) - 1
    needed = []
    for one in people:
        pairs = [frozenset((one, other)) for other in people if other != one]
        free = sorted(before[pair] for pair in pairs if pair not in apart)
        needed.append(free[others - 1] if len(free) >= others else 0)
    return sorted(needed)[-1 - byes]


def fewest_byes(people: Sequence[int], plan: Plan, apart: Pairs) -> int:
    """The fewest byes with which nobody sits with whom they must not, by trying everything; all: no table at all."""
    for byes in range(len(people) + 1):
        for rested in combinations(people, byes):
            left = [one for one in people if one not in rested]
            if any_division(left, plan, apart):
                return byes
    return len(people)


def any_division(people: list[int], plan: Plan, apart: Pairs) -> bool:
    """Whether these can all sit somewhere."""
    if not people:
        return False

    def seatable(left: list[int]) -> bool:
        if not left:
            return True
        for size in range(plan.least, min(plan.most, len(left)) + 1):
            for others in naive.chosen(left[1:], size - 1):
                table = (left[0], *others)
                if kept([table], apart) and seatable([one for one in left if one not in table]):
                    return True
        return False

    return seatable(people)
