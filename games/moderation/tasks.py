"""The worker's part: traces are forgotten after a week."""

from celery import shared_task

from games.moderation import hints


@shared_task
def forget_traces() -> None:
    """Delete the traces that are older than a week."""
    hints.forget()
