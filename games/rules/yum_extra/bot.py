"""The bots of Yum EXTRA; the strong one knows the exact expectation of every throw, roll and extra."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from random import Random

from games.engine import PASS, Bot, Move, View
from games.engine.throws import INDEX, KEEPS, NOTHING, PARTS, THROWS, Dice, expectations, parts_of
from games.rules.yum_extra.moves import targets
from games.rules.yum_extra.sheet import CELLS, LOWER, PRIVILEGES, UPPER, Row, Sheet, formed, points

FOURS = tuple(parts_of(throw, [4]) for throw in THROWS)
"""For each throw: the sets that can be kept when exactly one die is rolled."""


class Plan:
    """What to do with a throw, given the worth of each final throw and the cost of each extra.

    The cost of an extra is its worth at another time; None for a used one.
    """

    def __init__(self, final: Sequence[float], die_cost: float | None, all_cost: float | None) -> None:
        self._final = final
        self._die_cost = die_cost
        self._all_cost = all_cost
        self._ahead: dict[tuple[int, bool, bool], list[float]] = {}

    def choose(self, dice: Dice, rolls: int) -> tuple[str, Dice]:
        """("score" | "roll" | "die" | "all", the dice to keep, sorted) with `rolls` still to make."""
        throw = INDEX[tuple(sorted(dice))]
        options = [(self._final[throw], "score", throw)]
        if rolls:
            options.append(self._best_keep("roll", 0, PARTS[throw], self._expected(rolls - 1, True, True)))
        if self._die_cost is not None:
            ahead = self._expected(rolls, False, True)
            options.append(self._best_keep("die", self._die_cost, FOURS[throw], ahead))
        if self._all_cost is not None:
            ahead = self._expected(rolls, True, False)
            options.append(self._best_keep("all", self._all_cost, (NOTHING,), ahead))
        _worth, action, keep = max(options, key=lambda option: option[0])
        return action, KEEPS[keep]

    def worth(self, action: str, keep: Dice, rolls: int) -> float:
        """What it brings to "roll", or to use the extra "die" or "all", keeping so much, with `rolls` to make."""
        if action == "roll":
            return self._expected(rolls - 1, True, True)[INDEX[keep]]
        if action == "die":
            return self._expected(rolls, False, True)[INDEX[keep]] - (self._die_cost or 0)
        return self._expected(rolls, True, False)[NOTHING] - (self._all_cost or 0)

    def _best_keep(
        self, action: str, cost: float, keeps: tuple[int, ...], ahead: list[float]
    ) -> tuple[float, str, int]:
        keep = max(keeps, key=ahead.__getitem__)
        return ahead[keep] - cost, action, keep

    def _expected(self, rolls: int, die: bool, every: bool) -> list[float]:
        """The worth of each kept set before its roll, with so many rolls to follow.

        `die`, `every`: whether those extras are still unused.
        """
        key = (rolls, die and self._die_cost is not None, every and self._all_cost is not None)
        if key not in self._ahead:
            self._ahead[key] = expectations(self._worths(*key))
        return self._ahead[key]

    def _worths(self, rolls: int, die: bool, every: bool) -> list[float]:
        """The worth of each throw with so many rolls and those extras left."""
        worths = list(self._final)
        if rolls:
            get = self._expected(rolls - 1, die, every).__getitem__
            worths = [max(worth, *map(get, parts)) for worth, parts in zip(worths, PARTS, strict=True)]
        if die:
            get = self._expected(rolls, False, every).__getitem__
            cost = self._die_cost or 0
            worths = [max(worth, max(map(get, fours)) - cost) for worth, fours in zip(worths, FOURS, strict=True)]
        if every:
            again = self._expected(rolls, die, False)[NOTHING] - (self._all_cost or 0)
            worths = [max(worth, again) for worth in worths]
        return worths


PAR = dict(zip(UPPER, (2.0, 5.0, 8.5, 12.0, 15.5, 19.0), strict=True))
PAR |= dict(zip(LOWER, (21.0, 14.0, 13.5, 14.0, 22.5, 20.0, 9.0), strict=True))
"""The mean points of each row in good play."""

DIE_COST = 2.0
ALL_COST = 3.0
COMBO_COST = 4.0
"""The least gain, in points, for which each extra is used early in a match."""

ROUNDS_TO_WAIT = 5
"""With fewer rounds left, extras are used for less."""

ERASED_TURN = 6.0
"""The worth of the turn that it takes to write an erased row again."""


class Easy:
    """Rolls for the number it has most of, writes the most points, uses any privilege, no extras."""

    def choose(self, view: View, rng: Random) -> Move:
        moves = view["prompt"]["moves"]
        if view["phase"] == "combo":
            privileges = [entry for entry in moves if entry["type"] in PRIVILEGES]
            return rng.choice(list(_each(rng.choice(privileges)))) if privileges else PASS
        if view["dice"] is None:
            return {"type": "roll"}
        return self._roll(view["dice"], view["rolls"]) or self._score(view)

    def _roll(self, dice: list[int], rolls: int) -> Move | None:
        most = max(dice, key=lambda face: (dice.count(face), face))
        others = [index for index, face in enumerate(dice) if face != most]
        return {"type": "roll", "dice": others} if others and rolls < 3 else None

    def _score(self, view: View) -> Move:
        worth = points(tuple(view["dice"]))
        sheet = view["sheets"][view["you"]]
        cells = view["prompt"]["moves"][-1]["cell"]["one_of"]
        return {"type": "score", "cell": max(cells, key=lambda cell: worth[sheet[cell]["as"] or cell])}


class Strong:
    """Keeps dice by exact expectation, weighs rows against par, and privileges by the points they move."""

    def choose(self, view: View, rng: Random) -> Move:
        if view["phase"] == "combo":
            return self._use_combo(view)
        return {"type": "roll"} if view["dice"] is None else self._use_dice(view)

    def _use_dice(self, view: View) -> Move:
        dice = view["dice"]
        sheet = Sheet.seen(view["sheets"][view["you"]])
        action, keep = _plan_of(view, sheet).choose(tuple(dice), 3 - view["rolls"])
        if action == "roll":
            return {"type": "roll", "dice": _not_kept(dice, keep)}
        if action == "die":
            return {"type": "extra", "extra": "die", "die": _not_kept(dice, keep)[0]}
        if action == "all":
            return {"type": "extra", "extra": "all"}
        return {"type": "score", "cell": self._row(view, sheet)}

    def _row(self, view: View, sheet: Sheet) -> str:
        worth = points(tuple(view["dice"]))
        kinds = {cell: row.into or cell for cell, row in _open_rows(sheet)}
        cells: list[str] = view["prompt"]["moves"][-1]["cell"]["one_of"]
        return max(cells, key=lambda cell: worth[kinds[cell]] - PAR[kinds[cell]])

    def _use_combo(self, view: View) -> Move:
        sheets = tuple(Sheet.seen(shown) for shown in view["sheets"])
        seat = view["you"]
        best = {privilege: _best_use(privilege, sheets, seat) for privilege in PRIVILEGES}
        gain, move = _best_of(best, tuple(view["combos"]))
        if "combo" in sheets[seat].extras:
            dice = tuple(view["dice"])
            hoped = sum(_best_of(best, formed(white, dice))[0] for white in range(1, 7)) / 6
            if hoped - gain > COMBO_COST * _patience(view):
                return {"type": "extra", "extra": "combo"}
        return move


ABSENT = 0.5
"""How often the regular bot takes any privilege, as the easy one does."""


class Regular(Strong):
    """Keeps dice and weighs rows as the strong bot does, privileges not always; uses no extras."""

    def choose(self, view: View, rng: Random) -> Move:
        is_absent = view["phase"] == "combo" and rng.random() < ABSENT
        return Easy().choose(view, rng) if is_absent else super().choose(view, rng)

    def _use_combo(self, view: View) -> Move:
        sheets = tuple(Sheet.seen(shown) for shown in view["sheets"])
        best = {privilege: _best_use(privilege, sheets, view["you"]) for privilege in PRIVILEGES}
        return _best_of(best, tuple(view["combos"]))[1]

    def _use_dice(self, view: View) -> Move:
        sheet = Sheet.seen(view["sheets"][view["you"]])
        kinds = tuple(row.into or cell for cell, row in _open_rows(sheet))
        action, keep = _plan(kinds, None, None).choose(tuple(view["dice"]), 3 - view["rolls"])
        if action == "roll":
            return {"type": "roll", "dice": _not_kept(view["dice"], keep)}
        return {"type": "score", "cell": self._row(view, sheet)}


BOTS: dict[str, type[Bot]] = {"easy": Easy, "regular": Regular, "strong": Strong}

Use = tuple[float, Move]


def worth(view: View, move: Move) -> float | None:
    """The points above par that a move is expected to bring; of a combo, those that it moves. None before a roll."""
    sheets, seat = tuple(Sheet.seen(shown) for shown in view["sheets"]), view["you"]
    if view["dice"] is None or view["phase"] == "combo":
        return _combo_worth(view, move, sheets, seat) if view["dice"] else None
    dice, sheet = tuple(view["dice"]), sheets[seat]
    if move["type"] == "score":
        kind = sheet.row(move["cell"]).into or move["cell"]
        return points(dice)[kind] - PAR[kind]
    rolled = {"roll": move.get("dice", range(5)), "extra": [move["die"]] if "die" in move else range(5)}[move["type"]]
    kept = tuple(sorted(face for index, face in enumerate(dice) if index not in rolled))
    return _plan_of(view, sheet).worth(move.get("extra", "roll"), kept, 3 - view["rolls"])


def _combo_worth(view: View, move: Move, sheets: tuple[Sheet, ...], seat: int) -> float:
    if move["type"] == "pass":
        return 0.0
    if move["type"] == "extra":
        return _hoped(tuple(view["dice"]), sheets, seat) - COMBO_COST * _patience(view)
    return _gain(move, sheets, seat)


def _hoped(dice: Dice, sheets: tuple[Sheet, ...], seat: int) -> float:
    """What the best use of the combos of another white die is expected to bring."""
    best = {privilege: _best_use(privilege, sheets, seat) for privilege in PRIVILEGES}
    return sum(_best_of(best, formed(white, dice))[0] for white in range(1, 7)) / 6


def _plan_of(view: View, sheet: Sheet) -> Plan:
    """The plan for the rest of the turn of the view's seat."""
    waiting = _patience(view)
    return _plan(
        tuple(row.into or cell for cell, row in _open_rows(sheet)),
        DIE_COST * waiting if "die" in sheet.extras else None,
        ALL_COST * waiting if "all" in sheet.extras else None,
    )


