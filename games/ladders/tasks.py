"""The worker's task of ladders. It may be lost, doubled or late: what is due is found by query."""

from datetime import timedelta

import structlog
from celery import shared_task

from config.lib import clock
from games.ladders.models import Ladder
from games.ladders.services import notices, tending

log = structlog.get_logger(__name__)

ASIDE = timedelta(minutes=10)  # for which a ladder that failed is left alone


@shared_task
def tend() -> None:
    """Move places, let challenges lapse and idle members fall, take off who is gone, write the mails."""
    if clock.leapt():
        return
    aside = set(Ladder.objects.filter(troubled_at__gt=clock.now() - ASIDE).values_list("pk", flat=True))
    for ladder_id in tending.due():
        if ladder_id not in aside:
            _guarded(ladder_id)
    notices.send_due()


def _guarded(ladder_id: int) -> None:
    """Tend it; a ladder that fails is set aside for a while, is shown to the admins, and stops no other."""
    try:
        tending.tend(ladder_id)
    except Exception as error:
        log.exception("ladder failed", ladder=ladder_id)
        trouble = type(error).__name__  # the message may reveal secrets
        Ladder.objects.filter(pk=ladder_id).update(troubled_at=clock.now(), trouble=trouble)
