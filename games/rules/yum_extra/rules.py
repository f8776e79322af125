"""The rules of Yum EXTRA (spec: yum-extra.md)."""

from typing import Any, ClassVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from games.engine import (
    PASS,
    Bot,
    Chance,
    Event,
    Game,
    IllegalMove,
    Move,
    MoveCodec,
    Options,
    Orders,
    Outcome,
    Prompt,
    StateCodec,
    View,
    ranked,
)
from games.engine import gettext_noop as _
from games.rules.yum_extra.bot import BOTS
from games.rules.yum_extra.hints import hints
from games.rules.yum_extra.moves import (
    MOVES,
    Double,
    Erase,
    Extra,
    Pass,
    Privilege,
    Roll,
    Score,
    Steal,
    Swap,
    Transform,
    Triple,
)
from games.rules.yum_extra.privileges import changed, targets, use, with_sheet
from games.rules.yum_extra.sheet import EXTRAS, Row, Sheet
from games.rules.yum_extra.tables import (
    CELLS,
    LUCKY_FROM,
    LUCKY_POINTS,
    PRIVILEGES,
    Dice,
    formed,
    points,
)

ROLL_FIRST = _("Roll all five dice first.")
NO_MORE_ROLLS = _("You have rolled three times already.")
EXTRA_USED = _("You have used that extra already.")
NOT_OPEN = _("That row is not open.")
NO_ZERO_YET = _("You may write a zero only when no open row would give points.")
NOT_FORMED = _("You have no combo for that.")
NOT_THERE = _("That row cannot be used for this privilege.")
NOT_NOW = _("That is not possible now.")

MAX_ROLLS = 3
ALL_DICE = [0, 1, 2, 3, 4]
COMBO_EXTRA: Move = {"type": "extra", "extra": "combo"}
FIRST_ROLL: Move = {"type": "roll"}
MORE_ROLLS: Move = {"type": "roll", "dice": {"subset_of": ALL_DICE, "min": 1, "max": 5}, "may_omit": ["dice"]}
DIE_EXTRA: Move = {"type": "extra", "extra": "die", "die": {"one_of": ALL_DICE}}
ALL_EXTRA: Move = {"type": "extra", "extra": "all"}


class State(Struct, frozen=True, omit_defaults=True):
    """A match. `combo` is the seat in its combo turn, `last` says that this round is the last."""

    scratch: str
    starter: int
    active: int
    sheets: tuple[Sheet, ...]
    dice: Dice | None = None
    rolls: int = 0
    combo: int | None = None
    white: int | None = None
    last: bool = False
    over: bool = False


