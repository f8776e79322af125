"""The rules of Yum EXTRA (spec: yum-extra.md)."""

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec import UNSET, Struct

from games.engine import (
    PASS,
    Chance,
    Entry,
    Event,
    Game,
    IllegalMove,
    Move,
    MoveCodec,
    Options,
    Orders,
    Outcome,
    Prompt,
    Reason,
    StateCodec,
    View,
    ranked,
)
from games.engine import gettext_noop as _
from games.engine.throws import ALL_DICE, Roll
from games.rules.yum_extra import moves
from games.rules.yum_extra.bot import BOTS, worth
from games.rules.yum_extra.hints import hints, traces
from games.rules.yum_extra.moves import (
    COMBO_EXTRA,
    FIRST_ROLL,
    MAX_ROLLS,
    MOVES,
    combo_entries,
    could_bring,
    roll_entries,
)
from games.rules.yum_extra.reasons import reasons
from games.rules.yum_extra.sheet import CELLS, PRIVILEGES, Sheet
from games.rules.yum_extra.state import State
from games.rules.yum_extra.turns import combo_turns, privilege, reroll, roll, score, use_extra

ROLL_FIRST = _("Roll all five dice first.")
NO_MORE_ROLLS = _("You have already rolled three times.")
EXTRA_USED = _("You have already used that extra.")
NOT_OPEN = _("That row is not open.")
NO_ZERO_YET = _("You may write a zero only when no open row would give points.")
NOT_FORMED = _("You have no combo for that.")
NOT_THERE = _("That row cannot be used for this combo.")
NOT_NOW = _("This is not possible now.")


class YumExtra(Game[State]):
    """Yum EXTRA for 2 to 4 seats. Nothing is hidden."""

    slug = "yum-extra"
    name = "Yum EXTRA"
    min_seats = 2
    explains = True
    goes_on = frozenset({"roll", "extra"})
    max_seats = 4
    option_fields: ClassVar = {"scratch": {"one_of": ["forced", "free"], "default": "forced"}}
    orders: ClassVar = {
        "keep_extra": {"one_of": [True, False]},
        "privileges": {"subset_of": list(PRIVILEGES), "min": 0, "max": len(PRIVILEGES)},
    }
    bots: ClassVar = BOTS
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
        return [] if state.over else [state.mover]

    def prompt(self, state: State, seat: int) -> Prompt | None:
        if seat not in self.to_move(state):
            return None
        if state.combo is None:
            return {"phase": "roll", "moves": roll_entries(state), "optional": False}
        return {"phase": "combo", "moves": [*combo_entries(state), PASS], "optional": True}

    def possible(self, state: State, move: Struct) -> bool:
        return not isinstance(move, moves.Steal | moves.Swap) or move.seat < len(state.sheets)

    def play(self, state: State, seat: int | None, move: Struct, chance: Chance, now: int) -> tuple[State, list[Event]]:
        mover = state.mover
        events: list[Event] = []
        match move:
            case Roll(dice=dice):
                state = roll(state, ALL_DICE if dice is UNSET else sorted(dice), chance, events)
            case moves.Extra(extra="combo"):
                state = combo_turns(use_extra(state, mover, "combo"), mover, chance, events, again=True)
            case moves.Extra(extra=extra, die=die):
                which = ALL_DICE if die is UNSET else [die]
                state = reroll(use_extra(state, mover, extra), extra, which, chance, events)
            case moves.Score(cell=cell):
                state = score(state, cell, chance, events)
            case moves.Pass():
                events.append({"type": "pass", "seat": mover})
                state = combo_turns(state, state.left_of(mover), chance, events)
            case moves.Erase() | moves.Steal() | moves.Triple() | moves.Double() | moves.Swap() | moves.Transform():
                state = privilege(state, mover, move, chance, events)
        return state, events

    def refusal(self, state: State, seat: int, move: Struct) -> IllegalMove:
        return IllegalMove("illegal", _why_not(state, seat, move))

    def shown(self, state: State, seat: int | None) -> View:
        return {
            "dice": None if state.dice is None else list(state.dice),
            "rolls": state.rolls,
            "white": state.white,
            "active": state.active,
            "combos": list(state.formed),
            "sheets": [sheet.shown() for sheet in state.sheets],
            "starter": state.starter,
        }

    def figures(self, state: State) -> list[int]:
        return [sheet.total for sheet in state.sheets]

    def outcome(self, state: State) -> Outcome | None:
        return ranked(self.progress(state)) if state.over else None

    def progress(self, state: State) -> list[int]:
        return [sheet.total for sheet in state.sheets]

    def marks(self, state: State) -> dict[str, Any]:
        """By seat and row."""
        return {
            f"{seat}/{cell}": row
            for seat, sheet in enumerate(state.sheets)
            for cell, row in zip(CELLS, sheet.rows, strict=True)
            if not row.open
        }

    def default_move(self, state: State, seat: int) -> Move | None:
        """Roll all five; with dice on the table, the open row with the most points; in a combo turn, pass."""
        if seat not in self.to_move(state):
            return None
        if state.combo is not None:
            return PASS
        if state.dice is None:
            return FIRST_ROLL
        values = state.open_points()
        return {"type": "score", "cell": max(values, key=lambda cell: values[cell])}

    def needless(self, state: State, seat: int) -> Move | None:
        """Pass, where only the combo extra is left and no number of the white die would let it be of use."""
        if state.combo != seat or state.dice is None or combo_entries(state) != [COMBO_EXTRA]:
            return None
        return None if could_bring(state.sheets, state.dice, seat) else PASS

    def order_answers(self, view: View, orders: Orders) -> list[Move | None]:
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

    def worth(self, view: View, move: Move) -> float | None:
        return worth(view, move)

    def hints(self, view: View) -> dict[str, Any]:
        return hints(view)

    def reasons(self, view: View) -> list[Reason]:
        return reasons(view)

    def opens_paragraph(self, events: Sequence[Event]) -> bool:
        return bool(events[0]["type"] == "roll" and events[0]["n"] == 1)

    def traces(self, log: Sequence[Entry]) -> dict[str, Any]:
        return traces(log)


def _why_not(state: State, seat: int, move: Struct) -> str:
    match move:
        case Roll() | moves.Score() | moves.Extra(extra="die" | "all") if state.combo is not None:
            return NOT_NOW
        case moves.Extra(extra=extra):
            if extra not in state.sheets[seat].extras:
                return EXTRA_USED
            return NOT_NOW if extra == "combo" else ROLL_FIRST
        case Roll():
            return NO_MORE_ROLLS if state.rolls == MAX_ROLLS else ROLL_FIRST
        case moves.Score(cell=cell):
            if state.dice is None:
                return ROLL_FIRST
            return NO_ZERO_YET if state.sheets[seat].row(cell).open else NOT_OPEN
        case moves.Pass():
            return NOT_NOW
    privilege = str(move.__struct_config__.tag)
    return NOT_THERE if privilege in state.formed else NOT_FORMED


GAME = YumExtra()
