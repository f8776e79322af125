"""What YESSS! hides, for the tests: states and turns that must look the same to a viewer."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from msgspec.structs import replace

from games.rules.yesss.data import HAND, PAIRS, TOKENS
from games.rules.yesss.state import OBJECTION, Contest


def states(state: Any, viewer: int | None) -> Iterator[Any]:
    """Other hands, selections, pairs, votes and wishes of the other seats; other cards to come."""
    if not state.over:
        yield from _of_a_contest(state, viewer) if isinstance(state, Contest) else _of_a_race(state, viewer)


def _of_a_contest(state: Any, viewer: int | None) -> Iterator[Any]:
    """Three variants, each with all hidden parts changed."""
    for by, vote, wished in ((1, OBJECTION, 0), (8, 0, 1), (20, 20, 2)):
        piles = tuple((*pile[: state.round], *pile[: state.round - 1 : -1]) for pile in state.piles)
        changed = replace(_other_hands(state, viewer), piles=piles)
        wishes = None if state.wishes is None else _answered(state.wishes, viewer, wished)
        yield replace(_other_pairs(changed, viewer, by, vote), wishes=wishes)


def _other_pairs(state: Any, viewer: int | None, by: int, vote: int) -> Any:
    """Change the hidden pairs that the viewer does not know, and the votes of the other seats."""
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
    """Change all hands but the viewer's, and the selections with them."""
    if not state.hands:
        return state
    own = () if viewer is None else state.hands[viewer]
    rest = iter([token for token in reversed(range(TOKENS)) if token not in own])
    hands = [own if seat == viewer else tuple(islice(rest, HAND)) for seat in range(state.seats)]
    selected = [
        token if seat == viewer or token is None else hands[seat][-1] for seat, token in enumerate(state.selected)
    ]
    return replace(state, hands=tuple(hands), selected=tuple(selected))


def _answered(answers: Any, viewer: int | None, other: int) -> tuple[int | None, ...]:
    """The answers, with those that other seats have given changed."""
    return tuple(answer if seat == viewer or answer is None else other for seat, answer in enumerate(answers))


def _of_a_race(state: Any, viewer: int | None) -> Iterator[Any]:
    if not state.has_begun:
        yield replace(state, pictures=tuple(reversed(state.pictures)))
    for by in (1, 8, 20):
        clues = [
            clue if clue.right or clue.seat == viewer else replace(clue, pair=_not(clue.answer, clue.pair + by))
            for clue in state.clues
        ]
        yield replace(state, clues=tuple(clues))


def _not(answer: int | None, token: int) -> int:
    """The token, or the next if it is the answered one: a wrong answer stays wrong."""
    return (token + (token % TOKENS == answer)) % TOKENS


def turns(made: list[Any], viewer: int | None) -> Iterator[dict[int, dict[str, Any]]]:
    """Other votes, wishes and clues, made in other ways, while they are sealed."""
    others = [turn for turn in _since_revealed(made) if turn.seat != viewer]
    yield {turn.number: {"move": other} for turn in others if (other := _other_vote(turn, made))}
    yield {turn.number: {"by": "clock"} for turn in others}
    yield {turn.number: {"move": other} for turn in made if (other := _other_clue(turn, made, viewer))}


def _other_vote(turn: Any, turns: list[Any]) -> dict[str, Any]:
    """Another legal move that looks the same to the other seats; {} if there is none."""
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
    """Whether the vote of the turn is over: its pair revealed or its word void."""
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
