"""Celery tasks: finish interrupted bans, mail sanctions, delete what has expired."""

from celery import shared_task

from config.lib import clock
from games.moderation import hints, personal_data, queue, removal, reports, sanctions


@shared_task
def see_through() -> None:
    """Finish bans that a crash interrupted, and mail members about their sanctions and reports."""
    removal.finish_bans()
    sanctions.mail_sanctions()
    queue.mail_outcomes()


@shared_task
def forget_traces() -> None:
    """Delete old traces, expired sanctions of closed accounts, and old reports; nothing while the time is in doubt."""
    if clock.leapt(clock.DOUBT_SECONDS):
        return
    hints.forget()
    personal_data.forget_sanctions()
    reports.forget_old()
