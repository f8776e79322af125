"""The contract that every game fulfils: what the site, the bots and the tests may ask of it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from types import EllipsisType
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from games.engine.chance import Chance, Draw
from games.engine.codec import MoveCodec, StateCodec
from games.engine.errors import IllegalMove, brief, gettext_noop
from games.engine.prompt import Description, Move, Prompt, fits, permits

_ = gettext_noop

Event: TypeAlias = dict[str, Any]
View: TypeAlias = dict[str, Any]
Outcome: TypeAlias = dict[str, Any]
Options: TypeAlias = dict[str, Any]
Orders: TypeAlias = Mapping[str, Any]
Value: TypeAlias = str | int | bool | None
"""The value of an option."""

Turned: TypeAlias = tuple[int, Move, Sequence[Draw], Sequence[Event]]
"""A turn of a match that has ended: its number, its move, and the draws and events that it brought."""

Entry: TypeAlias = dict[str, Any]
"""What a page's log tells of a turn (games.table): its number `n`, its `events`, whether it is `fresh`, `new`
to the viewer, or the `latest`."""

S = TypeVar("S", bound=Struct)

OVER = _("The match is over.")
NOT_YOUR_TURN = _("It is not your turn.")
IMPOSSIBLE_VALUE = _("Something in this move can never have that value.")
PASS: Move = {"type": "pass"}
PASS_ALWAYS: Description = {"one_of": [True, False]}


class Bot(Protocol):
    """A player that is a program. It sees what its seat sees and no more."""

    def choose(self, view: View, rng: Random) -> Move:
        """A legal move for the seat `view["you"]`, which must owe one."""


class Game(ABC, Generic[S]):
    """A set of rules (spec: engine.md). Holds no match: everything about one is in its state, of type S.

    A game gives the parts below; the order of checks, the common part of the views and the standing
    orders that all games share are here.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    option_fields: ClassVar[dict[str, Description]] = {}
    """Each option as a field description of a prompt, with its "default" unless the game works that out.

    "only" says to which matches an option belongs: those in which another has a value, {option: value}.
    """
    together: ClassVar[Options] = {}
    """The options with which all seats play together for one score, the view's `score`."""
    orders: ClassVar[dict[str, Description]] = {}
    """The standing orders beside the general `pass_always`."""
    secret: ClassVar[bool] = False
    """Whether a running match holds anything that not everybody may know."""
    has_dice: ClassVar[bool] = True
    """Whether chance falls as dice; pages of a game without any speak of what is drawn."""
    turns_told: ClassVar[int] = 8
    """How many of the last moves a page tells; see `told`."""
    levels: ClassVar[tuple[str, ...]] = ("easy", "strong")

    moves: ClassVar[MoveCodec]
    system_moves: ClassVar[MoveCodec] = MoveCodec()
    states: ClassVar[StateCodec[Any]]

    # What the site calls.

    def setup(self, *, seats: int, options: object, chance: Chance) -> S:
        """The state of a new match. ValueError names a bad option or seat count."""
        if type(seats) is not int or not self.min_seats <= seats <= self.max_seats:
            raise ValueError(
                f"seats: {self.name} is for {self.min_seats} to {self.max_seats}, not {brief(seats)}"
            )
        return self.start(seats, self.full_options(seats, options), chance)

    def apply(
        self, state: S, seat: object, move: object, chance: Chance, now: int = 0
    ) -> tuple[S, list[Event]]:
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
        """The move that the seat's standing orders give; None where it owes nothing or is to be asked.

        `orders` must have passed `check_orders`. Orders that contradict each other leave it to the seat.
        """
        prompt = view["prompt"]
        if prompt is None:
            return None
        said = self.said(view, orders)
        if prompt["optional"] and orders.get("pass_always"):
            said = [*said, PASS]
        return said[0] if said and all(answer == said[0] for answer in said) else None

    def check_orders(self, orders: object) -> None:
        """ValueError, naming the order, unless all of them are this game's and have fitting values."""
        fields = {**self.orders, "pass_always": PASS_ALWAYS}
        if type(orders) is not dict:
            raise ValueError("orders: not an object")
        for name, value in orders.items():
            if name not in fields:
                raise ValueError(f"{brief(name)}: {self.name} has no such order")
            if not fits(fields[name], value):
                raise ValueError(f"{name}: {brief(value)} is not possible")

    def kept_orders(self, orders: Orders) -> Orders:
        """Orders that passed `check_orders`, as they are kept: in one of the ways that say the same."""
        return orders

    def dump(self, state: S) -> bytes:
        """The state as JSON text; `load` gives back an equal one."""
        return self.states.dump(state)

    def load(self, data: bytes) -> S:
        """The state that was dumped. msgspec.DecodeError if `data` is none of this game's."""
        state: S = self.states.load(data)
        return state

    # What a game gives.

    @abstractmethod
    def start(self, seats: int, options: Options, chance: Chance) -> S:
        """The first state. Seats and options were checked, options are complete."""

    @abstractmethod
    def seat_count(self, state: S) -> int:
        """How many seats the match began with."""

    @abstractmethod
    def phase(self, state: S) -> str:
        """The name of the phase; `over` after the end."""

    @abstractmethod
    def to_move(self, state: S) -> list[int]:
        """The seats that owe a decision now, ascending; [] when over."""

    @abstractmethod
    def prompt(self, state: S, seat: int) -> Prompt | None:
        """All that `seat` may do now, exactly; None if it owes nothing. Read only: its parts are shared."""

    @abstractmethod
    def play(self, state: S, seat: int | None, move: Any, chance: Chance, now: int) -> tuple[S, list[Event]]:
        """Carry out a decoded move that the prompt permits (or a decoded system move, by seat None)."""

    @abstractmethod
    def refusal(self, state: S, seat: int, move: Any) -> IllegalMove:
        """Why a well-formed move is not permitted now, in a sentence that a player understands."""

    @abstractmethod
    def shown(self, state: S, seat: int | None) -> View:
        """The game's own part of a view."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """None, or at the end {"ranks", "scores", "winners"}: see `ranked`."""

    @abstractmethod
    def default_move(self, state: S, seat: int) -> Move | None:
        """The move given to a seat whose time ran out; None if it owes nothing (or there is none)."""

    @abstractmethod
    def bot(self, level: str) -> Bot:
        """A bot of one of `levels`. KeyError for another."""

    # What a game may change.

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

    def told(self, options: Options) -> int:
        """How many of the last moves a page of a match with these options tells."""
        return self.turns_told

    def has_ended(self, state: S, seat: object, now: int) -> bool:
        """Whether a move by `seat` at `now` comes too late."""
        return self.phase(state) == "over"

    def possible(self, state: S, move: Any) -> bool:
        """Whether each field of a decoded move has a value that it can have in a match of this size."""
        return True

    def deadline(self, state: S) -> int | None:
        """When (ms) the site must send `time_up` as seat None; None in a game without a timer."""
        return None

    def opened(self, state: S, seat: int | None) -> View:
        """The view of a moment of a match that has ended since: with nothing hidden any more."""
        return self.view(state, seat)

    def unveiled(self, turns: Sequence[Turned]) -> dict[int, Any]:
        """What the events of an ended match did not tell, by the number of the turn that it belongs to."""
        return {}

    def turn(self, state: S) -> int:
        """How many turns are over. Whoever is asked on in the next one has completed theirs, for the clock.

        To be given where the seat that ends a turn may begin the next.
        """
        return 0

    def unsettled(self, state: S) -> int:
        """Of how many last moves nobody may be told yet how they came about: by hand, orders, a clock."""
        return 0

    def waits(self, view: View) -> bool:
        """Whether a bot that owes a decision may as well wait for what others do; it is asked again then."""
        return False

    def hints(self, view: View) -> dict[str, Any]:
        """What a page may show beside the view, drawn from the view alone (points to be had, tables)."""
        return {}

    def opens_paragraph(self, events: Sequence[Event]) -> bool:
        """Whether a log tells a turn with these events apart from what came before it."""
        return True

    def traces(self, log: Sequence[Entry]) -> dict[str, Any]:
        """What a page marks of the turns in its log, beside the hints: what was just rolled or changed."""
        return {}

    def said(self, view: View, orders: Orders) -> list[Move | None]:
        """What each of the game's orders that applies now says: a move, or None for "ask me"."""
        return []


