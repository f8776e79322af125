"""What no draw can do better: the largest number of meetings of two at a table, and byes."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from games.competitions.pairing import Plan, Result, Table
from tests.competitions import naive

EXHAUSTED = 8
"""Up to so many people all divisions are looked at."""
Pairs = Collection[frozenset[int]]


def met(results: Iterable[Result]) -> Counter[frozenset[int]]:
    """How often two sat together."""
    return Counter(frozenset(pair) for result in results for pair in combinations(result.table, 2))


def worst(tables: Iterable[Table], before: Counter[frozenset[int]]) -> int:
    """The largest number of former meetings of two who sit together."""
    return max((before[frozenset(pair)] for table in tables for pair in combinations(table, 2)), default=0)


def kept(tables: Iterable[Table], apart: Pairs) -> bool:
    """Nobody sits with whom they must not."""
    return not any(frozenset(pair) in apart for table in tables for pair in combinations(table, 2))


def least_worst(tables: Sequence[Table], before: Counter[frozenset[int]], apart: Pairs) -> int:
    """A number that `worst` cannot be below for these people and these sizes.

    For few people and no byes, the least of all divisions. Otherwise by pigeonholes: with k others somebody
    sits at least with the one whom they met k-th most seldom. Who could have the bye is left out.
    """
    people = [number for table in tables for number in table]
    byes = sum(len(table) == 1 for table in tables)
    if len(people) <= EXHAUSTED and not byes:
        ways = naive.divided(people, [len(table) for table in tables])
        return min(worst(way, before) for way in ways if kept(way, apart))
    others = min(len(table) for table in tables if len(table) > 1) - 1
    needed = []
    for one in people:
        pairs = [frozenset((one, other)) for other in people if other != one]
        free = [before[pair] for pair in pairs if pair not in apart]
        needed.append(sorted(free)[others - 1] if len(free) >= others else 0)
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
