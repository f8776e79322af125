"""The effects of the moves of Yum EXTRA. Each function adds its events to `events`."""

from collections.abc import Sequence

from msgspec.structs import replace

from games.engine import Chance, Event, put
from games.engine.throws import rerolled
from games.rules.yum_extra.moves import Privilege, changed, combo_entries, use
from games.rules.yum_extra.sheet import LUCKY_FROM, LUCKY_POINTS, Row, points
from games.rules.yum_extra.state import State


def roll(state: State, which: Sequence[int], chance: Chance, events: list[Event]) -> State:
    dice, rolls = rerolled(state.dice, which, chance), state.rolls + 1
    event = {"type": "roll", "seat": state.active, "dice": list(dice), "rolled": list(which), "n": rolls}
    events.append(event)
    return replace(state, dice=dice, rolls=rolls)


def reroll(state: State, extra: str, which: Sequence[int], chance: Chance, events: list[Event]) -> State:
    dice = rerolled(state.dice, which, chance)
    event = {"type": "extra", "seat": state.active, "extra": extra, "dice": list(dice), "rolled": list(which)}
    events.append(event)
    return replace(state, dice=dice)


def use_extra(state: State, seat: int, extra: str) -> State:
    return replace(state, sheets=put(state.sheets, seat, state.sheets[seat].without_extra(extra)))


def score(state: State, cell: str, chance: Chance, events: list[Event]) -> State:
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
    return combo_turns(state, state.left_of(seat), chance, events)


def privilege(state: State, seat: int, move: Privilege, chance: Chance, events: list[Event]) -> State:
    sheets, event = use(move, state.sheets, seat)
    events.append(event)
    state = _lucky(replace(state, sheets=sheets), seat, chance, events)
    return combo_turns(state, state.left_of(seat), chance, events)


def _lucky(state: State, seat: int, chance: Chance, events: list[Event]) -> State:
    """Make the lucky roll when all upper rows are written for the first time."""
    sheet = state.sheets[seat]
    if not sheet.awaits_lucky:
        return state
    die = chance.roll(1)[0]
    won = LUCKY_POINTS if die >= LUCKY_FROM else 0
    events.append({"type": "lucky", "seat": seat, "die": die, "points": won})
    return replace(state, sheets=put(state.sheets, seat, replace(sheet, lucky=won)))


def combo_turns(state: State, seat: int, chance: Chance, events: list[Event], again: bool = False) -> State:
    """Roll the white die for `seat` and each seat after it until one has a decision; then the round is over.

    `again`: `seat` rolls by its combo extra.
    """
    while seat != state.active:
        state = replace(state, combo=seat, white=chance.roll(1)[0])
        asked = bool(combo_entries(state))
        events.append(
            {"type": "white", "seat": seat, "die": state.white, "combos": list(state.formed)}
            | {"again": again, "asked": asked}
        )
        if asked:
            return state
        seat, again = state.left_of(seat), False
    return _round_over(state, events)


def _round_over(state: State, events: list[Event]) -> State:
    if state.last or any(sheet.full for sheet in state.sheets):
        events.append({"type": "end"})
        return replace(state, combo=None, over=True)
    active = state.left_of(state.active)
    events.append({"type": "turn", "seat": active})
    return State(state.scratch, state.starter, active, state.sheets)
