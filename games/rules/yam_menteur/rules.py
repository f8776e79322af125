"""The rules of YAM menteur (spec: yam-menteur.md)."""

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec import UNSET, Struct

from games.engine import (
    FEW,
    Chance,
    Entry,
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
    ranked,
)
from games.engine import gettext_noop as _
from games.engine.throws import ALL_DICE, Roll, opening
from games.rules.yam_menteur import moves
from games.rules.yam_menteur.bot import BOTS, worth
from games.rules.yam_menteur.hints import hints, traces, unveiled
from games.rules.yam_menteur.moves import ANSWERS, BELIEVE, DOUBT, FIRST_TRY, MOVES, throw_entries
from games.rules.yam_menteur.orders import MOST_SEATS, ORDERS, answers, kept
from games.rules.yam_menteur.reasons import reasons
from games.rules.yam_menteur.sheet import CLAIMS, COMBINATIONS, FIXED, Sheet
from games.rules.yam_menteur.turns import Claim, State, Tally, announce, answer, throw

TRY_FIRST = _("Roll the dice before you announce.")
NO_MORE_TRIES = _("You have already rolled three times: announce now.")
ALL_FIRST = _("The first try uses all five dice.")
NAME_DICE = _("Choose the dice to roll again.")
LOCKED = _("A die that you left under an earlier cup stays there.")
NOT_OPEN = _("That row of your sheet is not open.")
NOT_CLAIMABLE = _("That row can never give so many points.")
NOT_NOW = _("This is not possible now.")


