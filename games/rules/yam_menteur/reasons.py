"""Why one is asked to throw, announce or answer, and what that may cost and bring: from the view alone."""

from itertools import combinations

from games.engine import Reason, View
from games.rules.yam_menteur.odds import DICE, PAR, aim
from games.rules.yam_menteur.sheet import (
    BARRED_AT,
    BONUS,
    BONUS_FROM,
    CLAIMS,
    COMBINATIONS,
    FIXED,
    TRIES,
    UPPER,
    points,
)

FEW = 4
"""How many rows are told of at most."""

A_GOOD_UPPER = 3
"""So many dice of its number make a good upper row."""


def reasons(view: View) -> list[Reason]:
    """What is to be said of the question of the seat `view["you"]`, the most useful first, in two to five lines."""
    found = _of_a_claim(view) if view["phase"] == "answer" else _of_a_throw(view)
    return [reason for reason in found if reason]


def _of_a_claim(view: View) -> list[Reason]:
    cell, claimed, thrower = view["claim"]["combination"], view["claim"]["points"], view["thrower"]
    sheet, tally, tries = view["sheets"][view["you"]], view["tally"][thrower], view["tries"]
    own, theirs = sheet[cell], view["sheets"][thrower][cell]
    about = {"cell": cell, "points": claimed, "seat": thrower}
    gain = change(sheet, cell, claimed) if own["open"] and cell != "yam" else 0
    bars = own["crosses"] == BARRED_AT - 1
    cost = -change(sheet, cell, -(own["points"] or 0)) if bars else 0
    return [
        {"say": "believe", **about},
        {"say": "bluff", **about, "gain": gain, "bars": theirs["crosses"] == BARRED_AT - 1},
        {"say": "true", "barred": own["barred"], "bars": bars, "lost": cost},
        {"say": "odds", **about, "tries": tries, "chance": aim(cell, claimed).chance((), tries)},
        {"say": "record", "seat": thrower, **tally} if tally["doubted"] else {},
    ]


def change(sheet: View, cell: str, by: int) -> int:
    """What a sheet's total changes by when a row does, the bonus of the upper rows included."""
    upper = sheet["upper"] + (by if cell in UPPER else 0)
    return by + (BONUS if upper >= BONUS_FROM else 0) - int(sheet["bonus"])


def _of_a_throw(view: View) -> list[Reason]:
    sheet = view["sheets"][view["you"]]
    cells = [cell for cell in COMBINATIONS if sheet[cell]["open"]]
    tries = TRIES - view["tries"]
    if not view["tries"]:
        ahead = [(cell, least, aim(cell, least).chance((), tries)) for cell, least in _wanted(cells, None)]
        return [{"say": "first", "open": len(cells)}, *_ahead(tries, ahead), _bonus(sheet)]
    held = points(tuple(view["dice"]))
    ahead = [(cell, least, chance_of(view, cell, least, tries)) for cell, least in _wanted(cells, held) if tries]
    crossed = [cell for cell in cells if sheet[cell]["crosses"]]
    true = sorted((cell for cell in cells if held[cell]), key=lambda cell: -held[cell])
    return [
        {"say": "held", "rows": [(cell, held[cell]) for cell in true[:FEW]]},
        *_ahead(tries, ahead),
        {"say": "truth"} if true else {},
        {"say": "lie", "crossed": crossed},
        _bonus(sheet),
    ]


def _wanted(cells: list[str], held: dict[str, int] | None) -> list[tuple[str, int]]:
    """What is worth trying for in the open rows: those that give nothing yet, one more die of a number."""
    wanted = []
    for cell in cells:
        there = held[cell] if held else 0
        if cell in UPPER:
            face = CLAIMS[cell].step
            least = there + face if held else A_GOOD_UPPER * face
            if least <= DICE * face:
                wanted.append((cell, least))
        elif cell != "chance" and not there:
            wanted.append((cell, FIXED.get(cell, CLAIMS[cell][0])))
    return wanted


def chance_of(view: View, cell: str, least: int, tries: int) -> float:
    """The chance of so many points in a row with the tries that are left, for who now keeps what serves it best."""
    dice = view["dice"]
    loose = [index for index in range(DICE) if index not in view["locked"]]
    kept = [dice[index] for index in view["locked"]]
    keeps = {
        tuple(sorted([*kept, *(dice[index] for index in more)]))
        for size in range(len(loose))
        for more in combinations(loose, size)
    }
    return max(aim(cell, least).chance(keep, tries) for keep in keeps)


def _ahead(tries: int, rows: list[tuple[str, int, float]]) -> list[Reason]:
    """The rows whose chance, times what they then give, is highest."""
    best = sorted(rows, key=lambda row: -row[2] * (row[1] if row[0] in UPPER else PAR[row[0]]))[:FEW]
    told = sorted(best, key=lambda row: -row[2])
    return [{"say": "ahead", "tries": tries, "rows": told}] if told else []


def _bonus(sheet: View) -> Reason:
    """How far the bonus is, as long as it can be had."""
    left = [cell for cell in UPPER if sheet[cell]["open"]]
    missing = BONUS_FROM - sheet["upper"]
    most = sum(CLAIMS[cell][-1] for cell in left)
    if not left or not 0 < missing <= most:
        return {}
    return {"say": "bonus", "upper": sheet["upper"], "missing": missing, "rows": len(left), "bonus": BONUS}
