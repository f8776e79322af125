"""The effects of the moves of a competitive match. Each function adds its public events to `events`."""

from typing import Any

from msgspec.structs import replace

from games.engine import Chance, Event, put
from games.rules.yesss.data import HAND, PAIRS, PLACES, TOKENS, drawn_pictures, rounds_for
from games.rules.yesss.state import MOST_VOIDS, OBJECTION, Contest, LastRound, Swapped, Token


def dealt(seats: int, language: str, swaps: bool, rounds: int, chance: Chance) -> Contest:
    """A match before its first decision (spec: yesss.md, Setup)."""
    height = rounds_for(seats)
    pictures = drawn_pictures(PLACES * height, chance)
    piles = tuple(tuple(pictures[top : top + height]) for top in range(0, PLACES * height, height))
    leftwards = chance.roll(1, 2)[0] == 1
    table = tuple(range(seats))
    return Contest(
        language=language,
        swaps=swaps,
        rounds=rounds,
        piles=piles,
        leftwards=leftwards,
        table=table,
        brains=(0,) * seats,
        hands=_hands(table, chance),
        selected=(None,) * seats,
    )


def _hands(table: tuple[int, ...], chance: Chance) -> tuple[tuple[int, ...], ...]:
    """Each seat's three tokens: the seat in table place p draws 3p, 3p + 1, 3p + 2 of the shuffled order."""
    order = chance.shuffle(TOKENS)
    drawn = {seat: tuple(order[HAND * p : HAND * p + HAND]) for p, seat in enumerate(table)}
    return tuple(drawn[seat] for seat in range(len(table)))


def select(state: Contest, seat: int, token: int, events: list[Event]) -> Contest:
    """Seal a selection; with the last one all pairs are handed to the neighbours."""
    events.append({"type": "selected", "seat": seat})
    state = replace(state, selected=put(state.selected, seat, token))
    if None in state.selected:
        return state
    seats, step = state.seats, 1 if state.leftwards else -1
    tokens = tuple(
        Token(
            selector=selector,
            receiver=state.table[(place + step) % seats],
            pair=state.selected[selector] or 0,
            answers=(None,) * seats,
        )
        for place, selector in enumerate(state.table)
    )
    given = [{"selector": token.selector, "receiver": token.receiver} for token in tokens]
    events.append({"type": "handed", "tokens": given, "circle": state.pictures})
    return replace(state, hands=(), tokens=tokens)


def refuse(state: Contest, number: int, events: list[Event]) -> Contest:
    """Send a pair back: its selector announces it now, its receiver keeps it."""
    token = state.tokens[number]
    events.append({"type": "refused", "seat": token.receiver, "token": number, "to": token.selector})
    return _with(state, number, replace(token, back=True))


def say(state: Contest, number: int, word: str, events: list[Event]) -> Contest:
    token = state.tokens[number]
    events.append({"type": "word", "seat": token.announcer, "token": number, "word": word})
    return _with(state, number, replace(token, word=word))


def answer(state: Contest, seat: int, number: int, given: int, events: list[Event]) -> Contest:
    """Seal a guess or an objection; the last one voids the word, or reveals the pair."""
    token = state.tokens[number]
    token = replace(token, answers=put(token.answers, seat, given))
    events.append({"type": "answered", "seat": seat, "token": number})
    state = _with(state, number, token)
    if token.asked:
        return state
    if 2 * token.answers.count(OBJECTION) > len(token.guessers):
        return _void(state, number, events)
    return _reveal(state, number, void=False, events=events)


def _void(state: Contest, number: int, events: list[Event]) -> Contest:
    """Void a word: another is said and guessed; the second void word reveals the pair."""
    token = state.tokens[number]
    token = replace(token, voids=token.voids + 1)
    if token.voids == MOST_VOIDS:
        return _reveal(_with(state, number, token), number, void=True, events=events)
    events.append({"type": "void", "token": number, "word": token.word, "seat": token.announcer})
    return _with(state, number, replace(token, word=None, voided=token.word, answers=(None,) * state.seats))


