"""The state of a match of Yum EXTRA."""

from msgspec import Struct

from games.engine.throws import Dice
from games.rules.yum_extra.sheet import CELLS, Sheet, formed, points


class State(Struct, frozen=True, omit_defaults=True):
    """A match. Dice and white die are None until they are rolled."""

    scratch: str
    """The option: whether a zero is `forced` or `free`."""
    starter: int
    active: int
    sheets: tuple[Sheet, ...]
    dice: Dice | None = None
    rolls: int = 0
    combo: int | None = None
    """The seat in its combo turn."""
    white: int | None = None
    last: bool = False
    """The active seat has closed its sheet: the match ends with this round."""
    over: bool = False

    @property
    def mover(self) -> int:
        """The seat that owes a decision, unless the match is over."""
        return self.active if self.combo is None else self.combo

    @property
    def formed(self) -> tuple[str, ...]:
        """The privileges that the seat in its combo turn formed, in the order of PRIVILEGES."""
        if self.combo is None or self.white is None or self.dice is None:
            return ()
        return formed(self.white, self.dice)

    def left_of(self, seat: int) -> int:
        """The next seat, clockwise."""
        return (seat + 1) % len(self.sheets)

    def open_points(self) -> dict[str, int]:
        """What the dice on the table would give the active seat in each open row, in the sheet's order."""
        worth = points(self.dice or ())
        rows = zip(CELLS, self.sheets[self.active].rows, strict=True)
        return {cell: worth[row.into or cell] for cell, row in rows if row.open}
