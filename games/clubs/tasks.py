"""The worker's task of clubs. It may be lost, doubled or late: what is due is found by query."""

import structlog
from celery import shared_task

from config.lib import clock
from games.clubs.services import notices, roles

log = structlog.get_logger(__name__)
STEPS = (roles.part_banned, notices.send_due)


@shared_task
def tend() -> None:
    """End what banned people are to clubs, and write the mails."""
    if clock.leapt():
        return
    for step in STEPS:
        try:
            step()
        except Exception:  # the others are done nevertheless
            log.exception("step of clubs failed", step=step.__name__)
