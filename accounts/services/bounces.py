"""Addresses that bounce: mail to them is turned off, by a server's refusal or a provider's webhook."""

import re
from typing import Any

import structlog
from anymail.signals import AnymailTrackingEvent, tracking
from django.conf import settings
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import resolve
from django.views.decorators.csrf import csrf_exempt

from accounts.models import User
from config.lib import clock

log = structlog.get_logger(__name__)

ADDRESS = re.compile(r"[^\s<>@:]+@[^\s<>@]+")


def without_addresses(words: str) -> str:
    """Return the text with every mail address left out."""
    return ADDRESS.sub("…", words)


def turn_off(address: str, why: str) -> int:
    """Send no more mail to an address, for this reason; return how many members that concerns."""
    if not address:
        return 0
    reached = User.objects.filter(email=address.lower(), mail_broken_at__isnull=True)
    return reached.update(mail_broken_at=clock.now(), mail_broken_why=without_addresses(why)[:200])


def try_again(user_id: int) -> None:
    """Send mail to this member again."""
    User.objects.filter(pk=user_id).update(mail_broken_at=None, mail_broken_why="")


@csrf_exempt  # the secret in the address is the proof
def mail_events(request: HttpRequest, provider: str) -> HttpResponse:
    """Pass a webhook of the configured mail provider to Anymail; 404 for other providers."""
    if not provider or provider != settings.MAIL_PROVIDER:
        raise Http404
    answer: HttpResponse = resolve(f"/{provider}/tracking/", "anymail.urls").func(request)
    return answer


@receiver(tracking)
def track(sender: Any, event: AnymailTrackingEvent, esp_name: str, **signal: Any) -> None:
    """Turn mail off at bounces and complaints; Anymail sends the webhook's event as a signal.

    A deferral, or a bounce that the provider calls temporary, changes nothing.
    """
    final = event.event_type in ("bounced", "complained") or (
        event.event_type in ("rejected", "failed") and event.reject_reason in ("bounced", "invalid", "spam")
    )
    if final and event.recipient:
        why = f"{event.event_type}: {event.description or event.reject_reason or ''}"
        count = turn_off(event.recipient, why)
        log.info("mail turned off", event_kind=event.event_type, provider=esp_name, members=count)
