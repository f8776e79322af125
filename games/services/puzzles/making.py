"""Makes the puzzle of a day: a decision of a public match that ended lately, else of one that the site plays itself."""

import hashlib
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice
from random import Random
from typing import Any

import structlog

from config.lib import clock
from games.engine import Game, RecordError
from games.models import Match, Puzzle
from games.positions import Position, moments_of, moments_played, positions
from games.queries.play import seats_of
from games.queries.puzzles import first_day, last_days, puzzle_of, today
from games.queries.readable import known
from games.rules import games, get_game

log = structlog.get_logger(__name__)

RECENT = timedelta(days=120)  # how long ago a match may have ended
SETTLED = timedelta(days=1)  # after the end; until then an end is likeliest to be undone
LOOKED_THROUGH = 20_000  # the newest matches of the site, so that no search reads them all
TRIED = 12  # matches of a game
PLAYED = 4  # matches among bots, before the next game has its turn
LONGEST = 1_500  # moves of one
SEATS = 3  # of a match among bots, where so many can play
CHOSEN_AMONG = 8  # of a match's positions, the first so many that make a puzzle best


def make(day: date) -> Puzzle | None:
    """Return the puzzle of a day, made if there is none: by whomever, there is one. None if no position was found.

    Days to come have none, and days before the first puzzle.
    """
    if not is_due(day):
        return puzzle_of(day)
    for slug in _in_turn(day):
        found = _from_match(day, slug) or _by_bots(day, slug)
        if found is not None:
            Puzzle.objects.bulk_create([found], ignore_conflicts=True)
            break
    return puzzle_of(day)


def is_due(day: date) -> bool:
    """Return whether this day should have a puzzle, and has none."""
    first = first_day()
    return (day == today() or (first is not None and first <= day < today())) and puzzle_of(day) is None


def withdraw(puzzle: Puzzle) -> bool:
    """Take a puzzle from its day, with what was answered to it; return whether it stood there."""
    standing = Puzzle.objects.filter(pk=puzzle.pk, withdrawn_at__isnull=True)
    return bool(standing.update(withdrawn_at=clock.now()))


def _in_turn(day: date) -> list[str]:
    """Return the games, first the one that had the puzzle longest ago."""
    last = last_days()
    return sorted(games(), key=lambda slug: (last.get(slug, date.min), games().index(slug)))


def _from_match(day: date, slug: str) -> Puzzle | None:
    """Return a position of the latest match of members that has one, and is of no puzzle yet."""
    newest = Match.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    ended = Match.objects.filter(
        known(),
        pk__gt=newest - LOOKED_THROUGH,
        game_slug=slug,
        status=Match.Status.ENDED,
        access=Match.Access.OPEN,
        voided_at__isnull=True,
        prepared__isnull=True,
        state__isnull=False,
        ended_at__range=(clock.now() - RECENT, clock.now() - SETTLED),
    )
    used = Puzzle.objects.filter(match__isnull=False).values("match")
    for match in ended.exclude(pk__in=used).order_by("-pk")[:TRIED]:
        try:
            moments = moments_of(match, seats_of(match))
            found = _best(positions(match.game, match.options, moments), f"{day}:{match.pk}")
        except RecordError as error:
            log.warning("no puzzle from this match", match=match.pk, why=str(error)[:200])
            continue
        if found is not None:
            return _puzzle(day, match.game, match.options, found, match=match)
    return None


def _by_bots(day: date, slug: str) -> Puzzle | None:
    """Return a position of a match among the strongest bots, which the day alone decides."""
    game = get_game(slug)
    seats = max(game.min_seats, min(SEATS, game.max_seats))
    options = game.full_options(seats, {})
    before = Puzzle.objects.filter(day=day).count()  # those that were withdrawn
    for number in range(PLAYED):
        seed = hashlib.sha256(f"{slug}:{day}:{before}:{number}".encode()).digest()
        moments = islice(moments_played(game, seats, options, seed), LONGEST)
        found = _best(positions(game, options, moments), seed.hex())
        if found is not None:
            return _puzzle(day, game, options, found, by_bots=True)
    return None


def _best(found: Iterator[Position], seed: str) -> Position | None:
    """Return one of the positions that make a puzzle best, always the same by this seed; None without any."""
    ordered = sorted(found, key=lambda position: -position.liking)[:CHOSEN_AMONG]
    return Random(seed).choice([one for one in ordered if one.liking == ordered[0].liking]) if ordered else None


def _puzzle(day: date, game: Game[Any], options: Any, found: Position, **more: Any) -> Puzzle:
    return Puzzle(
        day=day,
        game_slug=game.slug,
        rules_version=game.rules_version,
        options=options,
        view=found.view,
        answers=found.answers,
        bots=found.bots,
        played=found.played,
        worths=found.worths,
        step=found.step,
        **more,
    )
