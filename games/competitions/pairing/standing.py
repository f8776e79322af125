"""Who stands where: a total order by rules stated beforehand (spec: tournaments.md, Standings)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any, TypeAlias

from games.competitions.pairing.plan import STAGED, Entrant, Plan, Result, Table
from games.competitions.pairing.points import places, points

Running: TypeAlias = Sequence[tuple[int, Table]]
"""Tables that are not over, each with its round."""


@dataclass(frozen=True)
class Line:
    """One line of the standings. What comes after `number` is in the order in which it decides."""

    place: int
    """From 1; nobody shares it."""
    number: int
    stage: int
    """Groups and knock-out: the last round that the entrant reached; 0 in other formats."""
    stage_points: Fraction
    """Groups and knock-out: points in that round."""
    points: Fraction
    """Of all tables and byes."""
    counts: tuple[int, ...]
    """How often the entrant was first, second, … at a table; without a tail of zeros."""
    direct: int
    """Won less lost meetings with all those who are level in everything above."""
    opponents: Fraction
    """Strength of opponents, from 0 to 100: the mean, over tables, of what the others there make on average."""
    share: Fraction
    """The mean, over tables, of the entrant's part of all game points there."""
    lot: int
    tables: int
    """How many count; without voided ones and byes."""
    byes: int


@dataclass
class Tally:
    """What one entrant's results come to, before any comparison."""

    stage: int = 0
    stage_points: Fraction = Fraction(0)
    points: Fraction = Fraction(0)
    byes: int = 0
    ranks: list[int] = field(default_factory=list)
    made: Fraction = Fraction(0)
    """Points at tables alone."""
    seated: list[Result] = field(default_factory=list)
    """The tables that count."""

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How often each place, from the first on."""
        return tuple(self.ranks.count(place) for place in range(1, 1 + max(self.ranks, default=0)))

    @cached_property
    def average(self) -> Fraction:
        """Points at a table, on average; 0 without any."""
        return self.made / len(self.seated) if self.seated else Fraction(0)


def standings(plan: Plan, entrants: Iterable[Entrant], results: Iterable[Result], running: Running = ()) -> list[Line]:
    """Return a line for each entrant, the best first.

    The answer hangs neither on the order of `entrants` nor on that of `results`. `running` tells which
    tables are still played: in groups and knock-out who sits there has reached their round.
    """
    known = {entrant.number: entrant for entrant in entrants}
    tallies = tally(plan, results, running)
    for number in known:
        tallies.setdefault(number, Tally())
    first = {number: before_meeting(tallies[number]) for number in known}
    order = sorted(known, key=first.__getitem__)
    direct = {}
    for _, level in groupby(order, key=first.__getitem__):
        direct.update(direct_meetings(list(level), tallies))
    lines = [_line(known[number], tallies, direct[number]) for number in known]
    lines.sort(key=lambda line: (first[line.number], -line.direct, -line.opponents, -line.share, line.lot, line.number))
    return [replace(line, place=place) for place, line in enumerate(lines, 1)]


def tally(plan: Plan, results: Iterable[Result], running: Running = ()) -> dict[int, Tally]:
    """Return what everybody's results come to, by entrant number."""
    found: dict[int, Tally] = {}
    for result in results:
        gained, taken = points(result), places(result)
        for number in taken:
            own = found.setdefault(number, Tally())
            if plan.format in STAGED:
                _reach(own, result.round, gained.get(number, Fraction(0)))
            if not result.void:
                _count(own, result, gained[number], taken[number])
    if plan.format in STAGED:
        for round_, table in running:
            for number in table:
                _reach(found.setdefault(number, Tally()), round_, Fraction(0))
    return found


def before_meeting(own: Tally) -> tuple[Any, ...]:
    """Return the key of what decides before direct meetings; the smaller is ahead."""
    counts = (*(-count for count in own.counts), 1)  # the end is behind any further place
    return (-own.stage, -own.stage_points, -own.points, counts)


def direct_meetings(level: list[int], tallies: dict[int, Tally]) -> dict[int, int]:
    """Return won less lost meetings of each with all the others of those who are level."""
    found = dict.fromkeys(level, 0)
    if len(level) == 1:
        return found
    for number in level:
        for result in tallies[number].seated:
            taken = places(result)
            others = [taken[other] for other in taken if other in found and other != number]
            found[number] += sum((taken[number] < other) - (taken[number] > other) for other in others)
    return found


def _reach(own: Tally, round_: int, gained: Fraction) -> None:
    if round_ > own.stage:
        own.stage, own.stage_points = round_, Fraction(0)
    if round_ == own.stage:
        own.stage_points += gained


def _count(own: Tally, result: Result, gained: Fraction, place: int) -> None:
    own.points += gained
    if len(result.places) == 1:
        own.byes += 1
        return
    own.made += gained
    own.ranks.append(place)
    own.seated.append(result)


def _line(entrant: Entrant, tallies: dict[int, Tally], direct: int) -> Line:
    own, number = tallies[entrant.number], entrant.number
    opponents = _mean(own.seated, lambda result: _opponents(result, number, tallies))
    share = _mean(own.seated, lambda result: _part(result, number))
    return Line(
        place=0,
        number=number,
        stage=own.stage,
        stage_points=own.stage_points,
        points=own.points,
        counts=own.counts,
        direct=direct,
        opponents=opponents,
        share=share,
        lot=entrant.lot,
        tables=len(own.seated),
        byes=own.byes,
    )


def _mean(seated: list[Result], worth: Callable[[Result], Fraction | None]) -> Fraction:
    """Return the mean over those tables that have a worth; 0 without any."""
    found = [value for value in map(worth, seated) if value is not None]
    return sum(found, Fraction(0)) / len(found) if found else Fraction(0)


def _opponents(result: Result, number: int, tallies: dict[int, Tally]) -> Fraction:
    others = [tallies[other].average for other in result.table if other != number]
    return sum(others, Fraction(0)) / len(others)


def _part(result: Result, number: int) -> Fraction | None:
    """Return the entrant's part of the table's game points; None where some are unknown, or there are none."""
    made = {other: score for other, _, score in result.places if score is not None}
    total = sum(made.values())
    if len(made) < len(result.places) or total <= 0:
        return None
    return Fraction(made[number], total)
