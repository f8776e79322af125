"""The state of a match of YAM menteur, and the effects of its moves."""

from msgspec import Struct
from msgspec.structs import replace

from games.engine import Chance, Event, View, put
from games.engine.throws import Dice, Opening, rerolled
from games.rules.yam_menteur.sheet import COMBINATIONS, TRIES, Sheet, points


class Claim(Struct, frozen=True):
    """What was announced."""

    combination: str
    points: int

    def shown(self) -> View:
        return {"combination": self.combination, "points": self.points}


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
    """The counts of a seat's settled announcements and answers."""

    announced: int = 0
    doubted: int = 0
    caught: int = 0
    doubts: int = 0
    doubts_right: int = 0

    def shown(self) -> View:
        return {name: getattr(self, name) for name in self.__struct_fields__}


class State(Struct, frozen=True, omit_defaults=True):
    """A match. `dice` are those under the thrower's cups; before the first try, those last revealed."""

    thrower: int
    opening: tuple[Opening, ...]
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
    """Once a sheet is closed: the seats whose last turn is not over."""
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


def throw(state: State, which: tuple[int, ...], chance: Chance, events: list[Event]) -> State:
    """Roll the dice with those indices, ascending. Which and how many stays hidden from the others."""
    state = replace(state, dice=rerolled(state.dice, which, chance), loose=which, tries=state.tries + 1)
    events.append({"type": "try", "seat": state.thrower, "n": state.tries})
    return state


def announce(state: State, claim: Claim, events: list[Event]) -> State:
    event = {"combination": claim.combination, "points": claim.points, "tries": state.tries}
    events.append({"type": "claim", "seat": state.thrower, **event})
    return replace(state, claim=claim, answers=(None,) * state.seats)


def answer(state: State, seat: int, doubt: bool, events: list[Event]) -> State:
    """Seal an answer; the last one settles the turn."""
    events.append({"type": "answer", "seat": seat})
    state = replace(state, answers=put(state.answers, seat, doubt))
    if state.asked or state.claim is None:
        return state
    return _go_on(_settle(state, state.claim, events), events)


def _settle(state: State, claim: Claim, events: list[Event]) -> State:
    """Reveal the answers, and write points and crosses accordingly."""
    thrower, doubters = state.thrower, tuple(seat for seat, doubt in enumerate(state.answers) if doubt)
    true = points(state.dice or ())[claim.combination] >= claim.points
    writers, crossers = _consequences(state, claim, doubters, true)
    sheets = list(state.sheets)
    for seat in writers:
        sheets[seat] = sheets[seat].written(claim.combination, claim.points)
    for seat in crossers:
        sheets[seat] = sheets[seat].crossed(claim.combination)
    shown = Settled(thrower, claim, doubters, state.dice, true) if doubters else Settled(thrower, claim, ())
    events.append(_settled_event(state, shown, writers, _newly_barred(state, sheets, claim.combination)))
    tally = tuple(_counted(state, shown, seat) for seat in range(state.seats))
    return replace(state, sheets=tuple(sheets), tally=tally, last=shown, claim=None, answers=())


def _consequences(state: State, claim: Claim, doubters: tuple[int, ...], true: bool) -> tuple[list[int], list[int]]:
    """Who writes the claimed points, and who crosses (spec: yam-menteur.md, The answer)."""
    if not doubters:
        return [state.thrower], []
    if true:
        return [state.thrower], list(doubters)
    if claim.combination == "yam":  # nobody but the thrower ever writes one
        return [], [state.thrower]
    return [seat for seat in doubters if state.sheets[seat].row(claim.combination).open], [state.thrower]


def _newly_barred(state: State, after: list[Sheet], combination: str) -> list[int]:
    return [
        seat
        for seat, (before, now) in enumerate(zip(state.sheets, after, strict=True))
        if now.row(combination).barred and not before.row(combination).barred
    ]


def _settled_event(state: State, settled: Settled, writers: list[int], barred: list[int]) -> Event:
    return {
        "type": "settled",
        "seat": settled.thrower,
        "combination": settled.claim.combination,
        "points": settled.claim.points,
        "tries": state.tries,
        "doubters": list(settled.doubters),
        "dice": None if settled.dice is None else list(settled.dice),
        "true": settled.true,
        "written": writers,
        "barred": barred,
    }


def _counted(state: State, settled: Settled, seat: int) -> Tally:
    """A seat's tally after this turn."""
    before = state.tally[seat]
    caught = settled.true is False
    if seat == settled.thrower:
        announced, doubted = before.announced + 1, before.doubted + bool(settled.doubters)
        return replace(before, announced=announced, doubted=doubted, caught=before.caught + caught)
    doubts = seat in settled.doubters
    right = before.doubts_right + (doubts and caught)
    return replace(before, doubts=before.doubts + doubts, doubts_right=right)


def _go_on(state: State, events: list[Event]) -> State:
    """The next throw, or one last turn for all who can write, or the end (spec: yam-menteur.md, End)."""
    seats = [(state.thrower + step) % state.seats for step in range(1, state.seats + 1)]
    if state.final is not None:
        seats = [seat for seat in state.final if seat != state.thrower]
    left = [seat for seat in seats if not state.sheets[seat].closed]
    final = state.final is not None or any(sheet.closed for sheet in state.sheets)
    if final and state.final is None and left:
        events.append({"type": "final", "seats": left})
    if not left:
        events.append({"type": "end"})
        return replace(state, final=(), over=True)
    shown = state.dice if state.last and state.last.dice else None
    return replace(state, thrower=left[0], tries=0, dice=shown, loose=(), final=tuple(left) if final else None)
