"""The worker's part: bots' moves, counts of dice, tables that nobody joined, mails."""

import threading

from celery import shared_task

from games.services import alarms, bots, deadlines, due, letters, lobby, tallies, time_outs

_sending = threading.Lock()  # a slow mail server holds one thread of a worker, and leaves the others to play


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
    found, late = time_outs.sweep()
    if found is not None and found.stopped and found.told_at is None:
        alarms.tell_of_fuse(sweep_id=found.pk)
    for match_id in late:
        judge_clocks.apply_async((match_id, found.pk if found else None), expires=60)


@shared_task
def judge_clocks(match_id: int, sweep_id: int | None) -> None:
    """Time out the seats of one match whose clocks ran out."""
    time_outs.judge(match_id=match_id, sweep_id=sweep_id)


@shared_task
def time_up(match_id: int) -> None:
    """End what a match's own clock ends, now that it has run out."""
    deadlines.time_up(match_id=match_id)


@shared_task
def sweep_deadlines() -> None:
    """See to the clocks of games that ran out, or will before the next look: rings may have been lost."""
    for match_id, seconds in deadlines.near():
        time_up.apply_async((match_id,), countdown=min(seconds, 60), expires=seconds + 60)


@shared_task
def sweep_notices() -> None:
    """Make the mails that are due."""
    due.sweep()


@shared_task
def forget_letters() -> None:
    """Delete the mails that are old."""
    letters.forget_old()


@shared_task
def send_letters() -> None:
    """Send the mails that wait, unless this process is at it."""
    if _sending.acquire(blocking=False):
        try:
            while letters.send_due():  # what came meanwhile, too
                pass
        finally:
            _sending.release()
