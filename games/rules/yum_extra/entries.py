"""The prompt of Yum EXTRA: what the seat to move may do."""

from games.engine import Move
from games.rules.yum_extra.privileges import targets
from games.rules.yum_extra.state import State

MAX_ROLLS = 3
ALL_DICE = [0, 1, 2, 3, 4]
COMBO_EXTRA: Move = {"type": "extra", "extra": "combo"}
FIRST_ROLL: Move = {"type": "roll"}
MORE_ROLLS: Move = {"type": "roll", "dice": {"subset_of": ALL_DICE, "min": 1, "max": 5}, "may_omit": ["dice"]}
DIE_EXTRA: Move = {"type": "extra", "extra": "die", "die": {"one_of": ALL_DICE}}
ALL_EXTRA: Move = {"type": "extra", "extra": "all"}


def roll_entries(state: State) -> list[Move]:
    """What the active seat may do."""
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
    """What the seat in its combo turn may do beside passing."""
    if state.combo is None:
        return []
    entries: list[Move] = []
    for privilege in state.formed:
        entries += targets(privilege, state.sheets, state.combo)
    if "combo" in state.sheets[state.combo].extras:
        entries.append(COMBO_EXTRA)
    return entries


def _writable(state: State) -> list[str]:
    """The rows that the active seat may write. A zero is a sacrifice, for want of anything better."""
    values = state.open_points()
    if state.scratch == "free":
        return list(values)
    return [cell for cell, value in values.items() if value] or list(values)
