"""What a sweep ended wrongly is taken back: turns, seats and ratings, as far as nobody has moved since."""

from typing import Any

import structlog
from django.db import transaction

from config import clock
from games.clocks import MS
from games.models import Match, Seat, Sweep, TimeOut, Turn, new_seed
from games.services import hooks
from games.services.leaving import FOLLOWING_BOT
from games.services.locking import lock_match
from games.services.playing import Playing, save_all
from games.table import seeds_of, state_at

log = structlog.get_logger(__name__)

TAKEN_BACK = ("number", "seat", "by", "move", "draws", "events", "at")


def undo_sweep(sweep: Sweep) -> dict[str, int]:
    """Undo each time-out of a sweep, the last first; return how many were `restored`, `returned` and `left`.

    Restored: the match stands as it did before. Returned: people have moved since, so that the seat alone is
    its member's again. Left: the match was played to its end since.
    """
    done = {"restored": 0, "returned": 0, "left": 0}
    for row in sweep.time_outs.filter(undone__isnull=True).order_by("-pk"):
        done[_undo(row)] += 1
    Sweep.objects.filter(pk=sweep.pk).update(undone_at=clock.now())
    log.warning("sweep undone", sweep=sweep.pk, **done)
    return done


def _undo(row: TimeOut) -> str:
    with transaction.atomic():
        match, seats = lock_match(row.match_id)
        row.refresh_from_db()
        if row.undone is not None:
            return "left"
        since = match.log.filter(number__gt=row.before["turns"])
        moved_on = since.filter(by=Turn.By.PERSON).exists()
        if moved_on and match.status == Match.Status.ENDED:
            return "left"
        row.undone = [] if moved_on else list(since.order_by("number").values(*TAKEN_BACK))
        row.save(update_fields=["undone"])
        if moved_on:
            _return_seat(match, seats, row)
        else:
            _restore(match, seats, row)
    return "returned" if moved_on else "restored"


def _return_seat(match: Match, seats: list[Seat], row: TimeOut) -> None:
    """Give the member the seat again, with a whole new time for the move if it is asked."""
    seat = seats[row.seat]
    _as_before(match, seat, row.before["seats"][row.seat])
    if seat.ask is not None and match.paused_at is None:
        seat.start_clock(match.pace, clock.now())
    save_all(match, seats)


def _restore(match: Match, seats: list[Seat], row: TimeOut) -> None:
    """Set the match back to the turn before the time-out; its later draws come from a fresh seed.

    The dice that fell since are known, so they must not fall again.
    """
    turns = row.before["turns"]
    had_ended = match.status == Match.Status.ENDED
    state = state_at(match, seats, turns)
    _reseed(match, turns)
    match.log.filter(number__gt=turns).delete()
    match.turns, match.state = turns, match.game.dump(state)
    match.status, match.ending, match.ended_at, match.outcome = Match.Status.RUNNING, "", None, None
    for seat in seats:
        seat.stand_clock(match.pace, clock.now())
        seat.ask = seat.asked_at = seat.rank = seat.score = None
    _as_before(match, seats[row.seat], row.before["seats"][row.seat])
    for seat in seats:
        if seat.former and not seat.bot:  # their account was closed since: nobody comes back to play on
            seat.bot, seat.left = FOLLOWING_BOT, 1 + sum(other.left is not None for other in seats)
    match.save(update_fields=["server_seed", "earlier_seeds", "draws", "turns", "state"])
    save_all(match, seats)
    playing = Playing(match, seats)
    playing.ask_anew()
    playing.save()
    if had_ended:
        hooks.match_reopened(match)


def _reseed(match: Match, turns: int) -> None:
    seeds = [(after, seed) for after, seed in seeds_of(match) if after == 0 or after < turns]
    ends = [*(after for after, _seed in seeds[1:]), turns]
    match.earlier_seeds = [
        {"until": until, "seed": seed.hex()} for until, (_after, seed) in zip(ends, seeds, strict=True)
    ]
    match.server_seed, match.draws = new_seed(), 0


def _as_before(match: Match, seat: Seat, before: dict[str, Any]) -> None:
    """Give a seat back what a time-out took, and at least a whole time for its move."""
    if seat.former:
        return
    for name, value in before.items():
        setattr(seat, name, value)
    seat.bank = match.pace.cap // MS
