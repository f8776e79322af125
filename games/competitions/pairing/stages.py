"""Groups and knock-out: who goes on, and in how many rounds one table remains (spec: tournaments.md, Groups)."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from games.competitions.pairing.plan import Entrant, Plan, Result, Table
from games.competitions.pairing.sizes import best_division
from games.competitions.pairing.standing import standings


def going_on(plan: Plan, table: Table | int) -> int:
    """Return how many of a table (or of a table of so many) go on: at least one stays behind, and one goes on."""
    size = table if isinstance(table, int) else len(table)
    if size == 1:
        return 1
    return max(1, min(plan.advance or size // 2, size - 1))


def qualified(
    plan: Plan, field: Collection[Entrant], results: Sequence[Result], entrants: Iterable[Entrant]
) -> list[int]:
    """Return the numbers of those who play the next round, the best so far first; fewer than two: it is over.

    `field` are the people still there, `entrants` everybody whom a result names.
    """
    last = max(result.round for result in results)
    tables = {frozenset(result.table) for result in results if result.round == last}
    if len(tables) == 1:
        return []
    order = [line.number for line in standings(plan, entrants, results)]
    present = {entrant.number for entrant in field}
    named = {number for table in tables for number in _best(plan, table, order)}
    chosen = named & present
    waiting = [n for n in order if n in present - named and any(n in table for table in tables)]
    wanted = _filled(plan, len(chosen), len(named))
    chosen.update(waiting[: wanted - len(chosen)])
    return [number for number in order if number in chosen]


@lru_cache(maxsize=4096)
def most_rounds(plan: Plan, people: int) -> int:
    """Return the most rounds that so many people, or fewer as some withdraw, can take until one table is left."""
    return max((_rounds(plan, count) for count in range(2, people + 1)), default=0)


@lru_cache(maxsize=4096)
def _rounds(plan: Plan, people: int) -> int:
    found = best_division(people, plan.seats, plan.least, plan.most)
    if found is None:
        return 0
    byes, sizes = found
    if not byes and len(sizes) == 1:
        return 1
    left = byes + sum(going_on(plan, size) for size in sizes)
    return 1 + most_rounds(plan, _filled(plan, left, left))


def _best(plan: Plan, table: frozenset[int], order: Sequence[int]) -> list[int]:
    own = [number for number in order if number in table]
    return own[: going_on(plan, len(own))]


def _filled(plan: Plan, left: int, named: int) -> int:
    """Return how many are to play the next round, where `left` of `named` are still there.

    Who withdrew is replaced where a bye would be needed otherwise; and there are enough for one table.
    """
    full = next((count for count in range(left, named + 1) if _divides(plan, count)), left)
    return max(full, plan.least) if named > 1 else full


def _divides(plan: Plan, count: int) -> bool:
    found = best_division(count, plan.seats, plan.least, plan.most)
    return found is not None and found[0] == 0
