"""Changes of running clocks: by members' days off and quiet hours, and by gifts of time."""

from datetime import timedelta

import structlog
from django.db import transaction

from config.lib import clock
from games.clocks import MS
from games.models import Match, Seat
from games.services.play.locking import lock_match
from games.services.play.match_transaction import save_clocks

log = structlog.get_logger(__name__)


def recompute_deadlines(user_id: int) -> None:
    """Recompute a member's deadlines after days off, quiet hours or time zone changed (ON_TIMES_CHANGE)."""
    running = Seat.objects.filter(user_id=user_id, deadline__isnull=False, match__status=Match.Status.RUNNING)
    for match_id in running.order_by("match_id").values_list("match_id", flat=True):
        try:
            _work_out(match_id, user_id)
        except Exception:  # the sweep recomputes it before judging
            log.exception("deadline not worked out", match=match_id)


def _work_out(match_id: int, user_id: int) -> None:
    with transaction.atomic():
        match, seats = lock_match(match_id)
        seat = next((seat for seat in seats if seat.user_id == user_id and seat.runs_from is not None), None)
        if seat is None:
            return
        before = seat.deadline
        seat.set_deadline(match.pace)
        if seat.deadline != before:
            save_clocks(match, [seat])


def give_time(*, match_id: int, amount: timedelta) -> int:
    """Give every member who is to move this much more time, from now if it ran out; return to how many."""
    with transaction.atomic():
        match, seats = lock_match(match_id)
        is_running = match.status == Match.Status.RUNNING
        asked = [seat for seat in seats if is_running and seat.is_in and seat.ask is not None]
        for seat in asked:
            seat.bank += amount // MS + seat.overrun(match.pace, clock.now())
            seat.set_deadline(match.pace)
        if asked:
            save_clocks(match, asked)
    return len(asked)
