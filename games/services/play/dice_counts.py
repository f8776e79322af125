"""Counts the dice of each match that has ended, once, and removes the counts of one that is reopened."""

from collections.abc import Iterable
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F

from config.lib import clock
from games.engine import RecordError, rolls
from games.models import FaceCount, Match, Tally
from games.queries.play import match_and_seats
from games.record import record_of
from games.rules import get_game
from games.services.play.locking import lock_match

log = structlog.get_logger(__name__)

BATCH = 100
Counts = dict[str, list[int]]
ONE_MATCH = {str(FaceCount.MATCHES): [1]}  # counted as if it were a throw


def queue_count(match: Match) -> None:
    """Queue a match that ends for counting."""
    Tally.objects.bulk_create([Tally(match=match)], ignore_conflicts=True)


def forget(match: Match) -> None:
    """Remove the counts of a match that is reopened."""
    with transaction.atomic():
        tally = Tally.objects.select_for_update().filter(match=match).first()
        if tally is not None:
            if tally.counted_at is not None and not tally.problem:
                _add(match.game_slug, tally.faces | ONE_MATCH, -1)
            tally.delete()


def count_matches() -> int:
    """Count the waiting matches, the oldest first; return how many. One failure stops no other."""
    waiting = Tally.objects.filter(counted_at=None).order_by("pk").values_list("match_id", flat=True)
    counted = 0
    for match_id in waiting[:BATCH]:
        try:
            counted += count_match(match_id)
        except Exception:
            log.exception("tally failed", match=match_id)
            failed = Tally.objects.filter(match_id=match_id, counted_at=None)
            failed.update(counted_at=clock.now(), problem="failed")
    return counted


def count_match(match_id: int) -> bool:
    """Count the dice of one match unless that was done; return whether it was done now."""
    match, people = match_and_seats(match_id)
    faces, seats, problem = _counted(record_of(match, people))
    with transaction.atomic():
        locked, _seats = lock_match(match_id)
        tally = Tally.objects.filter(match_id=match_id, counted_at=None).first()
        if tally is None or locked.status != Match.Status.ENDED or locked.turns != match.turns:
            return False
        tally.counted_at, tally.faces, tally.seats, tally.problem = clock.now(), faces, seats, problem
        tally.save()
        if not problem:
            _add(match.game_slug, faces | ONE_MATCH, +1)
    return True


def _counted(record: dict[str, Any]) -> tuple[Counts, Counts, str]:
    """Return the counts by sides, those of six-sided dice by seat, and what is wrong with the record."""
    faces, seats = Counts(), Counts()
    try:
        for seat, sides, thrown in rolls(record, get_game):
            _note(faces, str(sides), sides, thrown)
            if sides == 6 and seat is not None:
                _note(seats, str(seat), sides, thrown)
    except RecordError as error:
        return {}, {}, str(error)[:200]
    return faces, seats, ""


def _note(counts: Counts, key: str, sides: int, thrown: Iterable[int]) -> None:
    own = counts.setdefault(key, [0] * sides)
    for face in thrown:
        own[face - 1] += 1


def _add(game_slug: str, faces: Counts, sign: int) -> None:
    """Add counts to the game's; rows are updated in a fixed order, so that no deadlock can occur."""
    kinds = sorted((int(sides), counts) for sides, counts in faces.items())
    wanted = [(sides, face, count) for sides, counts in kinds for face, count in enumerate(counts, 1)]
    missing = [FaceCount(game_slug=game_slug, sides=sides, face=face) for sides, face, _count in wanted]
    FaceCount.objects.bulk_create(missing, ignore_conflicts=True)
    for sides, face, count in wanted:
        row = FaceCount.objects.filter(game_slug=game_slug, sides=sides, face=face)
        row.update(count=F("count") + sign * count)
