"""The bots of YAM menteur; the strong one judges claims by public facts: tries, open rows, lies caught.

Its model: an honest thrower rolls for the true claim that is highest above par and stops there; a liar does
the same but claims something else after poor dice. Bayes' rule then gives the probability of a true claim.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from math import exp, prod
from random import Random

from games.engine import Bot, Move, View
from games.engine.throws import INDEX, NOTHING, PARTS, THROWS, expectations, spread
from games.rules.yam_menteur.moves import BELIEVE, DOUBT, FIRST_TRY
from games.rules.yam_menteur.sheet import CLAIMS, COMBINATIONS, MOST_CLAIMED, TRIES, UPPER, points

MEANS = (2.5, 5.5, 8.5, 11.5, 14.5, 17.5, 17.0, 12.0, 17.0, 14.0, 19.0, 12.0, 21.0)
PAR = dict(zip(COMBINATIONS, MEANS, strict=True))
"""The mean points of each row in good play."""

NOTHING_TRUE = -12.0
"""The worth of a throw that scores in no open row."""

POOR = -3.0
"""Points above par under which a thrower is tempted to lie."""

LIES = (2.0, 1.6)
"""The prior for a seat's doubted claims: so many caught, so many true."""


class Turn:
    """Turns with certain rows open: the odds of each true claim and of poor dice, by the number of tries."""

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
    """The probability that a claim after so many tries is true; `lies` is the thrower's rate when tempted."""
    turn = turn_with(open_cells)
    honest = turn.claims[tries - 1].get((cell, claimed), 0.0)
    lying = lies * (turn.poor[tries - 1] + 0.02) * _lures(open_cells)[cell, claimed]
    return honest / (honest + lying) if honest else 0.0


@lru_cache(maxsize=4096)
def _lures(open_cells: tuple[str, ...]) -> dict[tuple[str, int], float]:
    """How often a liar picks each claim: every row equally, within a row mostly the believable middle."""
    weights = {}
    for cell in open_cells:
        mids = [claim for claim in CLAIMS[cell] if abs(claim - PAR[cell]) <= 0.4 * PAR[cell] + 1]
        likely = mids or list(CLAIMS[cell])
        for claim in CLAIMS[cell]:
            weights[cell, claim] = (0.9 / len(likely) if claim in likely else 0.0) + 0.1 / len(CLAIMS[cell])
    return {key: weight / len(open_cells) for key, weight in weights.items()}


def lies_of(tally: Mapping[str, int]) -> float:
    """The rate at which a seat lies when tempted, from its doubted claims."""
    caught, true = LIES
    return min(0.95, 1.4 * (tally["caught"] + caught) / (tally["doubted"] + caught + true))


def doubts_of(tallies: list[View], seat: int) -> float:
    """How often a seat doubts what others announce."""
    heard = sum(tally["announced"] for other, tally in enumerate(tallies) if other != seat)
    return float((tallies[seat]["doubts"] + 1.5) / (heard + 6))


def bonus_share(cell: str) -> float:
    """The share that the upper bonus adds to the points of a row."""
    return 0.25 if cell in UPPER else 0.0


LOST_TURN = 7.0
"""The cost of a turn in which nothing is written."""

FIRST_CROSS = 3.0
"""The cost of the first cross in a bluff cell; the next one bars the row."""

OTHERS = 0.3
"""The weight of another seat's point against an own one."""

CALM, SUSPICION, DEAR = 0.1, 0.8, 1.5
"""Factors of a seat's rate of doubting: for any claim, for a suspicious one, for the highest."""

FREE_DOUBT = 0.9
"""The assumed rate of doubting where that costs nothing."""

WAVER = 1.2
"""Claims about this close to the best, in points, are made too, so that a claim does not reveal the dice."""


class Easy:
    """Rolls for the number it has most of, claims what it has or sometimes lies, doubts big claims more."""

    def choose(self, view: View, rng: Random) -> Move:
        if view["phase"] == "answer":
            doubtful = view["claim"]["points"] / MOST_CLAIMED
            return DOUBT if rng.random() < 0.6 * doubtful else BELIEVE
        if not view["tries"]:
            return FIRST_TRY
        return self._roll(view) or self._announce(view, rng)

    def _roll(self, view: View) -> Move | None:
        dice = view["dice"]
        most = max(dice, key=lambda face: (dice.count(face), face))
        loose = [i for i in range(5) if i not in view["locked"] and dice[i] != most]
        return {"type": "roll", "dice": loose} if loose and view["tries"] < TRIES else None

    def _announce(self, view: View, rng: Random) -> Move:
        open_cells = open_cells_of(view["sheets"][view["you"]])
        held = points(tuple(view["dice"]))
        best = max(open_cells, key=lambda cell: held[cell])
        if held[best] and rng.random() < 0.85:
            return _claim(best, held[best])
        cell = rng.choice(open_cells)
        return _claim(cell, rng.choice(CLAIMS[cell]))


