"""The worker's tasks of the API."""

from celery import shared_task

from config.lib import clock
from games.api.services import streaming


@shared_task
def forget_old() -> None:
    """Delete streams that nobody hears any more, and old events of the others."""
    if not clock.leapt(clock.DOUBT_SECONDS):
        streaming.forget_old()
