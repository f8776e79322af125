"""A match of YAM menteur, and what can be asked of it."""

from msgspec import Struct

from games.engine import View
from games.engine.throws import Dice
from games.rules.yam_menteur.sheet import Sheet
from games.rules.yam_menteur.tables import COMBINATIONS, TRIES, points


class Claim(Struct, frozen=True):
    """What was announced."""

    combination: str
    points: int

    def shown(self) -> View:
        return {"combination": self.combination, "points": self.points}


class Rolled(Struct, frozen=True):
    """One of the public rolls that drew who starts."""

    seat: int
    dice: Dice

    def shown(self) -> View:
        return {"seat": self.seat, "dice": list(self.dice)}


class Settled(Struct, frozen=True):
    """How a turn ended. The dice are None unless somebody doubted."""

    thrower: int
    claim: Claim
    doubters: tuple[int, ...]
    dice: Dice | None = None
    true: bool | None = None

    def shown(self) -> View:
        return {
            "thrower": self.thrower,
            "claim": self.claim.shown(),
            "doubters": list(self.doubters),
            "revealed": self.dice is not None,
            "dice": None if self.dice is None else list(self.dice),
            "true": self.true,
        }


class Tally(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a seat's settled announcements and answers came to."""

    announced: int = 0
    doubted: int = 0
    caught: int = 0
    doubts: int = 0
    doubts_right: int = 0

    def shown(self) -> View:
        return {name: getattr(self, name) for name in self.__struct_fields__}


class State(Struct, frozen=True, omit_defaults=True):
    """A match. `dice` are those under the thrower's cups; before its first try, those last revealed."""

    thrower: int
    opening: tuple[Rolled, ...]
    sheets: tuple[Sheet, ...]
    tally: tuple[Tally, ...]
    tries: int = 0
    dice: Dice | None = None
    loose: tuple[int, ...] = ()
    """The indices of the dice of the last try, ascending; the others lie under earlier cups."""
    claim: Claim | None = None
    answers: tuple[bool | None, ...] = ()
    """Each seat's sealed answer while there is a claim: whether it doubts."""
    last: Settled | None = None
    final: tuple[int, ...] | None = None
    """The seats whose last turn is to come or under way, once a sheet is closed."""
    over: bool = False

    @property
    def seats(self) -> int:
        return len(self.sheets)

    @property
    def asked(self) -> list[int]:
        """The seats that owe an answer to the claim."""
        return [seat for seat, doubt in enumerate(self.answers) if doubt is None and seat != self.thrower]

    @property
    def answered(self) -> list[int]:
        return [seat for seat, doubt in enumerate(self.answers) if doubt is not None]

    @property
    def locked(self) -> list[int]:
        """The indices of the dice that lie under earlier cups."""
        return [index for index in range(5) if index not in self.loose] if self.tries else []

    @property
    def may_try(self) -> bool:
        return self.tries < TRIES

    @property
    def held(self) -> dict[str, int]:
        """What the thrower's dice truly score in each combination."""
        return points(self.dice) if self.tries and self.dice else dict.fromkeys(COMBINATIONS, 0)

    def left_of(self, seat: int) -> int:
        """The next seat, clockwise."""
        return (seat + 1) % self.seats
