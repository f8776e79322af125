"""The worker's part: bots' moves, and tables that nobody joined."""

from celery import shared_task

from games.services import bots, lobby


@shared_task
def play_bots(match_id: int) -> None:
    """Play for the bots of one match, now."""
    bots.play_bots(match_id=match_id)


@shared_task
def sweep_bots() -> None:
    """Play for bots whose ring was lost."""
    bots.sweep_bots()


@shared_task
def lapse_open_matches() -> None:
    """End the open matches that nobody joined for two weeks."""
    lobby.lapse_open_matches()
