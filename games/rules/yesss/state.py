"""The states of YESSS!: a competitive match and a cooperative race."""

from typing import Literal, TypeAlias

from msgspec import Struct

from games.rules.yesss.data import PAIRS, Pair

OBJECTION = -1
MOST_VOIDS = 2
"""So many void words end a pair."""


class Token(Struct, frozen=True, omit_defaults=True):
    """A pair in play."""

    selector: int
    receiver: int
    pair: int
    back: bool = False
    """Whether the receiver refused it."""
    word: str | None = None
    voids: int = 0
    voided: str | None = None
    """The word that was void."""
    answers: tuple[int | None, ...] = ()
    """Each seat's sealed guess, the number of a token, or OBJECTION."""
    revealed: bool = False

    @property
    def announcer(self) -> int:
        return self.selector if self.back else self.receiver

    @property
    def keeper(self) -> int:
        return self.receiver if self.back else self.selector

    @property
    def guessers(self) -> list[int]:
        """The seats that do not know the pair."""
        return [seat for seat in range(len(self.answers)) if seat not in (self.announcer, self.keeper)]

    @property
    def answered(self) -> list[int]:
        return [seat for seat, answer in enumerate(self.answers) if answer is not None]

    @property
    def asked(self) -> list[int]:
        """The seats that owe this word a guess."""
        if self.word is None or self.revealed:
            return []
        return [seat for seat in self.guessers if self.answers[seat] is None]

    @property
    def lacks_word(self) -> bool:
        return self.word is None and not self.revealed

    @property
    def may_go_back(self) -> bool:
        """Whether the receiver may refuse it: before a first word was said for it, once."""
        return not self.back and self.word is None and not self.voids

    @property
    def right(self) -> list[int]:
        """The seats that guessed right."""
        return [seat for seat in self.guessers if self.answers[seat] == self.pair]


class Swapped(Struct, frozen=True):
    """A change of places that was carried out."""

    seat: int
    other: int


class LastRound(Struct, frozen=True):
    """The round before."""

    tokens: tuple[Token, ...]
    swaps: tuple[Swapped, ...]


class Contest(Struct, frozen=True, omit_defaults=True, tag="competitive"):
    """A competitive match."""

    language: str
    swaps: bool
    rounds: int
    piles: tuple[tuple[int, ...], ...]
    """The pictures of each pile, top first; one goes each round."""
    leftwards: bool
    """The direction of the present round."""
    table: tuple[int, ...]
    brains: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    """Each seat's three tokens, until all have selected."""
    selected: tuple[int | None, ...]
    round: int = 1
    tokens: tuple[Token, ...] = ()
    wishes: tuple[int | None, ...] | None = None
    """In the swap phase each seat's sealed answer: with whom it changes places, itself to pass."""
    made: int = 0
    """The moves made in this round."""
    last: LastRound | None = None
    over: bool = False

    @property
    def seats(self) -> int:
        return len(self.table)

    @property
    def phase(self) -> Literal["select", "propose", "swap", "over"]:
        if self.over:
            return "over"
        if self.wishes is not None:
            return "swap"
        return "propose" if self.tokens else "select"

    @property
    def pictures(self) -> list[int]:
        """The seven pictures of this round."""
        return self.pictures_of(self.round)

    def pictures_of(self, number: int) -> list[int]:
        """The seven pictures of a round."""
        return [pile[number - 1] for pile in self.piles]

    @property
    def answered(self) -> list[int]:
        """Who has selected, or answered the swap."""
        given = {"select": self.selected, "swap": self.wishes}.get(self.phase) or ()
        return [seat for seat, answer in enumerate(given) if answer is not None]

    @property
    def to_move(self) -> list[int]:
        match self.phase:
            case "select":
                return [seat for seat in range(self.seats) if self.selected[seat] is None]
            case "propose":
                return [seat for seat in range(self.seats) if self.words_owed(seat) or self.guesses_owed(seat)]
            case "swap":
                answered = self.answered
                return [seat for seat in range(self.seats) if self.brains[seat] and seat not in answered]
            case _:
                return []

    def words_owed(self, seat: int) -> list[int]:
        """The tokens for which that seat has a word to say."""
        return [n for n, token in enumerate(self.tokens) if token.lacks_word and token.announcer == seat]

    def guesses_owed(self, seat: int) -> list[int]:
        """The tokens whose word that seat has to guess."""
        return [n for n, token in enumerate(self.tokens) if seat in token.asked]

    def refusable(self, seat: int) -> int | None:
        """The token that this seat may send back."""
        found = (n for n, token in enumerate(self.tokens) if token.receiver == seat and token.may_go_back)
        return next(found, None)


class Clue(Struct, frozen=True, omit_defaults=True):
    """A word for a pair of the middle."""

    seat: int
    pair: int
    word: str
    closed: Literal["", "answered", "withdrawn", "void"] = ""
    by: int | None = None
    answer: int | None = None

    @property
    def is_open(self) -> bool:
        return not self.closed

    @property
    def right(self) -> bool | None:
        return None if self.answer is None else self.answer == self.pair


class Race(Struct, frozen=True, omit_defaults=True, tag="cooperative"):
    """A cooperative match."""

    language: str
    minutes: int
    seats: int
    pictures: tuple[int, ...]
    middle: tuple[int, ...]
    """The tokens nobody has answered with, in printed order."""
    good: tuple[int, ...] = ()
    bad: tuple[int, ...] = ()
    clues: tuple[Clue, ...] = ()
    ready: tuple[int, ...] = ()
    stopped: tuple[int, ...] = ()
    ends_at: int | None = None
    over: bool = False

    @property
    def phase(self) -> Literal["ready", "race", "over"]:
        if self.over:
            return "over"
        return "race" if len(self.ready) == self.seats else "ready"

    @property
    def has_begun(self) -> bool:
        return len(self.ready) == self.seats

    @property
    def to_move(self) -> list[int]:
        done = {"ready": self.ready, "race": self.stopped}.get(self.phase, range(self.seats))
        return [seat for seat in range(self.seats) if seat not in done]

    @property
    def score(self) -> int:
        return len(self.good) - len(self.bad)

    def open_clue(self, seat: int) -> int | None:
        """The number of that seat's open clue."""
        return next((n for n, clue in enumerate(self.clues) if clue.seat == seat and clue.is_open), None)

    def answerable(self, seat: int) -> list[int]:
        """The open clues of the other seats."""
        return [n for n, clue in enumerate(self.clues) if clue.is_open and clue.seat != seat]


State: TypeAlias = Contest | Race


def pairs(tokens: tuple[int, ...]) -> list[Pair]:
    """The pairs of those tokens."""
    return [PAIRS[token] for token in tokens]
