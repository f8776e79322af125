"""The moves of YESSS! as they are sent, and the interface of its two modes."""

from abc import ABC, abstractmethod
from typing import Annotated, Any, ClassVar, Generic, TypeAlias, TypeVar

from msgspec import Meta, Struct

from games.engine import Chance, Event, Move, Orders, Outcome, View
from games.engine import gettext_noop as _
from games.rules.yesss.data import PLACES

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
    """Send the pair that one was given back to the seat that selected it."""


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

S = TypeVar("S", bound=Struct)

OTHER_MODE = _("This match is played in the other mode.")
NOT_NOW = _("This is not possible now.")
MOST_TYPED = 40
WORD_FIELD = {"text": {"max_length": MOST_TYPED}}


class Mode(ABC, Generic[S]):
    """The rules of one mode, for its states."""

    phases: ClassVar[dict[type[Struct], str]]
    """In which phase each of its moves is made."""

    @abstractmethod
    def entries(self, state: S, seat: int) -> list[Move]:
        """The entries of the prompt of a seat that is to move."""

    @abstractmethod
    def play(self, state: S, seat: int, move: Any, chance: Chance, now: int) -> tuple[S, list[Event]]:
        """Carry out a move that the prompt permits; a word's form is checked here."""

    @abstractmethod
    def why_not(self, state: S, seat: int, move: Any) -> str:
        """Why a move of this phase is not permitted, in a sentence."""

    @abstractmethod
    def shown(self, state: S, seat: int | None, *, opened: bool) -> View:
        """The mode's part of a view; `opened` with nothing hidden."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome:
        """The outcome of a state that is over."""

    @abstractmethod
    def default_move(self, state: S, seat: int) -> Move | None:
        """The move given to a seat that is to move and whose time ran out."""

    def order_answers(self, view: View, orders: Orders) -> list[Move | None]:
        """What the orders that apply now say."""
        return []

    def turn(self, state: S) -> int:
        """How many phases are over."""
        return 0

    def unsettled(self, state: S) -> int:
        """Of how many last moves it is not told how they came about."""
        return 0
