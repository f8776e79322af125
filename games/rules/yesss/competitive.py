"""The competitive mode of YESSS! (spec: yesss.md, Competitive)."""

from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from games.engine import PASS, Chance, Event, Move, Orders, Outcome, View, ranked
from games.engine import gettext_noop as _
from games.rules.yesss import contest
from games.rules.yesss.data import PAIRS, default_word, token_of
from games.rules.yesss.moves import NOT_NOW, WORD_FIELD, Guess, Mode, Object, Pass, Refuse, Select, Swap, Word
from games.rules.yesss.state import OBJECTION, Contest, LastRound, Token, pairs
from games.rules.yesss.wording import acceptable

SELECTED = _("You have already chosen your pair.")
NOT_YOUR_HAND = _("That pair is not one of your three.")
CANNOT_REFUSE = _("You have no pair that can still be sent back.")
NOT_ANNOUNCER = _("That pair is not yours to announce.")
HAS_WORD = _("That pair already has a word.")
KNOWS_PAIR = _("You know that pair: it is for the others to guess.")
NO_WORD = _("No word has been said for that pair yet.")
HAS_ANSWERED = _("You have already answered that word.")
REVEALED = _("That pair has already been revealed.")
YOUR_OWN_PLACE = _("You already sit there.")
NO_BRAIN = _("A swap costs a brain, and you have none.")

ANY_PAIR = {"one_of": PAIRS}
AFTER_A_VOID = "truc"
PHASES = ("select", "propose", "swap")


class Competitive(Mode[Contest]):
    """The competitive mode: each seat for itself."""

    phases: ClassVar = {
        **dict.fromkeys((Refuse, Word, Guess, Object), "propose"),
        Select: "select",
        **dict.fromkeys((Swap, Pass), "swap"),
    }

    def entries(self, state: Contest, seat: int) -> list[Move]:
        match state.phase:
            case "select":
                return [{"type": "select", "pair": {"one_of": pairs(state.hands[seat])}}]
            case "swap":
                others = [other for other in range(state.seats) if other != seat]
                return [{"type": "swap", "seat": {"one_of": others}}, PASS]
        entries: list[Move] = [{"type": "refuse"}] if state.refusable(seat) is not None else []
        entries += [{"type": "word", "token": n, "word": WORD_FIELD} for n in state.words_owed(seat)]
        for number in state.guesses_owed(seat):
            entries.append({"type": "guess", "token": number, "pair": ANY_PAIR})
            entries.append({"type": "object", "token": number})
        return entries

    def play(self, state: Contest, seat: int, move: Any, chance: Chance, now: int) -> tuple[Contest, list[Event]]:
        events: list[Event] = []
        played = _played(replace(state, made=state.made + 1), seat, move, events)
        return contest.go_on(played, chance, events), events

    def why_not(self, state: Contest, seat: int, move: Struct) -> str:
        match move:
            case Select():
                return NOT_YOUR_HAND
            case Refuse():
                return CANNOT_REFUSE
            case Word(token=number):
                token = state.tokens[number]
                if token.announcer != seat:
                    return NOT_ANNOUNCER
                return REVEALED if token.revealed else HAS_WORD
            case Guess(token=number) | Object(token=number):
                return _why_no_guess(state.tokens[number], seat)
            case Swap():
                return YOUR_OWN_PLACE
        return NOT_NOW

    def shown(self, state: Contest, seat: int | None, *, opened: bool) -> View:
        mine = None if seat is None or not state.hands else pairs(state.hands[seat])
        selected = None if seat is None else state.selected[seat]
        view: View = {
            "mode": "competitive",
            "language": state.language,
            "round": state.round,
            "rounds": state.rounds,
            "direction": "left" if state.leftwards else "right",
            "table": list(state.table),
            "pictures": state.pictures,
            "brains": list(state.brains),
            "hand": mine,
            "selected": None if selected is None else PAIRS[selected],
            "tokens": [_token(token, seat, opened) for token in state.tokens],
            "last_round": None if state.last is None else _last_round(state, state.last, seat),
            "answered": state.answered,
        }
        return view | _sealed(state) if opened else view

    def outcome(self, state: Contest) -> Outcome:
        return ranked(state.brains)

    def default_move(self, state: Contest, seat: int) -> Move | None:
        """The first of the three; a refusal, a word, a guess, the lowest token first; or pass."""
        if state.phase == "select":
            return {"type": "select", "pair": PAIRS[state.hands[seat][0]]}
        if state.phase == "swap":
            return PASS
        if state.refusable(seat) is not None:
            return {"type": "refuse"}
        for number in state.words_owed(seat):
            return {"type": "word", "token": number, "word": _default_word(state, state.tokens[number])}
        revealed = {token.pair for token in state.tokens if token.revealed}
        pair = next(pair for token, pair in enumerate(PAIRS) if token not in revealed)
        return {"type": "guess", "token": state.guesses_owed(seat)[0], "pair": pair}

    def order_answers(self, view: View, orders: Orders) -> list[Move | None]:
        return [PASS] if view["phase"] == "swap" and orders.get("swap") == "never" else []

    def turn(self, state: Contest) -> int:
        """The phases that are over; one that a round leaves out counts as over."""
        done = PHASES.index(state.phase) if state.phase in PHASES else len(PHASES)
        return len(PHASES) * (state.round - 1) + done

    def unsettled(self, state: Contest) -> int:
        """The moves of a round until all its pairs are revealed, then the answers to the swap.

        How a selection, a guess or a swap came about would tell which it is.
        """
        if state.phase == "swap":
            return len(state.answered)
        return 0 if state.over else state.made


