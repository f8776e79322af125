"""The worker's part: traces are forgotten after a week, a closed account's sanctions when they end."""

from celery import shared_task

from games.moderation import hints, mails, out, personal, reports


@shared_task
def see_through() -> None:
    """Finish what a crash left of a ban, and tell members what was imposed on them."""
    out.finish_bans()
    mails.tell_due()


@shared_task
def forget_traces() -> None:
    """Delete the traces of more than a week ago, what waited in vain for its member, and old reports."""
    hints.forget()
    personal.forget_sanctions()
    reports.forget_old()
