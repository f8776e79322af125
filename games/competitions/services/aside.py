"""Tournaments at which a sweep failed: they are left alone for a while, and admins may have them looked at again."""

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games import broadcast
from games.competitions.models import Tournament
from games.models import Audit
from games.services.operation.admin_actions import note


def set_aside() -> QuerySet[Tournament]:
    """Return the tournaments under way at which the last sweep failed, latest first."""
    under_way = (Tournament.State.OPEN, Tournament.State.RUNNING)
    return Tournament.objects.filter(state__in=under_way, troubled_at__isnull=False).order_by("-troubled_at")


def release(tournament_id: int) -> bool:
    """Have the next sweep look at it, or note that none fails any more; return whether it was set aside."""
    aside = Tournament.objects.filter(pk=tournament_id, troubled_at__isnull=False)
    return bool(aside.update(troubled_at=None, trouble=""))


def look_again(*, admin: User, tournament: Tournament) -> bool:
    """Let the next sweep look at a tournament that was set aside; return whether it was."""
    with transaction.atomic():
        if was_aside := release(tournament.pk):
            note(admin, Audit.Deed.AGAIN, None, details=f"{tournament.name} ({tournament.pk})")
            broadcast.tournaments_waiting()
    return was_aside
