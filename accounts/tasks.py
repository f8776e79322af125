"""Celery tasks: store visits, delete expired sessions, forget idle guests, encrypt authenticators anew."""

from allauth.usersessions.models import UserSession
from celery import shared_task
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef

from accounts.services import idle_guests, sealing, visits
from config.lib import clock
from config.lib.steps import delete_in_steps


@shared_task
def keep_visits() -> None:
    """Store the visits of the last minutes in the database."""
    visits.keep()


@shared_task
def forget_guests() -> None:
    """Close the accounts of guests who have not come back for long."""
    if not clock.leapt(clock.DOUBT_SECONDS):
        idle_guests.forget()


@shared_task
def forget_sessions() -> None:
    """Delete expired sessions with their browsers and addresses."""
    if clock.leapt(clock.DOUBT_SECONDS):
        return
    delete_in_steps(Session.objects.filter(expire_date__lt=clock.now()))
    alive = Session.objects.filter(session_key=OuterRef("session_key"))
    delete_in_steps(UserSession.objects.filter(~Exists(alive)))


@shared_task
def seal_authenticators() -> None:
    """Encrypt by the newest key what an older one or none does."""
    sealing.seal_all()
