"""The arena's matches: who sits where, one match from its number, and what is told of it."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from games.arena.elo import Result
from games.arena.players import Failed, Player
from games.engine import Game, IllegalMove, SeededChance

LONGEST = 20_000  # moves, of a match that does not end


class Played(NamedTuple):
    """A match: its number, which player sat in which seat, places and scores by seat, how many moves.

    `fault` is of the player who lost by what they did: (player, "illegal", "crash" or "endless", in words).
    """

    number: int
    players: list[int]
    ranks: list[int]
    scores: list[int]
    moves: int
    fault: tuple[int, str, str] | None


def line_ups(players: int, seats: int) -> list[list[int]]:
    """Return who sits where in a round of matches with the same dice: everybody in every seat equally often.

    Of more players than seats every choice sits down; of fewer, some sit twice, everybody as often as another.
    """
    if players >= seats:
        tables = [list(chosen) for chosen in combinations(range(players), seats)]
    else:
        tables = [[(first + seat) % players for seat in range(seats)] for first in range(players)]
    turned = [tuple(table[turn:] + table[:turn]) for table in tables for turn in range(seats)]
    return [list(line) for line in dict.fromkeys(turned)]  # the same line again would be the same match


def round_of(number: int, players: int, seats: int) -> int:
    """Return to which round a match belongs: those of one have the same dice."""
    return number // len(line_ups(players, seats))


def play(
    game: Game[Any],
    players: Sequence[Player],
    options: dict[str, Any],
    *,
    seats: int,
    seed: str,
    numbers: Sequence[int],
) -> Iterator[Played]:
    """Yield the matches of these numbers, each of which is the same wherever and whenever it is played."""
    lines = line_ups(len(players), seats)
    for number in numbers:
        which, place = divmod(number, len(lines))
        yield _match(game, players, lines[place], options, seed=f"{seed} {which}", number=number)


def _match(
    game: Game[Any], players: Sequence[Player], line: list[int], options: dict[str, Any], *, seed: str, number: int
) -> Played:
    chance, moves = SeededChance(seed.encode()), 0
    thoughts = [Random(f"{seed} {seat}") for seat in range(len(line))]
    state = game.setup(seats=len(line), options=options, chance=chance)
    while waiting := game.to_move(state):
        seat = next((one for one in waiting if not game.waits(game.view(state, one))), waiting[0])
        if moves == LONGEST:
            return _lost(number, line, seat, moves, kind="endless", words=f"{LONGEST} moves")
        try:
            move = players[line[seat]].choose(game.view(state, seat), thoughts[seat])
            state, _events = game.apply(state, seat, move, chance)
        except IllegalMove as refusal:
            return _lost(number, line, seat, moves, kind="illegal", words=refusal.code)
        except Failed as failure:
            return _lost(number, line, seat, moves, kind="crash", words=str(failure))
        except Exception as error:
            return _lost(number, line, seat, moves, kind="crash", words=f"{type(error).__name__}: {error}"[:200])
        moves += 1
    outcome = game.outcome(state)
    assert outcome is not None
    return Played(number, line, list(outcome["ranks"]), list(outcome["scores"]), moves, None)


def _lost(number: int, line: list[int], seat: int, moves: int, *, kind: str, words: str) -> Played:
    """Return a match that a player lost by a fault: all others share the first place."""
    ranks = [2 if one == seat else 1 for one in range(len(line))]
    return Played(number, line, ranks, [0] * len(line), moves, (line[seat], kind, words))


def results_of(match: Played) -> list[Result]:
    """Return what each two players of a match won against each other; of one who sits there twice, nothing."""
    seats = list(enumerate(match.players))
    return [
        (first, second, 0.5 if match.ranks[a] == match.ranks[b] else float(match.ranks[a] < match.ranks[b]))
        for a, first in seats
        for b, second in seats[a + 1 :]
        if first != second
    ]
