"""What a tournament is, who is in it, and what came of a table."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from games.engine import Chance

Table: TypeAlias = tuple[int, ...]
"""Entrant numbers in the order of seats. One alone is a bye: nobody to play with in this round."""

SWISS, GROUPS, ROBIN, KNOCKOUT, ARENA = FORMATS = ("swiss", "groups", "robin", "knockout", "arena")
STAGED = (GROUPS, KNOCKOUT)  # only the best of each table go on


@dataclass(frozen=True)
class Plan:
    """What was announced."""

    format: str
    """One of FORMATS."""
    seats: int
    """Wished per table."""
    least: int
    """The fewest seats that the game allows with these options."""
    most: int
    """The most seats that it allows."""
    rounds: int = 0
    """Swiss: how many; 0 stands for as many as are needed."""
    advance: int = 1
    """Groups and knock-out: how many of each table go on; 0 stands for half of them."""
    matches: int = 1
    """Groups: matches of one group in a round: the same table, its seats rotated."""


@dataclass(frozen=True)
class Entrant:
    """Somebody who signed up."""

    number: int
    """From 1, in the order of sign-up."""
    strength: int = 0
    """Rating points, for spreading strength and for seeding."""
    lot: int = 0
    """Drawn once from the committed chance of the tournament (`with_lots`): the last tie-break, the lower is ahead."""


@dataclass(frozen=True)
class Result:
    """A table that is over or was judged; or a bye, which has one place."""

    round: int
    """From 1; in an arena, any number."""
    places: tuple[tuple[int, int, int | None], ...]
    """Entrant number, rank by the game (1 is best, ties are shared), game points or None; in the order of seats."""
    void: bool = False
    """Counts for nothing; that these people met counts all the same."""
    away: frozenset[int] = frozenset()
    """Who was timed out, withdrew or was replaced: behind all others at the table, whatever came of the seat."""

    @property
    def table(self) -> Table:
        """Who sat there, in the order of seats."""
        return tuple(number for number, _, _ in self.places)


def with_lots(entrants: Iterable[Entrant], chance: Chance) -> list[Entrant]:
    """Return the entrants, each with its lot, from 1; `chance` is that of the whole tournament."""
    known = sorted(entrants, key=lambda entrant: entrant.number)
    lots = chance.shuffle(len(known))
    return [replace(entrant, lot=1 + lot) for entrant, lot in zip(known, lots, strict=True)]
