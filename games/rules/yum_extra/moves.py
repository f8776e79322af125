"""The moves of Yum EXTRA: their form, which of them are legal, and the effect of privileges."""

from collections.abc import Callable
from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from games.engine import Event, Move, put
from games.engine.throws import ALL_DICE, Dice, Die, Roll
from games.rules.yum_extra.sheet import CELLS, KINDS, UPPER, Kind, Row, Sheet, Upper, formed
from games.rules.yum_extra.state import State

Cell: TypeAlias = Upper | Kind | Literal["yum"]
Seat: TypeAlias = Annotated[int, Meta(ge=0)]


class Extra(Struct, frozen=True, forbid_unknown_fields=True, tag="extra"):
    """Use an extra. Only `die` says which."""

    extra: Literal["die", "all", "combo"]
    die: Die | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.extra == "die") == (self.die is UNSET):
            raise ValueError("the extra 'die' names a die, the others do not")


class Score(Struct, frozen=True, forbid_unknown_fields=True, tag="score"):
    """Write the dice in a row."""

    cell: Cell


class Erase(Struct, frozen=True, forbid_unknown_fields=True, tag="erase"):
    cell: Cell


class Steal(Struct, frozen=True, forbid_unknown_fields=True, tag="steal"):
    cell: Cell
    seat: Seat


class Triple(Struct, frozen=True, forbid_unknown_fields=True, tag="triple"):
    cell: Cell


class Double(Struct, frozen=True, forbid_unknown_fields=True, tag="double"):
    cell: Cell


class Swap(Struct, frozen=True, forbid_unknown_fields=True, tag="swap"):
    cell: Cell
    seat: Seat


class Transform(Struct, frozen=True, forbid_unknown_fields=True, tag="transform"):
    cell: Upper
    into: Kind


class Pass(Struct, frozen=True, forbid_unknown_fields=True, tag="pass"):
    pass


MOVES = (Roll, Extra, Score, Erase, Steal, Triple, Double, Swap, Transform, Pass)
Privilege: TypeAlias = Erase | Steal | Triple | Double | Swap | Transform

MAX_ROLLS = 3
COMBO_EXTRA: Move = {"type": "extra", "extra": "combo"}
FIRST_ROLL: Move = {"type": "roll"}
MORE_ROLLS: Move = {
    "type": "roll",
    "dice": {"subset_of": list(ALL_DICE), "min": 1, "max": 5},
    "may_omit": ["dice"],
}
DIE_EXTRA: Move = {"type": "extra", "extra": "die", "die": {"one_of": list(ALL_DICE)}}
ALL_EXTRA: Move = {"type": "extra", "extra": "all"}


def roll_entries(state: State) -> list[Move]:
    """The entries of the active seat's prompt."""
    if state.dice is None:
        return [FIRST_ROLL]
    extras = state.sheets[state.active].extras
    entries = [MORE_ROLLS] if state.rolls < MAX_ROLLS else []
    if "die" in extras:
        entries.append(DIE_EXTRA)
    if "all" in extras:
        entries.append(ALL_EXTRA)
    entries.append({"type": "score", "cell": {"one_of": _writable(state)}})
    return entries


def combo_entries(state: State) -> list[Move]:
    """The entries of the prompt in a combo turn, passing aside."""
    if state.combo is None:
        return []
    seat, sheets = state.combo, state.sheets
    entries = [entry for privilege in state.formed for entry in targets(privilege, sheets, seat)]
    if "combo" in sheets[seat].extras:
        entries.append(COMBO_EXTRA)
    return entries


def _writable(state: State) -> list[str]:
    """The rows that the active seat may write; with forced zeros, a zero only where no row gives points."""
    values = state.open_points()
    if state.scratch == "free":
        return list(values)
    return [cell for cell, value in values.items() if value] or list(values)


Sheets = tuple[Sheet, ...]


def targets(privilege: str, sheets: Sheets, seat: int) -> list[Move]:
    """The entries of the prompt of `seat` for that privilege; [] where it has no target."""
    return TARGETS[privilege](sheets, seat)


def could_bring(sheets: Sheets, dice: Dice, seat: int) -> dict[int, list[str]]:
    """The privileges that each number of the white die would let `seat` use on those dice; without the others."""
    found = {white: [p for p in formed(white, dice) if targets(p, sheets, seat)] for white in range(1, 7)}
    return {white: privileges for white, privileges in found.items() if privileges}


def use(move: Privilege, sheets: Sheets, seat: int) -> tuple[Sheets, Event]:
    """The sheets after `seat` has used a privilege on a legal target, and the event."""
    match move:
        case Erase(cell=cell):
            return _erase(sheets, seat, cell)
        case Steal(cell=cell, seat=victim):
            return _steal(sheets, seat, cell, victim)
        case Triple(cell=cell):
            return _multiply(sheets, seat, cell, "triple", 3)
        case Double(cell=cell):
            return _multiply(sheets, seat, cell, "double", 2)
        case Swap(cell=cell, seat=other):
            return _swap(sheets, seat, cell, other)
        case Transform(cell=cell, into=into):
            return _transform(sheets, seat, cell, into)


