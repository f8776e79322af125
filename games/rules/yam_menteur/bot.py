"""The bots of YAM menteur. They see views only."""

from collections.abc import Iterator
from itertools import combinations
from math import exp
from random import Random

from games.engine import Bot, Move, View
from games.engine.throws import INDEX
from games.rules.yam_menteur.belief import (
    NOTHING_TRUE,
    PAR,
    best_true,
    bonus_share,
    doubts_of,
    lies_of,
    likely_true,
    open_cells_of,
    turn_with,
)
from games.rules.yam_menteur.entries import BELIEVE, DOUBT, FIRST_TRY
from games.rules.yam_menteur.tables import CLAIMS, MOST_CLAIMED, TRIES, points

LOST_TURN = 7.0
"""What a turn is worth in which nothing is written."""

FIRST_CROSS = 3.0
"""What the first cross in a bluff cell costs: the next one bars the row."""

OTHERS = 0.3
"""What a point of one other seat is worth against one's own."""

CALM, SUSPICION, DEAR = 0.1, 0.8, 1.5
"""What a seat's habit to doubt is multiplied by: for any claim, for a suspicious one, for the dearest."""

FREE_DOUBT = 0.9
"""How often a seat is taken to doubt where that costs it nothing."""

WAVER = 1.2
"""Claims within about so many points of the best are made too, so that none gives its dice away."""


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
        true = likely_true(
            cell, claimed, view["tries"], open_cells_of(sheet), lies_of(view["tally"][thrower])
        )
        mine = view["sheets"][me]
        gain = _doubters_gain(mine, cell, claimed) + OTHERS * (claimed + _cross_cost(sheet[cell], cell))
        return DOUBT if (1 - true) * gain > true * _cross_cost(mine[cell], cell) else BELIEVE


BOTS: dict[str, type[Bot]] = {"easy": Easy, "strong": Strong}


def _claim(cell: str, claimed: int) -> Move:
    return {"type": "announce", "combination": cell, "points": claimed}


def _claims(view: View) -> Iterator[tuple[str, int]]:
    """Every claim that may be announced, but for less than what is truly there."""
    held = points(tuple(view["dice"]))
    for cell in open_cells_of(view["sheets"][view["you"]]):
        for claim in CLAIMS[cell]:
            if claim >= held[cell]:
                yield cell, claim


def _claim_worth(view: View, cell: str, claimed: int) -> float:
    """What a claim is expected to bring, from how likely the others are to doubt it."""
    me = view["you"]
    sheet = view["sheets"][me]
    suspicion = 1 - likely_true(
        cell, claimed, view["tries"], open_cells_of(sheet), lies_of(view["tally"][me])
    )
    others = [seat for seat in range(view["seats"]) if seat != me]
    doubts = {seat: _doubts(view, seat, cell, claimed, suspicion) for seat in others}
    written = claimed * (1 + bonus_share(cell)) - PAR[cell]
    if points(tuple(view["dice"]))[cell] >= claimed:
        crossed = sum(doubts[seat] * _cross_cost(view["sheets"][seat][cell], cell) for seat in others)
        return written + OTHERS * crossed
    believed = 1.0
    for doubt in doubts.values():
        believed *= 1 - doubt
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
    """What a doubter writes when the claim was a lie, beyond what the row would have brought anyway."""
    if cell == "yam" or not sheet[cell]["open"]:
        return 0.0
    return claimed * (1 + bonus_share(cell)) - 0.4 * PAR[cell]
