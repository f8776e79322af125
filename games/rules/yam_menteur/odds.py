"""How turns of YAM menteur go: the throws at which an honest thrower stops, and how likely a row is reached."""

from collections import Counter
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

from games.engine import View
from games.engine.throws import FACES, INDEX, KEEPS, NOTHING, PARTS, THROWS, Dice, expectations, spread
from games.rules.yam_menteur.sheet import CLAIMS, COMBINATIONS, TRIES, UPPER, points

MEANS = (2.5, 5.5, 8.5, 11.5, 14.5, 17.5, 17.0, 12.0, 17.0, 14.0, 19.0, 12.0, 21.0)
PAR = dict(zip(COMBINATIONS, MEANS, strict=True))
"""The mean points of each row in good play."""

NOTHING_TRUE = -12.0
"""The worth of a throw that scores in no open row."""


class Turn:
    """Turns with certain rows open: what more tries are worth, and where they stop, by the number of tries."""

    def __init__(self, open_cells: tuple[str, ...]) -> None:
        best = [best_true(throw, open_cells) for throw in THROWS]
        worth = [NOTHING_TRUE if found is None else found[2] for found in best]
        self.ahead = [expectations(worth)]
        get = self.ahead[0].__getitem__
        self.ahead.append(expectations([max(stop, *map(get, parts)) for stop, parts in zip(worth, PARTS, strict=True)]))
        self.stops = self._play(worth)

    def _play(self, worth: list[float]) -> list[list[tuple[int, float]]]:
        """The throws that are kept after one, two or three tries, each with its chance."""
        stops: list[list[tuple[int, float]]] = []
        mass = [0.0] * (NOTHING + 1)
        mass[NOTHING] = 1.0
        for tries in range(1, TRIES + 1):
            likely = spread(mass)
            mass = [0.0] * (NOTHING + 1)
            stops.append([])
            for throw, chance in enumerate(likely):
                keep = self._keep(throw, TRIES - tries, worth[throw])
                if keep is not None:
                    mass[keep] += chance
                elif chance:
                    stops[-1].append((throw, chance))
        return stops

    def _keep(self, throw: int, more: int, stop: float) -> int | None:
        """The set that is best kept of a throw, with `more` tries to come; None to stop."""
        if not more:
            return None
        ahead = self.ahead[more - 1]
        best = max(PARTS[throw], key=ahead.__getitem__)
        return best if ahead[best] > stop else None


def best_true(dice: tuple[int, ...], open_cells: tuple[str, ...]) -> tuple[str, int, float] | None:
    """The open row in which the dice stand highest above par: (row, points, surplus), if any is true."""
    held = points(dice)
    found = [(cell, held[cell], held[cell] - PAR[cell]) for cell in open_cells if held[cell]]
    return max(found, key=lambda each: each[2], default=None)


@lru_cache(maxsize=4096)
def turn_with(open_cells: tuple[str, ...]) -> Turn:
    return Turn(open_cells)


def open_cells_of(sheet: View) -> tuple[str, ...]:
    """The open rows of a sheet, from a view."""
    return tuple(cell for cell in CLAIMS if sheet[cell]["open"])


def bonus_share(cell: str) -> float:
    """The share that the upper bonus adds to the points of a row."""
    return 0.25 if cell in UPPER else 0.0


class Aim:
    """The chance of at least so many points in a row for who tries for nothing else; kept dice stay kept."""

    def __init__(self, cell: str, least: int) -> None:
        self._last = expectations([float(points(throw)[cell] >= least) for throw in THROWS])
        self._ahead: dict[tuple[int, int], float] = {}

    def chance(self, kept: Dice, tries: int) -> float:
        """The chance, with these dice kept, sorted, and so many tries with the others: exact."""
        return self._chance(INDEX[kept], tries)

    def _chance(self, kept: int, tries: int) -> float:
        if tries == 1:
            return self._last[kept]
        found = self._ahead.get((kept, tries))
        if found is None:
            found = self._ahead[kept, tries] = sum(
                likely * (self._last[throw] or max(self._chance(keep, tries - 1) for keep in keeps))
                for throw, likely, keeps in _rolls(kept)
            )
        return found


DICE = 5


@lru_cache(maxsize=4096)
def aim(cell: str, least: int) -> Aim:
    return Aim(cell, least)


@cache
def _rolls(kept: int) -> list[tuple[int, float, tuple[int, ...]]]:
    """What the dice not kept may show: the throw, its probability, and what may be kept of it for the next try."""
    dice = KEEPS[kept]
    loose = DICE - len(dice)
    found = []
    for rolled in combinations_with_replacement(FACES, loose):
        ways = factorial(loose) // prod(factorial(count) for count in Counter(rolled).values())
        more = {part for size in range(loose) for part in combinations(rolled, size)}
        keeps = tuple(INDEX[tuple(sorted(dice + part))] for part in more)
        found.append((INDEX[tuple(sorted(dice + rolled))], ways / 6**loose, keeps))
    return found
