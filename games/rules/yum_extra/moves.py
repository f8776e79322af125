"""The moves of Yum EXTRA as they are sent."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from games.rules.yum_extra.tables import Kind, Upper

Cell: TypeAlias = Upper | Kind | Literal["yum"]
Die: TypeAlias = Annotated[int, Meta(ge=0, le=4)]
Seat: TypeAlias = Annotated[int, Meta(ge=0)]


class Roll(Struct, frozen=True, forbid_unknown_fields=True, tag="roll"):
    """Roll those dice; without `dice`, all five."""

    dice: Annotated[list[Die], Meta(min_length=1, max_length=5)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.dice is not UNSET and len(set(self.dice)) < len(self.dice):
            raise ValueError("a die is named twice")


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
