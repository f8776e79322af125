"""What ¥€$ hides, for the tests: states and turns that must look the same to a viewer."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from games.engine import Game, RecordError, replay
from games.rules.yes.moves import NO_BID
from games.rules.yes.rules import GAME
from games.rules.yes.state import Bid

OTHER_BIDS = (Bid(0, None), Bid(10_000, 1), Bid(10_000, 3))


def states(state: Any, viewer: int | None) -> Iterator[Any]:
    """Objectives and kept cards of others, the order of decks, sealed bids and interest."""
    if state.over:
        return
    yield _moved_on(state, viewer, "objectives", "objective")
    yield _moved_on(state, viewer, "hands", "yes")
    decks = {name: getattr(state.decks, name)[::-1] for name in ("country", "objective", "yes", "no")}
    yield replace(state, decks=replace(state.decks, **decks))
    if state.phase == "bid":
        for other in OTHER_BIDS:
            yield replace(state, auction=_other_answers(state.auction, viewer, "bids", other))
    if state.phase == "interest":
        for answer in (True, False):
            yield replace(state, sale=_other_answers(state.sale, viewer, "answers", answer))


def _moved_on(state: Any, viewer: int | None, held: str, deck: str) -> Any:
    """The cards of other seats and of a deck, shifted by one place."""
    places = [
        (seat, place)
        for seat, cards in enumerate(getattr(state, held))
        if seat != viewer
        for place in range(len(cards))
    ]
    hands = [list(cards) for cards in getattr(state, held)]
    pool = [hands[seat][place] for seat, place in places] + list(getattr(state.decks, deck))
    pool = pool[1:] + pool[:1]
    for (seat, place), card in zip(places, pool, strict=False):
        hands[seat][place] = card
    decks = replace(state.decks, **{deck: tuple(pool[len(places) :])})
    return replace(state, decks=decks, **{held: tuple(map(tuple, hands))})


def _other_answers(asked: Any, viewer: int | None, name: str, other: object) -> Any:
    """All sealed answers of other seats replaced."""
    given = zip(asked.asked, getattr(asked, name), strict=True)
    answers = [answer if answer is None or seat == viewer else other for seat, answer in given]
    return replace(asked, **{name: tuple(answers)})


def turns(made: list[Any], viewer: int | None) -> Iterator[dict[int, dict[str, Any]]]:
    """Other sealed answers, given in other ways, and other objectives put back."""
    sealed = _sealed(made)
    yield {turn.number: {"by": "clock"} for turn in sealed if turn.seat != viewer}
    yield {turn.number: {"move": _other_move(turn.move)} for turn in sealed if turn.seat != viewer}
    for turn in made:
        if turn.move["type"] in ("exchange", "put_back") and turn.seat != viewer:
            yield from _other_objective(made, turn)


def _this(_slug: str, _version: int | None) -> Game[Any]:
    return GAME


def _other_objective(turns: list[Any], turn: Any) -> Iterator[dict[int, dict[str, Any]]]:
    """The seat's other objective put back instead, if the match could have gone on as it did."""
    before = replay(_record(turns[: turn.number - 1], turn.match), _this)
    [other] = [each for each in before.objectives[turn.seat] if each != turn.move["objective"]]
    made = {"move": turn.move | {"objective": other}}
    try:
        replay(_record(turns, turn.match, {turn.number: made["move"]}), _this)
    except RecordError:
        return
    yield {turn.number: made}


def _record(turns: list[Any], match: Any, instead: dict[int, Any] | None = None) -> dict[str, Any]:
    moves = [
        {"n": t.number, "seat": t.seat, "move": (instead or {}).get(t.number, t.move), "draws": t.draws} for t in turns
    ]
    return {
        "game": GAME.slug,
        "seats": match.size,
        "options": match.options,
        "setup_draws": match.setup_draws,
        "moves": moves,
    }


def _sealed(turns: list[Any]) -> list[Any]:
    """The last bids or answers to an offer, until all were in."""
    sealed: list[Any] = []
    for turn in turns:
        is_sealed = turn.move["type"] in ("bid", "interest") and len(turn.events) == 1
        sealed = [*sealed, turn] if is_sealed else []
    return sealed


def _other_move(move: dict[str, Any]) -> dict[str, Any]:
    if move["type"] == "interest":
        return {**move, "yes": not move["yes"]}
    return NO_BID if move["amount"] else {"type": "bid", "amount": 10_000, "steps": 2}
