"""What each game hides: for a state and a viewer, states that differ in nothing the viewer may know.

And for the turns of a running match, the same: rows of (move, draws, how they came about).
"""

from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any

from msgspec.structs import replace

from games.rules.yesss.state import OBJECTION, Contest
from games.rules.yesss.tables import HAND, TOKENS

Made = dict[int, dict[str, Any]]
"""For turns by their number, what is different in them: any of `move`, `draws`, `by`."""


def nothing_is_hidden(state: Any, viewer: int | None) -> Iterator[Any]:
    """Yum EXTRA and YAY!: every fact of a match lies open, and the state holds no chance still to come."""
    yield from ()


def dice_and_answers(state: Any, viewer: int | None) -> Iterator[Any]:
    """YAM menteur: the thrower's dice, which of them were rolled again, and the answers of others."""
    if state.over:
        return
    if state.tries and viewer != state.thrower:
        for dice in ((1, 1, 1, 1, 1), (6, 5, 4, 3, 2), (2, 2, 6, 6, 6)):
            yield replace(state, dice=dice)
        if state.tries > 1:
            for loose in ((0,), (1, 3), (0, 1, 2, 3, 4)):
                yield replace(state, loose=loose)
    given = [seat for seat in state.answered if seat != viewer]
    for doubts in product((True, False), repeat=min(len(given), 3)):
        answers = list(state.answers)
        for seat, doubt in zip(given, doubts, strict=False):
            answers[seat] = doubt
        yield replace(state, answers=tuple(answers))


def pairs_and_votes(state: Any, viewer: int | None) -> Iterator[Any]:
    """YESSS!: what others hold, selected, announce, guess, object to and wish; cards still to come."""
    if not state.over:
        yield from _of_a_contest(state, viewer) if isinstance(state, Contest) else _of_a_race(state, viewer)


def _of_a_contest(state: Any, viewer: int | None) -> Iterator[Any]:
    """All of it at once, thrice: a leak of any part shows."""
    for by, vote, wished in ((1, OBJECTION, 0), (8, 0, 1), (20, 20, 2)):
        piles = tuple((*pile[: state.round], *pile[: state.round - 1 : -1]) for pile in state.piles)
        changed = replace(_other_hands(state, viewer), piles=piles)
        wishes = None if state.wishes is None else _answered(state.wishes, viewer, wished)
        yield replace(_other_pairs(changed, viewer, by, vote), wishes=wishes)


def _other_pairs(state: Any, viewer: int | None, by: int, vote: int) -> Any:
    """The pairs that are not revealed are others, but those that the viewer knows; and others' votes."""
    tokens = list(state.tokens)
    selected = list(state.selected)
    for number, token in enumerate(tokens):
        if token.revealed:
            continue
        if viewer not in (token.announcer, token.keeper):
            token = replace(token, pair=(token.pair + by) % TOKENS)  # noqa: PLW2901
            selected[token.selector] = token.pair
        tokens[number] = replace(token, answers=_answered(token.answers, viewer, vote))
    return replace(state, tokens=tuple(tokens), selected=tuple(selected))


def _other_hands(state: Any, viewer: int | None) -> Any:
    """All hands but the viewer's are others; what was selected is of the new hand."""
    if not state.hands:
        return state
    own = () if viewer is None else state.hands[viewer]
    rest = iter([token for token in reversed(range(TOKENS)) if token not in own])
    hands = [own if seat == viewer else tuple(islice(rest, HAND)) for seat in range(state.seats)]
    selected = [
        token if seat == viewer or token is None else hands[seat][-1]
        for seat, token in enumerate(state.selected)
    ]
    return replace(state, hands=tuple(hands), selected=tuple(selected))


def _answered(answers: Any, viewer: int | None, other: int) -> tuple[int | None, ...]:
    """The answers with those of others changed, where there are any."""
    return tuple(answer if seat == viewer or answer is None else other for seat, answer in enumerate(answers))


def _of_a_race(state: Any, viewer: int | None) -> Iterator[Any]:
    if not state.has_begun:
        yield replace(state, pictures=tuple(reversed(state.pictures)))
    for by in (1, 8, 20):
        clues = [
            clue
            if clue.right or clue.seat == viewer
            else replace(clue, pair=_not(clue.answer, clue.pair + by))
            for clue in state.clues
        ]
        yield replace(state, clues=tuple(clues))


