"""The rules of YESSS! in both modes (spec: yesss.md)."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from games.engine import (
    OPENING_MOVES,
    Chance,
    Event,
    Game,
    IllegalMove,
    Move,
    MoveCodec,
    Options,
    Orders,
    Outcome,
    Prompt,
    Reason,
    StateCodec,
    Turned,
    View,
    permits,
)
from games.engine import gettext_noop as _
from games.rules.yesss import contest, cooperative, moves
from games.rules.yesss.bot import BOTS
from games.rules.yesss.competitive import Competitive
from games.rules.yesss.cooperative import Cooperative
from games.rules.yesss.data import LANGUAGES, MOST_ROUNDS, PAIRS, name_of, rounds_for
from games.rules.yesss.hints import hints, unveiled, waits
from games.rules.yesss.moves import MOST_TYPED, MOVES, NOT_NOW, OTHER_MODE, Mode, TimeUp
from games.rules.yesss.racing import race_delay
from games.rules.yesss.reasons import reasons
from games.rules.yesss.state import Contest, Race, State
from games.rules.yesss.wording import TOO_MUCH_TYPED

FEWEST = 3
"""The fewest seats of a competitive match."""
TOLD_IN_A_RACE = 12
TOO_EARLY = _("The race is not over yet.")

MODES: dict[type[Struct], Mode[Any]] = {Contest: Competitive(), Race: Cooperative()}
COMPETITIVE, TOGETHER = {"mode": "competitive"}, {"mode": "cooperative"}


class Yesss(Game[State]):
    """YESSS! for 3 to 7 seats against each other, or 2 to 7 together."""

    slug = "yesss"
    name = "YESSS!"
    secret = True
    has_dice = False  # cards are shuffled and turned over
    turns_in_log = 40  # a round of seven takes seven selections, seven words and thirty-five guesses
    min_seats = 2
    explains = True
    goes_on = frozenset({"ready", "clue", "withdraw"})
    sealed = frozenset({"selected", "answered", "swap_answered"})
    max_seats = 7
    option_fields: ClassVar = {
        "mode": {"one_of": ["competitive", "cooperative"], "default": "competitive"},
        "language": {"one_of": list(LANGUAGES), "default": "fr"},
        "rounds": {"min": 1, "max": MOST_ROUNDS, "only": COMPETITIVE},
        "swaps": {"one_of": [True, False], "default": True, "only": COMPETITIVE},
        "minutes": {"one_of": [3, 5, 0], "default": 3, "only": TOGETHER, "live": [3, 5]},
    }
    together: ClassVar = TOGETHER
    orders: ClassVar = {"swap": {"one_of": ["never"]}, "refuse": {"one_of": ["never"]}}
    bots: ClassVar = BOTS
    moves = MoveCodec(*MOVES)
    system_moves = MoveCodec(TimeUp)
    states = StateCodec(State)
    picture_name = staticmethod(name_of)

    def full_options(self, seats: int, options: object) -> Options:
        """All options of the match's mode. ValueError also for two seats, or too many rounds for so many."""
        full = super().full_options(seats, options)
        if self.is_cooperative(full):
            return full
        if seats < FEWEST:
            raise ValueError(f"seats: {self.name} is for {FEWEST} or more, unless all play together")
        most = rounds_for(seats)
        if full.setdefault("rounds", most) > most:
            raise ValueError(f"rounds: {seats} seats play {most} at most")
        return full

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        language = options["language"]
        if self.is_cooperative(options):
            return cooperative.laid(seats, language, options["minutes"], chance)
        return contest.dealt(seats, language, options["swaps"], options["rounds"], chance)

    def seat_count(self, state: State) -> int:
        return state.seats

    def phase(self, state: State) -> str:
        return state.phase

    def to_move(self, state: State) -> list[int]:
        return state.to_move

    def prompt(self, state: State, seat: int) -> Prompt | None:
        if seat not in state.to_move:
            return None
        legal = MODES[type(state)].entries(state, seat)
        return {"phase": state.phase, "moves": legal, "optional": state.phase == "swap"}

    def possible(self, state: State, move: Struct) -> bool:
        """Tokens and seats are numbered by the seats of this match."""
        match move:
            case moves.Swap(seat=number):
                return number < state.seats
            case moves.Word(token=number) | moves.Guess(token=number) | moves.Object(token=number):
                return number < state.seats
        return True

    def play(self, state: State, seat: int | None, move: Struct, chance: Chance, now: int) -> tuple[State, list[Event]]:
        if seat is None:
            return _time_up(state, now)
        return MODES[type(state)].play(state, seat, move, chance, now)

    def refusal(self, state: State, seat: int, move: Struct) -> IllegalMove:
        mode = MODES[type(state)]
        if type(move) not in mode.phases:
            return IllegalMove("illegal", OTHER_MODE)
        if mode.phases[type(move)] != state.phase:
            return IllegalMove("illegal", NOT_NOW)
        if isinstance(move, moves.Word | moves.Clue) and len(move.word) > MOST_TYPED:
            short = to_builtins(replace(move, word=""))
            if permits(self.prompt(state, seat), short):
                return IllegalMove("bad_word", TOO_MUCH_TYPED)
        return IllegalMove("illegal", mode.why_not(state, seat, move))

    def opening_moves(self, options: Options) -> int:
        """Of a seat's three or four in each round."""
        rounds: int = options.get("rounds", OPENING_MOVES)
        return min(OPENING_MOVES, max(2, rounds))

    def log_length(self, options: Options) -> int:
        """Few in a race, in which each of many moves a second sends the page to all members."""
        return TOLD_IN_A_RACE if self.is_cooperative(options) else self.turns_in_log

    def has_ended(self, state: State, seat: object, now: int) -> bool:
        """Also a seat's move at or after the race's deadline."""
        ends_at = self.deadline(state)
        return state.over or (ends_at is not None and seat is not None and now >= ends_at)

    def deadline(self, state: State) -> int | None:
        return state.ends_at if isinstance(state, Race) and not state.over else None

    def shown(self, state: State, seat: int | None) -> View:
        return MODES[type(state)].shown(state, seat, opened=False)

    def opened(self, state: State, seat: int | None) -> View:
        return {**self.view(state, seat), **MODES[type(state)].shown(state, seat, opened=True)}

    def figures(self, state: State) -> list[int]:
        return list(state.brains) if isinstance(state, Contest) else []

    def outcome(self, state: State) -> Outcome | None:
        return MODES[type(state)].outcome(state) if state.over else None

    def progress(self, state: State) -> list[int]:
        """Each seat's brains, or the points together for each."""
        return [state.score] * state.seats if isinstance(state, Race) else list(state.brains)

    def marks(self, state: State) -> dict[str, Any]:
        """In a race the pairs that were answered, by their pictures."""
        if not isinstance(state, Race):
            return {}
        return {"/".join(map(str, PAIRS[pair])): pair in state.good for pair in (*state.good, *state.bad)}

    def default_move(self, state: State, seat: int) -> Move | None:
        return MODES[type(state)].default_move(state, seat) if seat in state.to_move else None

    def carries_on(self, before: State, after: State, seat: int) -> bool:
        """No: each of its questions comes with the round, or from what others did."""
        return False

    def order_answers(self, view: View, orders: Orders) -> list[Move | None]:
        mode = Race if view["mode"] == "cooperative" else Contest
        return MODES[mode].order_answers(view, orders)

    def turn(self, state: State) -> int:
        return MODES[type(state)].turn(state)

    def unsettled(self, state: State) -> int:
        return MODES[type(state)].unsettled(state)

    def unveiled(self, turns: Sequence[Turned]) -> dict[int, Any]:
        return unveiled(turns)

    def waits(self, view: View) -> bool:
        """In a race: while only its own word is open and somebody is left to answer it."""
        return view["phase"] == "race" and waits(view)

    def pauses_after(self, events: Sequence[Event]) -> bool:
        return any(event["type"] == "revealed" for event in events)

    def bot_delay(self, view: View, level: str, rng: Random) -> float | None:
        return race_delay(view, level, rng)

    def hints(self, view: View) -> dict[str, Any]:
        return hints(view)

    def reasons(self, view: View) -> list[Reason]:
        return reasons(view)


def _time_up(state: State, now: int) -> tuple[State, list[Event]]:
    """End a race whose time is over."""
    if not isinstance(state, Race) or state.ends_at is None or now < state.ends_at:
        raise IllegalMove("illegal", TOO_EARLY)
    events: list[Event] = []
    return cooperative.end(state, events), events


GAME = Yesss()