def _played(state: Contest, seat: int, move: Struct, events: list[Event]) -> Contest:
    match move:
        case Select(pair=pair):
            return contest.select(state, seat, token_of(pair), events)
        case Refuse():
            number = state.refusable(seat)
            return state if number is None else contest.refuse(state, number, events)
        case Word(token=number, word=word):
            return contest.say(state, number, acceptable(word, state.language), events)
        case Guess(token=number, pair=pair):
            return contest.answer(state, seat, number, token_of(pair), events)
        case Object(token=number):
            return contest.answer(state, seat, number, OBJECTION, events)
        case Swap(seat=other):
            return contest.wish(state, seat, other, events)
    return contest.wish(state, seat, seat, events)


def _why_no_guess(token: Token, seat: int) -> str:
    if seat in (token.announcer, token.keeper):
        return KNOWS_PAIR
    if token.revealed:
        return REVEALED
    return NO_WORD if token.word is None else HAS_ANSWERED


def _token(token: Token, seat: int | None, opened: bool) -> View:
    """A pair in play as a seat sees it."""
    shown: View = {
        "selector": token.selector,
        "receiver": token.receiver,
        "announcer": token.announcer,
        "keeper": token.keeper,
        "word": token.word,
        "voids": token.voids,
        "voided": token.voided,
        "revealed": token.revealed,
        "answered": token.answered,
        "your_guess": None if seat is None else contest.given(token.answers[seat]),
    }
    if token.revealed or opened or seat in (token.announcer, token.keeper):
        shown["pair"] = PAIRS[token.pair]
    if token.revealed or opened:
        shown["guesses"] = contest.guesses(token)
    return shown


def _last_round(state: Contest, last: LastRound, seat: int | None) -> View:
    return {
        "pictures": state.pictures_of(state.round - 1),
        "tokens": [_token(token, seat, opened=True) for token in last.tokens],
        "swaps": [{"seat": swap.seat, "with": swap.other} for swap in last.swaps],
    }


def _sealed(state: Contest) -> View:
    """What views show only after the end: all hands, selections and answers to the swap."""
    return {
        "hands": [pairs(hand) for hand in state.hands],
        "selections": [None if token is None else PAIRS[token] for token in state.selected],
        "wishes": None if state.wishes is None else list(state.wishes),
    }


def _default_word(state: Contest, token: Token) -> str:
    if token.voids:
        return AFTER_A_VOID
    place = PAIRS[token.pair][0]
    return default_word(state.pictures[place - 1], state.language)
