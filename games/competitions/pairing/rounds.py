"""The draw of the next round, and how many rounds there are (spec: tournaments.md, Pairing)."""

from collections.abc import Collection, Iterable, Sequence

from games.competitions.pairing.plan import ARENA, GROUPS, ROBIN, STAGED, SWISS, Entrant, Plan, Result, Table
from games.competitions.pairing.robin import MOST, next_of_circle, planned_round, timetable
from games.competitions.pairing.seating import Party, byes_had, kept_apart, meetings, seat
from games.competitions.pairing.seats import Seats, rotated
from games.competitions.pairing.sizes import best_division
from games.competitions.pairing.stages import most_rounds, qualified
from games.competitions.pairing.standing import Tally, tally
from games.engine import Chance


def draw(
    plan: Plan, field: Iterable[Entrant], results: Iterable[Result], apart: Iterable[frozenset[int]], chance: Chance
) -> list[Table] | None:
    """Return the tables of the next round, in the order of seats; None when the tournament is over.

    `field` are the entrants who have not withdrawn, `results` those of all rounds so far, byes included,
    `apart` the pairs who are never seated together, `chance` that of the round. A table of one is a bye.
    In groups and knock-out, who is at no table is out.
    """
    drawing = Drawing(plan, list(field), list(results), kept_apart(apart), chance)
    tables = drawing.tables() if drawing.number <= drawing.announced else []
    if not any(len(table) > 1 for table in tables):
        return None
    byes = [table for table in tables if len(table) == 1]
    matches = plan.matches if plan.format == GROUPS else 1
    ordered = Seats(drawing.results).ordered([table for table in tables if len(table) > 1], chance, matches)
    return [turn for table in ordered for turn in rotated(table, matches)] + byes


def rounds_of(plan: Plan, entrants: int) -> int | None:
    """Return how many rounds are announced: no tournament takes more; None in an arena, which has none.

    Groups and knock-out may be over sooner when people withdraw. 0: impossible with so many.
    """
    if plan.format == ARENA:
        return None
    if best_division(entrants, plan.seats, plan.least, plan.most) is None:
        return 0
    if plan.format == SWISS:
        return plan.rounds or _needed(entrants, plan.seats)
    if plan.format in STAGED:
        return most_rounds(plan, entrants)
    if plan.seats == 2:
        return entrants - 1 + entrants % 2
    return len(timetable(plan, entrants)) if entrants <= MOST else 0


def _needed(entrants: int, seats: int) -> int:
    """Return after how many Swiss rounds only one can have been first each time, and one more.

    Not more than it takes to meet everybody once.
    """
    rounds, unbeaten = 1, entrants
    while unbeaten > 1:
        rounds, unbeaten = rounds + 1, -(-unbeaten // seats)
    return max(1, min(rounds, -(-(entrants - 1) // (seats - 1))))


LAST = 1 << 62
"""The lot of who withdrew: where nothing else decides, who is still there goes on."""


class Drawing:
    """One draw: what is known, and who is to be seated by the rules of the format."""

    def __init__(
        self, plan: Plan, field: list[Entrant], results: list[Result], apart: dict[int, set[int]], chance: Chance
    ) -> None:
        self.plan, self.results, self.apart, self.chance = plan, results, apart, chance
        self.field = sorted(field, key=lambda entrant: entrant.number)
        self.number = 1 + max((result.round for result in results), default=0)
        self.lots = dict(zip(self._numbers(self.field), chance.shuffle(len(field)), strict=True))

    @property
    def announced(self) -> int:
        """How many rounds there are."""
        started = {number for result in self.results if result.round == 1 for number in result.table}
        return rounds_of(self.plan, len(started or self.field)) or 0

    def tables(self) -> list[Table]:
        """Return the tables, not yet in the order of seats, byes last; empty when there is nothing to play."""
        if self.plan.format == SWISS:
            return self._swiss()
        return self._robin() if self.plan.format == ROBIN else self._stage()

    def _swiss(self) -> list[Table]:
        if self.number == 1:
            people = self._by_strength(self.field)
            return self._seat(people, None, rest=range(len(people) - 1, -1, -1))
        tallies = tally(self.plan, self.results)
        gained = {number: tallies.get(number, Tally()).points for number in self._numbers(self.field)}
        people = sorted(gained, key=lambda number: (-gained[number], self.lots[number]))
        level: list[int] = []
        for at, number in enumerate(people):
            same = at and gained[number] == gained[people[at - 1]]
            level.append(level[-1] if same else at)
        return self._seat(people, level, rest=range(len(people) - 1, -1, -1))

    def _robin(self) -> list[Table]:
        present = self._numbers(self.field)
        everybody = sorted({number for result in self.results for number in result.table} | set(present))
        if self.plan.seats == 2:
            return next_of_circle(everybody, present, self.results, self.apart)
        met = meetings(self.results)
        if all(self._have_met(one, set(present), met) for one in present):
            return []
        planned = planned_round(self.plan, everybody, present, self.number, self.apart)
        if planned:
            return planned
        people = sorted(present, key=self.lots.__getitem__)
        return self._seat(people, [0] * len(people), rest=range(len(people)), even=2)

    def _have_met(self, one: int, present: set[int], met: dict[int, dict[int, int]]) -> bool:
        """Tell whether nobody is left whom this entrant has to meet."""
        return not present - {one} - met.get(one, {}).keys() - self.apart.get(one, set())

    def _stage(self) -> list[Table]:
        known = set(self._numbers(self.field))
        gone = {number for result in self.results for number in result.table} - known
        playing = self.field
        if self.results:
            everybody = [*self.field, *(Entrant(number, lot=LAST) for number in sorted(gone))]
            order = qualified(self.plan, self.field, self.results, everybody)
            playing = [entrant for entrant in self.field if entrant.number in order]
        seeded = self.plan.format != GROUPS
        people = order if self.results and not seeded else self._by_strength(playing)
        return self._seat(people, None, rest=range(len(people)), seeded=seeded) if len(people) > 1 else []

    def _seat(
        self,
        people: Sequence[int],
        level: Sequence[int] | None,
        *,
        rest: Sequence[int],
        seeded: bool = False,
        even: int = 0,
    ) -> list[Table]:
        met, byes = meetings(self.results), byes_had(self.results)
        party = Party(people, level, seeded, rest, met, byes, self.apart, even)
        return seat(party, self.plan.seats, self.plan.least, self.plan.most, self.chance)

    def _by_strength(self, entrants: Collection[Entrant]) -> list[int]:
        order = sorted(entrants, key=lambda entrant: (-entrant.strength, self.lots[entrant.number]))
        return self._numbers(order)

    @staticmethod
    def _numbers(entrants: Iterable[Entrant]) -> list[int]:
        return [entrant.number for entrant in entrants]
