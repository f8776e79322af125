"""What each of the two modes gives to the rules."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from games.engine import Chance, Event, Move, Orders, Outcome, View
from games.engine import gettext_noop as _

S = TypeVar("S", bound=Struct)

OTHER_MODE = _("This match is played in the other mode.")
NOT_NOW = _("That is not possible now.")
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

    def said(self, view: View, orders: Orders) -> list[Move | None]:
        """What the orders that apply now say."""
        return []

    def turn(self, state: S) -> int:
        """How many phases are over."""
        return 0

    def unsettled(self, state: S) -> int:
        """Of how many last moves it is not told how they came about."""
        return 0
