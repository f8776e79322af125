"""Why one is asked to roll, to write or to use a combo, and what that would bring: from the view alone, exact."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from games.engine import Reason, View
from games.engine.throws import INDEX, NOTHING, PARTS, THROWS, expectations
from games.rules.yum_extra.bot import FOURS, PAR
from games.rules.yum_extra.moves import COMBO_EXTRA, MAX_ROLLS, could_bring
from games.rules.yum_extra.sheet import BY_WHITE, CELLS, KINDS, LUCKY_POINTS, PRIVILEGES, UPPER, Sheet, formed, points

FEW = 4
"""How many rows that are rolled for are told of at most."""

A_GOOD_UPPER = 3
"""So many dice of its number make a good upper row."""

OFFERED = 3
"""How many uses of a combo are told of at most."""

Row = tuple[str, str, int]
"""An open row, the rule by which it is scored, and points that are hoped for in it."""


def reasons(view: View) -> list[Reason]:
    """What is to be said of the question of the seat `view["you"]`, the most useful first, in two to five lines."""
    of_a_roll = _of_the_dice if view["dice"] else _of_a_turn
    found = _of_a_combo(view) if view["phase"] == "combo" else of_a_roll(view)
    return [reason for reason in found if reason]


def _of_a_turn(view: View) -> list[Reason]:
    sheet = view["sheets"][view["you"]]
    rows = _wanted(sheet, None)
    ahead = _best([(*row, reached(*row[1:], NOTHING, MAX_ROLLS)) for row in rows])
    return [
        {"say": "first", "open": sum(sheet[cell]["open"] for cell in CELLS)},
        {"say": "ahead", "rolls": MAX_ROLLS, "rows": ahead} if ahead else {},
        _lucky(sheet),
        _standing(view),
    ]


def _of_the_dice(view: View) -> list[Reason]:
    sheet, dice, rolls = view["sheets"][view["you"]], tuple(view["dice"]), MAX_ROLLS - view["rolls"]
    worth, throw = points(dice), INDEX[tuple(sorted(view["dice"]))]
    now = {cell: worth[sheet[cell]["as"] or cell] for cell in CELLS if sheet[cell]["open"]}
    rows = _wanted(sheet, worth)
    more = [(*row, best_reached(*row[1:], PARTS[throw])) for row in rows] if rolls else []
    ahead = _best(more)
    give = sorted((cell for cell in now if now[cell]), key=lambda cell: (-now[cell], _par(sheet, cell)))
    return [
        {"say": "now", "rows": [(cell, now[cell], _par(sheet, cell)) for cell in give]},
        {"say": "ahead", "rolls": 1, "rows": ahead} if ahead else {},
        _high(sheet, throw, sum(dice)) if rolls else _zeros(sheet, now),
        _extra(sheet, throw, rows),
        _leaves(view),
    ]


def _wanted(sheet: View, worth: dict[str, int] | None) -> list[Row]:
    """What is worth rolling for: open rows that give nothing yet, one more die of a number; not the high roll."""
    wanted = []
    for cell in (cell for cell in CELLS if sheet[cell]["open"]):
        rule = sheet[cell]["as"] or cell
        there = worth[rule] if worth else 0
        if rule in UPPER:
            face = UPPER.index(rule) + 1
            least = there + face if worth else A_GOOD_UPPER * face
            if least <= 5 * face:
                wanted.append((cell, rule, least))
        elif rule != "high_roll" and not there:
            wanted.append((cell, rule, 1))
    return wanted


@lru_cache(maxsize=2048)
def _chances(rule: str, least: int, rolls: int) -> list[float]:
    """The chance of so many points by a rule, from each kept set, with so many rolls, for who rolls for that alone."""
    if rolls == 1:
        return expectations([float(points(throw)[rule] >= least) for throw in THROWS])
    then = _chances(rule, least, rolls - 1)
    return expectations([max(then[throw], *map(then.__getitem__, parts)) for throw, parts in enumerate(PARTS)])


def reached(rule: str, least: int, kept: int, rolls: int) -> float:
    """The chance of so many points by a rule, with a set kept and so many rolls of the other dice."""
    return _chances(rule, least, rolls)[kept]


def best_reached(rule: str, least: int, keeps: Sequence[int]) -> float:
    """The chance of so many points by a rule with one roll, keeping the best of those sets."""
    return max(map(_chances(rule, least, 1).__getitem__, keeps))


def _best(rows: list[tuple[str, str, int, float]]) -> list[tuple[str, str, int, float]]:
    """The rows whose chance, times what they then give, is highest; the likeliest first."""
    best = sorted(rows, key=lambda row: -_hoped(row))[:FEW]
    return sorted(best, key=lambda row: -row[3])


def _hoped(row: tuple[str, str, int, float]) -> float:
    _cell, rule, least, chance = row
    return chance * (least if rule in UPPER else PAR[rule])


def _par(sheet: View, cell: str) -> int:
    """About what a row gives in good play."""
    return round(PAR[sheet[cell]["as"] or cell])


def _lucky(sheet: View) -> Reason:
    """How many upper rows are to be written before the lucky roll."""
    left = sum(sheet[cell]["open"] for cell in UPPER)
    return {"say": "lucky", "left": left, "points": LUCKY_POINTS} if sheet["lucky"] is None else {}


def _standing(view: View) -> Reason:
    """How far the best of the others is ahead or behind."""
    totals = [sheet["total"] for sheet in view["sheets"]]
    best = max((seat for seat in range(view["seats"]) if seat != view["you"]), key=totals.__getitem__)
    return {"say": "standing", "own": totals[view["you"]], "seat": best, "best": totals[best]}


def _high(sheet: View, throw: int, now: int) -> Reason:
    """How likely one more roll makes a better high roll."""
    if not any(sheet[cell]["open"] and (sheet[cell]["as"] or cell) == "high_roll" for cell in CELLS) or now == 30:
        return {}
    return {"say": "high", "now": now, "chance": best_reached("high_roll", now + 1, PARTS[throw])}


def _zeros(sheet: View, now: dict[str, int]) -> Reason:
    """Where a zero, if it must be, costs least."""
    if any(now.values()):
        return {}
    cell = min(now, key=lambda cell: PAR[sheet[cell]["as"] or cell])
    return {"say": "zero", "cell": cell, "par": _par(sheet, cell)}


def _extra(sheet: View, throw: int, rows: list[Row]) -> Reason:
    """The row that is likeliest by the extra for one die."""
    if not sheet["extras"]["die"] or not rows:
        return {}
    found = [(*row, best_reached(*row[1:], FOURS[throw])) for row in rows]
    best = max(found, key=_hoped)
    return {"say": "extra", "rows": [best]} if best[3] else {}


def _leaves(view: View) -> Reason:
    """How many numbers of the white die form a combo with these dice, for each of the others."""
    return {"say": "leaves", "ways": sum(bool(formed(white, tuple(view["dice"]))) for white in BY_WHITE)}


def _of_a_combo(view: View) -> list[Reason]:
    uses = sorted(_uses(view), key=lambda use: -use["rank"])
    best = {use["privilege"]: use for use in reversed(uses)}  # of each privilege the best
    told = sorted(best.values(), key=lambda use: -use["rank"])[:OFFERED]
    found: list[Reason] = [{"say": "formed", "seat": view["active"], "white": view["white"], "uses": len(uses)}]
    found += [{name: value for name, value in use.items() if name != "rank"} for use in told]
    if COMBO_EXTRA in view["prompt"]["moves"]:
        sheets = tuple(map(Sheet.seen, view["sheets"]))
        again = could_bring(sheets, tuple(view["dice"]), view["you"])
        found.append({"say": "again", "ways": len(again), "numbers": sorted(again), "loses": bool(uses)})
    return [*found, _standing(view)][:5]


def _uses(view: View) -> Iterator[Reason]:
    """Each use of a privilege: what one's own total and another's change by; of those without points about how much."""
    own = view["sheets"][view["you"]]
    for move in view["prompt"]["moves"]:
        if move["type"] not in PRIVILEGES:
            continue
        seat = move.get("seat")
        theirs = own if seat is None else view["sheets"][seat]
        for cell in move["cell"]["one_of"]:
            gain, loss, about = _worth(move["type"], own[cell], theirs[cell], cell)
            use = {"say": "use", "privilege": move["type"], "cell": cell, "seat": seat, "gain": gain, "loss": loss}
            use |= {"now": own[cell]["pts"], "usual": _par(own, cell), "into": BEST_KIND, "best": round(PAR[BEST_KIND])}
            yield use | {"rank": gain + loss / (view["seats"] - 1) + about}


BEST_KIND = max(KINDS, key=lambda kind: PAR[kind])
"""What an open row that is transformed usually gives most by."""


def _worth(privilege: str, own: View, theirs: View, cell: str) -> tuple[int, int, float]:
    """What is won at once, what the other loses, and about what an open row is worth then."""
    pts, rule = own["pts"] or 0, own["as"] or cell
    match privilege:
        case "double" | "triple":
            return pts * (1 if privilege == "double" else 2), 0, 0.0
        case "steal":
            return theirs["pts"] - pts, theirs["pts"], 0.0
        case "swap":
            return theirs["pts"] - pts, theirs["pts"] - pts, 0.0
        case "erase":
            return -pts, 0, PAR[rule]
    return 0, 0, PAR[BEST_KIND] - PAR[rule]
