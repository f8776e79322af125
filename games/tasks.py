"""The worker's tasks: bots, clocks, counts of dice, lapsing tables, mails, heartbeats."""

import threading
from datetime import date
from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.db import DatabaseError, close_old_connections

from config.lib import clock
from config.lib.lane import Lane
from games.queries.puzzles import today
from games.services import channel_order, posts
from games.services.clocks import game_clock, time_outs
from games.services.lobby import closing, inviting, readiness
from games.services.mail import delivery, planning
from games.services.operation import admin_actions, backups, old_rows, samples, site_status
from games.services.play import archiving, bots, dice_counts
from games.services.push import delivery as push_delivery
from games.services.puzzles import answering as puzzle_answers
from games.services.puzzles import making
from games.services.records import making as record_months
from games.services.webhooks import delivery as hook_delivery
from games.services.webhooks import planning as hook_planning

# Each of these four takes up one thread of a worker at most, however slow those are whom it calls: it has eight.
_lanes = {False: threading.Lock(), True: threading.Lock()}  # webhooks that work, and those that fail
_sending = threading.Lock()  # mails
_pushing = threading.Lock()  # calls on devices


def _play_bots(match_id: int) -> None:
    try:
        bots.play_bots(match_id=match_id)
    except DatabaseError:
        close_old_connections()  # one that broke is not used for the next
        raise


# One person may have many matches among bots, by many guests: mails and clocks do not wait for those.
_bots = Lane(3, _play_bots)


@shared_task
def play_bots(match_id: int) -> None:
    """Play for the bots of one match, and of those that wait; in three threads at most."""
    left = _bots.do(match_id)
    if left is not None:
        play_bots.apply_async((left,), expires=60)


@shared_task
def sweep_bots() -> None:
    """Play for bots whose task was lost."""
    bots.sweep_bots()


@shared_task
def count_dice() -> None:
    """Count the dice of matches that have ended."""
    dice_counts.count_matches()


@shared_task
def make_puzzle(day: int | None = None) -> None:
    """Make the puzzle of a day, an ordinal, else of today, unless it has one."""
    making.make(date.fromordinal(day) if day else today())


@shared_task
def archive_matches() -> None:
    """Compress the turns of matches that ended a day ago."""
    archiving.archive_matches()


@shared_task
def make_records() -> None:
    """Go on with the monthly files of public records."""
    if not clock.leapt(clock.DOUBT_SECONDS):
        record_months.make_due()


@shared_task
def back_up() -> None:
    """Copy the site, once a night, where BACKUP_DIR says."""
    backups.nightly()


@shared_task
def lapse_open_matches() -> None:
    """End the open matches that nobody joined for two weeks; forget invitations that hold nobody up."""
    if clock.leapt(clock.DOUBT_SECONDS):
        return
    closing.lapse_open_matches()
    inviting.forget_old()


@shared_task
def free_silent_seats(match_id: int) -> None:
    """Free the seats of those who did not say that they are here."""
    readiness.free_silent_seats(match_id=match_id)


@shared_task
def tend_live_tables() -> None:
    """Free silent and deserted seats at live tables that have not begun."""
    readiness.tend_live_tables()


@shared_task
def sweep_clocks() -> None:
    """Find the clocks that ran out; each match is a task of its own, so that none delays another."""
    found, late = time_outs.sweep()
    if found is not None and found.stopped and found.told_at is None:
        admin_actions.tell_of_fuse(sweep_id=found.pk)
    for match_id in late:
        judge_clocks.apply_async((match_id, found.pk if found else None), expires=60)


@shared_task
def judge_clocks(match_id: int, sweep_id: int | None) -> None:
    """Time out the seats of one match whose clocks ran out."""
    time_outs.judge(match_id=match_id, sweep_id=sweep_id)


@shared_task
def time_up(match_id: int) -> None:
    """Make the move that follows when a match's own clock has run out."""
    game_clock.time_up(match_id=match_id)


@shared_task
def sweep_deadlines() -> None:
    """Queue games' own clocks that ran out or soon will: earlier tasks may have been lost."""
    for match_id, seconds in game_clock.due_soon():
        time_up.apply_async((match_id,), countdown=min(seconds, 60), expires=seconds + 60)


@shared_task
def sweep_notices() -> None:
    """Create the mails that are due, each five minutes of all open questions; have late calls go on elsewhere."""
    if not clock.leapt():
        planning.sweep(whole=planning.is_time_for_all())
        channel_order.go_on(channel_order.overdue())


@shared_task
def forget_mails() -> None:
    """Delete old mails, what was kept of old posts, and what the site noted of its work long ago."""
    if clock.leapt(clock.DOUBT_SECONDS):
        return
    delivery.forget_old()
    push_delivery.forget_old()
    hook_delivery.forget_old()
    posts.forget_old()
    puzzle_answers.close_old()
    old_rows.forget_old()


@shared_task
def send_mails() -> None:
    """Send the waiting mails, unless this process already does."""
    if _sending.acquire(blocking=False):
        try:
            while delivery.send_due():  # until none came meanwhile
                pass
        finally:
            _sending.release()


@shared_task
def send_pushes() -> None:
    """Send what waits for devices, unless this process already does."""
    if _pushing.acquire(blocking=False):
        try:
            while push_delivery.send_due():
                pass
        finally:
            _pushing.release()


@shared_task
def sweep_webhooks() -> None:
    """Create the calls of webhooks that are due."""
    if not clock.leapt():
        hook_planning.sweep()


@shared_task
def call_webhooks(failing: bool = False) -> None:
    """Call the webhooks that wait, the failing ones apart, unless this process already does."""
    lane = _lanes[failing]
    if lane.acquire(blocking=False):
        try:
            while hook_delivery.send_due(failing=failing):  # until none came meanwhile
                pass
        finally:
            lane.release()


@shared_task
def keep_sample() -> None:
    """Keep the site's figures of this moment."""
    samples.keep()


@shared_task
def tell_of_errors() -> None:
    """Mail the admins the errors of which they do not know."""
    admin_actions.tell_of_errors()


@shared_task
def beat() -> None:
    """Record that beat and a worker are alive."""
    site_status.beat()


@worker_ready.connect
def _first_beat(**signal: Any) -> None:
    site_status.beat()