class Strong:
    """Weighs claims by how likely they are true, and lies where others would rather believe."""

    def choose(self, view: View, rng: Random) -> Move:
        if view["phase"] == "answer":
            return self._answer(view)
        if not view["tries"]:
            return FIRST_TRY
        return self._roll(view) or self._announce(view, rng)

    def _roll(self, view: View) -> Move | None:
        """The dice to roll again, if that is worth more than what is held."""
        more = TRIES - view["tries"]
        if not more:
            return None
        open_cells = open_cells_of(view["sheets"][view["you"]])
        ahead = turn_with(open_cells).ahead[more - 1]
        found = best_true(tuple(view["dice"]), open_cells)
        best, move = (NOTHING_TRUE if found is None else found[2]), None
        loose = [index for index in range(5) if index not in view["locked"]]
        for size in range(1, len(loose) + 1):
            for rolled in combinations(loose, size):
                kept = tuple(sorted(face for i, face in enumerate(view["dice"]) if i not in rolled))
                if ahead[INDEX[kept]] > best + 1e-9:
                    best, move = ahead[INDEX[kept]], {"type": "roll", "dice": list(rolled)}
        return move

    def _announce(self, view: View, rng: Random) -> Move:
        worth = [(_claim_worth(view, cell, claim), cell, claim) for cell, claim in _claims(view)]
        best = max(worth)[0]
        near = [(exp((each - best) / WAVER), cell, claim) for each, cell, claim in worth if best - each < 4]
        _weight, cell, claim = rng.choices(near, [weight for weight, _cell, _claim in near])[0]
        return _claim(cell, claim)

    def _answer(self, view: View) -> Move:
        claim, thrower, me = view["claim"], view["thrower"], view["you"]
        cell, claimed = claim["combination"], claim["points"]
        sheet = view["sheets"][thrower]
        true = likely_true(cell, claimed, view["tries"], open_cells_of(sheet), lies_of(view["tally"][thrower]))
        mine = view["sheets"][me]
        gain = _doubters_gain(mine, cell, claimed) + OTHERS * (claimed + _cross_cost(sheet[cell], cell))
        return DOUBT if (1 - true) * gain > true * _cross_cost(mine[cell], cell) else BELIEVE


BOTS: dict[str, type[Bot]] = {"easy": Easy, "regular": Strong, "strong": Strong}


def _claim(cell: str, claimed: int) -> Move:
    return {"type": "announce", "combination": cell, "points": claimed}


def _claims(view: View) -> Iterator[tuple[str, int]]:
    """All legal claims but those below the true points."""
    held = points(tuple(view["dice"]))
    for cell in open_cells_of(view["sheets"][view["you"]]):
        for claim in CLAIMS[cell]:
            if claim >= held[cell]:
                yield cell, claim


def _claim_worth(view: View, cell: str, claimed: int) -> float:
    """The expected worth of a claim, given how likely the others doubt it."""
    me = view["you"]
    sheet = view["sheets"][me]
    suspicion = 1 - likely_true(cell, claimed, view["tries"], open_cells_of(sheet), lies_of(view["tally"][me]))
    others = [seat for seat in range(view["seats"]) if seat != me]
    doubts = {seat: _doubts(view, seat, cell, claimed, suspicion) for seat in others}
    written = claimed * (1 + bonus_share(cell)) - PAR[cell]
    if points(tuple(view["dice"]))[cell] >= claimed:
        crossed = sum(doubts[seat] * _cross_cost(view["sheets"][seat][cell], cell) for seat in others)
        return written + OTHERS * crossed
    believed = prod(1 - doubt for doubt in doubts.values())
    given = sum(doubts[seat] * _doubters_gain(view["sheets"][seat], cell, claimed) for seat in others)
    return believed * written - (1 - believed) * (LOST_TURN + _cross_cost(sheet[cell], cell)) - OTHERS * given


def _doubts(view: View, seat: int, cell: str, claimed: int, suspicion: float) -> float:
    """How likely that seat doubts a claim that is so suspicious, and so dear."""
    if view["sheets"][seat][cell]["barred"]:
        return FREE_DOUBT
    temper = CALM + SUSPICION * suspicion**2 + DEAR * claimed / MOST_CLAIMED
    return min(0.95, doubts_of(view["tally"], seat) * temper)


def _cross_cost(row: View, cell: str) -> float:
    """What one more cross in that row costs its owner."""
    if row["barred"]:
        return 0.0
    if row["crosses"]:
        return float(PAR[cell] if row["points"] is None else row["points"])
    return FIRST_CROSS


def _doubters_gain(sheet: View, cell: str, claimed: int) -> float:
    """The gain of a doubter if the claim is a lie, beyond what its row would bring anyway."""
    if cell == "yam" or not sheet[cell]["open"]:
        return 0.0
    return claimed * (1 + bonus_share(cell)) - 0.4 * PAR[cell]
