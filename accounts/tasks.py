"""The worker's part in who people are: visits are kept."""

from celery import shared_task

from accounts import visits


@shared_task
def keep_visits() -> None:
    """Carry the visits of the last minutes into the database."""
    visits.keep()
