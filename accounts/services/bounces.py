"""Addresses that bounce: mail to them is turned off, by a server's refusal or a provider's webhook."""

import re
from datetime import datetime
from typing import Any

import structlog
from anymail.exceptions import AnymailWebhookValidationFailure
from anymail.signals import AnymailTrackingEvent, tracking
from anymail.utils import get_request_basic_auth
from django.conf import settings
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import resolve
from django.utils.crypto import constant_time_compare
from django.utils.module_loading import import_string
from django.views.decorators.csrf import csrf_exempt

from accounts.models import User
from config.lib import clock, mail_replies
from config.lib.provider_mails import Unreadable, careful
from config.lib.texts import one_line

log = structlog.get_logger(__name__)

REFUSED = "refused: "  # how the reason of a mail server's refusal begins
LONGEST_WORDS = 1_000  # of others, that are looked at
ADDRESS = re.compile(r"[^\s<>@:]+@[^\s<>@]+")


def without_addresses(words: str) -> str:
    """Return the beginning of a text of another server's, as it can be stored, with every mail address left out."""
    return ADDRESS.sub("…", one_line(words[:LONGEST_WORDS]))


def turn_off(address: str, why: str) -> int:
    """Send no more mail to an address, for this reason; return how many members that concerns."""
    if not address:
        return 0
    reached = User.objects.filter(email=address.lower(), mail_broken_at__isnull=True)
    ids = list(reached.values_list("pk", flat=True))
    count = reached.update(mail_broken_at=clock.now(), mail_broken_why=without_addresses(why)[:200])
    for path in settings.ON_MAIL_BROKEN if count else ():
        import_string(path)(ids)
    return count


def turn_on_since(moment: datetime) -> int:
    """Send mail again to whom a mail server refused since a moment; return how many members that are."""
    refused = User.objects.filter(mail_broken_at__gte=moment, mail_broken_why__startswith=REFUSED)
    return refused.update(mail_broken_at=None, mail_broken_why="")


def try_again(user_id: int) -> None:
    """Send mail to this member again."""
    User.objects.filter(pk=user_id).update(mail_broken_at=None, mail_broken_why="")


@csrf_exempt  # the secret in the address is the proof
def mail_events(request: HttpRequest, provider: str, kind: str = "tracking") -> HttpResponse:
    """Pass a webhook of the configured mail provider to Anymail; 404 for other providers.

    `kind` is "tracking" for what became of mails, "inbound" for mails that came.

    Without TLS it is refused and not led there: whoever set the address up would not notice that its secret is read.
    Of a post without the secret no byte is read.
    """
    if settings.SECURE_SSL_REDIRECT and not request.is_secure():
        return HttpResponse("https only\n", status=403, content_type="text/plain")
    if not provider or provider != settings.MAIL_PROVIDER:
        raise Http404
    told = get_request_basic_auth(request) or ""
    if request.method == "POST" and not constant_time_compare(told, settings.ANYMAIL["WEBHOOK_SECRET"]):
        raise AnymailWebhookValidationFailure("no secret, or another")
    try:
        view: Any = resolve(f"/{provider}/{kind}/", "anymail.urls").func
        answer: HttpResponse = careful(view)(request)
    except Unreadable as error:
        log.info("post of the mail provider not taken", kind=kind, error=str(error))
        return HttpResponse(status=200)  # else it would come again
    return answer


@receiver(tracking)
def track(sender: Any, event: AnymailTrackingEvent, esp_name: str, **signal: Any) -> None:
    """Turn mail off at bounces and complaints; Anymail sends the webhook's event as a signal.

    A deferral changes nothing, nor does a bounce that is not about the address.
    """
    if event.recipient and is_final(event):
        why = f"{event.event_type}: {event.description or event.reject_reason or ''}"
        count = turn_off(event.recipient, why)
        log.info("mail turned off", event_kind=event.event_type, provider=esp_name, members=count)


def is_final(event: AnymailTrackingEvent) -> bool:
    """Return whether no mail can or may go to the address: a complaint, or a bounce that says it is none.

    The mail server's code tells, where the provider passes it on; else the provider's own reason.
    """
    if event.event_type == "complained":
        return True
    if event.event_type not in ("bounced", "rejected", "failed"):
        return False
    if mail_replies.enhanced_code(event.mta_response or ""):
        return mail_replies.is_of_the_address(event.mta_response)
    hard = ("bounced", "invalid") if event.event_type == "bounced" else ("bounced", "invalid", "spam")
    return event.reject_reason in hard
