"""Celery task: ranks in Redis."""

from celery import shared_task

from leaderboards import ranks


@shared_task
def refresh_ranks() -> None:
    """Update Redis, and build the boards that pages asked for."""
    ranks.refresh()