class Catalogue(Struct, frozen=True, kw_only=True):
    """A game's entry; its texts are English, to be translated where they are shown."""

    order: int
    """Its place among the games."""
    tagline: str
    minutes: str
    quick_seats: int
    """How many play in a match that is begun at once against bots."""
    publisher: str = ""
    options: dict[str, str] = {}
    """The label of each option."""
    values: dict[tuple[str, Value | EllipsisType], str] = {}
    """The words for an option's value; (option, ...) for any other: a text with the number as %(option)s."""
    lobby: tuple[str, ...] = ()
    """The options of which the list of open tables tells too."""
    brief: dict[tuple[str, Value | EllipsisType], str] = {}
    """As `values`: what a table's line says of its options, in this order; no word for what is usual."""
    proposed: dict[str, Value] = {}
    """What the form proposes where that is not the option's default."""
    help: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    """Why fields of a move are refused: `none` left of a list, `fewer` or `more` than two."""
    refusals: dict[str, tuple[str, str]] = {}
    """For what `full_options` refuses by its name: the field of the form, and why."""


def ranked(scores: Sequence[Any]) -> Outcome:
    """The outcome where the most points win; equal points share the rank (1, 2, 2, 4)."""
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    return {
        "ranks": ranks,
        "scores": list(scores),
        "winners": [seat for seat, rank in enumerate(ranks) if rank == 1],
    }
