"""A run of the arena: its matches by several processes, kept in a file from which it goes on, and its table."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from games.arena.elo import Result, ratings
from games.arena.matches import Played, play, results_of, round_of
from games.arena.players import SECONDS, Player, made
from games.rules import get_game

CHUNK = 20  # matches that a process plays before it tells of them
FORMAT = "club-y-arena/1"


class Run(NamedTuple):
    """What is played: all that a result depends on."""

    game: str
    bots: list[str]
    seats: int
    options: dict[str, Any]
    seed: str
    seconds: float = SECONDS


class OtherRun(Exception):
    """The file is of another run: what differs, in words."""


class Line(NamedTuple):
    """A player in the table."""

    bot: str
    elo: float
    plus_minus: float
    is_bounded: bool
    matches: int
    won: float
    illegal: int
    crashes: int


def run(
    about: Run, matches: int, jobs: int, out: Path | None, told: Callable[[int], None] = lambda _n: None
) -> list[Played]:
    """Play all matches below this number that the file does not have yet; return all, by number. OtherRun."""
    known = {one.number: one for one in (read(out, about) if out is not None and out.exists() else [])}
    missing = [number for number in range(matches) if number not in known]
    for done in _chunks(about, missing, jobs):
        known |= {one.number: one for one in done}
        if out is not None:
            write(out, about, list(known.values()))
        told(len(known))
    return [known[number] for number in sorted(known) if number < matches]


def _chunks(about: Run, numbers: Sequence[int], jobs: int) -> Iterator[list[Played]]:
    """Yield what was played, as it is; no more is handed out than is played soon, so that an end comes at once."""
    waiting = iter([numbers[start : start + CHUNK] for start in range(0, len(numbers), CHUNK)])
    if jobs == 1:
        _begin(about)
        for chunk in waiting:
            yield _play(about, chunk)
        _end()
        return
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin, initargs=(about,))
    with pool:
        pending = {pool.submit(_play, about, chunk) for chunk in islice(waiting, jobs * 2)}
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            pending |= {pool.submit(_play, about, chunk) for chunk in islice(waiting, len(done))}
            for one in done:
                yield one.result()


_players: list[Player] = []


def _begin(about: Run) -> None:
    """Make this process's players, once for all its matches."""
    _end()
    _players.extend(made(get_game(about.game), word, about.seconds) for word in about.bots)


def _end() -> None:
    for player in _players:
        player.close()
    _players.clear()


def _play(about: Run, numbers: Sequence[int]) -> list[Played]:
    return list(
        play(get_game(about.game), _players, about.options, seats=about.seats, seed=about.seed, numbers=numbers)
    )


def table(about: Run, matches: Sequence[Played]) -> list[Line]:
    """Return the players, the strongest first."""
    groups: dict[int, list[Result]] = {}
    for one in matches:
        groups.setdefault(round_of(one.number, len(about.bots), about.seats), []).extend(results_of(one))
    found = [
        Line(bot, *rating, **_counted(number, matches))
        for number, (bot, rating) in enumerate(
            zip(about.bots, ratings(len(about.bots), list(groups.values())), strict=True)
        )
    ]
    return sorted(found, key=lambda line: -line.elo)


def _counted(player: int, matches: Sequence[Played]) -> dict[str, Any]:
    """Return how many seats a player had, how many matches it won (shared ones in part), and its faults."""
    seats = sum(one.players.count(player) for one in matches)
    won = sum(
        1 / one.ranks.count(1)
        for one in matches
        for seat, who in enumerate(one.players)
        if who == player and one.ranks[seat] == 1
    )
    kinds = [one.fault[1] for one in matches if one.fault is not None and one.fault[0] == player]
    return {
        "matches": seats,
        "won": won,
        "illegal": kinds.count("illegal"),
        "crashes": len(kinds) - kinds.count("illegal"),
    }


def write(path: Path, about: Run, matches: Sequence[Played]) -> None:
    """Keep a run in a file, whole at every moment."""
    head = {"format": FORMAT, **_head(about), "table": [line._asdict() for line in table(about, matches)]}
    rows = ",\n".join(json.dumps(list(one)) for one in sorted(matches))
    text = json.dumps(head, indent=1, ensure_ascii=False)[:-2]
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(f'{text},\n "matches": [\n{rows}\n]}}\n', encoding="utf-8")
    os.replace(fresh, path)


def read(path: Path, about: Run) -> list[Played]:
    """Return the matches of a file. OtherRun for one of another run, or of another program."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        is_ours = kept["format"] == FORMAT
    except (ValueError, KeyError, TypeError):
        is_ours = False
    if not is_ours:
        raise OtherRun(f"{path} is no file of the arena")
    differing = [name for name, value in _head(about).items() if kept.get(name) != value]
    if differing:
        raise OtherRun(f"{path} is of another run: {', '.join(differing)} differ")
    return [Played._make([*row[:5], tuple(row[5]) if row[5] else None]) for row in kept["matches"]]


def _head(about: Run) -> dict[str, Any]:
    rules = get_game(about.game).rules_version
    return {"game": about.game, "rules": rules, "bots": about.bots, "seats": about.seats} | {
        "options": about.options,
        "seed": about.seed,
    }
