"""The contract that every game fulfils: what the site, the bots and the tests may ask of it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from games.engine.chance import Chance, Draw
from games.engine.codec import MoveCodec, StateCodec
from games.engine.errors import IllegalMove, brief, gettext_noop
from games.engine.prompt import Description, Move, Prompt, few_moves, fits, permits

_ = gettext_noop

Event: TypeAlias = dict[str, Any]
View: TypeAlias = dict[str, Any]
Outcome: TypeAlias = dict[str, Any]
Reason: TypeAlias = dict[str, Any]
Options: TypeAlias = dict[str, Any]
Orders: TypeAlias = Mapping[str, Any]

Turned: TypeAlias = tuple[int, Move, Sequence[Draw], Sequence[Event]]
"""A turn of an ended match: number, move, draws, events."""

Entry: TypeAlias = dict[str, Any]
"""A turn in a page's log (games.table): number `n`, `seat`, who made it (`by`, "" while that is a secret), `events`,
and whether it is `fresh`, `new` to the viewer, the `latest`."""

S = TypeVar("S", bound=Struct)
T = TypeVar("T")

OVER = _("The match is over.")
NOT_YOUR_TURN = _("It is not your turn.")
IMPOSSIBLE_VALUE = _("A value in this move is impossible.")
OPENING_MOVES = 5
"""How many moves of a seat are the opening of a match, of thirty and more."""
FEW = 4
"""How many answers stand as buttons in a mail, at most."""
PASS: Move = {"type": "pass"}
PASS_ALWAYS: Description = {"one_of": [True, False]}


class Bot(Protocol):
    """A program that plays. It gets the view of its seat and nothing else."""

    def choose(self, view: View, rng: Random) -> Move:
        """A legal move for the seat `view["you"]`, which must owe one."""


class Game(ABC, Generic[S]):
    """The rules of a game (spec: engine.md). Stateless: everything about a match is in its state, of type S.

    The order of checks, the common part of views and the standing orders that games share are here.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    option_fields: ClassVar[dict[str, Description]] = {}
    """Each option as a field description of a prompt, with its "default" unless `full_options` works it out.

    "only" limits it to matches in which another option has a value, {option: value}; "live" values make them live.
    """
    together: ClassVar[Options] = {}
    """The options of a cooperative match, in which all seats play for one score, the view's `score`."""
    orders: ClassVar[dict[str, Description]] = {}
    """The standing orders beside the general `pass_always`."""
    secret: ClassVar[bool] = False
    """Whether a running match has hidden information."""
    has_dice: ClassVar[bool] = True
    """Whether chance is dice; the pages of other games speak of draws."""
    has_pips: ClassVar[bool] = True  # whether its dice show pips: only these are told as lucky or not
    turns_in_log: ClassVar[int] = 8
    """How many of the last moves a page's log has; see `log_length`."""
    changes_by_move: ClassVar[bool] = False
    """Whether the seats tell what the last move changed of their figures, until a turn begins; else what the last turn
    that changed any did, until another does."""
    explains: ClassVar[bool] = False  # whether it has `reasons` and their words
    goes_on: ClassVar[frozenset[str]] = frozenset()
    """The types of moves after which the seat's own decision goes on; all others are final."""
    sealed: ClassVar[frozenset[str]] = frozenset()
    """The types of events that reveal nothing: a move that caused one of these alone can be taken back."""
    levels: ClassVar[tuple[str, ...]] = ("easy", "regular", "strong")
    """The strengths of its bots, the weakest first."""
    bots: ClassVar[Mapping[str, type[Bot]]]
    """The class of the bot of each level."""

    moves: ClassVar[MoveCodec]
    system_moves: ClassVar[MoveCodec] = MoveCodec()
    states: ClassVar[StateCodec[Any]]

    def setup(self, *, seats: int, options: object, chance: Chance) -> S:
        """The state of a new match. ValueError names a bad option or seat count."""
        if type(seats) is not int or not self.min_seats <= seats <= self.max_seats:
            raise ValueError(f"seats: {self.name} is for {self.min_seats} to {self.max_seats}, not {brief(seats)}")
        return self.start(seats, self.full_options(seats, options), chance)

    def apply(self, state: S, seat: object, move: object, chance: Chance, now: int = 0) -> tuple[S, list[Event]]:
        """The state after `move` by `seat`, and what happened. IllegalMove if refused; `now` is in ms."""
        if self.has_ended(state, seat, now):
            raise IllegalMove("over", OVER)
        if seat is None:
            if self.deadline(state) is None:
                raise IllegalMove("not_your_turn", NOT_YOUR_TURN)
            return self.play(state, None, self.system_moves.decode(move), chance, now)
        if type(seat) is not int or seat not in self.to_move(state):
            raise IllegalMove("not_your_turn", NOT_YOUR_TURN)
        decoded = self.moves.decode(move)
        if not self.possible(state, decoded):
            raise IllegalMove("bad_field", IMPOSSIBLE_VALUE)
        if not permits(self.prompt(state, seat), move):
            raise self.refusal(state, seat, decoded)
        return self.play(state, seat, decoded, chance, now)

    def view(self, state: S, seat: int | None) -> View:
        """What `seat` may see (None: a spectator), as JSON-able data."""
        return {
            "game": self.slug,
            "seats": self.seat_count(state),
            "phase": self.phase(state),
            "to_move": self.to_move(state),
            "you": seat,
            "prompt": None if seat is None else self.prompt(state, seat),
            "outcome": self.outcome(state),
            **self.shown(state, seat),
        }

    def ordered_move(self, view: View, orders: Orders) -> Move | None:
        """The move that the seat's standing orders give; None if it owes nothing or has to decide itself.

        `orders` must have passed `check_orders`, now or before. Where they contradict each other the seat decides.
        """
        prompt, orders = view["prompt"], self.kept_orders(orders)
        if prompt is None:
            return None
        answers = self.order_answers(view, orders)
        if prompt["optional"] and orders.get("pass_always"):
            answers = [*answers, PASS]
        return answers[0] if answers and all(answer == answers[0] for answer in answers) else None

    def check_orders(self, orders: object) -> None:
        """Raise ValueError, naming the order, unless all are orders of this game with possible values."""
        fields = {**self.orders, "pass_always": PASS_ALWAYS}
        if type(orders) is not dict:
            raise ValueError("orders: not an object")
        for name, value in orders.items():
            if name not in fields:
                raise ValueError(f"{brief(name)}: {self.name} has no such order")
            if not fits(fields[name], value):
                raise ValueError(f"{name}: {brief(value)} is not possible")

    def kept_orders(self, orders: Orders) -> Orders:
        """Orders that passed `check_orders`, now or before, in the one form in which they are stored.

        An order that says nothing is left out: whoever has none has {}.
        """
        return {name: value for name, value in orders.items() if value not in (None, False)}

    def dump(self, state: S) -> bytes:
        """The state as JSON text; `load` gives back an equal one."""
        return self.states.dump(state)

    def load(self, data: bytes) -> S:
        """The state that was dumped. msgspec.DecodeError if `data` is not a state of this game."""
        state: S = self.states.load(data)
        return state

    # What every game defines.

    @abstractmethod
    def start(self, seats: int, options: Options, chance: Chance) -> S:
        """The first state. Seats and options have been checked; options are complete."""

    @abstractmethod
    def seat_count(self, state: S) -> int:
        """The number of seats at the start of the match."""

    @abstractmethod
    def phase(self, state: S) -> str:
        """The name of the phase; `over` after the end."""

    @abstractmethod
    def to_move(self, state: S) -> list[int]:
        """The seats that owe a decision now, ascending; [] when over."""

    @abstractmethod
    def prompt(self, state: S, seat: int) -> Prompt | None:
        """Exactly what `seat` may do now; None if it owes nothing. Read only: its parts are shared."""

    @abstractmethod
    def play(self, state: S, seat: int | None, move: Any, chance: Chance, now: int) -> tuple[S, list[Event]]:
        """Carry out a decoded move that the prompt permits, or by seat None a decoded system move."""

    @abstractmethod
    def refusal(self, state: S, seat: int, move: Any) -> IllegalMove:
        """Why a well-formed move is not permitted now, as a sentence for the player."""

    @abstractmethod
    def shown(self, state: S, seat: int | None) -> View:
        """The game's own part of a view."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """None, or at the end {"ranks", "scores", "winners"}: see `ranked`."""

    @abstractmethod
    def default_move(self, state: S, seat: int) -> Move | None:
        """The move of a seat that timed out; None if it owes nothing or the game has no such move."""

    # What a game may override.

    def progress(self, state: S) -> list[int]:
        """What each seat has so far of what decides the match, at the end its scores; [] where it is not counted."""
        outcome = self.outcome(state)
        return list(outcome["scores"]) if outcome else []

    def marks(self, state: S) -> dict[str, Any]:
        """What stands written, by a name that the board knows: each leads to the move that made it, after the end."""
        return {}

    def needless(self, state: S, seat: int) -> Move | None:
        """The answer to a question that `seat` owes and whose other answers could only harm it; else None."""
        return None

    def bot(self, level: str) -> Bot:
        """A bot of one of `levels`. KeyError for another."""
        return self.bots[level]()

    def full_options(self, seats: int, options: object) -> Options:
        """All options that a match has, defaults filled in. ValueError names the first bad one."""
        if type(options) is not dict:
            raise ValueError("options: not an object")
        for name, value in options.items():
            if name not in self.option_fields:
                raise ValueError(f"{brief(name)}: {self.name} has no such option")
            if not fits(self.option_fields[name], value):
                raise ValueError(f"{name}: {brief(value)} is not possible")
        full: Options = {}
        for name, field in self.option_fields.items():
            if any(full[other] != value for other, value in field.get("only", {}).items()):
                if name in options:
                    raise ValueError(f"{name}: this match has no such option")
            elif name in options or "default" in field:
                full[name] = options.get(name, field.get("default"))
        return full

    def is_cooperative(self, options: Options) -> bool:
        """Whether all seats play together for one score; such a match is never rated."""
        return bool(self.together) and self.together.items() <= options.items()

    def is_live(self, options: Options) -> bool:
        """Whether all must be there at once; such a match is live, whatever pace was wished."""
        return any(options.get(name) in field.get("live", ()) for name, field in self.option_fields.items())

    def opening_moves(self, options: Options) -> int:
        """How many moves of a seat are but the opening of a match with these options: fewer in a short one."""
        return OPENING_MOVES

    def log_length(self, options: Options) -> int:
        """How many of the last moves a page's log has in a match with these options."""
        return self.turns_in_log

    def has_ended(self, state: S, seat: object, now: int) -> bool:
        """Whether a move by `seat` at `now` comes too late."""
        return self.phase(state) == "over"

    def possible(self, state: S, move: Any) -> bool:
        """Whether each field of a decoded move has a value that is possible in a match of this size."""
        return True

    def deadline(self, state: S) -> int | None:
        """When (ms) the site must send `time_up` as seat None; None in a game without a timer."""
        return None

    def opened(self, state: S, seat: int | None) -> View:
        """The view of an earlier state of an ended match, with nothing hidden."""
        return self.view(state, seat)

    def unveiled(self, turns: Sequence[Turned]) -> dict[int, Any]:
        """What events hid while a match ran, by the number of the turn; for ended matches."""
        return {}

    def turn(self, state: S) -> int:
        """How many turns are over, by which a clock knows a new turn of the same seat.

        To be defined where the seat that ends a turn may begin the next.
        """
        return 0

    def carries_on(self, before: S, after: S, seat: int) -> bool:
        """Whether what `seat` is asked next belongs to the decision begun by its move: no order answers it then."""
        return True

    def unsettled(self, state: S) -> int:
        """For how many of the last moves it is still hidden whether a person, orders or a clock made them."""
        return 0

    def waits(self, view: View) -> bool:
        """Whether a bot that owes a decision waits for others to move first; it is asked again after that."""
        return False

    def pauses_after(self, events: Sequence[Event]) -> bool:
        """Whether a turn with these events shows something that everybody wants to look at before bots go on."""
        return False

    def bot_delay(self, view: View, level: str, rng: Random) -> float | None:
        """The seconds that a bot takes for its next decision in a game played against time; None for the usual."""
        return None

    def figures(self, state: S) -> list[int]:
        """The figure that stands beside each seat's name, open to all; [] in a game without."""
        return []

    def answers(self, view: View, most: int = FEW) -> list[Move]:
        """The moves that mails, and lists of matches, offer as buttons: all that are legal, where these are few.

        From the view of a seat that is asked; [] where they are more than `most`. A game may leave out what is beside
        the question.
        """
        return few_moves(view["prompt"], most) if view["prompt"] else []

    def worth(self, view: View, move: Move) -> float | None:
        """What a legal move is expected to bring in points, by which the seat's moves are compared; None if unknown."""
        return None

    def hints(self, view: View) -> dict[str, Any]:
        """What a page shows beside the view, worked out from the view alone."""
        return {}

    def reasons(self, view: View) -> list[Reason]:
        """Why the seat of the view is asked, and what its answers cost and bring here: a few, from the view alone."""
        return []

    def opens_paragraph(self, events: Sequence[Event]) -> bool:
        """Whether a turn with these events begins a new paragraph of the log."""
        return True

    def traces(self, log: Sequence[Entry]) -> dict[str, Any]:
        """What a page marks from the turns in its log: what was just rolled or changed."""
        return {}

    def order_answers(self, view: View, orders: Orders) -> list[Move | None]:
        """The answer of each of the game's orders that applies now: a move, or None for "ask me"."""
        return []


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The tuple with the value at that index replaced."""
    return (*values[:index], value, *values[index + 1 :])
