"""The prompts of YAM menteur: what the thrower, and what everybody else, may do."""

from games.engine import Move
from games.rules.yam_menteur.state import State
from games.rules.yam_menteur.tables import CLAIMS, COMBINATIONS, FIXED

FIRST_TRY: Move = {"type": "roll"}
ANSWERS: list[Move] = [{"type": "answer", "doubt": {"one_of": [True, False]}}]
BELIEVE: Move = {"type": "answer", "doubt": False}
DOUBT: Move = {"type": "answer", "doubt": True}


def throw_entries(state: State) -> list[Move]:
    """What the thrower may do before it has announced."""
    if not state.tries:
        return [FIRST_TRY]
    entries: list[Move] = []
    if state.may_try:
        loose = list(state.loose)
        entries.append({"type": "roll", "dice": {"subset_of": loose, "min": 1, "max": len(loose)}})
    return entries + [ANNOUNCE[combination] for combination in state.sheets[state.thrower].open]


def _announce(combination: str) -> Move:
    claims = CLAIMS[combination]
    points = {"min": claims[0], "max": claims[-1], "step": claims.step}
    entry: Move = {"type": "announce", "combination": combination, "points": points}
    return entry | {"may_omit": ["points"]} if combination in FIXED else entry


ANNOUNCE = {combination: _announce(combination) for combination in COMBINATIONS}
