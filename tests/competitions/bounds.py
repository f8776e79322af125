"""What no draw can do better: the largest number of meetings of two at a table, and byes."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial

from games.competitions.pairing import Plan, Result, Table
from tests.competitions import naive

EXHAUSTED = 8
"""Up to so many people all byes are tried."""
WAYS = 20_000
"""Up to so many divisions, all are looked at."""
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
    """By how much the largest number of former meetings at a table is above what must be, for these sizes.

    What must be: by pigeonholes; where that leaves more than one, the least of all divisions, if they are few.
    """
    found = worst(tables, before) - _pigeonholes(tables, before, apart)
    people, sizes = [number for table in tables for number in table], [len(table) for table in tables]
    if found > 1 and _ways(sizes) <= WAYS:
        ways = naive.divided(people, sizes)
        return worst(tables, before) - min(worst(way, before) for way in ways if kept(way, apart))
    return found


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


def _ways(sizes: Sequence[int]) -> int:
    """In how many ways people can be divided over tables of these sizes."""
    found = factorial(sum(sizes))
    for size, tables in Counter(sizes).items():
        found //= factorial(size) ** tables * factorial(tables)
    return found


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
