"""Clocks that ran out: found by a sweep, judged one match at a time, each in a transaction of its own."""

import time
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import OperationalError, transaction

from accounts.services import days_off
from config.lib import clock, sql
from games.clocks import times_of, to_ms
from games.models import Heartbeat, Kind, Match, Seat, Sweep, TimeOut, Turn
from games.services.clocks import outages
from games.services.mail.notices import note
from games.services.play.forfeit import forfeit
from games.services.play.locking import lock_match
from games.services.play.match_transaction import MatchTransaction, save_clocks

log = structlog.get_logger(__name__)

MARGIN = timedelta(seconds=settings.TIME_OUT_MARGIN)
GIVING_SECONDS = 10.0
MOST_DEFAULTS = 60  # moves that end a turn for its player
ASIDE = timedelta(minutes=10)  # for which a match that failed is left alone
FUSE_LEAST, FUSE_SHARE = 20, 0.02
RELEASED_FOR = timedelta(hours=1)
ABSENT_BOT = "strong"


def sweep() -> tuple[Sweep | None, list[int]]:
    """Give back what the site owes, and return the matches in which a clock ran out, with this sweep's row.

    None are returned while people could not reach the site, or when the fuse blows.
    """
    outages.beat(outages.SWEEP)
    all_have_theirs = give_back_all()
    until = outages.judged_until()
    if until is None or not all_have_theirs:
        return None, []
    due = due_matches(until)
    if not due:
        return _all_clear(), []
    if _is_too_many(len(due)):
        return _stopped(len(due)), []
    return Sweep.objects.create(due=len(due)), due


def give_back_all() -> bool:
    """Give each running match the time of the outages since it was last looked at; return whether all have.

    One that is held or that fails is passed over: whoever takes hold of it next gives it, or fails too. What
    takes too long goes on in the next sweep, so that this one's heartbeat does not become an outage itself.
    """
    last, end = 0, time.monotonic() + GIVING_SECONDS
    while owed := outages.owed_matches(last):
        last = owed[-1]
        if time.monotonic() > end:
            return False
        for match_id in owed:
            try:
                with transaction.atomic():
                    lock_match(match_id, wait=False)
            except Match.DoesNotExist:
                continue
            except Exception:
                log.exception("time not given back", match=match_id)
    return True


def due_matches(until: datetime) -> list[int]:
    """Return the running matches in which a clock ran out before `until`, the earliest first."""
    due = Seat.objects.filter(
        deadline__lte=until - MARGIN, ask__isnull=False, match__status=Match.Status.RUNNING
    ).exclude(match__troubled_at__gt=clock.now() - ASIDE)
    return list(dict.fromkeys(due.order_by("deadline").values_list("match_id", flat=True)))


def _is_too_many(due: int) -> bool:
    if due <= FUSE_LEAST:
        return False
    running = Match.objects.filter(status=Match.Status.RUNNING).count()
    if due <= FUSE_SHARE * running:
        return False
    return not Sweep.objects.filter(released_at__gt=clock.now() - RELEASED_FOR).exists()


def _stopped(due: int) -> Sweep:
    """Return the row of a sweep that the fuse stopped; one row for as long as it stays so."""
    with transaction.atomic():
        Heartbeat.objects.select_for_update().get(name=outages.SWEEP)  # two sweeps at once are one stop
        last = stopped_sweep()
        if last is not None:
            last.due = due
            last.save(update_fields=["due"])
            return last
        log.error("fuse", due=due)
        return Sweep.objects.create(due=due, stopped=True)


def _all_clear() -> Sweep | None:
    """Write down that nothing is due any more after the fuse had stopped a sweep; it may blow anew."""
    return Sweep.objects.create() if stopped_sweep() is not None else None


def stopped_sweep() -> Sweep | None:
    """Return the sweep at which the fuse holds all time-outs back now; None when it does not."""
    last = Sweep.objects.order_by("-pk").first()
    return last if last is not None and last.stopped and last.released_at is None else None


def release(sweep: Sweep) -> None:
    """Let time-outs go on although the fuse blew: what is due is due."""
    Sweep.objects.filter(pk=sweep.pk, stopped=True).update(released_at=clock.now())


def look_again(match_id: int) -> bool:
    """Let the next sweep look at a match that was set aside; return whether it was."""
    aside = Match.objects.filter(pk=match_id, troubled_at__isnull=False)
    return aside.update(troubled_at=None, trouble="") > 0


def judge(*, match_id: int, sweep_id: int | None = None) -> int:
    """Time out each seat of a match whose clock ran out; return how many. A failing match is set aside.

    A match that somebody holds is left to the next sweep, so that a slow one does not keep all workers.
    """
    try:
        until = outages.judged_until()
        judged = 0
        while until is not None and _judge_one(match_id, until, sweep_id):
            judged += 1
    except OperationalError:  # the database's trouble is not the match's
        log.exception("time-out put off", match=match_id)
        return 0
    except Exception as error:
        log.exception("time-out failed", match=match_id)
        set_aside(match_id, error)
        return 0
    return judged