@lru_cache(maxsize=32)
def _plan(kinds: tuple[str, ...], die_cost: float | None, all_cost: float | None) -> Plan:
    """The plan for a turn with rows of those kinds open."""
    return Plan([_final_worth(points(throw), kinds) for throw in THROWS], die_cost, all_cost)


def _final_worth(worth: Mapping[str, int], kinds: tuple[str, ...]) -> float:
    """The best row's points above its par. A zero is weighed only where nothing gives points."""
    giving = [worth[kind] - PAR[kind] for kind in kinds if worth[kind]]
    return max(giving or [-PAR[kind] for kind in kinds])


def _patience(view: View) -> float:
    """How much an extra is worth later: from 1 down to 0 in the last round."""
    rounds = min(len(_open_rows(Sheet.seen(sheet))) for sheet in view["sheets"]) - 1
    return min(1.0, rounds / ROUNDS_TO_WAIT)


def _best_of(best: Mapping[str, Use], privileges: tuple[str, ...]) -> Use:
    """The most useful of those privileges, or passing."""
    return max([(0.0, PASS), *(best[privilege] for privilege in privileges)], key=lambda use: use[0])


def _best_use(privilege: str, sheets: tuple[Sheet, ...], seat: int) -> Use:
    """The best use of a privilege: its gain and the move."""
    moves = [move for entry in targets(privilege, sheets, seat) for move in _each(entry)]
    uses = [(_gain(move, sheets, seat), move) for move in moves]
    return max(uses, key=lambda use: use[0], default=(0.0, PASS))


