"""Time-outs: clocks that ran out are found by a sweep and judged one match per transaction."""

import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from math import inf
from typing import Any

import structlog
from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models import Q, QuerySet

from accounts.services import days_off
from config.lib import clock, metrics, sql
from games.clocks import MS, times_of, to_ms
from games.models import Heartbeat, Kind, Match, Seat, Sweep, TimeOut, Turn
from games.queries.readable import known
from games.services import channels, hooks
from games.services.clocks import outages
from games.services.mail.notices import note
from games.services.play.forfeit import BOT_AFTER_TIME_OUT, forfeit
from games.services.play.locking import lock_match
from games.services.play.match_transaction import MatchTransaction, save_clocks

log = structlog.get_logger(__name__)

MARGIN = timedelta(seconds=settings.TIME_OUT_MARGIN)
GIVING_SECONDS, BATCH = 10.0, 500
MOST_DEFAULTS = 60  # moves that end a turn for its player
ASIDE = timedelta(minutes=10)  # without time-outs after a match failed
FUSE_LEAST, FUSE_SHARE = 20, 0.02
RELEASED_FOR = timedelta(hours=1)
WAIT = timedelta(days=1)  # for whoever could not be reached
WAITS_APART = timedelta(days=30)  # from the first that waited for somebody until one waits for them again


def sweep() -> tuple[Sweep | None, list[int]]:
    """Give back owed time; return this sweep's row and the matches with a clock that ran out.

    No matches while people could not reach the site, or when the fuse blows. Those that are due are given theirs first
    of all, so that the fuse counts what truly ran out; nobody waits for the others, which may take hours.
    """
    outages.beat(outages.SWEEP)
    metrics.count("club_sweeps")
    until, end = outages.judged_until(), time.monotonic() + GIVING_SECONDS
    due_have_theirs = until is not None and _give_back_due(until, end)
    give_back_all(end)
    if until is None or not due_have_theirs:
        return None, []
    due = due_matches(until)
    if not due and outages.stopped_sweep():
        others = hooks.also_due(until)
        return (_stopped(others) if others else Sweep.objects.create()), []  # all clear: the fuse may blow again
    if not due:
        return None, []
    if outages.stopped_sweep() or _is_too_many(len(due), until):
        return _stopped(len(due)), []
    return Sweep.objects.create(due=len(due)), due


def _give_back_due(until: datetime, end: float) -> bool:
    """Give the due matches what they are owed, until the moment `end`; return whether all have it."""
    due = due_matches(until)
    for start in range(0, len(due), BATCH):
        if start and time.monotonic() > end:
            return False
        _give_back(outages.owed_matches().filter(pk__in=due[start : start + BATCH]).values_list("pk", flat=True))
    return True


def give_back_all(end: float = inf) -> None:
    """Give running matches the time they are owed, until the moment `end`."""
    last = (0, 0)
    rows = outages.owed_matches().order_by("outage", "pk").values_list("outage", "pk")  # as their index has them
    while owed := list(rows.filter(Q(outage__gt=last[0]) | Q(outage=last[0], pk__gt=last[1]))[:BATCH]):
        if time.monotonic() > end:
            return
        last = owed[-1]
        _give_back(match_id for _outage, match_id in owed)


def _give_back(match_ids: Iterable[int]) -> None:
    """Give matches the time they are owed, as whoever locks one does; one that is locked gets it later."""
    for match_id in match_ids:
        try:
            with transaction.atomic():
                lock_match(match_id, wait=False)
        except Match.DoesNotExist:
            continue
        except Exception:
            log.exception("time not given back", match=match_id)


def due_matches(until: datetime) -> list[int]:
    """Return the running matches in which a clock ran out before `until`, the earliest first."""
    return list(dict.fromkeys(_due(until).order_by("deadline").values_list("match_id", flat=True)))


def _due(until: datetime) -> QuerySet[Seat]:
    running = Seat.objects.filter(ask__isnull=False, match__status=Match.Status.RUNNING)
    due = running.filter(known("match__"), deadline__lte=until - MARGIN)
    return due.exclude(match__troubled_at__gt=clock.now() - ASIDE)


def _is_too_many(due: int, until: datetime) -> bool:
    """Return whether so many due matches look like the site's fault: many people's, not those of a few.

    Two accounts that let many matches run out at once would else stop everybody's clocks. Only members with a confirmed
    address count, as anybody makes others; where there are few, it takes most of those whose clock runs.
    """
    if due <= FUSE_LEAST or due <= FUSE_SHARE * Match.objects.filter(status=Match.Status.RUNNING).count():
        return False
    late = _people(_due(until))
    if late <= FUSE_LEAST and 2 * late <= _people(Seat.objects.filter(deadline__isnull=False)):
        return False
    return not Sweep.objects.filter(released_at__gt=clock.now() - RELEASED_FOR).exists()


def _people(seats: QuerySet[Seat]) -> int:
    """Return how many members with a confirmed address sit there."""
    proven = seats.filter(user__is_guest=False).exclude(user__email="")
    return proven.order_by().values("user").distinct().count()


def _stopped(due: int) -> Sweep:
    """Return the row of a sweep that the fuse stopped; one row as long as it stays stopped."""
    with transaction.atomic():
        Heartbeat.objects.select_for_update().get(name=outages.SWEEP)  # concurrent sweeps make one row
        last = outages.stopped_sweep()
        if last is not None:
            last.due = due
            last.save(update_fields=["due"])
            return last
        log.error("fuse", due=due)
        return Sweep.objects.create(due=due, stopped=True)