class YamMenteur(Game[State]):
    """YAM menteur for 3 to 8 seats. The thrower's dice and the answers are hidden until they are shown."""

    slug = "yam-menteur"
    name = "YAM menteur"
    secret = True
    turns_in_log = 24  # a throw takes up to three tries, a claim and seven answers
    min_seats = 3
    explains = True
    goes_on = frozenset({"roll"})
    sealed = frozenset({"answer"})
    max_seats = MOST_SEATS
    orders: ClassVar = ORDERS
    bots: ClassVar = BOTS
    moves = MoveCodec(*MOVES)
    states = StateCodec(State)

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        rolls, starter = opening(seats, 5, chance)
        return State(starter, rolls, (Sheet(),) * seats, (Tally(),) * seats)

    def seat_count(self, state: State) -> int:
        return state.seats

    def phase(self, state: State) -> str:
        if state.over:
            return "over"
        return "throw" if state.claim is None else "answer"

    def to_move(self, state: State) -> list[int]:
        if state.over:
            return []
        return [state.thrower] if state.claim is None else state.asked

    def prompt(self, state: State, seat: int) -> Prompt | None:
        if seat not in self.to_move(state):
            return None
        if state.claim is None:
            return {"phase": "throw", "moves": throw_entries(state), "optional": False}
        return {"phase": "answer", "moves": ANSWERS, "optional": False}

    def play(self, state: State, seat: int | None, move: Struct, chance: Chance, now: int) -> tuple[State, list[Event]]:
        events: list[Event] = []
        match move:
            case Roll(dice=dice):
                which = ALL_DICE if dice is UNSET else tuple(sorted(dice))
                state = throw(state, which, chance, events)
            case moves.Announce(combination=combination, points=claimed):
                claim = Claim(combination, FIXED[combination] if claimed is UNSET else claimed)
                state = announce(state, claim, events)
            case moves.Answer(doubt=doubt) if seat is not None:
                state = answer(state, seat, doubt, events)
        return state, events

    def refusal(self, state: State, seat: int, move: Struct) -> IllegalMove:
        return IllegalMove("illegal", _why_not(state, seat, move))

    def shown(self, state: State, seat: int | None) -> View:
        knows = state.over or (seat == state.thrower and state.tries > 0) or not state.tries
        own = state.over or seat == state.thrower
        sealed = state.answers[seat] if seat is not None and state.answers else None
        return {
            "thrower": state.thrower,
            "tries": state.tries,
            "dice": list(state.dice) if knows and state.dice else None,
            "locked": state.locked if own else None,
            "claim": None if state.claim is None else state.claim.shown(),
            "answered": state.answered,
            "your_answer": sealed,
            "last": None if state.last is None else state.last.shown(),
            "sheets": [sheet.shown() for sheet in state.sheets],
            "final_turns": None if state.final is None else list(state.final),
            "opening": [rolled.shown() for rolled in state.opening],
            "tally": [tally.shown() for tally in state.tally],
        }

    def figures(self, state: State) -> list[int]:
        return [sheet.total for sheet in state.sheets]

    def outcome(self, state: State) -> Outcome | None:
        return ranked(self.progress(state)) if state.over else None

    def progress(self, state: State) -> list[int]:
        return [sheet.total for sheet in state.sheets]

    def marks(self, state: State) -> dict[str, Any]:
        """By seat and combination, the points and the crosses (x) apart."""
        rows = {f"{seat}/{cell}": sheet.row(cell) for seat, sheet in enumerate(state.sheets) for cell in COMBINATIONS}
        written = {name: row.points for name, row in rows.items() if row.points is not None}
        return written | {f"{name}/x": row.crosses for name, row in rows.items() if row.crosses}

    def turn(self, state: State) -> int:
        return sum(tally.announced for tally in state.tally)

    def default_move(self, state: State, seat: int) -> Move | None:
        """Roll; after a try announce the best true claim, or else the lowest; believe."""
        if seat not in self.to_move(state):
            return None
        if state.claim is not None:
            return BELIEVE
        if not state.tries:
            return FIRST_TRY
        open_cells, held = state.sheets[seat].open, state.held
        best = max(open_cells, key=lambda cell: held[cell])
        if held[best]:
            return {"type": "announce", "combination": best, "points": held[best]}
        lowest = min(open_cells, key=lambda cell: CLAIMS[cell][0])
        return {"type": "announce", "combination": lowest, "points": CLAIMS[lowest][0]}

    def kept_orders(self, orders: Orders) -> Orders:
        return kept(orders)

    def order_answers(self, view: View, orders: Orders) -> list[Move | None]:
        return answers(view, orders)

    def opened(self, state: State, seat: int | None) -> View:
        answers = {"answers": list(state.answers)} if state.answers else {}
        dice = None if state.dice is None else list(state.dice)
        return {**self.view(state, seat), "dice": dice, "locked": state.locked, **answers}

    def unveiled(self, turns: Sequence[Turned]) -> dict[int, Any]:
        return unveiled(turns)

    def unsettled(self, state: State) -> int:
        """The tries, the claim and the answers of a turn that is not settled yet."""
        return 0 if state.over else state.tries + (state.claim is not None) + len(state.answered)

    def pauses_after(self, events: Sequence[Event]) -> bool:
        """Dice that are shown."""
        return any(event["type"] == "settled" and event["dice"] for event in events)

    def answers(self, view: View, most: int = FEW) -> list[Move]:
        """Believing first, as on the page."""
        return [BELIEVE, DOUBT] if view["prompt"] and view["phase"] == "answer" else super().answers(view, most)

    def worth(self, view: View, move: Move) -> float | None:
        """None for the first try, beside which there is nothing else."""
        return worth(view, move) if "dice" in move or move["type"] != "roll" else None

    def hints(self, view: View) -> dict[str, Any]:
        return hints(view)

    def reasons(self, view: View) -> list[Reason]:
        return reasons(view)

    def opens_paragraph(self, events: Sequence[Event]) -> bool:
        return bool(events[0]["type"] == "try" and events[0]["n"] == 1)

    def traces(self, log: Sequence[Entry]) -> dict[str, Any]:
        return traces(log)


def _why_not(state: State, seat: int, move: Struct) -> str:
    match move:
        case _ if state.claim is not None or isinstance(move, moves.Answer):
            return NOT_NOW
        case moves.Announce(combination=combination):
            if not state.tries:
                return TRY_FIRST
            return NOT_CLAIMABLE if state.sheets[seat].row(combination).open else NOT_OPEN
        case Roll(dice=dice) if not state.may_try:
            return NO_MORE_TRIES
        case Roll(dice=dice) if dice is UNSET or not state.tries:
            return NAME_DICE if state.tries else ALL_FIRST
    return LOCKED


GAME = YamMenteur()
