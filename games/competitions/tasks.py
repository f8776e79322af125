"""The worker's tasks of tournaments. Each may be lost, doubled or late: what is due is found by query."""

from collections.abc import Callable

import structlog
from celery import shared_task

from config.lib import clock
from games.competitions.services import arena, aside, calls, judging, notices, rounds, seating

log = structlog.get_logger(__name__)
BATCH = 100


@shared_task
def tend() -> None:
    """Begin, draw and end what is due, open the tables that were drawn, decide late ones, write the mails."""
    if clock.leapt():
        return
    for act, found in ((rounds.tend, rounds.due()), (arena.seat_waiting, arena.running())):
        well = found.exclude(aside.left_alone())
        for tournament_id in list(well.order_by("pk").values_list("pk", flat=True)[:BATCH]):
            _guarded(act, tournament_id)
    for step in (seating.open_tables, judging.judge_due, judging.tell_of_last_day, notices.send_due, calls.forget_old):
        try:
            step()
        except Exception:  # the others are done nevertheless
            log.exception("step of tournaments failed", step=step.__name__)


def _guarded(act: Callable[[int], object], tournament_id: int) -> None:
    """Do it; a tournament that fails is set aside for a while, is shown to the admins, and stops no other."""
    try:
        act(tournament_id)
        aside.release(tournament_id)
    except Exception as error:
        log.exception("tournament failed", tournament=tournament_id)
        aside.put_aside(tournament_id, error)