def release(sweep: Sweep) -> None:
    """Let time-outs go on although the fuse blew."""
    Sweep.objects.filter(pk=sweep.pk, stopped=True).update(released_at=clock.now())


def look_again(match_id: int) -> bool:
    """Let the next sweep look at a match that was set aside; return whether it was."""
    aside = Match.objects.filter(pk=match_id, troubled_at__isnull=False)
    return aside.update(troubled_at=None, trouble="") > 0


def judge(*, match_id: int, sweep_id: int | None = None) -> int:
    """Time out each seat whose clock ran out; return how many. A failing match is set aside."""
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
    """Exclude a failing match from sweeps for a while, and show it to the admins."""
    name = type(error).__name__  # the message may reveal secrets
    Match.objects.filter(pk=match_id).update(troubled_at=clock.now(), trouble=name)


def _judge_one(match_id: int, until: datetime, sweep_id: int | None) -> bool:
    with transaction.atomic():
        try:
            match, seats = lock_match(match_id, wait=False)  # a slow match must not block all workers
        except Match.DoesNotExist:
            return False
        if match.status != Match.Status.RUNNING or match.paused_at is not None:
            return False
        late = until - MARGIN
        due = [seat for seat in seats if not seat.bot and seat.deadline is not None and seat.deadline <= late]
        if not due:
            if match.troubled_at is not None:
                match.troubled_at, match.trouble = None, ""
                sql.update(match, ["troubled_at", "trouble"])
            return False
        seat = min(due, key=lambda seat: (seat.deadline, seat.number))
        if has_time_left(match, seat):
            save_clocks(match, [seat])
        else:
            _time_out(match, seats, seat, sweep_id)
    return True


def has_time_left(match: Match, seat: Seat) -> bool:
    """Recompute a deadline, by a wait or a day off if there is one; return whether it lies ahead.

    What changed of the clock is left to be saved.
    """
    if match.pace.is_live or seat.user_id is None:
        return False
    seat.set_deadline(match.pace)
    if _lies_ahead(seat) or seat.deadline is None:
        return True
    if _waits(match, seat):
        return True
    if not match.automatic_days_off:
        return False
    if member := days_off.take_today(seat.user_id, since=to_ms(seat.deadline)):
        seat.times = times_of(member)
        seat.set_deadline(match.pace)
        note(match, Kind.VACATION, [seat.user_id], ask=days_off.today(member).toordinal())  # one notice a day
    return _lies_ahead(seat)


def _waits(match: Match, seat: Seat) -> bool:
    """Let a clock wait for a day from now, once a match, if no call about the question reached its person."""
    if seat.waited_ask is not None or _waited_lately(seat) or not channels.have_all_failed(seat):
        return False
    seat.bank += WAIT // MS + seat.overrun(match.pace, clock.now())
    seat.set_deadline(match.pace)
    seat.waited_ask, seat.waited_at = seat.ask, clock.now()
    sql.update(seat, ["waited_ask", "waited_at"])
    transaction.on_commit(partial(log.info, "clock waits", match=match.pk, seat=seat.number), robust=True)
    return _lies_ahead(seat)


def _waited_lately(seat: Seat) -> bool:
    """Return whether clocks waited for this person already, in the last thirty days and more than a day ago.

    What runs out within one day waits together: somebody whom mails do not reach sits in many matches.
    """
    others = Seat.objects.filter(user_id=seat.user_id or 0, waited_at__isnull=False)
    now = clock.now()
    return others.filter(waited_at__gt=now - WAITS_APART, waited_at__lt=now - WAIT).exists()


def _lies_ahead(seat: Seat) -> bool:
    return seat.deadline is not None and seat.deadline > clock.now()


def _time_out(match: Match, seats: list[Seat], seat: Seat, sweep_id: int | None) -> None:
    """Play the default move, or seat a bot at the second time-out of a seat (live, or a substitute's: the first)."""
    before = standing(match, seats)
    row = TimeOut(sweep_id=sweep_id, match=match, seat=seat.number, ask=seat.ask or 0, before=before)
    seat.run_outs += 1
    playing = MatchTransaction(match, seats)
    move = match.game.default_move(playing.state, seat.number)
    is_last = match.pace.is_live or seat.run_outs > 1 or seat.substituted
    if is_last or move is None or seat.user_id is None:
        seat.absent = True
        seat.left_at = match.turns + match.game.secret  # shown once the coming turn is settled
        forfeit(match, seats, seat, bot=BOT_AFTER_TIME_OUT, ending=Match.Ending.TIMED_OUT)
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
    transaction.on_commit(partial(_report, row), robust=True)


def _report(row: TimeOut) -> None:
    log.info("time-out", match=row.match_id, seat=row.seat, kind=row.kind)
    metrics.count("club_time_outs", str(row.kind))


def _end_turn(playing: MatchTransaction, seat: Seat, move: Any) -> None:
    """Play default moves until the seat's turn is over: its clock has no time for a second decision."""
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
    """Return the state before a time-out, for an undo: the turns made, and each seat's fields."""
    return {"turns": match.turns, "seats": [{name: getattr(seat, name) for name in KEPT} for seat in seats]}


# The fields of a seat that a time-out may change, beside its question.
KEPT = ("bot", "left", "absent", "left_at", "run_outs", "bank", "wants_call_off", "wants_pause", "returned")
