"""The moves of YESSS! as they are sent."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from games.rules.yesss.tables import PLACES

Number: TypeAlias = Annotated[int, Meta(ge=0)]
Place: TypeAlias = Annotated[int, Meta(ge=1, le=PLACES)]
Places: TypeAlias = Annotated[list[Place], Meta(min_length=2, max_length=2)]


class Paired(Struct, frozen=True, forbid_unknown_fields=True):
    """A move that names a pair, the smaller number first."""

    pair: Places

    def __post_init__(self) -> None:
        if self.pair[0] >= self.pair[1]:
            raise ValueError("a pair is two numbers, the smaller first")


class Select(Paired, frozen=True, forbid_unknown_fields=True, tag="select"):
    """Pick a pair of one's hand for the neighbour."""


class Refuse(Struct, frozen=True, forbid_unknown_fields=True, tag="refuse"):
    """Send the pair that one was given back to whoever selected it."""


class Word(Struct, frozen=True, forbid_unknown_fields=True, tag="word"):
    """Say the word for a pair."""

    token: Number
    word: str


class Guess(Paired, frozen=True, forbid_unknown_fields=True, tag="guess"):
    """Say which pair a word was for."""

    token: Number


class Object(Struct, frozen=True, forbid_unknown_fields=True, tag="object"):
    """Say that a word breaks the rules."""

    token: Number


class Swap(Struct, frozen=True, forbid_unknown_fields=True, tag="swap"):
    """Pay a brain to change places with a seat."""

    seat: Number


class Pass(Struct, frozen=True, forbid_unknown_fields=True, tag="pass"):
    """Stay where one sits."""


class Ready(Struct, frozen=True, forbid_unknown_fields=True, tag="ready"):
    """The race may begin."""


class Clue(Paired, frozen=True, forbid_unknown_fields=True, tag="clue"):
    """Say a word for a pair of the middle."""

    word: str


class Withdraw(Struct, frozen=True, forbid_unknown_fields=True, tag="withdraw"):
    """Take one's open clue back."""


class Answer(Paired, frozen=True, forbid_unknown_fields=True, tag="answer"):
    """Say which pair a clue is for."""

    clue: Number


class Stop(Struct, frozen=True, forbid_unknown_fields=True, tag="stop"):
    """Have done with the race, where no clock ends it."""


class TimeUp(Struct, frozen=True, forbid_unknown_fields=True, tag="time_up"):
    """The race's clock has run out."""


MOVES = (Select, Refuse, Word, Guess, Object, Swap, Pass, Ready, Clue, Withdraw, Answer, Stop)