def changed(sheets: Sheets, seat: int, cell: str, row: Row) -> Sheets:
    """The sheets with one row of one seat replaced."""
    return put(sheets, seat, sheets[seat].with_row(cell, row))


def _erasable(sheets: Sheets, seat: int) -> list[Move]:
    rows = zip(CELLS, sheets[seat].rows, strict=True)
    return _entries("erase", [cell for cell, row in rows if row.plain_points is not None])


def _stealable(sheets: Sheets, seat: int) -> list[Move]:
    entries: list[Move] = []
    for victim in others(sheets, seat):
        pairs = zip(CELLS, sheets[seat].rows, sheets[victim].rows, strict=True)
        cells = [
            cell
            for cell, mine, theirs in pairs
            if theirs.plain_points and mine.bonus is None and mine.into is None and theirs.into is None
        ]
        entries += _entries("steal", cells, seat=victim)
    return entries


def _multipliable(sheet: Sheet) -> list[str]:
    return [cell for cell, row in zip(CELLS, sheet.rows, strict=True) if row.plain_points]


def _swappable(sheets: Sheets, seat: int) -> list[Move]:
    entries: list[Move] = []
    for other in others(sheets, seat):
        pairs = zip(CELLS, sheets[seat].rows, sheets[other].rows, strict=True)
        cells = [cell for cell, mine, theirs in pairs if _may_swap(mine) and _may_swap(theirs)]
        entries += _entries("swap", cells, seat=other)
    return entries


def _may_swap(row: Row) -> bool:
    return row.plain_points is not None and row.into is None


def _transformable(sheets: Sheets, seat: int) -> list[Move]:
    rows = zip(UPPER, sheets[seat].rows, strict=False)
    cells = [cell for cell, row in rows if row.open and row.into is None and not row.stolen]
    return [{**entry, "into": {"one_of": list(KINDS)}} for entry in _entries("transform", cells)]


def others(sheets: Sheets, seat: int) -> list[int]:
    """The other seats, clockwise from the left."""
    return [(seat + step) % len(sheets) for step in range(1, len(sheets))]


def _entries(kind: str, cells: list[str], **fields: int) -> list[Move]:
    return [{"type": kind, **fields, "cell": {"one_of": cells}}] if cells else []


TARGETS: dict[str, Callable[[Sheets, int], list[Move]]] = {
    "erase": _erasable,
    "steal": _stealable,
    "triple": lambda sheets, seat: _entries("triple", _multipliable(sheets[seat])),
    "double": lambda sheets, seat: _entries("double", _multipliable(sheets[seat])),
    "swap": _swappable,
    "transform": _transformable,
}


def _erase(sheets: Sheets, seat: int, cell: str) -> tuple[Sheets, Event]:
    row = sheets[seat].row(cell)
    event = {"type": "erase", "seat": seat, "cell": cell, "points": row.pts}
    return changed(sheets, seat, cell, Row(into=row.into)), event


def _steal(sheets: Sheets, seat: int, cell: str, victim: int) -> tuple[Sheets, Event]:
    mine = sheets[seat].row(cell)
    points = sheets[victim].row(cell).pts
    event = {"type": "steal", "seat": seat, "cell": cell, "from": victim, "points": points}
    sheets = changed(sheets, seat, cell, Row(pts=mine.pts, bonus=points, stolen=mine.stolen))
    return changed(sheets, victim, cell, Row(stolen=True)), event


def _multiply(sheets: Sheets, seat: int, cell: str, kind: str, times: int) -> tuple[Sheets, Event]:
    row = sheets[seat].row(cell)
    points = (row.pts or 0) * times
    event = {"type": kind, "seat": seat, "cell": cell, "points": points}
    return changed(sheets, seat, cell, Row(pts=row.pts, bonus=points, into=row.into)), event


def _swap(sheets: Sheets, seat: int, cell: str, other: int) -> tuple[Sheets, Event]:
    mine, theirs = sheets[seat].row(cell).pts, sheets[other].row(cell).pts
    event = {"type": "swap", "seat": seat, "cell": cell, "with": other, "gets": theirs, "gives": mine}
    sheets = changed(sheets, seat, cell, Row(pts=mine, bonus=theirs))
    return changed(sheets, other, cell, Row(pts=theirs, bonus=mine)), event


def _transform(sheets: Sheets, seat: int, cell: str, into: str) -> tuple[Sheets, Event]:
    event = {"type": "transform", "seat": seat, "cell": cell, "into": into}
    return changed(sheets, seat, cell, Row(into=into)), event
