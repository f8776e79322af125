"""What the moves of a race do. Each function adds what everybody may know to `events`."""

from msgspec.structs import replace

from games.engine import Chance, Event
from games.rules.yesss.state import Clue as Said
from games.rules.yesss.state import Race
from games.rules.yesss.tables import CARDS, FACES, PAIRS, PLACES, TOKENS

MINUTE = 60_000


def laid(seats: int, language: str, minutes: int, chance: Chance) -> Race:
    """A race before anybody is ready (spec: yesss.md, Cooperative)."""
    cards = chance.shuffle(CARDS)[:PLACES]
    faces = chance.roll(PLACES, FACES)
    pictures = tuple(FACES * card + face - 1 for card, face in zip(cards, faces, strict=True))
    return Race(language, minutes, seats, pictures, middle=tuple(range(TOKENS)))


def ready(state: Race, seat: int, now: int, events: list[Event]) -> Race:
    """A seat is ready; the last one starts the clock."""
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
    if clue.right:
        state = replace(state, middle=middle, good=(*state.good, token))
    else:
        state = replace(state, middle=middle, bad=(*state.bad, token))
    told: Event = {"seat": seat, "clue": number, "by": clue.seat, "word": clue.word}
    told["pictures"] = [state.pictures[place - 1] for place in PAIRS[token]]
    events.append({"type": "closed", **told, "pair": PAIRS[token], "right": clue.right})
    state = _void(state, token, events)
    return state if state.middle else end(state, events)


def _void(state: Race, token: int, events: list[Event]) -> Race:
    """Close the open clues whose token has gone."""
    for number, clue in enumerate(state.clues):
        if clue.is_open and clue.pair == token:
            events.append({"type": "void", "seat": clue.seat, "clue": number, "word": clue.word})
            state = _with(state, number, replace(clue, closed="void"))
    return state


def stop(state: Race, seat: int, events: list[Event]) -> Race:
    """A seat has done; when all have, the race ends."""
    events.append({"type": "stopped", "seat": seat})
    state = replace(state, stopped=tuple(sorted((*state.stopped, seat))))
    return end(state, events) if len(state.stopped) == state.seats else state


def end(state: Race, events: list[Event]) -> Race:
    events.append({"type": "end", "score": state.score})
    return replace(state, over=True)


def _with(state: Race, number: int, clue: Said) -> Race:
    return replace(state, clues=(*state.clues[:number], clue, *state.clues[number + 1 :]))
