"""Celery tasks: ranks in Redis, championships."""

from celery import shared_task

from config.lib import clock
from games.services.clocks.outages import stopped_sweep
from leaderboards import championships, ranks


@shared_task
def refresh_ranks() -> None:
    """Update Redis, and build the boards that pages asked for."""
    ranks.refresh()


@shared_task
def tend_championships() -> None:
    """Announce championships, note and tell who is qualified, give the medals; each is found by query."""
    if not clock.leapt(clock.DOUBT_SECONDS) and stopped_sweep() is None:
        championships.tend()
