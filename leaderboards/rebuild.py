"""All ratings worked out anew from the matches, in the order in which they were applied, and compared."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from config import clock
from games.models import Match
from games.queries import seats_of
from leaderboards import ranks, rating
from leaderboards.models import RatingChange, Settlement, Standing
from leaderboards.seasons import ALL_TIME, season_of, seasons_between
from leaderboards.services import CHANGED, count_again, counts

LOOKED_AT = ("seat", "rank", "matches", "before", "delta", "after")


@dataclass
class State:
    """Where a member stands at some point of the rebuild."""

    rating: int = rating.START
    matches: int = 0
    wins: int = 0
    last_active: datetime | None = None


States = dict[tuple[int, str, str], State]  # by member, game and season


def uncounted() -> Iterator[int]:
    """Yield the numbers of ended matches that should count and were never counted."""
    settled = Exists(Settlement.objects.filter(match=OuterRef("pk")))
    ended = Match.objects.filter(rated=True, status=Match.Status.ENDED).exclude(settled)
    for match in ended.order_by("ended_at", "pk").iterator():
        if counts(match, seats_of(match)):
            yield match.pk


def rebuild(*, write: bool) -> list[str]:
    """Return in words all that differs from what the matches give; write what they give, if asked to.

    Ends of matches wait meanwhile. Matches that were never counted are counted now, before.
    """
    missed = list(uncounted())
    found = [f"match {number}: ended, and was never counted" for number in missed]
    if write:
        for number in missed:
            count_again(number)
    with transaction.atomic():
        if connection.vendor == "postgresql":  # SQLite has one writer anyway
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {Standing._meta.db_table} IN EXCLUSIVE MODE")
        states, differing = _replayed()
        found += [_words(row, stored) for row, stored in differing]
        standings = _compare(states)
        found += [words for words, _standing in standings]
        if write:
            RatingChange.objects.bulk_update([row for row, _stored in differing], LOOKED_AT[2:])
            _write([standing for _words, standing in standings])
    return found


def _replayed() -> tuple[States, list[tuple[RatingChange, tuple[int, ...]]]]:
    """Return where everybody stands after all settlements; the changes that differ, with what is stored."""
    states: States = {}
    deltas: dict[tuple[int, int], int] = {}  # the last change of each match and seat
    differing = []
    rows = RatingChange.objects.select_related("settlement").order_by("settlement_id", "seat")
    for settlement, group in groupby(rows.iterator(), key=lambda row: row.settlement):
        changes = list(group)
        for row, fresh in zip(changes, _recomputed(settlement, changes, states, deltas), strict=True):
            stored = _values(row)
            row.matches, row.before, row.delta, row.after = fresh
            if _values(row) != stored:
                differing.append((row, stored))
            deltas[settlement.match_id, row.seat] = row.delta
            _apply(settlement, row, states)
    return states, differing


def _values(row: RatingChange) -> tuple[int, ...]:
    return tuple(getattr(row, name) for name in LOOKED_AT)


def _recomputed(
    settlement: Settlement,
    changes: list[RatingChange],
    states: States,
    deltas: dict[tuple[int, int], int],
) -> list[tuple[int, int, int, int]]:
    """Return matches before, rating before, change and rating after, for each change of a settlement."""
    own = [states.setdefault((row.player, settlement.game_slug, ALL_TIME), State()) for row in changes]
    if settlement.kind == Settlement.Kind.MATCH:
        moves = rating.changes(
            [rating.Player(s.rating, s.matches, row.rank) for s, row in zip(own, changes, strict=True)]
        )
    else:
        taken = [-deltas[settlement.match_id, row.seat] for row in changes]
        moves = [rating.moved(state.rating, delta) for state, delta in zip(own, taken, strict=True)]
    return [(s.matches, s.rating, move, s.rating + move) for s, move in zip(own, moves, strict=True)]


def _apply(settlement: Settlement, row: RatingChange, states: States) -> None:
    game, season = settlement.game_slug, settlement.season
    if settlement.kind == Settlement.Kind.MATCH:
        for name in (ALL_TIME, season):
            state = states.setdefault((row.player, game, name), State())
            state.rating = row.after
            state.matches += 1
            state.wins += row.rank == 1
            state.last_active = settlement.at
        return
    for name in (ALL_TIME, *seasons_between(season, season_of(clock.now()))):
        later = states.get((row.player, game, name))
        if later is not None:
            later.rating += rating.moved(later.rating, row.delta)
            if name in (ALL_TIME, season):
                later.matches -= 1
                later.wins -= row.rank == 1


def _compare(states: States) -> list[tuple[str, Standing]]:
    """Return the standings that differ from the rebuilt ones, in words and as they should be."""
    found = []
    for standing in Standing.objects.order_by("pk").iterator():
        key = (standing.user_id, standing.game_slug, standing.season)
        state = states.get(key, State(last_active=standing.last_active))
        wanted = (state.rating, state.matches, state.wins, state.last_active)
        stored = tuple(getattr(standing, name) for name in CHANGED)
        if stored != wanted:
            words = f"member {standing.user_id}, {standing.game_slug} {standing.season or 'of all time'}"
            for name, value in zip(CHANGED, wanted, strict=True):
                setattr(standing, name, value)
            found.append((f"{words}: {_told(stored)}, not {_told(wanted)}", standing))
    return found


def _told(values: tuple[object, ...]) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(CHANGED, values, strict=True))


def _words(row: RatingChange, stored: tuple[int, ...]) -> str:
    pairs = zip(LOOKED_AT, stored, _values(row), strict=True)
    wrong = [f"{name} is {old}, not {new}" for name, old, new in pairs if old != new]
    return f"settlement {row.settlement_id}, seat {row.seat}: {', '.join(wrong)}"


def _write(standings: list[Standing]) -> None:
    Standing.objects.bulk_update(standings, CHANGED, batch_size=500)
    ranks.reflect(standings)
