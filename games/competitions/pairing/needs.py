""" "What do I need?": between which places an entrant can still end up in the last round."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from games.competitions.pairing.plan import STAGED, Entrant, Plan, Result, Table
from games.competitions.pairing.points import BYE, FIRST
from games.competitions.pairing.stages import going_on
from games.competitions.pairing.standing import Running, standings


class Need(NamedTuple):
    """What is still possible. Places are those of the tournament; in groups and knock-out, of the own table's people.

    Bounds, not forecasts: nothing better than `best` and nothing worse than `worst` can happen. Whoever could
    draw level in points is counted against the entrant in `worst` and for them in `best`. Results that are
    corrected later, and people who are left out of what is to come, are not foreseen.
    """

    target: int
    """The place that is aimed at: 1, or in groups and knock-out the last with which one goes on."""
    best: int
    worst: int
    sure: bool
    """The target is reached whatever happens."""
    enough: int | None
    """The worst place at the own table, unshared, that reaches the target whatever others do; None: no place does."""
    possible: int | None
    """The worst place at the own table, unshared, with which the target can still be reached; None: out of reach."""
    held: tuple[int, ...] = ()
    """By place at the own table, unshared, from the first on: the worst with it, whatever the others do."""


def need(
    plan: Plan, entrants: Iterable[Entrant], results: Iterable[Result], number: int, running: Running = ()
) -> Need | None:
    """Return what the entrant needs, given the tables still to be played (each with its round; byes need not be there).

    None when the entrant is at none of them, or not in the tournament.
    """
    own = [table for _, table in running if number in table]
    lines = standings(plan, entrants, results, running)
    if not own or number not in {line.number for line in lines}:
        return None
    staged = plan.format in STAGED
    points = {line.number: line.stage_points if staged else line.points for line in lines}
    others = [other for other in points if other != number and (not staged or other in own[0])]
    target = 1
    if staged and len({frozenset(table) for table in _round(results, running)}) > 1:
        target = going_on(plan, own[0])
    return Outlook(number, own, [table for _, table in running], points, others).need(target)


def _round(results: Iterable[Result], running: Running) -> list[Table]:
    """Return all tables of the round that is played."""
    now = max(round_ for round_, _ in running)
    played = [result.table for result in results if result.round == now]
    return played + [table for round_, table in running if round_ == now]


class Outlook:
    """What one entrant and the others can still make."""

    def __init__(
        self, number: int, own: list[Table], running: Sequence[Table], points: dict[int, Fraction], others: list[int]
    ) -> None:
        self.number, self.own, self.points, self.others = number, own, points, others
        self.tables = {one: [table for table in running if one in table] for one in [number, *others]}

    def need(self, target: int) -> Need:
        """Return what is needed for the target."""
        size, only = len(self.own[0]), len(self.own) == 1
        best = self._with(1, hopeful=True) if only else self._place(self._most(self.number), self.others, True)
        worst = self._with(size, hopeful=False) if only else self._place(self._least(self.number), self.others, False)
        ranks = range(size, 0, -1) if only else ()
        held = tuple(self._with(rank, hopeful=False) for rank in reversed(ranks))
        enough = next((rank for rank in ranks if held[rank - 1] <= target), None)
        possible = next((rank for rank in ranks if self._with(rank, hopeful=True) <= target), None)
        return Need(target, best, worst, worst <= target, enough, possible, held)

    def _with(self, rank: int, hopeful: bool) -> int:
        """Return the best or the worst place with this place, unshared, at the only table that is left."""
        size = len(self.own[0])
        gained = _worth(rank, size)
        mine = self.points[self.number] + gained
        here = [self.points[other] for other in self.others if other in self.own[0]]
        elsewhere = self._place(gained, [other for other in self.others if other not in self.own[0]], hopeful)
        before = rank - 1  # so many at the own table make at least the next better place's points
        if hopeful:
            anyhow = sum(other > mine for other in here)
            held = sum(other + _worth(before, size) <= mine for other in here) if before else 0
            return elsewhere + anyhow + max(0, before - anyhow - held)
        level = sum(other + _worth(rank + 1, size) >= mine for other in here) if rank < size else 0
        lifted = sum(other + FIRST >= mine for other in here) - level
        return elsewhere + level + min(before, lifted)

    def _place(self, gained: Fraction, others: list[int], hopeful: bool) -> int:
        """Return the place among the others, with so many points more, where they do as badly or as well as can be."""
        mine = self.points[self.number] + gained
        if hopeful:
            return 1 + sum(self.points[other] + self._least(other) > mine for other in others)
        return 1 + sum(self.points[other] + self._most(other) >= mine for other in others)

    def _least(self, other: int) -> Fraction:
        """What another makes at least: a bye for sure."""
        return sum((BYE for table in self.tables[other] if len(table) == 1), Fraction(0))

    def _most(self, other: int) -> Fraction:
        """What another makes at most."""
        return sum((_worth(1, len(table)) for table in self.tables[other]), Fraction(0))


def _worth(place: int, size: int) -> Fraction:
    """Return the points of an unshared place at a table of so many."""
    return Fraction(FIRST * (size - place), size - 1) if size > 1 else BYE
