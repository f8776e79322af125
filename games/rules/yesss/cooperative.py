"""The cooperative mode of YESSS! (spec: yesss.md, Cooperative): a race, and the effects of its moves."""

from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from games.engine import Chance, Event, Move, Outcome, View, put
from games.engine import gettext_noop as _
from games.rules.yesss.data import PAIRS, PLACES, TOKENS, drawn_pictures, token_of
from games.rules.yesss.moves import NOT_NOW, WORD_FIELD, Answer, Clue, Mode, Ready, Stop, Withdraw
from games.rules.yesss.state import Clue as Said
from games.rules.yesss.state import Race, pairs
from games.rules.yesss.wording import acceptable

MINUTE = 60_000


def laid(seats: int, language: str, minutes: int, chance: Chance) -> Race:
    """A race before anybody is ready (spec: yesss.md, Cooperative)."""
    pictures = tuple(drawn_pictures(PLACES, chance))
    return Race(language, minutes, seats, pictures, middle=tuple(range(TOKENS)))


def ready(state: Race, seat: int, now: int, events: list[Event]) -> Race:
    """Note that a seat is ready; the last one starts the clock."""
    events.append({"type": "ready", "seat": seat})
    state = replace(state, ready=tuple(sorted((*state.ready, seat))))
    if not state.has_begun:
        return state
    ends_at = now + state.minutes * MINUTE if state.minutes else None
    events.append({"type": "started", "ends_at": ends_at})
    return replace(state, ends_at=ends_at)


def say(state: Race, seat: int, token: int, word: str, events: list[Event]) -> Race:
    """Open a clue."""
    events.append({"type": "clue", "seat": seat, "clue": len(state.clues), "word": word})
    return replace(state, clues=(*state.clues, Said(seat, token, word)))


def withdraw(state: Race, number: int, events: list[Event]) -> Race:
    clue = state.clues[number]
    events.append({"type": "withdrawn", "seat": clue.seat, "clue": number, "word": clue.word})
    return _with(state, number, replace(clue, closed="withdrawn"))


def answer(state: Race, seat: int, number: int, token: int, events: list[Event]) -> Race:
    """Close a clue: its token goes to the good side, or the answered one to the bad side."""
    clue = replace(state.clues[number], closed="answered", by=seat, answer=token)
    state = _with(state, number, clue)
    middle = tuple(left for left in state.middle if left != token)
    pile = "good" if clue.right else "bad"
    state = replace(state, middle=middle, **{pile: (*getattr(state, pile), token)})
    told: Event = {"seat": seat, "clue": number, "by": clue.seat, "word": clue.word}
    told["pictures"] = [state.pictures[place - 1] for place in PAIRS[token]]
    events.append({"type": "closed", **told, "pair": PAIRS[token], "right": clue.right})
    state = _void(state, token, events)
    return state if state.middle else end(state, events)


def _void(state: Race, token: int, events: list[Event]) -> Race:
    """Close the open clues whose token is gone."""
    for number, clue in enumerate(state.clues):
        if clue.is_open and clue.pair == token:
            events.append({"type": "void", "seat": clue.seat, "clue": number, "word": clue.word})
            state = _with(state, number, replace(clue, closed="void"))
    return state


def stop(state: Race, seat: int, events: list[Event]) -> Race:
    """Note that a seat has stopped; the last one ends the race."""
    events.append({"type": "stopped", "seat": seat})
    state = replace(state, stopped=tuple(sorted((*state.stopped, seat))))
    return end(state, events) if len(state.stopped) == state.seats else state


def end(state: Race, events: list[Event]) -> Race:
    events.append({"type": "end", "score": state.score})
    return replace(state, over=True)


def _with(state: Race, number: int, clue: Said) -> Race:
    return replace(state, clues=put(state.clues, number, clue))


