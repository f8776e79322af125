"""What each game hides: for a state and a viewer, states that differ in nothing the viewer may know.

And for the turns of a running match, the same: rows of (move, draws, how they came about).
"""

from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any

from msgspec.structs import replace

from games.rules.yesss.state import OBJECTION, Contest
from games.rules.yesss.tables import HAND, PAIRS, TOKENS
from tests.rules.secrets_yes import bids_and_objectives, cards_and_bids

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
    "yes": cards_and_bids,
}


def nothing_in_turns(turns: list[Any], viewer: int | None) -> Iterator[Made]:
    yield from ()


def throws_and_answers(turns: list[Any], viewer: int | None) -> Iterator[Made]:
    """YAM menteur: all dice that were never shown, how many were rolled again, sealed answers, by whom."""
    yield {turn.number: _other_throw(turn) for turn in _unseen_throws(turns, viewer)}
    yield {turn.number: {"by": "orders"} for turn in _since_settled(turns)}
    yield {turn.number: {"by": "clock"} for turn in _since_settled(turns)}
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
    """YESSS!: what others vote, wish or give clues for, and how it came about, as long as it is sealed."""
    others = [turn for turn in _since_revealed(turns) if turn.seat != viewer]
    yield {turn.number: {"move": other} for turn in others if (other := _other_vote(turn, turns))}
    yield {turn.number: {"by": "orders"} for turn in others}
    yield {turn.number: {"move": other} for turn in turns if (other := _other_clue(turn, turns, viewer))}


def _other_vote(turn: Any, turns: list[Any]) -> dict[str, Any]:
    """Another move that could be made as well, and looks the same to the others; {} where there is none."""
    match turn.move["type"]:
        case "guess" | "object" if not _is_over(turn, turns):
            if turn.move["type"] == "guess":
                return {"type": "object", "token": turn.move["token"]}
            return {"type": "guess", "token": turn.move["token"], "pair": [1, 2]}
        case "swap":
            return {"type": "pass"}
        case "pass":
            return {"type": "swap", "seat": 1 if turn.seat == 0 else 0}
    return {}


def _is_over(turn: Any, turns: list[Any]) -> bool:
    """Whether the vote to which a turn belongs is: its pair revealed, its word void."""
    later = [event for other in turns if other.number >= turn.number for event in other.events]
    return any(e["type"] in ("revealed", "void") and e["token"] == turn.move["token"] for e in later)


def _other_clue(turn: Any, turns: list[Any], viewer: int | None) -> dict[str, Any]:
    """The clue of another seat for a pair that nobody has answered, unless its own has become known."""
    events = [event for other in turns for event in other.events if "clue" in event]
    said = [event["clue"] for event in turn.events if event["type"] == "clue"]
    known = [e["clue"] for e in events if e["type"] == "void" or (e["type"] == "closed" and e["right"])]
    if not said or said[0] in known or turn.seat == viewer:
        return {}
    gone = [event["pair"] for event in events if event["type"] == "closed"]
    left = [pair for pair in PAIRS if pair not in gone and pair != turn.move["pair"]]
    return turn.move | {"pair": left[0]} if left else {}


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
    "yes": bids_and_objectives,
}