def _reveal(state: Contest, number: int, *, void: bool, events: list[Event]) -> Contest:
    """Reveal a pair and its guesses, and pay the brains for them."""
    token = replace(state.tokens[number], revealed=True)
    gains = [0] * state.seats
    right = [] if void else token.right
    for seat in right:
        gains[seat] += 1
    gains[token.announcer] += len(right)
    gains[token.keeper] += len(token.guessers) - len(right)
    pair = PAIRS[token.pair]
    told: Event = {"type": "revealed", "token": number, "word": token.word, "pair": pair}
    told |= {"pictures": [state.pictures[place - 1] for place in pair], "guesses": guesses(token)}
    told |= {"circle": state.pictures}  # they leave the table, and the log goes on telling who guessed what
    told |= {"announcer": token.announcer, "keeper": token.keeper}
    events.append(told | {"void": void, "brains": gains})
    brains = tuple(had + gain for had, gain in zip(state.brains, gains, strict=True))
    return replace(_with(state, number, token), brains=brains)


def guesses(token: Token) -> list[Any]:
    """Each seat's answer as views and events have it: a pair, "object" or None."""
    return [given(answer) for answer in token.answers]


def given(answer: int | None) -> Any:
    """An answer as views and events have it."""
    if answer is None:
        return None
    return "object" if answer == OBJECTION else PAIRS[answer]


def wish(state: Contest, seat: int, other: int, events: list[Event]) -> Contest:
    """Seal the seat with which a seat wishes to change places; itself to pass."""
    events.append({"type": "swap_answered", "seat": seat})
    return replace(state, wishes=put(state.wishes or (), seat, other))


def go_on(state: Contest, chance: Chance, events: list[Event]) -> Contest:
    """Once a phase is complete, begin the next phase or round, or end the match."""
    if state.phase == "propose" and all(token.revealed for token in state.tokens):
        if state.round == state.rounds:
            events.append({"type": "end", "brains": list(state.brains)})
            return replace(state, over=True)
        if state.swaps and any(state.brains):
            return replace(state, wishes=(None,) * state.seats)
        return _next_round(state, (), chance, events)
    if state.phase == "swap" and not state.to_move:
        state, swapped = _carry_out(state, events)
        return _next_round(state, swapped, chance, events)
    return state


def _carry_out(state: Contest, events: list[Event]) -> tuple[Contest, tuple[Swapped, ...]]:
    """Carry out the swaps in the table order of the round, each on the table as the swaps before left it."""
    table, brains, swapped = list(state.table), list(state.brains), []
    for seat in state.table:
        other = (state.wishes or ())[seat]
        if other is None or other == seat:
            continue
        here, there = table.index(seat), table.index(other)
        table[here], table[there] = other, seat
        brains[seat] -= 1
        swapped.append(Swapped(seat, other))
        events.append({"type": "swapped", "seat": seat, "with": other})
    return replace(state, table=tuple(table), brains=tuple(brains)), tuple(swapped)


def _next_round(state: Contest, swapped: tuple[Swapped, ...], chance: Chance, events: list[Event]) -> Contest:
    """Begin a round: next pictures, the other direction, new hands."""
    leftwards, number = not state.leftwards, state.round + 1
    direction = "left" if leftwards else "right"
    events.append({"type": "round", "round": number, "direction": direction, "table": list(state.table)})
    return replace(
        state,
        round=number,
        leftwards=leftwards,
        hands=_hands(state.table, chance),
        selected=(None,) * state.seats,
        last=LastRound(state.tokens, swapped),
        tokens=(),
        wishes=None,
        made=0,
    )


def _with(state: Contest, number: int, token: Token) -> Contest:
    return replace(state, tokens=put(state.tokens, number, token))
