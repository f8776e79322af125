"""What to think of a claim, from what everybody sees: the tries, the open rows, how often a seat was caught.

An honest thrower is taken to roll for the true claim that stands highest above par, and to stop there; a
liar to do the same, and to claim something else when nothing good came of it. From the dice that follow,
Bayes' rule says how likely a claim is true.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from games.engine import View
from games.engine.throws import NOTHING, PARTS, THROWS, expectations, spread
from games.rules.yam_menteur.tables import CLAIMS, TRIES, UPPER, points

PAR = {
    "ones": 2.5,
    "twos": 5.5,
    "threes": 8.5,
    "fours": 11.5,
    "fives": 14.5,
    "sixes": 17.5,
    "three_kind": 17.0,
    "four_kind": 12.0,
    "full_house": 17.0,
    "small_straight": 14.0,
    "large_straight": 19.0,
    "yam": 12.0,
    "chance": 21.0,
}
"""What a row brings on average, played well."""

NOTHING_TRUE = -12.0
"""What a throw is worth that is true in no open row."""

POOR = -3.0
"""Under this, measured from par, a thrower is tempted to lie."""

LIES = (2.0, 1.6)
"""What is believed of a stranger's doubted claims: so many caught, so many true."""


class Turn:
    """How turns with certain rows open go: for each number of tries, how likely each true claim is, how
    likely dice are that tempt to a lie."""

    def __init__(self, open_cells: tuple[str, ...]) -> None:
        self.open_cells = open_cells
        best = [best_true(throw, open_cells) for throw in THROWS]
        worth = [NOTHING_TRUE if found is None else found[2] for found in best]
        self.ahead = [expectations(worth)]
        self.ahead.append(expectations(self._worths(worth)))
        self.claims: list[dict[tuple[str, int], float]] = []
        self.poor: list[float] = []
        self._play(worth, best)

    def _worths(self, worth: list[float]) -> list[float]:
        get = self.ahead[0].__getitem__
        return [max(stop, *map(get, parts)) for stop, parts in zip(worth, PARTS, strict=True)]

    def _play(self, worth: list[float], best: list[tuple[str, int, float] | None]) -> None:
        """Follow all throws to where they stop, after one, two or three tries."""
        mass = [0.0] * (NOTHING + 1)
        mass[NOTHING] = 1.0
        for tries in range(1, TRIES + 1):
            likely = spread(mass)
            mass = [0.0] * (NOTHING + 1)
            claims: dict[tuple[str, int], float] = defaultdict(float)
            poor = 0.0
            for throw, chance in enumerate(likely):
                keep = self.keep(throw, TRIES - tries, worth[throw])
                if keep is not None:
                    mass[keep] += chance
                    continue
                if worth[throw] < POOR:
                    poor += chance
                if (found := best[throw]) is not None:
                    claims[found[0], found[1]] += chance
            self.claims.append(claims)
            self.poor.append(poor)

    def keep(self, throw: int, more: int, stop: float) -> int | None:
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


def likely_true(cell: str, claimed: int, tries: int, open_cells: tuple[str, ...], lies: float) -> float:
    """How likely that claim is true after so many tries, by a thrower who lies at that rate when tempted."""
    turn = turn_with(open_cells)
    honest = turn.claims[tries - 1].get((cell, claimed), 0.0)
    lying = lies * (turn.poor[tries - 1] + 0.02) * _lure(cell, claimed, open_cells)
    return honest / (honest + lying) if honest else 0.0


@lru_cache(maxsize=4096)
def _lures(open_cells: tuple[str, ...]) -> dict[tuple[str, int], float]:
    """How often a liar picks each claim: the rows alike, within a row the believable middle."""
    weights = {}
    for cell in open_cells:
        mids = [claim for claim in CLAIMS[cell] if abs(claim - PAR[cell]) <= 0.4 * PAR[cell] + 1]
        likely = mids or list(CLAIMS[cell])
        for claim in CLAIMS[cell]:
            weights[cell, claim] = (0.9 / len(likely) if claim in likely else 0.0) + 0.1 / len(CLAIMS[cell])
    return {key: weight / len(open_cells) for key, weight in weights.items()}


def _lure(cell: str, claimed: int, open_cells: tuple[str, ...]) -> float:
    return _lures(open_cells)[cell, claimed]


def lies_of(tally: Mapping[str, int]) -> float:
    """At what rate a seat lies when it is tempted, judged by what was uncovered of it."""
    caught, true = LIES
    return min(0.95, 1.4 * (tally["caught"] + caught) / (tally["doubted"] + caught + true))


def doubts_of(tallies: list[View], seat: int) -> float:
    """How often a seat doubts what others announce."""
    heard = sum(tally["announced"] for other, tally in enumerate(tallies) if other != seat)
    return float((tallies[seat]["doubts"] + 1.5) / (heard + 6))


def bonus_share(cell: str) -> float:
    """What an upper row's points are worth beyond themselves, for the bonus they help to reach."""
    return 0.25 if cell in UPPER else 0.0
