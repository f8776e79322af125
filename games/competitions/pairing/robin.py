"""Round robin: everybody meets everybody (spec: tournaments.md, Round robin)."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from games.competitions.pairing.plan import Plan, Result, Table
from games.competitions.pairing.seating import Party, meetings, seat
from games.engine import SeededChance

MOST = 40  # more people than that do not all meet at tables of three and more in any decent time
SEED = b"the timetable of everybody with everybody"


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


@lru_cache(maxsize=512)
def timetable(plan: Plan, people: int) -> tuple[tuple[Table, ...], ...]:
    """Return the rounds, of people from 0 on, after which everybody has met everybody, at tables of three and more."""
    chance, rounds = SeededChance(SEED), list[tuple[Table, ...]]()
    met: dict[int, dict[int, int]] = {}
    byes: dict[int, int] = {}
    while any(len(met.get(one, ())) < people - 1 for one in range(people)):
        party = Party(range(people), [0] * people, False, [0] * people, met, byes, {}, even=True)
        tables = seat(party, plan.seats, plan.least, plan.most, chance)
        rounds.append(tuple(tables))
        results = [
            Result(at, tuple((one, 1, None) for one in table)) for at, round_ in enumerate(rounds) for table in round_
        ]
        met, byes = meetings(results), {one: sum((one,) in round_ for round_ in rounds) for one in range(people)}
    return tuple(rounds)