class YumExtra(Game[State]):
    """Yum EXTRA for 2 to 4 seats. Nothing is hidden."""

    slug = "yum-extra"
    name = "Yum EXTRA"
    min_seats = 2
    max_seats = 4
    option_fields: ClassVar = {"scratch": {"one_of": ["forced", "free"], "default": "forced"}}
    orders: ClassVar = {
        "keep_extra": {"one_of": [True, False]},
        "privileges": {"subset_of": list(PRIVILEGES), "min": 0, "max": len(PRIVILEGES)},
    }
    moves = MoveCodec(*MOVES)
    states = StateCodec(State)

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        starter = chance.roll(1, seats)[0] - 1
        return State(options["scratch"], starter, starter, (Sheet(),) * seats)

    def seat_count(self, state: State) -> int:
        return len(state.sheets)

    def phase(self, state: State) -> str:
        if state.over:
            return "over"
        return "roll" if state.combo is None else "combo"

    def to_move(self, state: State) -> list[int]:
        if state.over:
            return []
        return [state.active if state.combo is None else state.combo]

    def prompt(self, state: State, seat: int) -> Prompt | None:
        if seat not in self.to_move(state):
            return None
        if state.combo is None:
            return {"phase": "roll", "moves": _roll_entries(state), "optional": False}
        return {"phase": "combo", "moves": [*_combo_entries(state), PASS], "optional": True}

    def possible(self, state: State, move: Struct) -> bool:
        return not isinstance(move, Steal | Swap) or move.seat < len(state.sheets)

    def play(
        self, state: State, seat: int | None, move: Struct, chance: Chance, now: int
    ) -> tuple[State, list[Event]]:
        mover = self.to_move(state)[0]
        events: list[Event] = []
        match move:
            case Roll(dice=dice):
                state = _roll(state, ALL_DICE if dice is UNSET else sorted(dice), chance, events)
            case Extra(extra="combo"):
                state = _use_extra(state, mover, "combo")
                state = _combo_turns(state, mover, chance, events, again=True)
            case Extra(extra=extra, die=die):
                state = _use_extra(state, mover, extra)
                state = _reroll(state, extra, ALL_DICE if die is UNSET else [die], chance, events)
            case Score(cell=cell):
                state = _score(state, cell, chance, events)
            case Pass():
                events.append({"type": "pass", "seat": mover})
                state = _combo_turns(state, _left(state, mover), chance, events)
            case Erase() | Steal() | Triple() | Double() | Swap() | Transform():
                state = _privilege(state, mover, move, chance, events)
        return state, events

    def refusal(self, state: State, seat: int, move: Struct) -> IllegalMove:
        return IllegalMove("illegal", _why_not(state, seat, move))

    def shown(self, state: State, seat: int | None) -> View:
        combos = [] if state.over else _formed_now(state)
        return {
            "dice": None if state.dice is None else list(state.dice),
            "rolls": state.rolls,
            "white": state.white,
            "active": state.active,
            "combos": list(combos),
            "sheets": [_shown_sheet(sheet) for sheet in state.sheets],
            "starter": state.starter,
        }

    def outcome(self, state: State) -> Outcome | None:
        return ranked([sheet.total for sheet in state.sheets]) if state.over else None

    def default_move(self, state: State, seat: int) -> Move | None:
        """Roll all five; with dice on the table, the open row with the most points; in a combo turn, pass."""
        if seat not in self.to_move(state):
            return None
        if state.combo is not None:
            return PASS
        if state.dice is None:
            return FIRST_ROLL
        values = _open_points(state, state.dice)
        return {"type": "score", "cell": max(values, key=lambda cell: values[cell])}

    def said(self, view: View, orders: Orders) -> list[Move | None]:
        if view["phase"] != "combo":
            return []
        answers: list[Move | None] = []
        others = [move for move in view["prompt"]["moves"] if move not in (PASS, COMBO_EXTRA)]
        if orders.get("keep_extra") and not others:
            answers.append(PASS)
        if "privileges" in orders:
            wanted = set(orders["privileges"]).intersection(view["combos"])
            answers.append(None if wanted else PASS)
        return answers

    def hints(self, view: View) -> dict[str, Any]:
        return hints(view)

    def bot(self, level: str) -> Bot:
        return BOTS[level]()


def _left(state: State, seat: int) -> int:
    return (seat + 1) % len(state.sheets)


def _open_points(state: State, dice: Dice) -> dict[str, int]:
    """What the dice would give the active seat in each of its open rows, in the sheet's order."""
    worth = points(dice)
    rows = zip(CELLS, state.sheets[state.active].rows, strict=True)
    return {cell: worth[row.into or cell] for cell, row in rows if row.open}


def _writable(state: State, dice: Dice) -> list[str]:
    """The rows that the active seat may write. A zero is a sacrifice, for want of anything better."""
    values = _open_points(state, dice)
    if state.scratch == "free":
        return list(values)
    return [cell for cell, value in values.items() if value] or list(values)


def _roll_entries(state: State) -> list[Move]:
    if state.dice is None:
        return [FIRST_ROLL]
    extras = state.sheets[state.active].extras
    entries = [MORE_ROLLS] if state.rolls < MAX_ROLLS else []
    if "die" in extras:
        entries.append(DIE_EXTRA)
    if "all" in extras:
        entries.append(ALL_EXTRA)
    entries.append({"type": "score", "cell": {"one_of": _writable(state, state.dice)}})
    return entries


def _combo_entries(state: State) -> list[Move]:
    """What the seat in its combo turn may do beside passing."""
    if state.combo is None:
        return []
    entries: list[Move] = []
    for privilege in _formed_now(state):
        entries += targets(privilege, state.sheets, state.combo)
    if "combo" in state.sheets[state.combo].extras:
        entries.append(COMBO_EXTRA)
    return entries


def _formed_now(state: State) -> tuple[str, ...]:
    if state.combo is None or state.white is None or state.dice is None:
        return ()
    return formed(state.white, state.dice)


def _roll(state: State, which: list[int], chance: Chance, events: list[Event]) -> State:
    state = replace(state, dice=_thrown(state, which, chance), rolls=state.rolls + 1)
    events.append(
        {
            "type": "roll",
            "seat": state.active,
            "dice": list(state.dice or ()),
            "rolled": which,
            "n": state.rolls,
        }
    )
    return state


def _reroll(state: State, extra: str, which: list[int], chance: Chance, events: list[Event]) -> State:
    state = replace(state, dice=_thrown(state, which, chance))
    events.append(
        {
            "type": "extra",
            "seat": state.active,
            "extra": extra,
            "dice": list(state.dice or ()),
            "rolled": which,
        }
    )
    return state


