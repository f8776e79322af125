"""How much waits for moderators: for the buttons of the admin's first page."""

from django import template

from accounts.models import User
from games.moderation import reports
from games.moderation.models import Appeal, Report, Sanction

register = template.Library()


@register.simple_tag
def waiting(reader: User) -> dict[str, int]:
    """Return how many reports, appeals and bans wait to be closed, decided and confirmed, of those in their lists."""
    return {
        "reports": reports.open_to(reader, Report.objects.filter(state__in=reports.OPEN)).count(),
        "appeals": Appeal.objects.filter(state=Appeal.State.OPEN).exclude(sanction__member=reader).count(),
        "bans": Sanction.objects.filter(to_ban=True, ended_at=None).count(),
    }
