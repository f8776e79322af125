"""Which decisions of a match make a puzzle: few answers, more than one of them sensible, and it matters which."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from games.engine import Game, Move, Options, SeededChance, View, replay_steps
from games.models import Match, Seat, Turn
from games.puzzles import bare_table, worded
from games.queries.turns import all_turns
from games.record import record_of
from games.rules import get_game

MOST_ANSWERS = 6
CLEAR = 12.0  # points: where the next best answer brings so much less, only one is sensible
ALIKE = 0.5  # of a point: where all answers differ by less, it does not matter


class Moment(NamedTuple):
    """A decision: after how many moves, the state, whose, and what was played."""

    step: int
    state: Any
    seat: int
    move: Move


class Position(NamedTuple):
    """A decision that makes a puzzle, as `games.models.Puzzle` has it.

    `liking` is the higher the better a puzzle it makes.
    """

    step: int
    view: View
    answers: list[Move]
    bots: int
    played: int
    worths: list[float] | None
    liking: int


def moments_of(match: Match, seats: Sequence[Seat]) -> Iterator[Moment]:
    """Yield the decisions of an ended match that people made by hand; RecordError.

    From the first text that somebody wrote on there are none: views may hold it, and what members write is theirs.
    """
    record = record_of(match, seats)
    by_hand = {turn.number for turn in all_turns(match) if turn.by == Turn.By.PERSON}
    before: Any = None
    for step, state, _events in replay_steps(record, get_game):
        made = record["moves"][step - 1] if step else None
        if made and made["seat"] is not None:
            if _writes(match.game.prompt(before, made["seat"]), made["move"]):
                return
            if step in by_hand:
                yield Moment(step - 1, before, made["seat"], made["move"])
        before = state


def moments_played(game: Game[Any], seats: int, options: Options, seed: bytes) -> Iterator[Moment]:
    """Yield the decisions of a match among the strongest bots, which is played as they are asked for."""
    chance, bot, rng = SeededChance(seed), game.bot(game.levels[-1]), Random(seed)
    state = game.setup(seats=seats, options=options, chance=chance)
    step = 0
    while owing := [seat for seat in game.to_move(state) if not game.waits(game.view(state, seat))]:
        seat = rng.choice(owing)
        move = bot.choose(game.view(state, seat), rng)
        if _writes(game.prompt(state, seat), move):
            return
        yield Moment(step, state, seat, move)
        state, _events = game.apply(state, seat, move, chance)
        step += 1


def _writes(prompt: Any, move: Move) -> bool:
    entries = [entry for entry in prompt["moves"] if entry["type"] == move["type"]] if prompt else []
    return any(isinstance(field, dict) and "text" in field for entry in entries for field in entry.values())


def positions(game: Game[Any], options: Options, moments: Iterable[Moment]) -> Iterator[Position]:
    """Yield those of these decisions that make a puzzle."""
    for moment in moments:
        if game.needless(moment.state, moment.seat) is None and (found := _position(game, options, moment)):
            yield found


def _position(game: Game[Any], options: Options, moment: Moment) -> Position | None:
    view: View = json.loads(json.dumps(game.view(moment.state, moment.seat)))  # as the database gives it back
    answers = _answers(game, options, view, moment.step)
    chosen = _chosen(game, view, moment)
    places = {name: _place(answers, move) for name, move in chosen.items()}
    bots, played = places["bot"], places["played"]
    if not 2 <= len(answers) <= MOST_ANSWERS or bots is None or played is None:
        return None
    worths = _worths(game, view, list(answers.values()))
    others = {place for place in places.values() if place is not None} - {bots}
    if not others or (worths and not _matters(worths)):
        return None
    liking = 2 * (places["clock"] != bots) + (played != bots) + 2 * bool(worths) + (len(answers) > 2)
    return Position(moment.step, view, list(answers.values()), bots, played, worths, liking)


def _answers(game: Game[Any], options: Options, view: View, step: int) -> dict[str, Move]:
    """Return the few answers by their words; of those that say the same, as with two equal dice, there is one."""
    moves = game.answers(view, MOST_ANSWERS)
    if len(moves) < 2:
        return {}
    table = bare_table(game.slug, game.rules_version, options, view, step)
    found: dict[tuple[str, str], Move] = {}
    for move in moves:
        found.setdefault(worded(table, move), move)
    return {json.dumps(move, sort_keys=True): move for move in found.values()}


def _place(answers: dict[str, Move], move: Move | None) -> int | None:
    name = json.dumps(move, sort_keys=True)
    return list(answers).index(name) if name in answers else None


def _chosen(game: Game[Any], view: View, moment: Moment) -> dict[str, Move | None]:
    """Return what was played, and what the strongest bot, the one below it and the clock would have."""
    strong, less = (game.bot(level) for level in (game.levels[-1], game.levels[-2]))
    return {
        "bot": strong.choose(view, Random(moment.step)),
        "less": less.choose(view, Random(moment.step)),
        "clock": game.default_move(moment.state, moment.seat),
        "played": moment.move,
    }


def _worths(game: Game[Any], view: View, answers: Collection[Move]) -> list[float] | None:
    worths = [game.worth(view, move) for move in answers]
    told = [round(worth, 1) for worth in worths if worth is not None]
    return told if len(told) == len(worths) else None


def _matters(worths: Sequence[float]) -> bool:
    """Return whether more than one answer is sensible, by expected points, and it is not all the same."""
    best, second = sorted(worths, reverse=True)[:2]
    return best - second <= CLEAR and best - min(worths) >= ALIKE
