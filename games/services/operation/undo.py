"""Undoes a sweep's time-outs: turns, seats and ratings, unless people have moved since."""

import structlog
from django.db import transaction

from config.lib import clock
from games import broadcast
from games.clocks import MS
from games.models import Match, PlayedKey, Seat, Sweep, TimeOut, Turn
from games.queries import turns
from games.record import state_at
from games.services import hooks
from games.services.play.archiving import bring_back
from games.services.play.forfeit import BOT_AFTER_CLOSING
from games.services.play.locking import lock_match
from games.services.play.match_transaction import MatchTransaction, clocks_stopped, save_all
from games.services.play.moves import resume

log = structlog.get_logger(__name__)


def undo_sweep(sweep: Sweep) -> dict[str, int]:
    """Undo each time-out of a sweep, latest first; return the numbers of each result.

    `restored`: the match is as before. `returned`: people have moved since, only the seat is given back.
    `left`: people have ended the match since, or are gone, or it was restored so often that it has no dice left.
    `failed`: to be tried again.
    """
    done = {"restored": 0, "returned": 0, "left": 0, "failed": 0}
    for row in sweep.time_outs.filter(undone__isnull=True).order_by("-pk"):
        try:
            done[_undo(row)] += 1
        except Exception:
            log.exception("time-out not undone", match=row.match_id)
            done["failed"] += 1
    Sweep.objects.filter(pk=sweep.pk).update(undone_at=clock.now())
    log.warning("sweep undone", sweep=sweep.pk, **done)
    return done


def _undo(row: TimeOut) -> str:
    with transaction.atomic():
        match, seats = lock_match(row.match_id)
        row.refresh_from_db()
        if row.undone is not None:
            return "restored"
        since = turns.of_match(match.pk, after=row.before["turns"])
        moved_on = any(turn.by == Turn.By.PERSON for turn in since)
        if not moved_on and match.next_seed() is None:  # LINKS: a seed that was not promised would prove nothing
            log.warning("no seed is left to restore a match", match=match.pk)
            return "left"
        if not seats[row.seat].counts or match.voided_at is not None:
            return "left"
        if match.status == Match.Status.ENDED and (
            moved_on or (match.ending == Match.Ending.CALLED_OFF and row.kind != TimeOut.Kind.ENDED)
        ):
            return "left"
        row.undone = [] if moved_on else [{name: getattr(turn, name) for name in turns.COLUMNS} for turn in since]
        row.save(update_fields=["undone"])
        if moved_on:
            _return_seat(match, seats, row)
        else:
            _restore(match, seats, row)
    return "returned" if moved_on else "restored"


def _return_seat(match: Match, seats: list[Seat], row: TimeOut) -> None:
    """Give the seat back to the member, with the whole time for a move if it is asked."""
    seat = seats[row.seat]
    seat.stop_clock(match.pace, clock.now())
    _as_before(match, seat, row)
    _end_pause(match, seats)
    if seat.ask is not None:
        match.asks += 1  # invalidates a move that a bot is choosing
        seat.ask, seat.asked_at = match.asks, clock.now()
        match.save(update_fields=["asks"])
        if not clocks_stopped(match):
            seat.start_clock(match.pace, clock.now())
    save_all(match, seats)


def _end_pause(match: Match, seats: list[Seat]) -> None:
    people_in = [seat for seat in seats if seat.is_in]
    if match.paused_at is not None and not all(seat.wants_pause for seat in people_in):
        resume(match, people_in)


def _restore(match: Match, seats: list[Seat], row: TimeOut) -> None:
    """Set the match back to the turn before the time-out; later time-outs are undone with it."""
    last = row.before["turns"]
    had_ended = match.status == Match.Status.ENDED
    state = state_at(match, seats, last)
    _reseed(match, last)  # known dice must not fall again
    if match.archived:
        bring_back(match)
    match.log.filter(number__gt=last).delete()
    PlayedKey.objects.filter(match=match, number__gt=last).delete()
    match.turns, match.state, match.ends_at = last, match.game.dump(state), None
    match.figures_before = None
    match.prepared = match.prepared and [[turn, draw] for turn, draw in match.prepared if turn <= last]
    match.status, match.ending, match.ended_at, match.outcome = Match.Status.RUNNING, "", None, None
    for seat, before in zip(seats, row.before["seats"], strict=True):
        seat.stop_clock(match.pace, clock.now())
        seat.bank = max(seat.bank, before["bank"])
        seat.ask = seat.asked_at = seat.rank = seat.score = None
    later = match.time_outs.filter(undone__isnull=True, pk__gt=row.pk).order_by("-pk")
    for undone in (*later, row):
        _as_before(match, seats[undone.seat], undone)
    later.update(undone=[])
    for seat in seats:
        if seat.former and not seat.bot:  # the account was closed since
            seat.bot, seat.left = BOT_AFTER_CLOSING, 1 + max(other.left or 0 for other in seats)
    _end_pause(match, seats)
    if match.pace.is_live:  # nobody may be present: the first to come resumes
        match.paused_at = clock.now()
    match.seats.filter(seen__gt=last).update(seen=last)
    match.save(
        update_fields=[
            "server_seed",
            "earlier_seeds",
            "openings",
            "draws",
            "turns",
            "state",
            "prepared",
            "figures_before",
        ]
    )
    save_all(match, seats)
    playing = MatchTransaction(match, seats)
    playing.ask_anew()
    playing.save()
    if had_ended:
        hooks.match_reopened(match)
        if match.challenge_id:
            broadcast.lobby_changed()


def _reseed(match: Match, turns: int) -> None:
    first, *later = match.seeds
    seeds = [first, *((after, seed) for after, seed in later if after < turns)]
    ends = [*(after for after, _seed in seeds[1:]), turns]
    match.earlier_seeds = [
        {"until": until, "seed": seed.hex()} for until, (_after, seed) in zip(ends, seeds, strict=True)
    ]
    following = match.next_seed()
    assert following is not None
    match.server_seed, match.draws = following, 0
    match.openings = match.openings and [[min(after, turns), seat, nonce] for after, seat, nonce in match.openings]


def _as_before(match: Match, seat: Seat, row: TimeOut) -> None:
    """Restore what a time-out took from a seat, and at least the whole time for its move."""
    if seat.former:
        return
    seat.run_outs = max(0, seat.run_outs - 1)
    seat.bank = match.pace.cap // MS
    if row.kind != TimeOut.Kind.PLAYED:
        for name, value in row.before["seats"][row.seat].items():
            if name not in ("run_outs", "bank"):
                setattr(seat, name, value)