def _gain(move: Move, sheets: tuple[Sheet, ...], seat: int) -> float:
    """The gain of a privilege, in points, against the strongest other seat."""
    cell = move["cell"]
    mine = sheets[seat].row(cell)
    par = PAR[mine.into or cell]
    written = mine.pts or 0
    match move["type"]:
        case "erase":
            return par - written - ERASED_TURN
        case "double":
            return written
        case "triple":
            return 2 * written
        case "transform":
            return PAR[move["into"]] - par
    theirs = sheets[move["seat"]].row(cell).pts or 0
    weight = 1.0 if move["seat"] == _rival(sheets, seat) else 0.5
    if move["type"] == "swap":
        return (theirs - written) * (1 + weight)
    own = theirs - (par if mine.open else written)
    return own + weight * theirs


def _rival(sheets: tuple[Sheet, ...], seat: int) -> int:
    """The other seat with the highest total."""
    return max((s for s in range(len(sheets)) if s != seat), key=lambda s: sheets[s].total)


def _open_rows(sheet: Sheet) -> list[tuple[str, Row]]:
    return [(cell, row) for cell, row in zip(CELLS, sheet.rows, strict=True) if row.open]


def _not_kept(dice: list[int], keep: tuple[int, ...]) -> list[int]:
    """The indices of the dice to roll again when those numbers are kept."""
    kept, indices = list(keep), []
    for index, face in enumerate(dice):
        if face in kept:
            kept.remove(face)
        else:
            indices.append(index)
    return indices


def _each(entry: Move) -> Iterator[Move]:
    """Every move of a prompt's entry whose fields are choices of one."""
    fields = [field["one_of"] if isinstance(field, dict) else [field] for field in entry.values()]
    return (dict(zip(entry, values, strict=True)) for values in product(*fields))
