"""The worker's tasks of clubs. Each may be lost, doubled or late: what is due is found by query."""

from collections.abc import Callable

import structlog
from celery import shared_task

from config.lib import clock
from games.clubs.services import notices, roles
from games.clubs.services.circles import notices as circle_notices
from games.clubs.services.circles import opening as circle_tables
from games.clubs.services.encounters import beginning, opening
from games.clubs.services.encounters import notices as encounter_notices

log = structlog.get_logger(__name__)
BATCH = 100


@shared_task
def tend() -> None:
    """End what banned people are to clubs, and write the mails."""
    if not clock.leapt():
        _each((roles.part_banned, notices.send_due))


@shared_task
def tend_encounters() -> None:
    """Let challenges of clubs lapse, begin and end their matches, open the tables planned, write the mails."""
    if clock.leapt():
        return
    for encounter_id in list(beginning.due().order_by("begins_at", "pk").values_list("pk", flat=True)[:BATCH]):
        try:
            beginning.tend(encounter_id)
            beginning.release(encounter_id)
        except Exception as error:
            log.exception("club match failed", encounter=encounter_id)
            beginning.put_aside(encounter_id, error)
    _each((opening.open_boards, encounter_notices.send_due))


@shared_task
def tend_circles() -> None:
    """Open the weekly tables of circles whose hour has come, and write the mails."""
    if clock.leapt():
        return
    for circle_id in list(circle_tables.due().values_list("pk", flat=True)[:BATCH]):
        try:
            circle_tables.tend(circle_id)
            circle_tables.release(circle_id)
        except Exception as error:
            log.exception("circle failed", circle=circle_id)
            circle_tables.put_aside(circle_id, error)
    _each((circle_notices.send_due,))


def _each(steps: tuple[Callable[[], object], ...]) -> None:
    for step in steps:
        try:
            step()
        except Exception:  # the others are done nevertheless
            log.exception("step of clubs failed", step=step.__module__)
