"""Celery tasks: store visits, delete expired sessions, forget idle guests, encrypt authenticators anew."""

from importlib import import_module

from allauth.usersessions.models import UserSession
from celery import shared_task
from django.conf import settings
from django.contrib.sessions.models import Session

from accounts.services import idle_guests, sealing, visits
from config.lib import clock

DOUBT_SECONDS = 3600.0  # after the clock was set forward, in which nothing is deleted for its age


@shared_task
def keep_visits() -> None:
    """Store the visits of the last minutes in the database."""
    visits.keep()


@shared_task
def forget_guests() -> None:
    """Close the accounts of guests who have not come back for long."""
    if not clock.leapt(DOUBT_SECONDS):
        idle_guests.forget()


@shared_task
def forget_sessions() -> None:
    """Delete expired sessions with their browsers and addresses."""
    if clock.leapt(DOUBT_SECONDS):
        return
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    alive = Session.objects.filter(expire_date__gte=clock.now()).values("session_key")
    UserSession.objects.exclude(session_key__in=alive).delete()


@shared_task
def seal_authenticators() -> None:
    """Encrypt by the newest key what an older one or none does."""
    sealing.seal_all()
