"""The moves of YAM menteur as they are sent, and which of them are legal."""

from msgspec import UNSET, Struct, UnsetType

from games.engine import Move
from games.engine.throws import Roll
from games.rules.yam_menteur.sheet import CLAIMS, COMBINATIONS, EVER_CLAIMED, FIXED, Combination
from games.rules.yam_menteur.turns import State


class Announce(Struct, frozen=True, forbid_unknown_fields=True, tag="announce"):
    """Claim points for a combination, truly or not."""

    combination: Combination
    points: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.points is UNSET:
            if self.combination not in FIXED:
                raise ValueError("only combinations of fixed points may leave them out")
        elif self.points not in EVER_CLAIMED:
            raise ValueError("no combination gives that many points")


class Answer(Struct, frozen=True, forbid_unknown_fields=True, tag="answer"):
    """Doubt what was announced, or believe it."""

    doubt: bool


MOVES = (Roll, Announce, Answer)

FIRST_TRY: Move = {"type": "roll"}
ANSWERS: list[Move] = [{"type": "answer", "doubt": {"one_of": [True, False]}}]
BELIEVE: Move = {"type": "answer", "doubt": False}
DOUBT: Move = {"type": "answer", "doubt": True}


def throw_entries(state: State) -> list[Move]:
    """The entries of the thrower's prompt before it announces."""
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