ONE_CLUE = _("You already have a word open: wait for an answer, or take it back.")
GONE = _("That pair is not in the middle any more.")
NO_CLUE = _("You have no open word to take back.")
NO_SUCH_CLUE = _("That word has not been said.")
YOUR_OWN = _("The others have to answer your word.")
CLOSED = _("Somebody was quicker, or the word was taken back.")
CLOCK_ENDS = _("This race ends when its clock runs out, not before.")


class Cooperative(Mode[Race]):
    """The cooperative mode: all seats for one score, usually against the clock."""

    phases: ClassVar = {Ready: "ready", Clue: "race", Withdraw: "race", Answer: "race", Stop: "race"}

    def entries(self, state: Race, seat: int) -> list[Move]:
        if state.phase == "ready":
            return [{"type": "ready"}]
        pair = {"one_of": pairs(state.middle)}
        entries: list[Move] = []
        if state.open_clue(seat) is None:
            entries.append({"type": "clue", "pair": pair, "word": WORD_FIELD})
        else:
            entries.append({"type": "withdraw"})
        entries += [{"type": "answer", "clue": number, "pair": pair} for number in state.answerable(seat)]
        return entries if state.minutes else [*entries, {"type": "stop"}]

    def play(self, state: Race, seat: int, move: Any, chance: Chance, now: int) -> tuple[Race, list[Event]]:
        events: list[Event] = []
        return _played(state, seat, move, now, events), events

    def why_not(self, state: Race, seat: int, move: Struct) -> str:
        match move:
            case Clue():
                return ONE_CLUE if state.open_clue(seat) is not None else GONE
            case Withdraw():
                return NO_CLUE
            case Stop():
                return CLOCK_ENDS
            case Answer(clue=number):
                if number >= len(state.clues):
                    return NO_SUCH_CLUE
                clue = state.clues[number]
                if clue.is_open:
                    return YOUR_OWN if clue.seat == seat else GONE
                return CLOSED
        return NOT_NOW

    def shown(self, state: Race, seat: int | None, *, opened: bool) -> View:
        begun = state.has_begun or opened
        return {
            "mode": "cooperative",
            "language": state.language,
            "pictures": list(state.pictures) if begun else None,
            "middle": pairs(state.middle) if begun else None,
            "good": pairs(state.good),
            "bad": pairs(state.bad),
            "clues": [_clue(clue, state, knows=opened or clue.seat == seat) for clue in state.clues],
            "ready": list(state.ready),
            "stopped": list(state.stopped),
            "ends_at": state.ends_at,
            "score": state.score,
        }

    def outcome(self, state: Race) -> Outcome:
        seats = range(state.seats)
        return {"ranks": [1 for _ in seats], "scores": [state.score for _ in seats], "winners": list(seats)}

    def default_move(self, state: Race, seat: int) -> Move | None:
        """Ready, and stop; where the clock ends the race there is none."""
        if state.phase == "ready":
            return {"type": "ready"}
        return None if state.minutes else {"type": "stop"}

    def turn(self, state: Race) -> int:
        return int(state.has_begun)


def _played(state: Race, seat: int, move: Struct, now: int, events: list[Event]) -> Race:
    match move:
        case Ready():
            return ready(state, seat, now, events)
        case Clue(pair=pair, word=word):
            return say(state, seat, token_of(pair), acceptable(word, state.language), events)
        case Answer(clue=number, pair=pair):
            return answer(state, seat, number, token_of(pair), events)
        case Stop():
            return stop(state, seat, events)
    clue = state.open_clue(seat)
    return state if clue is None else withdraw(state, clue, events)


def _clue(clue: Said, state: Race, *, knows: bool) -> View:
    """A clue for a viewer who knows its pair, or not."""
    shown: View = {
        "seat": clue.seat,
        "word": clue.word,
        "open": clue.is_open and not state.over,
        "closed_by": clue.by if clue.closed == "answered" else clue.closed or None,
        "answer": None if clue.answer is None else PAIRS[clue.answer],
        "right": clue.right,
    }
    if knows or clue.right or state.over:
        shown["pair"] = PAIRS[clue.pair]
    return shown
