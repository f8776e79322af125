"""The moves of YAM menteur as they are sent."""

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from games.rules.yam_menteur.tables import EVER_CLAIMED, FIXED, Combination

Die: TypeAlias = Annotated[int, Meta(ge=0, le=4)]


class Roll(Struct, frozen=True, forbid_unknown_fields=True, tag="roll"):
    """Try: without `dice` for the first time, then with those of the last try that are rolled again."""

    dice: Annotated[list[Die], Meta(min_length=1, max_length=5)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.dice is not UNSET and len(set(self.dice)) < len(self.dice):
            raise ValueError("a die is named twice")


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
