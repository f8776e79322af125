"""The rules of tournaments once more, as plainly as can be and without a look at how the engine does it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache

from games.competitions.pairing import Entrant, Plan, Result


def keys(result: Result) -> dict[int, tuple[bool, int]]:
    """The smaller is better: who was away comes after all others."""
    return {number: (number in result.away, rank) for number, rank, _ in result.places}


def gained(result: Result) -> dict[int, Fraction]:
    """The points of a table: the positions in order from n - 1 to 0, level ones get the mean, brought to 0 … 100."""
    if result.void:
        return dict.fromkeys(result.table, Fraction(0))
    if len(result.table) == 1:
        return dict.fromkeys(result.table, Fraction(50))
    own = keys(result)
    order = sorted(own.values())
    last, found = len(order) - 1, {}
    for number, key in own.items():
        worth = [last - at for at, other in enumerate(order) if other == key]
        found[number] = Fraction(100 * sum(worth), len(worth) * last)
    return found


def position(result: Result, number: int) -> int:
    """1 for the best; level ones share the better."""
    return 1 + sorted(keys(result).values()).index(keys(result)[number])


def standing(plan: Plan, entrants: Iterable[Entrant], results: Sequence[Result]) -> list[int]:
    """The numbers, the best first: whoever is level by one rule is parted by the next."""
    entrants, mine = list(entrants), defaultdict(list)
    for result in results:
        for number in result.table:
            mine[number].append(result)
    counted = {e.number: [r for r in mine[e.number] if not r.void and len(r.table) > 1] for e in entrants}
    for number in mine:
        counted.setdefault(number, [r for r in mine[number] if not r.void and len(r.table) > 1])

    def mean(values: Iterable[Fraction]) -> Fraction:
        values = list(values)
        return sum(values, Fraction(0)) / len(values) if values else Fraction(0)

    @cache
    def average(number: int) -> Fraction:
        return mean(gained(r)[number] for r in counted[number])

    def stage(number: int) -> int:
        return max((r.round for r in mine[number]), default=0)

    def part(number: int) -> Fraction:
        parts = []
        for r in counted[number]:
            scores = {who: score for who, _, score in r.places}
            if None not in scores.values() and sum(scores.values()) > 0:
                parts.append(Fraction(scores[number], sum(scores.values())))
        return mean(parts)

    def duels(number: int, level: Sequence[int]) -> int:
        found = 0
        for r in counted[number]:
            for other in set(level) & set(r.table) - {number}:
                found += (keys(r)[number] < keys(r)[other]) - (keys(r)[number] > keys(r)[other])
        return found

    staged = plan.format in ("groups", "knockout")
    lots = {e.number: (e.lot, e.number) for e in entrants}
    rules: list[Callable[[int, Sequence[int]], object]] = [
        lambda n, _: -stage(n) if staged else 0,
        lambda n, _: -sum(gained(r)[n] for r in mine[n] if r.round == stage(n)) if staged else 0,
        lambda n, _: -sum(gained(r)[n] for r in mine[n]),
        *(lambda n, _, p=p: -sum(position(r, n) == p for r in counted[n]) for p in range(1, 9)),
        lambda n, level: -duels(n, level),
        lambda n, _: -mean(mean(average(o) for o in r.table if o != n) for r in counted[n]),
        lambda n, _: -part(n),
        lambda n, _: lots[n],
    ]
    # Rules that do not look at the group can be asked one after the other; each only parts who is level.
    groups = [[e.number for e in entrants]]
    for rule in rules:
        groups = [part_ for group in groups for part_ in parted(group, rule)]
    assert all(len(group) == 1 for group in groups)
    return [group[0] for group in groups]


def parted(group: list[int], rule: Callable[[int, Sequence[int]], object]) -> list[list[int]]:
    """The group by the rule, level ones together."""
    if len(group) == 1:
        return [group]
    found = defaultdict(list)
    for number in group:
        found[rule(number, group)].append(number)
    return [found[key] for key in sorted(found)]


@cache
def least_off(people: int, seats: int, least: int, most: int) -> tuple[int, int] | None:
    """How far tables must be from `seats`: the worst one, and all together; None: impossible."""
    for worst in range(9):
        allowed = [size for size in range(least, most + 1) if abs(size - seats) <= worst]
        best: list[int | None] = [0]
        for total in range(1, people + 1):
            ways = [best[total - s] + abs(s - seats) for s in allowed if s <= total and best[total - s] is not None]
            best.append(min(ways, default=None))
        if people and best[people] is not None:
            return worst, best[people]
    return None


def fewest_byes(people: int, plan: Plan) -> int:
    """Byes that cannot be avoided, blocks aside."""
    return next(b for b in range(people + 1) if b == people or least_off(people - b, plan.seats, plan.least, plan.most))


def chosen(people: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """Every choice of so many."""
    if count == 0:
        yield ()
        return
    for at in range(len(people) - count + 1):
        for rest in chosen(people[at + 1 :], count - 1):
            yield (people[at], *rest)
