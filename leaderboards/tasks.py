"""The worker's part: ranks in Redis."""

from celery import shared_task

from leaderboards import ranks


@shared_task
def refresh_ranks() -> None:
    """Write what Redis missed, and build the boards that pages asked for."""
    ranks.refresh()
