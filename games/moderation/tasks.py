"""The worker's part: traces are forgotten after a week, a closed account's sanctions when they end."""

from celery import shared_task

from games.moderation import hints, personal


@shared_task
def forget_traces() -> None:
    """Delete the traces that are older than a week, and what waited in vain for its member."""
    hints.forget()
    personal.forget_sanctions()
