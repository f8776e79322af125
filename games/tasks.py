"""The worker's part: bots' moves, clocks, counts of dice, and tables that nobody joined."""

from celery import shared_task

from games.services import bots, lobby, tallies, time_outs


@shared_task
def play_bots(match_id: int) -> None:
    """Play for the bots of one match, now."""
    bots.play_bots(match_id=match_id)


@shared_task
def sweep_bots() -> None:
    """Play for bots whose ring was lost."""
    bots.sweep_bots()


@shared_task
def count_dice() -> None:
    """Count the dice of the matches that ended since the last time."""
    tallies.count_matches()


@shared_task
def lapse_open_matches() -> None:
    """End the open matches that nobody joined for two weeks."""
    lobby.lapse_open_matches()


@shared_task
def sweep_clocks() -> None:
    """Find the clocks that ran out; each match is a task of its own, so that none holds up another."""
    found, due = time_outs.sweep()
    for match_id in due:
        judge_clocks.apply_async((match_id, found.pk if found else None), expires=60)


@shared_task
def judge_clocks(match_id: int, sweep_id: int | None) -> None:
    """Time out the seats of one match whose clocks ran out."""
    time_outs.judge(match_id=match_id, sweep_id=sweep_id)
