"""Places of a locked ladder: whole numbers from 1 without a gap, moved by two statements whatever the distance."""

from django.db.models import Case, F, Max, When

from config.lib import clock
from games.ladders.models import Challenge, Change, Climber, Ladder
from games.ladders.services.locking import changed


def append(climber: Climber) -> int:
    """Put somebody who is off the ladder at its bottom; return the place."""
    last = Climber.objects.filter(ladder=climber.ladder_id).aggregate(last=Max("place"))["last"] or 0
    climber.place, climber.placed_at = last + 1, clock.now()
    climber.save(update_fields=["place", "placed_at"])
    return last + 1


def remove(climber: Climber) -> None:
    """Take somebody off the ladder; whoever stood below moves up."""
    place = climber.place
    if place is None:
        return
    climber.place = None
    climber.save(update_fields=["place"])
    below = Climber.objects.filter(ladder=climber.ladder_id, place__gt=place)
    below.update(place=1 - F("place"), placed_at=clock.now())
    _turn_signs(climber.ladder_id)


def move(climber: Climber, to: int) -> None:
    """Move somebody to another place; all between move by one towards the place that is left."""
    before = climber.place
    assert before is not None
    step = 1 if to < before else -1
    between = (min(before, to), max(before, to))
    rows = Climber.objects.filter(ladder=climber.ladder_id, place__range=between)
    rows.update(place=-Case(When(place=before, then=to), default=F("place") + step), placed_at=clock.now())
    _turn_signs(climber.ladder_id)
    climber.place = to


def _turn_signs(ladder_id: int) -> None:
    """Make places of what was written as negative numbers, which the constraint took for others."""
    Climber.objects.filter(ladder=ladder_id, place__lt=0).update(place=-F("place"))


def note(
    climber: Climber,
    kind: Change.Kind,
    *,
    before: int | None = None,
    other: Climber | None = None,
    challenge: Challenge | None = None,
) -> None:
    """Write a line of the history: where somebody stood `before`, and where they stand now."""
    Change.objects.create(
        ladder_id=climber.ladder_id,
        climber=climber,
        kind=kind,
        before=before,
        after=climber.place,
        other=other,
        challenge=challenge,
    )
    changed(climber.ladder.game_slug)


def problems(ladder: Ladder) -> list[str]:
    """Return in words where the ladder is not whole: places that are not 1 to n, or somebody off it with a place."""
    rows = Climber.objects.filter(ladder=ladder, place__isnull=False).order_by("place")
    found = [f"place {row.place}, expected {n}" for n, row in enumerate(rows, 1) if row.place != n]
    found += [f"{row} has left, and stands at {row.place}" for row in rows if row.left_at is not None]
    off = Climber.objects.filter(ladder=ladder, place=None, left_at=None)
    return found + [f"{row} has not left, and has no place" for row in off]
