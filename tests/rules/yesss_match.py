"""What the tests of YESSS! share: prepared draws, rounds and races played in a few calls."""

from typing import Any

from games.engine import IllegalMove, ScriptedChance
from games.rules import get_game
from games.rules.yesss.data import PAIRS

game = get_game("yesss")

CARDS = list(range(60))
TOKENS = list(range(21))
NO_CHANCE = ScriptedChance([])


def dealt(seats: int = 4, *, direction: int = 1, faces: list[int] | None = None, **options: Any) -> Any:
    """A match with cards and tokens in order, all cards on their first face unless told."""
    height = 10 - seats
    draws = [CARDS, faces or [1] * (7 * height), [direction], TOKENS]
    return game.setup(seats=seats, options=options, chance=ScriptedChance(draws))


def laid(seats: int = 3, **options: Any) -> Any:
    """A race, cards in order, before anybody is ready."""
    chance = ScriptedChance([CARDS, [1] * 7])
    return game.setup(seats=seats, options={"mode": "cooperative", **options}, chance=chance)


def racing(seats: int = 3, now: int = 1000, **options: Any) -> Any:
    """A race that begins at `now`."""
    state = laid(seats, **options)
    for seat in range(seats):
        state = apply(state, seat, {"type": "ready"}, now=now)
    return state


def apply(state: Any, seat: int | None, move: Any, *draws: list[int], now: int = 0) -> Any:
    """The state after a move; all prepared draws must be used."""
    chance = ScriptedChance(list(draws))
    state, _events = game.apply(state, seat, move, chance, now)
    assert not chance.left
    return state


def events_of(state: Any, seat: int | None, move: Any, *draws: list[int], now: int = 0) -> list[Any]:
    return game.apply(state, seat, move, ScriptedChance(list(draws)), now)[1]


def code(state: Any, seat: Any, move: Any, now: int = 0) -> str:
    """The code with which a move is refused; empty if it is not."""
    try:
        game.apply(state, seat, move, ScriptedChance([]), now)
    except IllegalMove as refusal:
        assert str(refusal)
        return refusal.code
    return ""


def view(state: Any, seat: int | None = None) -> Any:
    return game.view(state, seat)


def selected(state: Any) -> Any:
    """The state after each seat has picked the first pair of its hand."""
    for seat in range(game.seat_count(state)):
        state = apply(state, seat, {"type": "select", "pair": game.view(state, seat)["hand"][0]})
    return state


def word(state: Any, token: int, said: str = "journey") -> Any:
    announcer = game.view(state, None)["tokens"][token]["announcer"]
    return apply(state, announcer, {"type": "word", "token": token, "word": said})


def guess(state: Any, seat: int, token: int, pair: Any) -> Any:
    """The state after a guess, or after an objection for "object"."""
    move = {"type": "object", "token": token}
    return apply(state, seat, move if pair == "object" else {"type": "guess", "token": token, "pair": pair})


def guessers(state: Any, token: int) -> list[int]:
    shown = game.view(state, None)["tokens"][token]
    return [s for s in range(game.seat_count(state)) if s not in (shown["announcer"], shown["keeper"])]


def true_pair(state: Any, token: int) -> list[int]:
    return PAIRS[state.tokens[token].pair]


def a_wrong_pair(state: Any, token: int) -> list[int]:
    return next(pair for pair in PAIRS if pair != true_pair(state, token))


def answered(state: Any, token: int, right: tuple[int, ...] = (), objecting: tuple[int, ...] = ()) -> Any:
    """The state after all guessers have answered a word: some right, some with an objection, the rest wrong.

    The last answer of a round must not begin another one.
    """
    for seat in guessers(state, token):
        wrong = "object" if seat in objecting else a_wrong_pair(state, token)
        state = guess(state, seat, token, true_pair(state, token) if seat in right else wrong)
    return state


def played(state: Any, **right: tuple[int, ...]) -> Any:
    """The state after the words and guesses of a round, all wrong but those of `t0=(2, 3)`."""
    state = selected(state)
    for token in range(game.seat_count(state)):
        state = answered(word(state, token), token, right.get(f"t{token}", ()))
    return state


def clue(state: Any, seat: int, pair: list[int], said: str = "journey", now: int = 2000) -> Any:
    return apply(state, seat, {"type": "clue", "pair": pair, "word": said}, now=now)


def answer(state: Any, seat: int, number: int, pair: list[int], now: int = 2000) -> Any:
    return apply(state, seat, {"type": "answer", "clue": number, "pair": pair}, now=now)
