"""Tournaments at which a sweep failed: they are left alone for a while, and admins may have them looked at again."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from config.lib import clock
from games import broadcast
from games.competitions.models import Tournament
from games.models import Audit
from games.services.operation.admin_actions import note

ASIDE = timedelta(minutes=10)  # for which a tournament that failed is left alone


def left_alone(whose: str = "") -> Q:
    """Return the condition of tournaments that are left alone now, or of rows that lead to them by this path."""
    return Q(**{f"{whose}troubled_at__gt": clock.now() - ASIDE})


def put_aside(tournament_id: int, error: Exception) -> None:
    """Leave a tournament alone for a while, shown to the admins, so that it stops no other."""
    trouble = type(error).__name__  # the message may reveal secrets
    Tournament.objects.filter(pk=tournament_id).update(troubled_at=clock.now(), trouble=trouble)


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
