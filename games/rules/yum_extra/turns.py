"""What the moves of Yum EXTRA do to a match. Each function adds what happened to `events`."""

from msgspec.structs import replace

from games.engine import Chance, Event
from games.rules.yum_extra.moves import ALL_DICE, Privilege, changed, combo_entries, use, with_sheet
from games.rules.yum_extra.sheet import LUCKY_FROM, LUCKY_POINTS, Dice, Row, points
from games.rules.yum_extra.state import State


def roll(state: State, which: list[int], chance: Chance, events: list[Event]) -> State:
    state = replace(state, dice=_thrown(state, which, chance), rolls=state.rolls + 1)
    events.append(
        {
            "type": "roll",
            "seat": state.active,
            "dice": list(state.dice or ()),
            "rolled": list(which),
            "n": state.rolls,
        }
    )
    return state


def reroll(state: State, extra: str, which: list[int], chance: Chance, events: list[Event]) -> State:
    state = replace(state, dice=_thrown(state, which, chance))
    events.append(
        {
            "type": "extra",
            "seat": state.active,
            "extra": extra,
            "dice": list(state.dice or ()),
            "rolled": list(which),
        }
    )
    return state


def _thrown(state: State, which: list[int], chance: Chance) -> Dice:
    """The five dice after those with the indices `which`, ascending, were rolled."""
    dice = list(state.dice or ALL_DICE)
    for index, face in zip(which, chance.roll(len(which)), strict=True):
        dice[index] = face
    return tuple(dice)


def use_extra(state: State, seat: int, extra: str) -> State:
    return replace(state, sheets=with_sheet(state.sheets, seat, state.sheets[seat].without_extra(extra)))


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
    """The lucky roll, once the upper rows are all written for the first time."""
    sheet = state.sheets[seat]
    if not sheet.awaits_lucky:
        return state
    die = chance.roll(1)[0]
    won = LUCKY_POINTS if die >= LUCKY_FROM else 0
    events.append({"type": "lucky", "seat": seat, "die": die, "points": won})
    return replace(state, sheets=with_sheet(state.sheets, seat, replace(sheet, lucky=won)))


def combo_turns(state: State, seat: int, chance: Chance, events: list[Event], again: bool = False) -> State:
    """Roll the white die for `seat`, then for each seat after it, until one has something to decide.

    After the last one the round is over. `again`: `seat` rolls by its combo extra.
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
