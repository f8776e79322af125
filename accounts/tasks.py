"""The worker's part in who people are: visits are kept; log-ins that ran out are forgotten."""

from importlib import import_module

from allauth.usersessions.models import UserSession
from celery import shared_task
from django.conf import settings
from django.contrib.sessions.models import Session

from accounts.services import visits
from config.lib import clock


@shared_task
def keep_visits() -> None:
    """Carry the visits of the last minutes into the database."""
    visits.keep()


@shared_task
def forget_sessions() -> None:
    """Delete the sessions that ran out, and what was noted of their browser and address."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    alive = Session.objects.filter(expire_date__gte=clock.now()).values("session_key")
    UserSession.objects.exclude(session_key__in=alive).delete()
