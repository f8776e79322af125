"""Round robin: everybody meets everybody (spec: tournaments.md, Round robin)."""

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

from games.competitions.pairing.plan import Plan, Result, Table
from games.competitions.pairing.seating import Party, byes_had, meetings, seat
from games.competitions.pairing.sizes import best_division
from games.engine import SeededChance

MOST = 32  # more people than that do not all meet at tables of three and more in any decent time
GROWTHS = (2, 3, 5, 8)  # how much dearer one meeting more is; the first that is even enough is taken
SEED = b"the timetable of everybody with everybody"

Round: TypeAlias = tuple[Table, ...]


def circle(numbers: Sequence[int]) -> list[list[Table]]:
    """Return the rounds in which each meets each exactly once, two at a table; of an odd number one has a bye."""
    wheel: list[int | None] = [*numbers, *([None] if len(numbers) % 2 else [])]
    rounds, half = [], len(wheel) // 2
    for _ in range(len(wheel) - 1):
        pairs = zip(wheel[:half], reversed(wheel[half:]), strict=True)
        rounds.append([tuple(number for number in pair if number is not None) for pair in pairs])
        wheel = [wheel[0], wheel[-1], *wheel[1:-1]]
    return rounds


def next_of_circle(
    everybody: Collection[int], field: Collection[int], results: Sequence[Result], apart: dict[int, set[int]]
) -> list[Table]:
    """Return the next round of the circle in which anybody still has somebody to meet; empty when nobody has.

    Whose opponent withdrew, or must not be met, has a bye.
    """
    met, present = meetings(results), set(field)
    for round_ in circle(sorted(everybody)):
        playable = [
            table
            for table in round_
            if len(table) == 2
            and present.issuperset(table)
            and table[1] not in met.get(table[0], {})
            and table[1] not in apart.get(table[0], ())
        ]
        if playable:
            seated = {number for table in playable for number in table}
            return playable + [(number,) for number in sorted(present - seated)]
    return []


def planned_round(
    plan: Plan, everybody: Sequence[int], field: Collection[int], number: int, apart: dict[int, set[int]]
) -> list[Table]:
    """Return the round of the timetable, for who is still there; empty where withdrawals or blocks upset it."""
    present = set(field)
    left = [
        tuple(everybody[one] for one in table if everybody[one] in present)
        for planned in timetable(plan, len(everybody))[number - 1 : number]
        for table in planned
    ]
    tables = [table for table in left if table]
    wanted = best_division(len(present), plan.seats, plan.least, plan.most)
    found = sorted((len(table) for table in tables), reverse=True)
    if wanted is None or found != wanted[1] + [1] * wanted[0]:
        return []
    return [] if any(not apart.get(one, set()).isdisjoint(table) for table in tables for one in table) else tables


def timetable(plan: Plan, people: int) -> tuple[Round, ...]:
    """Return the rounds, of people from 0 on, after which everybody has met everybody, at tables of three and more.

    The shortest that is found in which nobody meets anybody more than once more than on average, rounded up.
    """
    return _fairest(
        Plan(plan.format, plan.seats, plan.least, plan.most), people
    )  # the rest of the plan is nothing to it


@lru_cache(maxsize=512)
def _fairest(plan: Plan, people: int) -> tuple[Round, ...]:
    best = _timetable(plan, people, GROWTHS[0])
    for growth in GROWTHS[1:]:
        if _unevenness(best) <= 1:
            break
        best = min(best, _timetable(plan, people, growth), key=lambda found: (_unevenness(found), len(found)))
    return best


def _timetable(plan: Plan, people: int, growth: int) -> tuple[Round, ...]:
    chance, results = SeededChance(SEED), list[Result]()
    rounds: list[Round] = []
    met: dict[int, dict[int, int]] = {}
    while any(len(met.get(one, ())) < people - 1 for one in range(people)):
        party = Party(range(people), [0] * people, False, [0] * people, met, byes_had(results), {}, even=growth)
        tables = tuple(seat(party, plan.seats, plan.least, plan.most, chance))
        rounds.append(tables)
        results += [Result(len(rounds), tuple((one, 1, None) for one in table)) for table in tables]
        met = meetings(results)
    return tuple(rounds)


def _unevenness(rounds: Sequence[Round]) -> int:
    """Return how far the pair that meets most often is above the average."""
    met = Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))
    return max(met.values()) + (-sum(met.values()) // len(met))