def set_aside(match_id: int, error: Exception) -> None:
    """Leave a match that failed alone for a while, and let the admins know."""
    name = type(error).__name__  # its words may tell what is hidden
    Match.objects.filter(pk=match_id).update(troubled_at=clock.now(), trouble=name)


def _judge_one(match_id: int, until: datetime, sweep_id: int | None) -> bool:
    """Time out the seat whose clock ran out first, if under the lock there still is one."""
    with transaction.atomic():
        try:
            match, seats = lock_match(match_id, wait=False)
        except Match.DoesNotExist:
            return False
        if match.status != Match.Status.RUNNING or match.paused_at is not None:
            return False
        late = until - MARGIN
        due = [seat for seat in seats if not seat.bot and seat.deadline is not None and seat.deadline <= late]
        if not due:
            _well_again(match)
            return False
        seat = min(due, key=lambda seat: (seat.deadline, seat.number))
        if has_time_after_all(match, seat):
            save_clocks(match, [seat])
        else:
            _time_out(match, seats, seat, sweep_id)
    return True


def _well_again(match: Match) -> None:
    """Forget the trouble of a match that was looked at without any."""
    if match.troubled_at is not None:
        match.troubled_at, match.trouble = None, ""
        sql.update(match, ["troubled_at", "trouble"])


def has_time_after_all(match: Match, seat: Seat) -> bool:
    """Work the deadline out again, with a day off if the member has one; return whether it lies ahead.

    The match is locked; the seat is changed but not written.
    """
    if match.pace.is_live or seat.user_id is None:
        return False
    seat.set_deadline(match.pace)
    if _lies_ahead(seat) or seat.deadline is None:
        return True
    if member := days_off.take_today(seat.user_id, since=to_ms(seat.deadline)):
        seat.times = times_of(member)
        seat.set_deadline(match.pace)
        note(match, Kind.VACATION, [seat.user_id], ask=days_off.today(member).toordinal())  # told each day
    return _lies_ahead(seat)


def _lies_ahead(seat: Seat) -> bool:
    return seat.deadline is not None and seat.deadline > clock.now()


def _time_out(match: Match, seats: list[Seat], seat: Seat, sweep_id: int | None) -> None:
    """What running out of time brings: the default move, or at the second time (live: the first) a bot."""
    row = TimeOut(
        sweep_id=sweep_id, match=match, seat=seat.number, ask=seat.ask or 0, before=standing(match, seats)
    )
    seat.run_outs += 1
    playing = MatchTransaction(match, seats)
    move = match.game.default_move(playing.state, seat.number)
    if match.pace.is_live or seat.run_outs > 1 or move is None or seat.user_id is None:
        seat.absent = True
        seat.left_at = match.turns + match.game.secret  # told once the turn to come is settled
        forfeit(match, seats, seat, bot=ABSENT_BOT, ending=Match.Ending.TIMED_OUT)
        ended = match.status == Match.Status.ENDED
        row.kind = TimeOut.Kind.ENDED if ended else TimeOut.Kind.ABSENT
    else:
        row.kind = TimeOut.Kind.PLAYED
        _end_turn(playing, seat, move)
        playing.save()
    sql.update(seat, ["run_outs"])
    row.save()
    if seat.user_id is not None and row.kind != TimeOut.Kind.ENDED:
        kind = Kind.PLAYED if row.kind == TimeOut.Kind.PLAYED else Kind.ABSENT
        note(match, kind, [seat.user_id], ask=row.ask)
    transaction.on_commit(
        lambda: log.info("time-out", match=match.pk, seat=seat.number, kind=row.kind), robust=True
    )


def _end_turn(playing: MatchTransaction, seat: Seat, move: Any) -> None:
    """Play default moves until the seat's turn is over: its clock has nothing left for a second decision."""
    ran_from = seat.runs_from
    for _number in range(MOST_DEFAULTS):
        playing.make(seat.number, move, by=Turn.By.CLOCK, at=clock.now_ms())
        if seat.ask is None or seat.runs_from != ran_from:
            return
        move = playing.game.default_move(playing.state, seat.number)
        if move is None:
            break
    seat.complete_turn(playing.match.pace, clock.now())
    seat.start_clock(playing.match.pace, clock.now())


def standing(match: Match, seats: list[Seat]) -> dict[str, Any]:
    """Return how a match stands, for an undo: the turns made, and each seat's part."""
    return {"turns": match.turns, "seats": [{name: getattr(seat, name) for name in KEPT} for seat in seats]}


# What a time-out may change of a seat, beside its question.
KEPT = ("bot", "left", "absent", "left_at", "run_outs", "bank", "wants_call_off", "wants_pause")