def _thrown(state: State, which: list[int], chance: Chance) -> Dice:
    """The five dice after those with the indices `which`, ascending, were rolled."""
    dice = list(state.dice or ALL_DICE)
    for index, face in zip(which, chance.roll(len(which)), strict=True):
        dice[index] = face
    return tuple(dice)


def _use_extra(state: State, seat: int, extra: str) -> State:
    return replace(state, sheets=with_sheet(state.sheets, seat, state.sheets[seat].without_extra(extra)))


def _score(state: State, cell: str, chance: Chance, events: list[Event]) -> State:
    seat, dice = state.active, state.dice or ()
    row = state.sheets[seat].row(cell)
    value = points(dice)[row.into or cell]
    written = Row(None, value, True) if row.stolen else Row(value, into=row.into)
    sheets = changed(state.sheets, seat, cell, written)
    state = replace(state, sheets=sheets, last=sheets[seat].full)
    column = "bonus" if row.stolen else "pts"
    events.append(
        {"type": "score", "seat": seat, "cell": cell, "points": value, "column": column, "as": row.into}
        | {"dice": list(dice)}
    )
    state = _lucky(state, seat, chance, events)
    return _combo_turns(state, _left(state, seat), chance, events)


def _privilege(state: State, seat: int, move: Privilege, chance: Chance, events: list[Event]) -> State:
    sheets, event = use(move, state.sheets, seat)
    events.append(event)
    state = _lucky(replace(state, sheets=sheets), seat, chance, events)
    return _combo_turns(state, _left(state, seat), chance, events)


def _lucky(state: State, seat: int, chance: Chance, events: list[Event]) -> State:
    """The lucky roll, once the upper rows are all written for the first time."""
    sheet = state.sheets[seat]
    if not sheet.awaits_lucky:
        return state
    die = chance.roll(1)[0]
    won = LUCKY_POINTS if die >= LUCKY_FROM else 0
    events.append({"type": "lucky", "seat": seat, "die": die, "points": won})
    return replace(state, sheets=with_sheet(state.sheets, seat, replace(sheet, lucky=won)))


def _combo_turns(state: State, seat: int, chance: Chance, events: list[Event], again: bool = False) -> State:
    """Roll the white die for `seat`, then for each seat after it, until one has something to decide.

    After the last one the round is over. `again`: `seat` rolls by its combo extra.
    """
    while seat != state.active:
        state = replace(state, combo=seat, white=chance.roll(1)[0])
        asked = bool(_combo_entries(state))
        events.append(
            {"type": "white", "seat": seat, "die": state.white, "combos": list(_formed_now(state))}
            | {"again": again, "asked": asked}
        )
        if asked:
            return state
        seat, again = _left(state, seat), False
    return _round_over(state, events)


def _round_over(state: State, events: list[Event]) -> State:
    if state.last or any(sheet.full for sheet in state.sheets):
        events.append({"type": "end"})
        return replace(state, combo=None, over=True)
    active = _left(state, state.active)
    events.append({"type": "turn", "seat": active})
    return State(state.scratch, state.starter, active, state.sheets)


def _shown_sheet(sheet: Sheet) -> View:
    upper, lower = sheet.sums
    shown: View = {
        cell: {"pts": row.pts, "bonus": row.bonus, "stolen": row.stolen, "as": row.into, "open": row.open}
        for cell, row in zip(CELLS, sheet.rows, strict=True)
    }
    shown["extras"] = {extra: extra in sheet.extras for extra in EXTRAS}
    shown["lucky"] = sheet.lucky
    shown["upper"] = upper
    shown["lower"] = lower
    shown["total"] = upper + lower + (sheet.lucky or 0)
    return shown


def _why_not(state: State, seat: int, move: Struct) -> str:
    match move:
        case Roll() | Score() | Extra(extra="die" | "all") if state.combo is not None:
            return NOT_NOW
        case Extra(extra=extra):
            if extra not in state.sheets[seat].extras:
                return EXTRA_USED
            return NOT_NOW if extra == "combo" else ROLL_FIRST
        case Roll():
            return NO_MORE_ROLLS if state.rolls == MAX_ROLLS else ROLL_FIRST
        case Score(cell=cell):
            if state.dice is None:
                return ROLL_FIRST
            return NO_ZERO_YET if state.sheets[seat].row(cell).open else NOT_OPEN
        case Pass():
            return NOT_NOW
    privilege = str(move.__struct_config__.tag)
    return NOT_THERE if privilege in _formed_now(state) else NOT_FORMED