def _not(answer: int | None, token: int) -> int:
    """A token that is not the answered one: a wrong answer stays wrong."""
    return (token + (token % TOKENS == answer)) % TOKENS


VARIANTS: dict[str, Callable[[Any, int | None], Iterator[Any]]] = {
    "yum-extra": nothing_is_hidden,
    "yam-menteur": dice_and_answers,
    "yay": nothing_is_hidden,
    "yesss": pairs_and_votes,
}


def nothing_in_turns(turns: list[Any], viewer: int | None) -> Iterator[Made]:
    yield from ()


def throws_and_answers(turns: list[Any], viewer: int | None) -> Iterator[Made]:
    """YAM menteur: all dice that were never shown, how many were rolled again, sealed answers, by whom."""
    yield {turn.number: _other_throw(turn) for turn in _unseen_throws(turns, viewer)}
    yield {turn.number: {"by": "orders"} for turn in _since_settled(turns)}
    sealed = [t for t in _since_settled(turns) if t.move["type"] == "answer" and t.seat != viewer]
    yield {turn.number: {"move": turn.move | {"doubt": not turn.move["doubt"]}} for turn in sealed}


def _other_throw(turn: Any) -> dict[str, Any]:
    """All five dice rolled again instead of some, with other numbers."""
    if "dice" not in turn.move:
        return {"draws": [[7 - face for face in turn.draws[0]]]}
    return {"move": turn.move | {"dice": [0, 1, 2, 3, 4]}, "draws": [[6, 1, 6, 1, 6]]}


def _unseen_throws(turns: list[Any], viewer: int | None) -> list[Any]:
    """The tries of others whose dice nobody was shown."""
    unseen, throw = [], []
    for turn in turns:
        if turn.move["type"] == "roll":
            throw.append(turn)
        settled = [event for event in turn.events if event["type"] == "settled"]
        if settled:
            unseen += throw if settled[0]["dice"] is None else []
            throw = []
    return [turn for turn in unseen + throw if turn.seat != viewer]


def _since_settled(turns: list[Any]) -> list[Any]:
    last = max(
        (turn.number for turn in turns for event in turn.events if event["type"] == "settled"), default=0
    )
    return [turn for turn in turns if turn.number > last]


def votes_and_clues(turns: list[Any], viewer: int | None) -> Iterator[Made]:
    """YESSS!: what others selected, guessed, wished or gave a clue for; draws; by whom, while sealed."""
    others = [turn for turn in turns if turn.seat is not None and turn.seat != viewer]
    yield {turn.number: {"move": other} for turn in others if (other := _other_vote(turn.move))}
    yield {turn.number: {"draws": [list(reversed(turn.draws[0]))]} for turn in turns if turn.draws}
    yield {turn.number: {"by": "orders"} for turn in _since_revealed(turns)}


def _other_vote(move: dict[str, Any]) -> dict[str, Any]:
    """A move that looks the same to the others; {} for one that everybody sees."""
    match move["type"]:
        case "select" | "clue":
            return move | {"pair": [1, 2] if move["pair"] != [1, 2] else [1, 3]}
        case "guess":
            return {"type": "object", "token": move["token"]}
        case "object":
            return {"type": "guess", "token": move["token"], "pair": [1, 2]}
        case "swap":
            return {"type": "pass"}
        case "pass":
            return {"type": "swap", "seat": 0}
    return {}


def _since_revealed(turns: list[Any]) -> list[Any]:
    """The turns of a round of which not all pairs are revealed, or the answers to its swap."""
    since, left = [], 0
    for turn in turns:
        if turn.move["type"] in ("ready", "clue", "withdraw", "answer", "stop"):
            continue
        since.append(turn)
        kinds = [event["type"] for event in turn.events]
        left += sum(len(event["tokens"]) for event in turn.events if event["type"] == "handed")
        left -= kinds.count("revealed")
        if "round" in kinds or ("revealed" in kinds and not left):
            since = []
    return since


TURN_VARIANTS: dict[str, Callable[[list[Any], int | None], Iterator[Made]]] = {
    "yum-extra": nothing_in_turns,
    "yam-menteur": throws_and_answers,
    "yay": nothing_in_turns,
    "yesss": votes_and_clues,
}
