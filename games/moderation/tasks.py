"""The worker's part: traces are forgotten after a week, a closed account's sanctions when they end."""

from celery import shared_task

from games.moderation import hints, personal_data, removal, reports, sanctions


@shared_task
def see_through() -> None:
    """Finish what a crash left of a ban, and tell members what was imposed on them."""
    removal.finish_bans()
    sanctions.mail_sanctions()


@shared_task
def forget_traces() -> None:
    """Delete the traces of more than a week ago, what waited in vain for its member, and old reports."""
    hints.forget()
    personal_data.forget_sanctions()
    reports.forget_old()
